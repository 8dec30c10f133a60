import { PublicKey } from '@solana/web3.js'
import { describe, expect, it } from 'vitest'
import { ChainError } from '../../../engine/chains/chains.ts'
import { judgeToken, type TokenSources } from '../../../engine/chains/tokens/judgeToken.ts'
import { createTokenBook } from '../../../engine/chains/tokens/tokenBook.ts'
import type { Asset, ListedToken, Token } from '../../../engine/core/asset.ts'
import type { EngineEvent } from '../../../engine/observe/observe.ts'
import { VENUE_DEFINITIONS } from '../../../engine/venues/registry.ts'
import { assetOf } from '../../support/anOrder.ts'
import { TOKENS } from '../../support/fakeChains.ts'
import { addressFor } from '../../support/fakeVenue.ts'
import { createMemoryStore } from '../../support/memoryStore.ts'
import { createTestClock } from '../../support/testEngine.ts'
import { benchOver, never, outcome } from './evidenceBench.ts'
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
  /** The token after so much time, by these endpoints from then on. */
  const later = (ms: number, sources = state.sources) => {
    clock.at += ms
    state.sources = sources
    return told()
  }
  return { state, clock, store, events, book, told, later, kept: async () => book.close().then(() => store.tokens.all(9)) }
}

describe('token metadata: the book', () => {
  it('stores a token that two sources confirm, and reads the chain again after a week [token-two-sources]', async () => {
    const { told, later, kept, state, clock, store } = bench()
    expect([await told(), await told(), await kept()]).toEqual([USDC, USDC, [{ token: USDC, readAt: clock.at }]])
    const again = bench([], clock, store)
    again.state.sources = down
    expect([await later(WEEK_MS - 1), await again.told(), state.reads, again.state.reads]).toEqual([USDC, USDC, 1, 0])
    expect([await later(1), await again.told(), state.reads, again.state.reads]).toEqual([USDC, USDC, 2, 1])
    expect(await kept()).toEqual([{ token: USDC, readAt: clock.at }])
  })

  it.each([
    ['the only endpoint', 'a day', 1, DAY_MS],
    ['one of two endpoints', 'a minute', 2, MINUTE_MS],
  ])('stores nothing that %s reports alone, and uses it for %s', async (_who, _time, asked, forMs) => {
    const { later, kept, state } = bench()
    state.asked = asked
    expect(await later(0, () => [SCALED])).toEqual(SCALED)
    expect([await later(forMs - 1, down), state.reads, await kept()]).toEqual([SCALED, 1, []])
    expect([await later(1), state.reads]).toEqual(['unreachable', 2])
    expect(await later(0, () => [USDC, USDC])).toEqual(USDC)
  })

  it('rejects a token for a minute while its sources differ in decimals, reports them once, and accepts two that agree', async () => {
    const { told, later, kept, clock, events } = bench([LISTED])
    expect([await later(0, () => [RENAMED]), await told(), await kept()]).toEqual([USDC, USDC, []])
    expect(await later(MINUTE_MS, () => [RENAMED, RENAMED])).toEqual(RENAMED)
    expect([await later(WEEK_MS, () => [SCALED]), await told()]).toEqual(['disputed', 'disputed'])
    expect(events).toMatchObject([
      { isDisputed: false, sources: 'an endpoint: USDC0 (USD Coin), 6 decimals; the tables: USDC, 6 decimals' },
      { event: 'token.contradicted', chainId: 1, token: USDC.address, isDisputed: false },
      { isDisputed: true, sources: expect.stringMatching(/USDC .*, 18 decimals; the records: USDC0 .*; the tables: USDC, 6 d/) },
    ])
    expect((await kept()).map(({ token }) => token)).toEqual([RENAMED])
    expect([await later(MINUTE_MS, () => [USDC, USDC]), await kept()]).toEqual([USDC, [{ token: USDC, readAt: clock.at }]])
  })

  it.each<Partial<Token>>([{ decimals: -3 }, { decimals: 18 }, { symbol: '\u202eCDSU\n' }, { symbol: 'x'.repeat(65) }])(
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
    const { told, later, kept, state, book } = bench([LISTED])
    expect([await later(0, down), await told(), state.reads, await kept()]).toEqual([USDC, USDC, 1, []])
    expect(await later(MINUTE_MS, () => [null])).toEqual(USDC)
    expect([await later(MINUTE_MS, () => [null, null]), book.isKnownMissing(USDC)]).toEqual(['disputed', false])
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
    const { told, later, state, book, clock } = bench()
    expect([await later(0, () => [null]), await told(), book.isKnownMissing(USDC)]).toEqual(['unreachable', 'unreachable', false])
    expect([await later(0, () => [null, null]), await told()]).toEqual(['notAToken', 'notAToken'])
    expect([await later(MINUTE_MS - 1), book.isKnownMissing(USDC), state.reads]).toEqual(['notAToken', true, 3])
    clock.at += 1
    expect([book.isKnownMissing(USDC), await later(0, () => [USDC, USDC]), state.reads]).toEqual([false, USDC, 4])
  })
})

it('token metadata: the tables of all venues agree on symbol and decimals of every token', () => {
  const rows = VENUE_DEFINITIONS.flatMap(({ tokens = [] }) => tokens)
  const rowsOf = Map.groupBy(rows, ({ chainId, address }) => `${chainId}:${address.toLowerCase()}`)
  expect(rowsOf.size).toBeGreaterThan(100)
  for (const [key, same] of rowsOf)
    expect([key, new Set(same.map(({ symbol, decimals }) => `${symbol} ${decimals}`)).size]).toEqual([key, 1])
})

const TOKEN = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA'
const TOKEN_2022 = 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb'
const METAPLEX = 'metaqbxxUerdq28cj1RbAWkYQm3ybzjb6a8bt518x1s'
const SYSTEM = '11111111111111111111111111111111'
const MINT = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'
const OTHER_MINT = 'Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB'
const keyOf = (address: string): Buffer => new PublicKey(address).toBuffer()
const [METADATA] = PublicKey.findProgramAddressSync(
  [Buffer.from('metadata'), keyOf(METAPLEX), keyOf(MINT)],
  new PublicKey(METAPLEX),
)

type Account = { readonly owner: string; readonly data: Buffer }

const u16 = (value: number): Buffer => Buffer.of(value & 255, value >> 8)
const u32 = (value: number): Buffer => Buffer.from(new Uint32Array([value]).buffer)
const text = (bytes: Buffer | string, claimed = Buffer.byteLength(bytes)): Buffer =>
  Buffer.concat([u32(claimed), Buffer.from(bytes)])

/** https://solana.com/docs/tokens: the 82 bytes of a mint. */
const mint = ({ decimals = 6, isInitialized = 1 } = {}): Buffer => {
  const data = Buffer.alloc(82)
  data.set([decimals, isInitialized], 44)
  return data
}

/** A Token-2022 mint: the mint padded to an account's 165 bytes, the kind of account, then entries. */
const extended = (entries: readonly (readonly [type: number, value: Buffer])[], { kind = 1, of = mint() } = {}): Account => {
  const added = entries.flatMap(([type, value]) => [u16(type), u16(value.length), value])
  return { owner: TOKEN_2022, data: Buffer.concat([of, Buffer.alloc(165 - of.length), Buffer.of(kind), ...added]) }
}
const head = Buffer.concat([Buffer.alloc(32), keyOf(MINT)])
const named = (name: Buffer | string, symbol: string, of = head) =>
  [19, Buffer.concat([of, text(name), text(symbol), text(''), u32(0)])] as const
const [TRANSFER_FEE, OTHER_HEAD] = [[1, Buffer.alloc(108)] as const, Buffer.concat([Buffer.alloc(32), keyOf(OTHER_MINT)])]

/** Metaplex pads its texts with zero bytes. */
const padded = (value: string, size: number): Buffer => text(Buffer.concat([Buffer.from(value)], size))
const metaplex = (
  name: Buffer = padded('Fake', 32),
  symbol: Buffer = padded('FAKE', 10),
  { of = MINT, owner = METAPLEX } = {},
): Account => ({
  owner,
  data: Buffer.concat([Buffer.of(4), Buffer.alloc(32), keyOf(of), name, symbol, text(Buffer.alloc(200)), Buffer.alloc(372)]),
})
const plainMint: Account = { owner: TOKEN, data: mint() }
const usdc = metaplex(padded('USD Coin', 32), padded('USDC', 10))

const resolveAt = (getMultipleAccounts: unknown) => {
  const { chains, asked } = benchOver({ a: { getMultipleAccounts } }, { rpcUrls: { [-2]: ['https://a/'] } })
  const read = chains.token(assetOf(-2, MINT), never()).then(({ name, symbol, decimals }) => `${name}, ${symbol}, ${decimals}`)
  return { answer: outcome(read), asked }
}
/** The metadata of the mint on a chain with these two accounts. */
const resolve = (account: Account | null, names: Account | null = null) => {
  const value = [account, names].map((held) => held && { ...held, data: [held.data.toString('base64'), 'base64'] })
  return resolveAt({ context: { slot: 1 }, value })
}

describe('Solana mint [token-solana-mints]', () => {
  const [METAPLEX_NAME, ADDRESS] = ['USD Coin, USDC, 6', `${MINT}, EPjF…Dt1v, 6`]
  const cutEntries = { owner: TOKEN_2022, data: Buffer.concat([extended([]).data, u16(19), u16(900)]) }
  const invisible = metaplex(padded('USD\u202e Coin\n', 32), padded('US\u200bDC', 10))

  it('is read in one call with its Metaplex account', async () => {
    const { answer, asked } = resolve(plainMint, usdc)
    expect(await answer).toBe(METAPLEX_NAME)
    const params = [[MINT, METADATA.toBase58()], { encoding: 'base64', commitment: 'confirmed' }]
    expect(asked).toMatchObject([{ method: 'getMultipleAccounts', params }])
  })

  it.each<[string, Account, Account | null, string]>([
    ['Metaplex, of Token-2022', { owner: TOKEN_2022, data: mint({ decimals: 9 }) }, usdc, 'USD Coin, USDC, 9'],
    ['its extension', extended([TRANSFER_FEE, named('PayPal USD', 'PYUSD'), TRANSFER_FEE]), usdc, 'PayPal USD, PYUSD, 6'],
    ['Metaplex without such an extension', extended([TRANSFER_FEE]), usdc, METAPLEX_NAME],
    ['Metaplex where the extension is of another mint', extended([named('Fake', 'FAKE', OTHER_HEAD)]), usdc, METAPLEX_NAME],
    ['Metaplex where it ends outside', extended([[19, Buffer.concat([head, text('x', 0xffffffff)])]]), usdc, METAPLEX_NAME],
    ['Metaplex where the entries are cut', cutEntries, usdc, METAPLEX_NAME],
    ['Metaplex without invisible characters', plainMint, invisible, METAPLEX_NAME],
    ['its address without Metaplex', plainMint, null, ADDRESS],
    ['its address beside another program', plainMint, metaplex(undefined, undefined, { owner: SYSTEM }), ADDRESS],
    ['its address beside names of another mint', plainMint, metaplex(undefined, undefined, { of: OTHER_MINT }), ADDRESS],
    ['its address beside endless names', plainMint, metaplex(text('x', 0xffffffff)), ADDRESS],
    ['its address beside invisible names', plainMint, metaplex(padded('\u200b\u202e', 32), padded('\u0007', 10)), ADDRESS],
  ])('is named by %s', async (_what, account, names, expected) => {
    expect(await resolve(account, names).answer).toBe(expected)
  })

  const holding = Buffer.alloc(165, 1)
  // Token-2022 has no mints of the length of a multisig.
  const multisig = Buffer.concat([extended([]).data, Buffer.alloc(355)]).subarray(0, 355)
  it.each<[string, Account]>([
    ['a wallet', { owner: SYSTEM, data: Buffer.alloc(0) }],
    ['a token account of Token-2022', { owner: TOKEN_2022, data: holding }],
    ['a token account with extensions', extended([], { kind: 2, of: holding })],
    ['a mint that is not initialized', { owner: TOKEN, data: mint({ isInitialized: 0 }) }],
    ['a mint of 37 decimals', { owner: TOKEN, data: mint({ decimals: 37 }) }],
    ['a mint of any other program', { owner: SYSTEM, data: mint() }],
    ['a multisig of Token-2022 that looks like a mint', { owner: TOKEN_2022, data: multisig }],
    ['an extended mint of the first token program', { ...extended([named('Fake', 'FAKE')]), owner: TOKEN }],
  ])('is not %s', async (_what, account) => {
    expect(await resolve(account, usdc).answer).toBe('notAToken')
  })

  it.each([null, { value: [null] }])('is unreadable where a node answers %j', async (result) => {
    expect(await resolveAt(result).answer).toBe('unreachable')
  })
})
