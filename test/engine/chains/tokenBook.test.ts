import { describe, expect, it } from 'vitest'
import { ChainError } from '../../../engine/chains/chains.ts'
import { judgeToken, type TokenSources } from '../../../engine/chains/tokens/judgeToken.ts'
import { createTokenBook } from '../../../engine/chains/tokens/tokenBook.ts'
import type { ListedToken, Token } from '../../../engine/core/asset.ts'
import type { EngineEvent } from '../../../engine/observe/observe.ts'
import { VENUE_DEFINITIONS } from '../../../engine/venues/registry.ts'
import { TOKENS } from '../../support/fakeChains.ts'
import { createMemoryStore } from '../../support/memoryStore.ts'
import { createTestClock } from '../../support/testEngine.ts'

const USDC: Token = { ...TOKENS.usdcEthereum, name: 'USD Coin' }
const RENAMED: Token = { ...USDC, symbol: 'USDC0' }
const SCALED: Token = { ...USDC, decimals: 18 }
const LISTED: ListedToken = { chainId: 1, address: USDC.address.toLowerCase(), decimals: 6, symbol: 'USDC', name: 'USD Coin' }

const DAY_MS = 86_400_000
const WEEK_MS = 7 * DAY_MS
const MINUTE_MS = 60_000
const never = (): AbortSignal => new AbortController().signal
const down = (): never => {
  throw new ChainError('unreachable', 1, 'down')
}

describe('the verdict on a token', () => {
  const [kept, listed] = [USDC, LISTED]
  it.each<[string, Partial<TokenSources>, string, Token | null, boolean]>([
    ['two endpoints that agree', { readings: [USDC, USDC] }, 'confirmed', USDC, false],
    ['one endpoint and the tables', { readings: [USDC], listed }, 'confirmed', USDC, false],
    ['one endpoint and the tables, under another symbol', { readings: [RENAMED], listed }, 'confirmed', RENAMED, false],
    ['one endpoint and the records', { readings: [USDC], kept }, 'confirmed', USDC, false],
    ['two endpoints against the records', { readings: [RENAMED, RENAMED], kept }, 'confirmed', RENAMED, true],
    ['two endpoints against the tables', { readings: [SCALED, SCALED], listed }, 'confirmed', SCALED, true],
    ['one endpoint and the records against the other', { readings: [SCALED, USDC], kept }, 'confirmed', USDC, true],
    ['one endpoint and the tables against the other', { readings: [SCALED, USDC], listed }, 'confirmed', USDC, true],
    ['one endpoint and the tables against one that has none', { readings: [null, USDC], listed }, 'confirmed', USDC, true],
    ['one endpoint alone', { readings: [USDC] }, 'single', USDC, false],
    ['two endpoints that have none', { readings: [null, null], kept, listed }, 'missing', null, true],
    ['one endpoint that has none, of an unknown token', { readings: [null] }, 'missing', null, false],
    ['two endpoints that differ', { readings: [USDC, SCALED] }, 'disputed', null, true],
    ['two endpoints that differ in the name alone', { readings: [USDC, RENAMED], listed }, 'disputed', null, true],
    ['two endpoints, one of which has none', { readings: [USDC, null] }, 'disputed', null, true],
    ['one endpoint against the records', { readings: [SCALED], kept }, 'disputed', null, true],
    ['one endpoint against the tables', { readings: [SCALED], listed }, 'disputed', null, true],
    ['one endpoint that has none, of a kept token', { readings: [null], kept }, 'disputed', null, true],
  ])('of %s', (_who, sources, kind, token, isContradicted) => {
    const verdict = judgeToken({ readings: [], kept: null, listed: null, ...sources })
    expect(verdict).toEqual({ kind, isContradicted, ...(token && { token }) })
  })
})

/** A book over records of its own; `reads` tells what was read, and `sources` what the endpoints report. */
const bench = (listed: readonly ListedToken[] = [], clock = createTestClock(), store = createMemoryStore(clock)) => {
  const events: EngineEvent[] = []
  const state = { sources: (): readonly (Token | null)[] => [USDC, USDC], reads: 0 }
  const read = async () => {
    state.reads += 1
    return state.sources()
  }
  const book = createTokenBook({ records: store.tokens, listed, observe: (event) => events.push(event), read, clock })
  const told = async (): Promise<Token | string> =>
    book.token(USDC, never()).catch((error: unknown) => (error instanceof ChainError ? error.failure : String(error)))
  return { state, clock, store, events, book, told, kept: async () => book.close().then(() => store.tokens.all(9)) }
}

describe('the book of tokens', () => {
  it('keeps in the records what two sources agree on, and reads the chain no more for a week', async () => {
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

  it('keeps nothing that one endpoint reports alone, and reads it again after a day', async () => {
    const { told, kept, state, clock } = bench()
    state.sources = () => [USDC]
    expect(await told()).toEqual(USDC)
    expect(await kept()).toEqual([])
    clock.at += DAY_MS
    state.sources = down
    expect(await told()).toEqual(USDC)
    expect(state.reads).toBe(2)
  })

  it('refuses a token whose sources differ for a minute, and names them once, until two agree', async () => {
    const { told, kept, state, clock, events } = bench([LISTED])
    await told()
    clock.at += WEEK_MS
    state.sources = () => [SCALED, RENAMED]
    expect([await told(), await told()]).toEqual([RENAMED, RENAMED])
    clock.at += WEEK_MS
    state.sources = () => [SCALED]
    expect([await told(), await told()]).toEqual(['disputed', 'disputed'])
    expect(events).toMatchObject([
      { event: 'token.contradicted', chainId: 1, token: USDC.address, isDisputed: false },
      {
        isDisputed: true,
        sources: 'an endpoint: USDC (USD Coin), 18 decimals; the records: USDC0 (USD Coin), 6 decimals; the tables: 6 decimals',
      },
    ])
    expect((await kept()).map(({ token }) => token)).toEqual([RENAMED])
    clock.at += MINUTE_MS
    state.sources = () => [USDC, USDC]
    expect(await told()).toEqual(USDC)
    expect((await kept()).map(({ token }) => token)).toEqual([USDC])
  })

  it('goes by the tables while the chain cannot be read, and has no name for what only their decimals tell', async () => {
    const { told, kept, state, clock } = bench([LISTED])
    state.sources = down
    expect([await told(), await told()]).toEqual([USDC, USDC])
    expect([state.reads, await kept()]).toEqual([1, []])
    clock.at += MINUTE_MS
    state.sources = () => [RENAMED]
    expect(await told()).toEqual(RENAMED)
    const nameless = bench([{ chainId: 1, address: USDC.address, decimals: 6 }])
    nameless.state.sources = down
    expect(await nameless.told()).toBe('unreachable')
  })

  it('serves without its records, whether they cannot be read or cannot be written', async () => {
    const clock = createTestClock()
    const store = createMemoryStore(clock)
    store.fails = (call) => call.startsWith('tokens.')
    const { told, book } = bench([], clock, store)
    expect(await told()).toEqual(USDC)
    await book.close()
  })

  it('remembers for a minute that there is no token, and then reads the chain again', async () => {
    const { told, state, clock, book } = bench()
    state.sources = () => [null, null]
    expect(book.isKnownMissing(USDC)).toBe(false)
    expect([await told(), await told()]).toEqual(['notAToken', 'notAToken'])
    clock.at += MINUTE_MS - 1
    expect([await told(), book.isKnownMissing(USDC), state.reads]).toEqual(['notAToken', true, 1])
    clock.at += 1
    state.sources = () => [USDC, USDC]
    expect(book.isKnownMissing(USDC)).toBe(false)
    expect([await told(), state.reads]).toEqual([USDC, 2])
  })

  it('remembers nothing of a chain that cannot be read', async () => {
    const { told, state } = bench()
    state.sources = down
    expect(await told()).toBe('unreachable')
    state.sources = () => [USDC, USDC]
    expect(await told()).toEqual(USDC)
  })
})

it('the tables of the venues agree on the decimals of every token', () => {
  const rows = VENUE_DEFINITIONS.flatMap(({ tokens = [] }) => tokens)
  const decimals = Map.groupBy(rows, ({ chainId, address }) => `${chainId}:${address.toLowerCase()}`)
  expect(decimals.size).toBeGreaterThan(100)
  for (const [key, same] of decimals) expect([key, new Set(same.map((row) => row.decimals)).size]).toEqual([key, 1])
  for (const { symbol, name } of rows) expect([symbol, name]).not.toContain('')
})
