import { describe, expect, it } from 'vitest'
import { ChainError } from '../../../engine/chains/chains.ts'
import { judgeToken, type TokenSources } from '../../../engine/chains/tokens/judgeToken.ts'
import { createTokenBook } from '../../../engine/chains/tokens/tokenBook.ts'
import { addressOf } from '../../../engine/core/address.ts'
import type { Asset, ListedToken, Token } from '../../../engine/core/asset.ts'
import type { EngineEvent } from '../../../engine/observe/observe.ts'
import { VENUE_DEFINITIONS } from '../../../engine/venues/registry.ts'
import { TOKENS } from '../../support/fakeChains.ts'
import { createMemoryStore } from '../../support/memoryStore.ts'
import { createTestClock } from '../../support/testEngine.ts'
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
const never = (): AbortSignal => new AbortController().signal
const down = (): never => {
  throw new ChainError('unreachable', 1, 'down')
}

describe('the verdict on a token', () => {
  const NAMED: { readonly [name: string]: Token | ListedToken } = { USDC, RENAMED, TITLED, SCALED, BARE, LISTED }
  type Row = [who: string, sources: object, kind: string, token: string | null, isContradicted: boolean]
  it.each(verdicts as unknown as readonly Row[])('of %s', (_who, sources, kind, token, isContradicted) => {
    const named: unknown = JSON.parse(JSON.stringify(sources), (_key, value) => NAMED[value] ?? value)
    const verdict = judgeToken({ readings: [], asked: 2, kept: null, listed: null, ...(named as Partial<TokenSources>) })
    expect(verdict).toEqual({ kind, isContradicted, ...(token && { token: NAMED[token] }) })
  })
})

/** A book over records of its own; `reads` tells what was read, and `sources` what the endpoints report. */
const bench = (listed: readonly ListedToken[] = [], clock = createTestClock(), store = createMemoryStore(clock)) => {
  const events: EngineEvent[] = []
  const state = { sources: (): readonly (Token | null)[] => [USDC, USDC], asked: 2, reads: 0 }
  const read = async () => {
    state.reads += 1
    return { readings: state.sources(), asked: state.asked }
  }
  const book = createTokenBook({ records: store.tokens, listed, observe: (event) => events.push(event), read, clock })
  const told = async (asset: Asset = USDC): Promise<Token | string> =>
    book.token(asset, never()).catch((error: unknown) => (error instanceof ChainError ? error.failure : String(error)))
  return { state, clock, store, events, book, told, kept: async () => book.close().then(() => store.tokens.all(9)) }
}

describe('the book of tokens', () => {
  it('keeps in the records what two sources agree on, and reads the chain no more for a week [token-two-sources]', async () => {
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
    ['the only endpoint', 1, DAY_MS],
    ['one of two endpoints', 2, MINUTE_MS],
  ])('keeps nothing that %s reports alone, and uses it for a day or a minute', async (_who, asked, forMs) => {
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

  it('refuses a token whose sources differ for a minute, but for the symbol, and names them once, until two agree [token-two-sources]', async () => {
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

  it.each<Partial<Token>>([
    ...[{ decimals: -3 }, { decimals: 37 }, { decimals: 18 }, { name: '' }],
    ...[{ symbol: '' }, { symbol: '\u202eCDSU\n' }, { symbol: 'x'.repeat(65) }],
  ])('drops a record with %j, which no reading has or the tables contradict', async (change) => {
    const clock = createTestClock()
    const store = createMemoryStore(clock)
    await store.tokens.keep({ token: { ...USDC, ...change }, readAt: clock.at })
    const { told, kept, state, events } = bench([LISTED], clock, store)
    state.sources = down
    expect([await told(), state.reads, await kept()]).toEqual([USDC, 1, []])
    const sources = expect.stringMatching(/^dropped the records: /)
    expect(events).toEqual([{ event: 'token.contradicted', chainId: 1, token: USDC.address, isDisputed: false, sources }])
  })

  it('keeps a token that is used, however many others are read', async () => {
    const gone: string[] = []
    const tokens = { all: async () => [], keep: async () => undefined, drop: async (a: Asset) => void gone.push(a.address) }
    const clock = createTestClock()
    const { told, state } = bench([], clock, { ...createMemoryStore(clock), tokens })
    for (let i = 0; i < 22_000; i++) {
      if (i % 5_500 === 0) await told()
      const asset: Asset = { chainId: 1, address: addressOf('evm', `0x${i.toString(16).padStart(40, '0')}`) }
      // Two endpoints report every second one.
      state.sources = () => Array(1 + (i % 2)).fill({ ...USDC, ...asset })
      await told(asset)
    }
    expect([await told(), state.reads, gone.length, gone.includes(USDC.address)]).toEqual([USDC, 22_001, 1_001, false])
  })

  it('goes by the tables while the chain cannot be read, and has no name for what only their decimals tell [token-two-sources]', async () => {
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

it('the tables of the venues agree on every token', () => {
  const rows = VENUE_DEFINITIONS.flatMap(({ tokens = [] }) => tokens)
  const rowsOf = Map.groupBy(rows, ({ chainId, address }) => `${chainId}:${address.toLowerCase()}`)
  expect(rowsOf.size).toBeGreaterThan(100)
  const sizeOf = (same: readonly ListedToken[]) => new Set(same.map(({ symbol, decimals }) => `${symbol} ${decimals}`)).size
  for (const [key, same] of rowsOf) expect([key, sizeOf(same)]).toEqual([key, 1])
  expect(rows.find(({ address }) => address === '0xcbB7C0000aB88B473b1f5aFd9ef808440eed33Bf')?.symbol).toBe('cbBTC')
  for (const { symbol, name } of rows) expect([symbol, name]).not.toContain('')
})
