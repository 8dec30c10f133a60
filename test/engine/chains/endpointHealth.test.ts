import { readFileSync } from 'node:fs'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { headAgeMaxMs, publicEndpoints } from '../../../engine/chains/endpoints/publicEndpoints.ts'
import { BITCOIN, CHAIN_IDS, chainOf } from '../../../engine/core/chain.ts'
import { HttpError } from '../../../engine/net/httpClient.ts'
import { WALLETS } from '../../support/anOrder.ts'
import {
  answersTooMuch,
  benchOver,
  DEADLINE_MS,
  type Endpoint,
  hangs,
  type Nodes,
  never,
  outcome,
  outcomeAfter,
  pass,
  refuses,
  resets,
  says,
  stopTimers,
  turn,
} from './evidenceBench.ts'
import { BLOCK_SECONDS, node, payee, timeOf, USDC } from './evmBench.ts'
import cases from './headLag.json' with { type: 'json' }

const well = says({ result: '0x' })
const WHERE = { chainId: 1, address: payee } as const

const over = (nodes: Nodes) => {
  const bench = benchOver(nodes)
  /** A read of one call, never part of a batch and never cached. */
  const start = () => outcome(bench.chains.code(WHERE, never()).then(() => 'answered'))
  /** The same to its end: the endpoints that were read, and the outcome. */
  const read = async (): Promise<string> => {
    const { length } = bench.asked
    const end = await outcomeAfter(DEADLINE_MS, start())
    return `${bench.hosts(length).join('')} ${end}`
  }
  return { ...bench, start, read }
}

stopTimers()

describe('chain endpoints: one that fails is read last for a while [rpc-next-endpoint]', () => {
  it.each<[string, Endpoint, string?]>([
    ['resets', resets],
    ['hangs', hangs, 'a timeout'],
    ...[302, 401, 429].map((status): [string, Endpoint] => [`answers ${status}`, says({ message: 'no' }, status)]),
    ['answers 503 in HTML', says('<html>', 503)],
    ['reports a limit', says(refuses('limit exceeded', -32_005))],
    ['reports a limit by its own code', says(refuses('50/second request limit reached', -32_007))],
    ['reports an internal error', says(refuses('Internal error', -32_603))],
    ['answers without a result', says({ jsonrpc: '2.0', id: 1 })],
    ['nests its answer too deep', () => Promise.reject(new HttpError('malformed', 'nests deeper than 32 levels'))],
  ])('when it %s, and alone it is read twice at most [rpc-retry-once]', async (_what, endpoint, alone = 'aa unreachable') => {
    const { read } = over({ a: endpoint, b: well })
    expect([await read(), await read(), await over({ a: endpoint }).read()]).toEqual(['ab answered', 'b answered', alone])
    expect(vi.getTimerCount()).toBe(0)
  })

  it.each<[string, Endpoint]>([
    ['does not have the method', says(refuses('method not found', -32_601))],
    ['finds the request too large', says('too large', 413)],
    ['answers more than the service reads', answersTooMuch],
  ])('but not when it %s: the next endpoint is read, nothing is reported or repeated', async (_what, endpoint) => {
    const { read, events } = over({ a: endpoint, b: well })
    expect([await read(), await read(), events]).toEqual(['ab answered', 'ab answered', []])
    expect(await over({ a: endpoint }).read()).toBe('a unreachable')
  })

  it('but not when a call reverts', async () => {
    const { chains, hosts, events } = over({ a: says(refuses('execution reverted: rate limit', -32_000)), b: well })
    const query = { asset: USDC, owner: WALLETS.evm, spender: WALLETS.evmOther }
    for (const _time of [1, 2]) expect(await outcome(chains.allowance(query, never()))).toBe('notAToken')
    expect([hosts(), events]).toEqual([['a', 'a'], []])
  })

  it('twice as long after each failure in a row, up to a minute, and anew after an answer or once the clock is set back', async () => {
    const { clock, read, nodes } = over({ a: resets, b: well })
    const readAfter = (ms: number) => {
      clock.at += ms
      return read()
    }
    expect(await readAfter(0)).toBe('ab answered')
    for (const seconds of [5, 10, 20, 40, 60, 60])
      expect([await readAfter(seconds * 1_000 - 1), await readAfter(1)]).toEqual(['b answered', 'ab answered'])
    nodes['a'] = well
    expect(await readAfter(60_000)).toBe('a answered')
    nodes['a'] = resets
    expect([await readAfter(0), await readAfter(0), await readAfter(5_000)]).toEqual(['ab answered', 'b answered', 'ab answered'])
    expect(await readAfter(-600_000)).toBe('ab answered')
  })

  it('for all readers of that chain, and on no other chain', async () => {
    const { chains, evidence, hosts, read } = over({ a: resets, b: says({ result: '0x', '3': 5 }) })
    expect([await chains.feePrice(-1, never()), await evidence.hasCode(WHERE, never())]).toEqual([5n, false])
    expect([hosts().join(''), await read()]).toEqual(['abab', 'b answered'])
  })
})

describe('chain endpoints: a read that none answers [rpc-retry-once]', () => {
  it('is repeated only at endpoints that failed, and not when it posts a signed transaction', async () => {
    expect(await over({ a: hangs, b: resets, c: says(refuses('method not found', -32_601)) }).read()).toBe('abcb unreachable')
    const { hosts, solana } = over({ a: resets, b: says('', 503) })
    expect(await outcomeAfter(DEADLINE_MS, solana.send('AAAA', never()))).toBe('unreachable')
    expect(hosts()).toEqual(['a', 'b'])
  })

  it('ends at its deadline where three hang', async () => {
    const reading = over({ a: hangs, b: hangs, c: hangs }).start()
    await pass(DEADLINE_MS - 1)
    expect(await Promise.race([reading, turn()])).toBeUndefined()
    await pass(1)
    expect(await reading).toBe('timeout')
  })
})

describe('chain endpoints: the words of a node', () => {
  it.each([
    ['execution reverted: ERC20: transfer amount exceeds balance', null],
    ['EVM error: opcode PUSH0 (0x5f) not defined in this fork', null],
    ['stack underflow (0 <=> 1)', null],
    ['header not found', 'unreachable'],
    ['opcode tables of this node were not loaded, and the block asked for is not defined', 'unreachable'],
  ])('"%s" to a call is read as %j: null for a revert', async (message, expected) => {
    const { chains } = over({ a: says(refuses(message)) })
    expect(await outcome(chains.call(WHERE, '0x', never()))).toBe(expected)
  })

  it.each([
    ['limit exceeded', -32_005, 'a refusal of the range'],
    ['query returned more than 10000 results', -32_005, 'a refusal of the range'],
    ['query exceeds max block range 1000', -32_005, 'a refusal of the range'],
    ['request limit reached', -32_005, 'trouble'],
    ['limit exceeded', 429, 'trouble'],
  ])('"%s" (%i) to eth_getLogs is %s', async (message, code, meaning) => {
    vi.useRealTimers()
    const logs = { eth_getLogs: () => [] }
    const { evidence, events, clock } = over({ a: node({ eth_getLogs: refuses(message, code) }), b: node(logs) })
    clock.at = timeOf(200)
    const search = { asset: USDC, recipient: payee, since: 0 } as const
    expect(await evidence.search(search, never())).toMatchObject({ hashes: [], isWhole: true })
    expect(events.length > 0).toBe(meaning === 'trouble')
  })
})

describe('chain endpoints: the log', () => {
  it('reports each change of an endpoint once, by its place', async () => {
    const { nodes, clock, read, start, events } = over({ a: well, b: says('', 503), c: well })
    await read()
    nodes['a'] = resets
    await Promise.all([start(), start()])
    for (const ms of [0, 5_000]) {
      clock.at += ms
      await read()
    }
    nodes['a'] = well
    clock.at += 10_000
    for (const _time of [1, 2]) await read()
    const report = { event: 'chain.health', chainId: 1, endpoints: 3 }
    expect(events).toEqual([
      { ...report, endpoint: 1, healthy: false, reason: 'no answer (ECONNRESET)' },
      { ...report, endpoint: 2, healthy: false, reason: 'HTTP 503 with a body that is not JSON' },
      { ...report, endpoint: 1, healthy: true, reason: null },
    ])
  })

  const talkative = { error: { code: 'https://a/v3/secret-key', message: 'no credit at https://a/v3/secret-key' } }
  it.each([resets, hangs, says(talkative), says('https://a/v3/secret-key')])(
    'and the errors hold no address of an endpoint, down to the last cause: %# [rpc-next-endpoint]',
    async (endpoint) => {
      const { chains, events } = over({ a: endpoint, b: endpoint })
      const reading = chains.code(WHERE, never()).catch((reason: unknown) => reason)
      await pass(DEADLINE_MS)
      const texts: string[] = [JSON.stringify(events)]
      for (let cause = await reading; cause instanceof Error; cause = cause.cause) texts.push(cause.message, cause.stack ?? '')
      expect(texts.length).toBeGreaterThan(2)
      expect(texts.join('\n')).not.toMatch(/secret/)
    },
  )
})

/**
 * `steps`: the block that is new by our clock, and the newest block of each endpoint; an endpoint that is missing does not answer.
 * `reads`: for each step the endpoint that showed the newest block, and the endpoint of another read. `reports`: in blocks.
 */
type HeadLag = Omit<(typeof cases)[number], 'aheadMs'> & { readonly aheadMs?: number }

describe('chain endpoints: the age of the newest block [rpc-lagging-endpoint]', () => {
  beforeEach(() => void vi.useRealTimers())

  // Ethereum's bound is 180 s, which are 15 blocks here.
  it.each<HeadLag>(cases)('$name', async ({ hosts, steps, aheadMs = 0, ...expected }) => {
    const { evidence, asked, clock, events, nodes } = benchOver(Object.fromEntries([...hosts].map((host) => [host, {}])))
    const reads: string[] = []
    for (const step of steps.split('; ')) {
      const [now, ...heads] = step.split(' ')
      clock.at = timeOf(Number(now)) + aheadMs
      for (const host of hosts) nodes[host] = { eth_getBlockByNumber: resets, eth_getCode: resets }
      for (const shown of heads) nodes[shown.charAt(0)] = { ...node({ head: Number(shown.slice(1)) }), eth_getCode: '0x' }
      asked.length = 0
      await evidence.confirmedTime(1, never()).catch(() => null)
      const latest = asked.findLast(({ params }) => params[0] === 'latest')
      await evidence.hasCode(WHERE, never())
      reads.push(`${latest?.host}${asked.at(-1)?.host}`)
    }
    const reports = events.flatMap((event) =>
      event.event === 'chain.lag'
        ? `${event.endpoint} ${event.lagging ? 'lags' : 'is well'} by ${event.behindMs / 1_000 / BLOCK_SECONDS}`
        : [],
    )
    expect({ reads: reads.join(' '), reports }).toEqual({ reads: expected.reads, reports: expected.reports })
  })
})

describe('public endpoints', () => {
  it.each(CHAIN_IDS)('of chain %i are 3 or 4 of different listed providers (Bitcoin: 2) [rpc-public-defaults]', (chainId) => {
    const endpoints = publicEndpoints(chainId)
    const least = chainId === BITCOIN ? 2 : 3
    expect(new Set(endpoints.map(({ provider }) => provider)).size).toBeGreaterThanOrEqual(least)
    // More would leave the later ones too little of a read's time.
    expect(endpoints.length).toBeLessThanOrEqual(4)
    for (const { url } of endpoints) expect(url).toMatch(/^https:\/\/[a-z0-9.-]+(\/[a-z0-9/]*)?$/i)
  })

  it('stand in the table of RPC.md with their limits and the bound of their chain', () => {
    const known = (value: number | null, zero = '0') => (value === null ? '' : value === 0 ? zero : value.toLocaleString('en'))
    const rows = CHAIN_IDS.flatMap((chainId) =>
      publicEndpoints(chainId).map(({ url, provider, logBlocks, requestsPerMinute }, index) => {
        const [name, bound] = index === 0 ? [chainOf(chainId).name, `${known(headAgeMaxMs(chainId) / 1_000)} s`] : ['', '']
        return `| ${[name, `\`${url}\``, provider, known(logBlocks, 'off'), known(requestsPerMinute), bound].join(' | ')} |`
      }),
    )
    const page = readFileSync('engine/chains/RPC.md', 'utf8')
    expect(page.split('\n').filter((line) => line.includes('| `https://'))).toEqual(rows)
  })

  it('are read in their order for an operator who sets none', async () => {
    const { evidence, hosts } = benchOver({ 'base-rpc.publicnode.com': { eth_getCode: '0x' } }, { rpcUrls: {} })
    expect(await evidence.hasCode({ chainId: 8453, address: payee }, never())).toBe(false)
    expect(hosts()).toEqual(['mainnet.base.org', 'base-rpc.publicnode.com'])
  })
})
