import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createChainEvidence } from '../../../engine/chains/chainEvidence.ts'
import { HttpError } from '../../../engine/net/httpClient.ts'
import { WALLETS } from '../../support/anOrder.ts'
import { benchOver, DEADLINE_MS, fakeTimers, never, USDC } from './chainsBench.ts'
import { evidenceOver, patient, refuses } from './evidenceBench.ts'
import { node, timeOf } from './evmBench.ts'
import { answersTooMuch, type Endpoint, hangs, resets, says } from './evmNode.ts'
import words from './nodeWords.json' with { type: 'json' }

const well = says({ result: '0x' })
type Answering = [what: string, endpoint: Endpoint]
const asAnswered = (rows: readonly unknown[]): Answering[] =>
  (rows as [string, object, number?][]).map(([what, body, status]) => [what, says(body, status)])

beforeEach(fakeTimers)
afterEach(() => {
  vi.useRealTimers()
})

describe('an endpoint that failed [rpc-next-endpoint]', () => {
  it('is asked in its old place after our clock is set back', async () => {
    const { clock, read } = benchOver({ a: resets, b: well })
    await read()
    clock.at -= 600_000
    expect(await read()).toEqual(['a', 'b', 'answered'])
  })

  it('is left alone for twice as long after each failure in a row, up to a minute', async () => {
    const { clock, read } = benchOver({ a: resets, b: well })
    expect(await read()).toEqual(['a', 'b', 'answered'])
    for (const seconds of [5, 10, 20, 40, 60, 60]) {
      clock.at += seconds * 1_000 - 1
      expect(await read()).toEqual(['b', 'answered'])
      clock.at += 1
      expect(await read()).toEqual(['a', 'b', 'answered'])
    }
  })

  it('starts anew once it has answered', async () => {
    const { http, clock, read } = benchOver({ a: resets, b: well })
    for (const seconds of [0, 5, 10]) {
      clock.at += seconds * 1_000
      expect(await read()).toEqual(['a', 'b', 'answered'])
    }
    clock.at += 20_000
    http.endpoints['a'] = well
    expect(await read()).toEqual(['a', 'answered'])
    http.endpoints['a'] = resets
    expect(await read()).toEqual(['a', 'b', 'answered'])
    clock.at += 5_000
    expect(await read()).toEqual(['a', 'b', 'answered'])
  })

  it('comes before one that stays away longer, when all have failed', async () => {
    const { http, clock, read } = benchOver({ a: resets, b: resets })
    expect(await read()).toEqual(['a', 'b', 'a', 'b', 'unreachable'])
    clock.at += 10_000
    http.endpoints['b'] = well
    expect(await read()).toEqual(['a', 'b', 'answered'])
    http.endpoints['b'] = resets
    expect(await read()).toEqual(['b', 'a', 'b', 'a', 'unreachable'])
    http.endpoints['a'] = well
    expect(await read()).toEqual(['b', 'a', 'answered'])
  })

  it('has failed once when many calls under way meet the same trouble', async () => {
    const { clock, start, read } = benchOver({ a: resets, b: well })
    await Promise.all(Array.from({ length: 20 }, () => start()))
    clock.at += 4_999
    expect(await read()).toEqual(['b', 'answered'])
    clock.at += 1
    expect(await read()).toEqual(['a', 'b', 'answered'])
  })

  it('is tried by one when its time is over, while all others go elsewhere', async () => {
    const { http, clock, start, read } = benchOver({ a: hangs, b: well })
    expect(await read()).toEqual(['a', 'b', 'answered'])
    clock.at += 5_000
    const before = http.sent.length
    const reading = [start(), start(), start()]
    await vi.advanceTimersByTimeAsync(0)
    expect(http.sent.slice(before).map(({ host }) => host)).toEqual(['a', 'b', 'b'])
    await vi.advanceTimersByTimeAsync(DEADLINE_MS)
    expect(await Promise.all(reading)).toEqual(['answered', 'answered', 'answered'])
  })

  it.each<Answering>([
    ['resets', resets],
    ['hangs', hangs],
    ...asAnswered(words.troubles),
    ['nests its answer too deep', () => Promise.reject(new HttpError('malformed', 'nests deeper than 32 levels'))],
  ])('is one that %s', async (_what, endpoint) => {
    const { http, read } = benchOver({ a: endpoint, b: well })
    expect(await read()).toEqual(['a', 'b', 'answered'])
    expect(await read()).toEqual(['b', 'answered'])
    expect(http.sent).toHaveLength(3)
  })

  it.each<Answering>([...asAnswered(words.refusals), ['answers more than is read', answersTooMuch]])(
    'is not one that %s: only the next one is asked',
    async (_what, endpoint) => {
      const { read, events } = benchOver({ a: endpoint, b: well })
      expect(await read()).toEqual(['a', 'b', 'answered'])
      expect(await read()).toEqual(['a', 'b', 'answered'])
      expect(events).toEqual([])
    },
  )

  it('is not one that says that a call reverts', async () => {
    const revert = says({ error: { code: -32_000, message: 'execution reverted: rate limit' } })
    const { chains, http, events } = benchOver({ a: revert, b: well })
    const query = { asset: USDC, owner: WALLETS.evm, spender: WALLETS.evmOther }
    for (const _time of [1, 2]) await expect(chains.allowance(query, never())).rejects.toMatchObject({ failure: 'notAToken' })
    expect(http.sent.map(({ host }) => host)).toEqual(['a', 'a'])
    expect(events).toEqual([])
  })

  it('is not one whose caller left', async () => {
    const { http, start, read, events } = benchOver({ a: hangs, b: well })
    const caller = new AbortController()
    const reading = start(caller.signal)
    await vi.advanceTimersByTimeAsync(10)
    caller.abort()
    expect(await reading).toBe('timeout')
    expect(events).toEqual([])
    http.endpoints['a'] = well
    expect(await read()).toEqual(['a', 'answered'])
  })

  it('is known to all who share the knowledge', async () => {
    const { http, clock, health, rpcUrls, read } = benchOver({ a: resets, b: well })
    const evidence = createChainEvidence({ rpcUrls, http, health, deadlineMs: DEADLINE_MS })
    const question = { chainId: 1, address: WALLETS.evm } as const
    expect(await evidence.hasCode(question, never())).toBe(false)
    expect(await read()).toEqual(['b', 'answered'])
    clock.at += 5_000
    expect(await read()).toEqual(['a', 'b', 'answered'])
    const before = http.sent.length
    expect(await evidence.hasCode(question, never())).toBe(false)
    expect(http.sent.slice(before).map(({ host }) => host)).toEqual(['b'])
  })

  it('is asked last on its own chain only', async () => {
    const { http, chains, read } = benchOver({ a: resets, b: says({ '3': 5 }) })
    expect(await chains.feePrice(-1, never())).toBe(5n)
    http.endpoints['a'] = well
    expect(await read()).toEqual(['a', 'answered'])
  })
})

describe('the code and words of a limit', () => {
  beforeEach(() => {
    vi.useRealTimers()
  })
  const search = { asset: USDC, recipient: WALLETS.evm, since: 0 } as const

  it.each(words.limits as unknown as readonly [string, number, string][])(
    'of eth_getLogs, "%s" (%i), are %s',
    async (message, code, meaning) => {
      const logs = { eth_getLogs: () => [] }
      const { evidence, events, clock } = evidenceOver({ a: node({ eth_getLogs: refuses(message, code) }), b: node(logs) })
      clock.at = timeOf(200)
      expect(await evidence.search(search, patient())).toMatchObject({ hashes: [], isWhole: true })
      expect(events.length > 0).toBe(meaning === 'trouble')
    },
  )

  it('of other methods, and on Solana, are trouble', async () => {
    const behind = refuses('Node is behind by 42 slots', -32_005)
    const { evidence, events } = evidenceOver({
      a: { getAccountInfo: behind, eth_getCode: behind },
      b: { eth_getCode: '0x' },
    })
    await evidence.confirmedTime(-2, patient()).catch(() => null)
    await evidence.hasCode({ chainId: 1, address: WALLETS.evm }, patient())
    expect(events).toMatchObject([-2, 1].map((chainId) => ({ event: 'chain.health', chainId, endpoint: 1, healthy: false })))
  })
})

it('a read for the clock alone makes one call, and reports no endpoint that fails', async () => {
  const { evidence, asked, events } = evidenceOver({ a: { eth_getBlockByNumber: resets }, b: node({ head: 200 }) })
  const [times, reads] = [evidence.clock, evidence.readHead]
  for (const chainId of [1, 10] as const) await reads?.(chainId, patient())
  expect(asked.map(({ host, params }) => `${host} ${params[0]}`)).toEqual(['a latest', 'b latest', 'a latest', 'b latest'])
  expect(times?.aheadMs()).toBeGreaterThan(0)
  expect(events).toEqual([])
})

describe('the log', () => {
  it('tells each change of an endpoint once, by its place and never by its address', async () => {
    const { http, clock, read, start, events } = benchOver({ a: well, b: says('', 503), c: well })
    await read()
    expect(events).toEqual([])
    http.endpoints['a'] = resets
    await Promise.all([start(), start()])
    for (const ms of [0, 5_000, 10_000]) {
      clock.at += ms
      await read()
    }
    http.endpoints['a'] = well
    clock.at += 20_000
    await read()
    await read()
    expect(events).toEqual([
      { event: 'chain.health', chainId: 1, endpoint: 1, endpoints: 3, healthy: false, reason: 'no answer (ECONNRESET)' },
      {
        event: 'chain.health',
        chainId: 1,
        endpoint: 2,
        endpoints: 3,
        healthy: false,
        reason: 'HTTP 503 with a body that is not JSON',
      },
      { event: 'chain.health', chainId: 1, endpoint: 1, endpoints: 3, healthy: true, reason: null },
    ])
  })

  it('holds no address of an endpoint, and neither does any error, down to its last cause [rpc-next-endpoint]', async () => {
    const talkative = says({ error: { code: 'https://a/v3/secret-key', message: 'no credit at https://a/v3/secret-key' } })
    for (const endpoint of [resets, hangs, talkative, says('https://a/v3/secret-key'), says({ error: { code: 1 } }, 500)]) {
      const { chains, events } = benchOver({ a: endpoint, b: endpoint })
      const reading = chains.code({ chainId: 1, address: WALLETS.evm }, never()).catch((error: unknown) => error)
      await vi.advanceTimersByTimeAsync(DEADLINE_MS)
      const told: string[] = [JSON.stringify(events)]
      for (let error = await reading; error instanceof Error; error = error.cause) told.push(error.message, error.stack ?? '')
      expect(told.length).toBeGreaterThan(2)
      expect(told.join('\n')).not.toMatch(/secret/)
    }
  })
})
