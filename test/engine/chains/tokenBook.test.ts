import { describe, expect, it } from 'vitest'
import { ChainError } from '../../../engine/chains/chains.ts'
import { judgeToken, type TokenSources } from '../../../engine/chains/tokens/judgeToken.ts'
import { createTokenBook } from '../../../engine/chains/tokens/tokenBook.ts'
import type { Asset, ListedToken, Token } from '../../../engine/core/asset.ts'
import type { EngineEvent } from '../../../engine/observe/observe.ts'
import { VENUE_DEFINITIONS } from '../../../engine/venues/registry.ts'
import { TOKENS } from '../../support/fakeChains.ts'
import { addressFor } from '../../support/fakeVenue.ts'
import { createMemoryStore } from '../../support/memoryStore.ts'
import { createTestClock } from '../../support/testEngine.ts'
import { never, outcome } from './evidenceBench.ts'
import verdicts from './tokenVerdicts.json' with { type: 'json' }

const USDC: Token = { ...TOKENS.usdcEthereum, name: 'USD Coin' }
const RENAMED: Token = { ...USDC, symbol: 'USDC0' }
const TITLED: Token = { ...USDC, name: 'Coin' }
const SCALED: Token = { ...USDC, decimals: 18 }
const BARE: ListedToken = { chainId: 1, address: USDC.address.toLowerCase(), decimals: 6 }
const LISTED: ListedToken = { ...BARE, symbol: 'USDC', name: 'USD Coin' }

const DAY_MS = 86_400_000
const WEEK_MS = 7 * DAY_MS
const MINUTE_MS = 60_000
const down = (): never => {
  throw new ChainError('unreachable', 1, 'down')
}

describe('token metadata: the verdict [token-two-sources]', () => {
  const NAMED: { readonly [name: string]: Token | ListedToken } = { USDC, RENAMED, TITLED, SCALED, BARE, LISTED }
  type Row = [who: string, endpoints: string, asked: number, kept: string, listed: string, verdict: string]
  it.each(verdicts as unknown as Row[])('of %s: endpoints %s (of %i), record "%s", table "%s": %s', (...row) => {
    const [, endpoints, asked, kept, listed, expected] = row
    const readings = endpoints.split(' ').map((name) => NAMED[name] ?? null)
    const sources = { readings, asked, kept: NAMED[kept] ?? null, listed: NAMED[listed] ?? null }
    const [, kind, token = '', contradicted] = /^(\w+)(?: (\w+))?(, contradicted)?$/.exec(expected) ?? []
    const found = token === '' ? {} : { token: NAMED[token] }
    expect(judgeToken(sources as TokenSources)).toEqual({ kind, isContradicted: contradicted !== undefined, ...found })
  })
})

/** A book over its own records. `sources`: what the endpoints report. `reads`: how often they were read. */
const bench = (listed: readonly ListedToken[] = [], clock = createTestClock(), store = createMemoryStore(clock)) => {
  const events: EngineEvent[] = []
  const state = { sources: (): readonly (Token | null)[] => [USDC, USDC], asked: 2, reads: 0 }
  const read = async () => {
    state.reads += 1
    return { readings: state.sources(), asked: state.asked }
  }
  const book = createTokenBook({ records: store.tokens, listed, observe: (event) => events.push(event), read, clock })
  const told = (asset: Asset = USDC) => outcome(book.token(asset, never()))
  return { state, clock, store, events, book, told, kept: async () => book.close().then(() => store.tokens.all(9)) }
}

describe('token metadata: the book', () => {
  it('stores a token that two sources confirm, and reads the chain again after a week [token-two-sources]', async () => {
    const { told, kept, state, clock, store } = bench()
    expect([await told(), await told()]).toEqual([USDC, USDC])
    expect(await kept()).toEqual([{ token: USDC, readAt: clock.at }])
    const again = bench([], clock, store)
    again.state.sources = down
    clock.at += WEEK_MS - 1
    expect([await told(), await again.told()]).toEqual([USDC, USDC])
    expect([state.reads, again.state.reads]).toEqual([1, 0])
    clock.at += 1
    expect([await told(), await again.told()]).toEqual([USDC, USDC])
    expect([state.reads, again.state.reads]).toEqual([2, 1])
    expect(await kept()).toEqual([{ token: USDC, readAt: clock.at }])
  })

  it.each([
    ['the only endpoint', 'a day', 1, DAY_MS],
    ['one of two endpoints', 'a minute', 2, MINUTE_MS],
  ])('stores nothing that %s reports alone, and uses it for %s', async (_who, _time, asked, forMs) => {
    const { told, kept, state, clock } = bench()
    Object.assign(state, { sources: () => [SCALED], asked })
    expect(await told()).toEqual(SCALED)
    state.sources = down
    clock.at += forMs - 1
    expect([await told(), state.reads, await kept()]).toEqual([SCALED, 1, []])
    clock.at += 1
    expect([await told(), state.reads]).toEqual(['unreachable', 2])
    state.sources = () => [USDC, USDC]
    expect(await told()).toEqual(USDC)
  })

  it('rejects a token for a minute while its sources differ in decimals, reports them once, and accepts two that agree', async () => {
    const { told, kept, state, clock, events } = bench([LISTED])
    state.sources = () => [RENAMED]
    expect([await told(), await told(), await kept()]).toEqual([USDC, USDC, []])
    clock.at += MINUTE_MS
    state.sources = () => [RENAMED, RENAMED]
    expect(await told()).toEqual(RENAMED)
    clock.at += WEEK_MS
    state.sources = () => [SCALED]
    expect([await told(), await told()]).toEqual(['disputed', 'disputed'])
    expect(events).toMatchObject([
      { isDisputed: false, sources: 'an endpoint: USDC0 (USD Coin), 6 decimals; the tables: USDC, 6 decimals' },
      { event: 'token.contradicted', chainId: 1, token: USDC.address, isDisputed: false },
      { isDisputed: true, sources: expect.stringMatching(/USDC .*, 18 decimals; the records: USDC0 .*; the tables: USDC, 6 d/) },
    ])
    expect((await kept()).map(({ token }) => token)).toEqual([RENAMED])
    clock.at += MINUTE_MS
    state.sources = () => [USDC, USDC]
    expect([await told(), await kept()]).toEqual([USDC, [{ token: USDC, readAt: clock.at }]])
  })

  it.each<Partial<Token>>([...[{ decimals: -3 }, { decimals: 18 }, { symbol: '\u202eCDSU\n' }, { symbol: 'x'.repeat(65) }]])(
    'drops a stored record with %j',
    async (change) => {
      const clock = createTestClock()
      const store = createMemoryStore(clock)
      await store.tokens.keep({ token: { ...USDC, ...change }, readAt: clock.at })
      const { told, kept, state, events } = bench([LISTED], clock, store)
      state.sources = down
      expect([await told(), state.reads, await kept()]).toEqual([USDC, 1, []])
      const sources = expect.stringMatching(/^dropped the records: /)
      expect(events).toEqual([{ event: 'token.contradicted', chainId: 1, token: USDC.address, isDisputed: false, sources }])
    },
  )

  it('uses the tables while the chain cannot be read, and is unreachable without a symbol there [token-two-sources]', async () => {
    const { told, kept, state, clock, book } = bench([LISTED])
    state.sources = down
    expect([await told(), await told()]).toEqual([USDC, USDC])
    expect([state.reads, await kept()]).toEqual([1, []])
    clock.at += MINUTE_MS
    state.sources = () => [null]
    expect(await told()).toEqual(USDC)
    clock.at += MINUTE_MS
    state.sources = () => [null, null]
    expect([await told(), book.isKnownMissing(USDC)]).toEqual(['disputed', false])
    const others = [bench([{ ...BARE, symbol: 'USDC' }]), bench([BARE])]
    for (const other of others) other.state.sources = down
    expect(await Promise.all(others.map((other) => other.told()))).toEqual([{ ...USDC, name: 'USDC' }, 'unreachable'])
  })

  it('keeps the 10,000 tokens that were used last, in memory and in the records', async () => {
    const [gone, clock]: [string[], ReturnType<typeof createTestClock>] = [[], createTestClock()]
    const drop = async ({ address }: Asset) => void gone.push(address)
    const tokens = { all: async () => [], keep: async () => undefined, drop }
    const { told, state } = bench([], clock, { ...createMemoryStore(clock), tokens })
    for (let i = 0; i < 10_050; i += 1) {
      if (i % 5_000 === 0) await told()
      const asset: Asset = { chainId: 1, address: addressFor('evm', `token ${i}`) }
      state.sources = () => Array(2).fill({ ...USDC, ...asset })
      await told(asset)
    }
    expect([await told(), state.reads, gone.length, gone.includes(USDC.address)]).toEqual([USDC, 10_051, 51, false])
  })

  it('remembers a missing token for a minute', async () => {
    const { told, state, clock, book } = bench()
    state.sources = () => [null]
    expect([await told(), await told(), book.isKnownMissing(USDC)]).toEqual(['unreachable', 'unreachable', false])
    state.sources = () => [null, null]
    expect([await told(), await told()]).toEqual(['notAToken', 'notAToken'])
    clock.at += MINUTE_MS - 1
    expect([await told(), book.isKnownMissing(USDC), state.reads]).toEqual(['notAToken', true, 3])
    clock.at += 1
    state.sources = () => [USDC, USDC]
    expect(book.isKnownMissing(USDC)).toBe(false)
    expect([await told(), state.reads]).toEqual([USDC, 4])
  })
})

it('token metadata: the tables of all venues agree on symbol and decimals of every token', () => {
  const rows = VENUE_DEFINITIONS.flatMap(({ tokens = [] }) => tokens)
  const rowsOf = Map.groupBy(rows, ({ chainId, address }) => `${chainId}:${address.toLowerCase()}`)
  expect(rowsOf.size).toBeGreaterThan(100)
  for (const [key, same] of rowsOf)
    expect([key, new Set(same.map(({ symbol, decimals }) => `${symbol} ${decimals}`)).size]).toEqual([key, 1])
})
