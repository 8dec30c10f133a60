import { inspect } from 'node:util'
import { base64url, CompactEncrypt, compactDecrypt } from 'jose'
import { expect, it } from 'vitest'
import { type Amount, MAX_AMOUNT, toAmount } from '../../../engine/core/amount.ts'
import { NATIVE } from '../../../engine/core/asset.ts'
import type { Offer } from '../../../engine/core/offer.ts'
import type { VenueOrder } from '../../../engine/core/order.ts'
import { Secret } from '../../../engine/core/secret.ts'
import { createQuoteSeal, QUOTE_TOKEN_LENGTH_MAX, type QuoteSeal, type SealedQuote } from '../../../engine/quoting/seal.ts'
import { anOrder, WALLETS } from '../../support/anOrder.ts'
import { pair, TOKENS } from '../../support/fakeChains.ts'
import { addressFor, TOY_CONTRACT } from '../../support/fakeVenue.ts'
import { firm, offerOf, order } from '../../support/quoteBench.ts'
import { refusalOf } from '../../support/testEngine.ts'

const KEY_HEX = 'ab'.repeat(32)
const key = (hex: string): Secret => new Secret(hex)

/** Minted by a build of 2026-11-28 under `KEY_HEX`, for simnet. */
const OF_VERSION_1 =
  'eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIiwia2lkIjoiaUxqd0xPIiwiYXVkIjoic2ltbmV0In0..CtTet7_FrtRHFNBF.BG1crXc5eBxyYHn2BGSi6C1D0Ik9o6sYux0ZyCJ33vRoGioSxJHNAmbWHFfzYV2qMZnjPCzZGiGmx5STJmyv5HjIRIN8NqZpHzZBoZ90JfEwVTrUfFVqKfi8_twtTT-wXsF9f1Wdz2RpNk2AM6TU5NNXT7KLs0moqpKuxWdSEdTczzH80btJ4ySHKWwFWgCnwGiLIpjtDam8kzKyOblsI943ZMpAVUkZGJb5JnVYaX2AMNA9a8ZUKGmUBgNb80z4Hj8bGsdQ6g8PIRqwE-ul8Fk-OMuqq9E0TSnzYQ1Vp-6uUmjaNUVy_u9VBSfvVtk6c47hXgevXc5vyzOMt0TKG42It2i2j1dD1DEh71WLwWzEsSsVCPugs5M6VyloG0x-JvTcQi59wFK6YCZe7jJYfOtYi_ljKWyvTSUJLtm7RFZ3zn3JOIKclyPh27lmuyAGanXTP75sUdicJbi0AW07hULFyRRtq0g_cYTjvpqiYWvCJj9laOarU8iddcVQGnIpOnSaN-b1Hqgy5z5xap5JqxVIq75UCMSviEZlHTWHtih6fYVl4pDoSbvEPcekN120.YZprAPCi955hY2-FjwJ83w'

const KEY = Buffer.from(KEY_HEX, 'hex')

type Wish = { order?: Partial<VenueOrder>; offer?: Partial<Offer> } & Partial<Omit<SealedQuote, 'order' | 'offer'>>

const sealed = (wish: Wish = {}): SealedQuote => ({
  id: 'q-1234567890abcd',
  swapId: null,
  race: null,
  isExecutable: true,
  feeOf: 'partner',
  partnerId: null,
  expiresAt: 1_795_000_000_000,
  ...wish,
  order: { ...order(), ...wish.order },
  offer: offerOf('toy', 999_000n, {
    fee: { bps: 15, amount: toAmount(1_500n) },
    slippage: firm(994_000n),
    gasUnits: 210_000n,
    spender: TOY_CONTRACT,
    estimatedTimeSeconds: 12,
    expiresAt: 1_795_000_000_000,
    decimals: { input: 6, output: 6 },
    carry: { v: 1, id: 'abc' },
    ...wish.offer,
  }),
})

const tokens = createQuoteSeal([key(KEY_HEX)], 'simnet')
const token = tokens.mint(sealed())
const [head = '', , iv, ciphertext, tag] = token.split('.')
const header = JSON.parse(Buffer.from(head, 'base64url').toString()) as { kid: string }

const refuses = async (altered: string, seal: QuoteSeal = tokens) => {
  const opening = async () => seal.open(altered)
  return refusalOf(opening(), 'QUOTE_INVALID')
}

const plaintextOf = async (minted: string) => (await compactDecrypt(minted, KEY)).plaintext

const most = MAX_AMOUNT as Amount
const onSolana = addressFor('solana', 'other')
const [solana, bitcoin] = [
  anOrder({ from: pair(TOKENS.usdcSolana), to: [-1, 'BTC'], amount: MAX_AMOUNT, refundTo: onSolana }),
  anOrder({ from: [-1, 'BTC'], to: [1, NATIVE], amount: 0n, recipient: WALLETS.evmOther }),
]
const solanaPair = { from: pair(TOKENS.usdcSolana), to: pair(TOKENS.usdcSolana), recipient: onSolana, refundTo: onSolana }
const terms = { outputAmount: most, fee: { bps: 100, amount: most }, slippage: firm(MAX_AMOUNT), spender: onSolana }
const LARGEST: Wish = {
  id: 'x'.repeat(16),
  partnerId: 'p'.repeat(40),
  order: { ...anOrder({ ...solanaPair, amount: MAX_AMOUNT }), unnamed: ['recipient', 'refundTo'] },
  offer: { carry: 'x'.repeat(1_998), ...terms },
}

it.each<[string, Wish]>([
  ['the longest quote that the offer rules accept', LARGEST],
  ['null in every field that can be empty', { offer: offerOf('toy', 1n) }],
  ['a signature on Solana, with a refund address', { order: solana, offer: { executionType: 'SIGNATURE', spender: null } }],
  ['a deposit of bitcoin, without a recipient', { order: bitcoin, offer: { executionType: 'DEPOSIT', nativeFee: most } }],
  ['a preview of the fastest, in the sandbox', { isExecutable: false, order: { rankingMode: 'fastest', sandbox: true } }],
  ['an execution that the service broadcasts', { swapId: 7, order: { broadcastViaService: true } }],
  ['a fee of the operator, the time and the race', { feeOf: 'operator', mintedAt: 1_794_999_000_000, race: 'b;toy,o1' }],
  ['a minimum that may slip', { offer: { slippage: { isFirm: false, guaranteedMin: toAmount(0n) } } }],
  ['decimals of one token, and a list as carry', { offer: { decimals: { input: null, output: 0 }, carry: ['€', null, 1.5] } }],
  ['the least of an exchange before the bridge', { offer: { bridgesLeast: { asset: order().input, amount: 5n } } }],
])('a quote token opens to exactly what was sealed: %s', (_what, wish) => {
  expect(tokens.open(tokens.mint(sealed(wish)))).toEqual(sealed(wish))
})

it('a quote token holds no list of excluded venues, no race that would make it longer than 2 KB, and is not minted above a query string', () => {
  expect(tokens.open(tokens.mint(sealed({ order: { excludeVenues: ['other'] } }))).order.excludeVenues).toEqual([])
  const long = { carry: 'x'.repeat(590) }
  const raced = [350, 900].map((length) => tokens.mint(sealed({ offer: long, race: 'r'.repeat(length) })))
  expect(raced.map((minted) => tokens.open(minted).race?.length)).toEqual([350, undefined])
  expect(Math.max(...raced.map(({ length }) => length))).toBeLessThan(2_048)
  expect(tokens.mint(sealed(LARGEST)).length).toBeLessThanOrEqual(QUOTE_TOKEN_LENGTH_MAX)
  expect(() => tokens.mint(sealed({ offer: { carry: 'x'.repeat(4_000) } }))).toThrow(RangeError)
})

it('a quote token is a JWE with the shape of version 1, like tokens of earlier builds: another shape needs another VERSION', async () => {
  const whole = sealed({ swapId: 7, race: 'r', feeOf: 'operator', partnerId: 'p', order: { unnamed: ['refundTo'] } })
  expect(tokens.open(OF_VERSION_1)).toEqual(whole)
  expect(await plaintextOf(tokens.mint(whole))).toEqual(await plaintextOf(OF_VERSION_1))
})

it('a quote token shows nothing of its content, always differs, and has less than 2 KB [quote-token-tamper-evident]', () => {
  expect(Object.keys(header).sort()).toEqual(['alg', 'aud', 'enc', 'kid'])
  const readable = Buffer.from(token.replaceAll('.', ''), 'base64url').toString('latin1')
  for (const content of ['toy', WALLETS.evm, KEY_HEX]) expect(readable).not.toContain(content)
  const ivs = Array.from({ length: 5_000 }, () => tokens.mint(sealed()).split('.')[2] ?? '')
  expect(new Set(ivs).size).toBe(ivs.length)
  expect(ivs.every((one) => Buffer.from(one, 'base64url').length === 12)).toBe(true)
  const offer = { carry: 'x'.repeat(598), spender: onSolana, outputAmount: toAmount(10n ** 26n) }
  const longest = { partnerId: 'partner-0123456789abcdef', order: { ...solana, recipient: addressFor('bitcoin', 'r') }, offer }
  expect(tokens.mint(sealed(longest)).length).toBeLessThan(2_048)
})

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

it('QUOTE_INVALID rejects a token with a character changed, removed or added at any position, or cut at it [quote-token-tamper-evident]', async () => {
  for (let i = 0; i < token.length; i += 1) {
    const [before, own, rest] = [token.slice(0, i), token.charAt(i), token.slice(i + 1)]
    // The neighbours in the alphabet differ in the lowest bits, which the last character of a part does not use.
    const at = ALPHABET.indexOf(own)
    const steps = own === '.' ? ['A', '-'] : [...[1, 2, 3, 31, 63].map((step) => ALPHABET.charAt((at + step) % 64)), '.']
    for (const other of [...steps, '', `A${own}`, `.${own}`]) await refuses(`${before}${other}${rest}`)
    for (const part of [before, rest]) await refuses(part)
  }
  for (const tail of ['A', '.', '=', ' ', '\n', '%00', '\u0000']) await refuses(`${token}${tail}`)
})

it('QUOTE_INVALID rejects a token whose parts change places, come twice or come from another token, and a text that is no token [quote-token-tamper-evident]', async () => {
  const [own, other] = [token.split('.'), tokens.mint(sealed({ id: 'another' })).split('.')]
  for (const i of [2, 3, 4]) await refuses(own.with(i, other[i] ?? '').join('.'))
  const parted = [[head, '', ciphertext, iv, tag], [token, token], own.concat('')]
  for (const parts of parted) await refuses(parts.join('.'))
  for (const text of ['', '€.€.€.€.€', '.'.repeat(1_000_000)]) await refuses(text)
})

const own = { alg: 'dir', enc: 'A256GCM', kid: header.kid, aud: 'simnet' }
it.each([
  { ...own, alg: 'none' },
  { ...own, enc: 'A128GCM' },
  { ...own, zip: 'DEF' },
  { ...own, kid: undefined },
  { ...own, kid: '__proto__' },
  [null],
])('QUOTE_INVALID rejects our own content under another header: %j [quote-token-tamper-evident]', async (other) => {
  await refuses([base64url.encode(JSON.stringify(other)), '', iv, ciphertext, tag].join('.'))
})

const sealText = (content: string): Promise<string> =>
  new CompactEncrypt(new TextEncoder().encode(content)).setProtectedHeader({ alg: 'dir', enc: 'A256GCM', ...header }).encrypt(KEY)

it('QUOTE_INVALID rejects other content under our own key [quote-token-tamper-evident]', async () => {
  const lists = ['[]', 'null'].map((list) => `{"v":1,"o":${list},"f":${list}}`)
  for (const content of ['text', 'null', '[]', '{"v":2}', '{"v":1}', ...lists]) await refuses(await sealText(content))
})

it('QUOTE_INVALID rejects our own content with a field of another kind [quote-token-tamper-evident]', async () => {
  const o = [[1, TOKENS.usdcEthereum.address], [10, NATIVE], '5', WALLETS.evm, 0, 0, [], 77, 0, 0, 0, 0]
  const f = ['toy', 'DEPOSIT', '4', 0, '0', [1, '3'], null, null, null, null, [6, 18], null, [[1, NATIVE], '3']]
  const seal = (change: object) => sealText(JSON.stringify({ v: 1, id: 'q', x: 1, e: 1, p: null, o, f, c: null, ...change }))
  expect(tokens.open(await seal({}))).toMatchObject({ order: { slippageBps: 77 }, offer: { slippage: firm(3n) } })
  for (const at of [0, 1, 2, 3, 6, 7, 8]) await refuses(await seal({ o: o.with(at, {} as never) }))
  for (const at of f.keys()) await refuses(await seal({ f: f.with(at, {} as never) }))
})

const [first, second, third] = ['11', '22', '33'].map((byte) => key(byte.repeat(32))) as [Secret, Secret, Secret]
const sealOf = (...keys: readonly Secret[]) => createQuoteSeal(keys, 'simnet')

it('the keys of quote tokens open no token of another key, and none of another network with the same key', async () => {
  const [theirs, mainnet] = [sealOf(first), createQuoteSeal([key(KEY_HEX)], 'mainnet')]
  const minted = mainnet.mint(sealed())
  for (const seal of [theirs, mainnet]) await refuses(token, seal)
  expect(mainnet.open(minted)).toEqual(sealed())
  // The header names the network, and is authenticated.
  for (const one of [theirs.mint(sealed()), minted, [head, ...minted.split('.').slice(1)].join('.')]) await refuses(one)
})

it('the keys of quote tokens rotate: the first key mints, a previous one opens, and a removed one does not [quote-token-key-rotation]', async () => {
  const [old, rotated, newest] = [sealOf(first), sealOf(second, first), sealOf(third, second)]
  const minted = rotated.mint(sealed())
  expect(rotated.open(old.mint(sealed()))).toEqual(sealed())
  for (const seal of [sealOf(second), newest]) expect(seal.open(minted)).toEqual(sealed())
  await refuses(minted, old)
  await refuses(old.mint(sealed()), newest)
})

it('the keys of quote tokens are printed neither by themselves, nor by the seal, nor in an error', async () => {
  const secret = key(KEY_HEX)
  const deep = { depth: 9, showHidden: true }
  const error = await refuses(`${token}x`)
  const shown = [`${secret}`, JSON.stringify({ secret }), inspect({ secret }, deep), inspect(tokens, deep)]
  for (const text of [...shown, inspect(error, deep), JSON.stringify(error), error.stack]) expect(text).not.toContain(KEY_HEX)
  expect(shown.slice(0, 3)).toEqual(['[secret]', '{"secret":"[secret]"}', '{ secret: [secret] }'])
  expect(error.publicMessage).not.toMatch(/jwe|jose|decrypt|key/i)
})
