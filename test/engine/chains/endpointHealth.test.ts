import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { HttpError } from '../../../engine/net/httpClient.ts'
import { WALLETS } from '../../support/anOrder.ts'
import {
  answersTooMuch,
  benchOver,
  DEADLINE_MS,
  type Endpoint,
  fakeTimers,
  hangs,
  type Nodes,
  never,
  outcome,
  pass,
  realTimers,
  refuses,
  resets,
  says,
} from './evidenceBench.ts'
import { node, payee, timeOf, USDC } from './evmBench.ts'
import words from './nodeWords.json' with { type: 'json' }

const well = says({ result: '0x' })
const error = (code: number, message: string) => ({ error: { code, message } })
const WHERE = { chainId: 1, address: payee } as const

const over = (nodes: Nodes) => {
  const bench = benchOver(nodes)
  /** A read of one call, never part of a batch and never cached. */
  const start = (signal = never()) => outcome(bench.chains.code(WHERE, signal).then(() => 'answered'))
  /** The same to its end: the endpoints that were read, and the outcome. */
  const read = async (): Promise<string> => {
    const { length } = bench.asked
    const reading = start()
    await pass(DEADLINE_MS)
    const end = await reading
    return `${bench.hosts(length).join('')} ${end}`
  }
  return { ...bench, start, read }
}

beforeEach(fakeTimers)
afterEach(realTimers)

describe('chain endpoints: one that fails is read last for a while [rpc-next-endpoint]', () => {
  it.each<[string, Endpoint, string?]>([
    ['resets', resets],
    ['hangs', hangs, 'a timeout'],
    ...[302, 401, 402, 403, 404, 429].map((status): [string, Endpoint] => [`answers ${status}`, says({ message: 'no' }, status)]),
    ['answers 503 in HTML', says('<html>', 503)],
    ['answers 503 with an error of JSON-RPC', says(error(-32_000, 'backend is down'), 503)],
    ['reports a limit', says(error(-32_005, 'limit exceeded'))],
    ['reports a limit by its own code', says(error(-32_007, '50/second request limit reached'))],
    ['reports a limit by the code of HTTP', says(error(429, 'compute units per second'))],
    ['reports an internal error', says(error(-32_603, 'Internal error'))],
    ['answers no JSON-RPC', says([{ result: '0x' }])],
    ['answers without a result', says({ jsonrpc: '2.0', id: 1 })],
    ['nests its answer too deep', () => Promise.reject(new HttpError('malformed', 'nests deeper than 32 levels'))],
  ])('when it %s, and alone it is read twice at most [rpc-retry-once]', async (_what, endpoint, alone = 'aa unreachable') => {
    const { read } = over({ a: endpoint, b: well })
    expect([await read(), await read(), await over({ a: endpoint }).read()]).toEqual(['ab answered', 'b answered', alone])
    expect(vi.getTimerCount()).toBe(0)
  })

  it.each<[string, Endpoint]>([
    ['does not have the method', says(error(-32_601, 'method not found'))],
    ['lacks the state', says(error(-32_000, 'missing trie node'))],
    ['finds the request too large', says('too large', 413)],
    ['answers more than the service reads', answersTooMuch],
  ])('but not when it %s: the next endpoint is read, nothing is reported or repeated', async (_what, endpoint) => {
    const { read, events } = over({ a: endpoint, b: well })
    expect([await read(), await read(), await over({ a: endpoint }).read()]).toEqual([
      'ab answered',
      'ab answered',
      'a unreachable',
    ])
    expect(events).toEqual([])
  })

  it('but not when a call reverts, or its caller leaves', async () => {
    const { chains, hosts, events } = over({ a: says(error(-32_000, 'execution reverted: rate limit')), b: well })
    const query = { asset: USDC, owner: WALLETS.evm, spender: WALLETS.evmOther }
    for (const _time of [1, 2]) expect(await outcome(chains.allowance(query, never()))).toBe('notAToken')
    expect([hosts(), events]).toEqual([['a', 'a'], []])
    const left = over({ a: hangs, b: well })
    const caller = new AbortController()
    const reading = left.start(caller.signal)
    await pass(10)
    caller.abort()
    expect([await reading, left.events]).toEqual(['timeout', []])
    left.nodes['a'] = well
    expect(await left.read()).toBe('a answered')
  })

  it('twice as long after each failure in a row, up to a minute, and anew after an answer', async () => {
    const { clock, read, nodes } = over({ a: resets, b: well })
    expect(await read()).toBe('ab answered')
    for (const seconds of [5, 10, 20, 40, 60, 60]) {
      clock.at += seconds * 1_000 - 1
      expect(await read()).toBe('b answered')
      clock.at += 1
      expect(await read()).toBe('ab answered')
    }
    nodes['a'] = well
    clock.at += 60_000
    expect(await read()).toBe('a answered')
    nodes['a'] = resets
    for (const expected of ['ab answered', 'b answered']) expect(await read()).toBe(expected)
    clock.at += 5_000
    expect(await read()).toBe('ab answered')
    clock.at -= 600_000
    expect(await read()).toBe('ab answered')
  })

  it('before one that failed later or longer, when all have failed', async () => {
    const { nodes, clock, read } = over({ a: resets, b: resets })
    expect(await read()).toBe('abab unreachable')
    clock.at += 10_000
    nodes['b'] = well
    expect(await read()).toBe('ab answered')
    nodes['b'] = resets
    expect(await read()).toBe('baba unreachable')
    nodes['a'] = well
    expect(await read()).toBe('ba answered')
  })

  it('counts one failure for 20 reads under way, and then one read tries it again for all', async () => {
    const { clock, start, read, hosts, asked } = over({ a: resets, b: well })
    await Promise.all(Array.from({ length: 20 }, () => start()))
    clock.at += 4_999
    expect(await read()).toBe('b answered')
    clock.at += 1
    const { length } = asked
    expect(await Promise.all([start(), start(), start()])).toEqual(Array(3).fill('answered'))
    expect(hosts(length).toSorted().join('')).toBe('abbb')
  })

  it('for all readers of that chain, and on no other chain', async () => {
    const { chains, evidence, nodes, clock, hosts, read } = over({ a: resets, b: says({ result: '0x', '3': 5 }) })
    expect(await chains.feePrice(-1, never())).toBe(5n)
    expect(await evidence.hasCode(WHERE, never())).toBe(false)
    expect(hosts().join('')).toBe('abab')
    expect(await read()).toBe('b answered')
    clock.at += 5_000
    nodes['a'] = well
    expect([await read(), await evidence.hasCode(WHERE, never()), hosts().at(-1)]).toEqual(['a answered', false, 'a'])
  })
})

describe('chain endpoints: a read that none answers [rpc-retry-once]', () => {
  it('is repeated after 50 to 250 ms', async () => {
    const { asked, nodes, start } = over({ a: resets })
    const reading = start()
    await vi.advanceTimersByTimeAsync(49)
    expect(asked).toHaveLength(1)
    nodes['a'] = well
    await vi.advanceTimersByTimeAsync(201)
    expect([await reading, asked.length]).toEqual(['answered', 2])
  })

  it('is repeated only at endpoints that failed, not at those that timed out or refused', async () => {
    expect(await over({ a: hangs, b: resets, c: says(error(-32_601, 'method not found')) }).read()).toBe('abcb unreachable')
  })

  it('is not repeated when it posts a signed transaction', async () => {
    const { asked, solana } = over({ a: resets, b: says('', 503) })
    const sending = outcome(solana.send('AAAA', never()))
    await pass(DEADLINE_MS)
    expect(await sending).toBe('unreachable')
    expect(asked.map(({ host, method }) => [host, method])).toEqual([
      ['a', 'sendTransaction'],
      ['b', 'sendTransaction'],
    ])
  })

  /** Resets first, and hangs when it is read again. */
  const worse = (): Endpoint => {
    const endpoints: Endpoint[] = [resets]
    return (call, signal) => (endpoints.pop() ?? hangs)(call, signal)
  }
  const answersAfter =
    (ms: number, then: Endpoint = well): Endpoint =>
    (...call) =>
      Promise.race([new Promise((resolve) => setTimeout(resolve, ms)).then(() => then(...call)), hangs(...call)])

  it.each<[string, Nodes]>([
    ['one hangs', { a: hangs }],
    ['three hang', { a: hangs, b: hangs, c: hangs }],
    ['one resets 10 ms before the end', { a: answersAfter(DEADLINE_MS - 10, resets) }],
    ['one resets, then hangs', { a: worse() }],
    ['one hangs, one resets and then hangs', { a: hangs, b: worse() }],
  ])('ends at its deadline: %s', async (_what, nodes) => {
    let isOver = false
    const reading = over(nodes)
      .start()
      .finally(() => {
        isOver = true
      })
    await pass(DEADLINE_MS - 11)
    expect(isOver).toBe(false)
    await pass(11)
    expect([isOver, await reading]).not.toContain('answered')
    expect(isOver).toBe(true)
  })

  it.each([
    ['a slow first one keeps half of it, however many follow', [1_400, 1, 1, 1], 'a'],
    ['the first is cut off after half of it', [1_600, 1, 1, 1], 'ab'],
    ['the others share the other half', [1_600, 600, 400, 1], 'abc'],
    ['a lone one has all of it', [2_900], 'a'],
  ])('divides the time of a read: %s', async (_what, delays, hosts) => {
    const { read } = over(Object.fromEntries(delays.map((ms, at) => ['abcd'.charAt(at), answersAfter(ms)])))
    expect(await read()).toBe(`${hosts} answered`)
  })
})

describe('chain endpoints: the words of a node', () => {
  it.each(words.reverts as [string, string][])('"%s" is a call that %s', async (message, meaning) => {
    const { chains } = over({ a: says(error(-32_000, message)) })
    expect(await outcome(chains.call(WHERE, '0x', never()))).toBe(meaning === 'reverted' ? null : 'unreachable')
  })

  it.each(words.limits as [string, number, string][])('"%s" (%i) to eth_getLogs is %s', async (message, code, meaning) => {
    realTimers()
    const logs = { eth_getLogs: () => [] }
    const { evidence, events, clock } = over({ a: node({ eth_getLogs: refuses(message, code) }), b: node(logs) })
    clock.at = timeOf(200)
    const search = { asset: USDC, recipient: payee, since: 0 } as const
    expect(await evidence.search(search, never())).toMatchObject({ hashes: [], isWhole: true })
    expect(events.length > 0).toBe(meaning === 'trouble')
  })

  it('the code of a limit is trouble for other methods, and on Solana', async () => {
    const behind = refuses('Node is behind by 42 slots', -32_005)
    const { evidence, events } = over({ a: { getAccountInfo: behind, eth_getCode: behind }, b: { eth_getCode: '0x' } })
    const readings = [evidence.confirmedTime(-2, never()).catch(() => null), evidence.hasCode(WHERE, never())]
    await pass(250)
    await Promise.all(readings)
    const failed = { event: 'chain.health', endpoint: 1, healthy: false }
    expect(events).toMatchObject([-2, 1].map((chainId) => ({ ...failed, chainId })))
  })
})

describe('chain endpoints: the log', () => {
  it('reports each change of an endpoint once, by its place', async () => {
    const { nodes, clock, read, start, events } = over({ a: well, b: says('', 503), c: well })
    await read()
    expect(events).toEqual([])
    nodes['a'] = resets
    await Promise.all([start(), start()])
    for (const ms of [0, 5_000, 10_000]) {
      clock.at += ms
      await read()
    }
    nodes['a'] = well
    clock.at += 20_000
    for (const _time of [1, 2]) await read()
    const report = { event: 'chain.health', chainId: 1, endpoints: 3 }
    expect(events).toEqual([
      { ...report, endpoint: 1, healthy: false, reason: 'no answer (ECONNRESET)' },
      { ...report, endpoint: 2, healthy: false, reason: 'HTTP 503 with a body that is not JSON' },
      { ...report, endpoint: 1, healthy: true, reason: null },
    ])
  })

  const talkative = { error: { code: 'https://a/v3/secret-key', message: 'no credit at https://a/v3/secret-key' } }
  it.each([resets, hangs, says(talkative), says('https://a/v3/secret-key'), says({ error: { code: 1 } }, 500)])(
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

  it('reports no endpoint that fails a read for the clock, which makes one call', async () => {
    const { evidence, asked, events } = over({ a: { eth_getBlockByNumber: resets }, b: node({ head: 200 }) })
    for (const chainId of [1, 10] as const) await evidence.readHead?.(chainId, never())
    expect(asked.map(({ host, params }) => `${host} ${params[0]}`)).toEqual(['a latest', 'b latest', 'a latest', 'b latest'])
    expect(evidence.clock?.aheadMs()).toBeGreaterThan(0)
    expect(events).toEqual([])
  })
})
