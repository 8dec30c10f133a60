import { inspect } from 'node:util'
import fc from 'fast-check'
import { base64url, CompactEncrypt, CompactSign, compactDecrypt } from 'jose'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Amount, MAX_AMOUNT, toAmount } from '../../../engine/core/amount.ts'
import { NATIVE } from '../../../engine/core/asset.ts'
import { CHAIN_IDS, type ChainId, ecosystemOf } from '../../../engine/core/chain.ts'
import type { Json } from '../../../engine/core/json.ts'
import type { Offer } from '../../../engine/core/offer.ts'
import type { VenueOrder } from '../../../engine/core/order.ts'
import { Secret } from '../../../engine/core/secret.ts'
import { SwapError } from '../../../engine/errors.ts'
import { createQuoteSeal, QUOTE_TOKEN_LENGTH_MAX, type QuoteSeal, type SealedQuote } from '../../../engine/quoting/seal.ts'
import { anOrder, WALLETS } from '../../support/anOrder.ts'
import { pair, TOKENS } from '../../support/fakeChains.ts'
import { addressFor, TOY_CONTRACT } from '../../support/fakeVenue.ts'
import { refusalOf } from '../../support/testEngine.ts'

const KEY_HEX = 'ab'.repeat(32)
const key = (hex: string): Secret => new Secret(hex)

/** Minted by a build of 2026-11-28 under `KEY_HEX`, for simnet. */
const OF_VERSION_1 =
  'eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIiwia2lkIjoiaUxqd0xPIiwiYXVkIjoic2ltbmV0In0..CtTet7_FrtRHFNBF.BG1crXc5eBxyYHn2BGSi6C1D0Ik9o6sYux0ZyCJ33vRoGioSxJHNAmbWHFfzYV2qMZnjPCzZGiGmx5STJmyv5HjIRIN8NqZpHzZBoZ90JfEwVTrUfFVqKfi8_twtTT-wXsF9f1Wdz2RpNk2AM6TU5NNXT7KLs0moqpKuxWdSEdTczzH80btJ4ySHKWwFWgCnwGiLIpjtDam8kzKyOblsI943ZMpAVUkZGJb5JnVYaX2AMNA9a8ZUKGmUBgNb80z4Hj8bGsdQ6g8PIRqwE-ul8Fk-OMuqq9E0TSnzYQ1Vp-6uUmjaNUVy_u9VBSfvVtk6c47hXgevXc5vyzOMt0TKG42It2i2j1dD1DEh71WLwWzEsSsVCPugs5M6VyloG0x-JvTcQi59wFK6YCZe7jJYfOtYi_ljKWyvTSUJLtm7RFZ3zn3JOIKclyPh27lmuyAGanXTP75sUdicJbi0AW07hULFyRRtq0g_cYTjvpqiYWvCJj9laOarU8iddcVQGnIpOnSaN-b1Hqgy5z5xap5JqxVIq75UCMSviEZlHTWHtih6fYVl4pDoSbvEPcekN120.YZprAPCi955hY2-FjwJ83w'

const sealed = (
  wish: { order?: Partial<VenueOrder>; offer?: Partial<Offer> } & Partial<Omit<SealedQuote, 'order' | 'offer'>> = {},
): SealedQuote => {
  const { order, offer, ...rest } = wish
  return {
    id: 'q-1234567890abcd',
    swapId: null,
    race: null,
    order: { ...anOrder({ from: pair(TOKENS.usdcEthereum), to: pair(TOKENS.usdcArbitrum), amount: 1_000_000n }), ...order },
    offer: {
      venue: 'toy',
      executionType: 'TRANSACTION',
      outputAmount: toAmount(999_000n),
      fee: { bps: 15, amount: toAmount(1_500n) },
      slippage: { isFirm: true, guaranteedMin: toAmount(994_000n) },
      gasUnits: 210_000n,
      spender: TOY_CONTRACT,
      nativeFee: toAmount(0n),
      estimatedTimeSeconds: 12,
      expiresAt: 1_795_000_000_000,
      decimals: { input: 6, output: 6 },
      carry: { v: 1, id: 'abc' },
      ...offer,
    },
    isExecutable: true,
    feeOf: 'partner',
    partnerId: null,
    expiresAt: 1_795_000_000_000,
    ...rest,
  }
}

let tokens: QuoteSeal
let token: string

beforeAll(async () => {
  tokens = createQuoteSeal([key(KEY_HEX)], 'simnet')
  token = tokens.mint(sealed())
})

const opening = async (seal: QuoteSeal, altered: string): Promise<SealedQuote> => seal.open(altered)

const refuses = async (altered: string): Promise<void> => {
  await refusalOf(opening(tokens, altered), 'QUOTE_INVALID')
}

const header = () => JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()) as { kid: string }

/** Any text under our own key, with our own header. */
const sealText = (text: string): Promise<string> =>
  new CompactEncrypt(new TextEncoder().encode(text))
    .setProtectedHeader({ alg: 'dir', enc: 'A256GCM', ...header() })
    .encrypt(Buffer.from(KEY_HEX, 'hex'))

describe('a quote token', () => {
  const amount = fc.bigInt({ min: 0n, max: MAX_AMOUNT }).map((value) => value as Amount)
  const chainId = fc.constantFrom<ChainId>(...CHAIN_IDS)
  const address = (id: ChainId) => fc.string({ maxLength: 8 }).map((text) => addressFor(ecosystemOf(id), text))
  const asset = chainId.chain((id) =>
    (id === -1 ? fc.constant(NATIVE) : fc.oneof(address(id), fc.constant(id === -2 ? TOKENS.usdcSolana.address : NATIVE))).map(
      (one) => ({ chainId: id, address: one }),
    ),
  )
  const carry = fc.jsonValue({ maxDepth: 2 }).map((value) => JSON.parse(JSON.stringify(value)) as Json)
  const order = fc.tuple(asset, asset).chain(([input, output]) =>
    fc.record({
      input: fc.constant(input),
      output: fc.constant(output),
      inputAmount: amount,
      sender: address(input.chainId),
      recipient: address(output.chainId),
      refundTo: address(input.chainId),
      unnamed: fc.subarray(['recipient', 'refundTo'] as const),
      slippageBps: fc.integer({ min: 1, max: 5_000 }),
      feeBps: fc.integer({ min: 0, max: 100 }),
      rankingMode: fc.constantFrom('best_output' as const, 'fastest' as const),
      sandbox: fc.boolean(),
      excludeVenues: fc.constant([]),
      broadcastViaService: fc.boolean(),
    }),
  )
  const offer = fc.record({
    venue: fc.string(),
    executionType: fc.constantFrom('TRANSACTION' as const, 'SIGNATURE' as const, 'DEPOSIT' as const),
    outputAmount: amount,
    fee: fc.record({ bps: fc.integer({ min: 0, max: 100 }), amount }),
    slippage: fc.option(fc.record({ isFirm: fc.boolean(), guaranteedMin: amount })),
    gasUnits: fc.option(amount),
    spender: fc.option(fc.constant(TOY_CONTRACT)),
    nativeFee: amount,
    estimatedTimeSeconds: fc.option(fc.integer({ min: 0 })),
    expiresAt: fc.option(fc.integer({ min: 0 })),
    decimals: fc.record({ input: fc.option(fc.nat(36)), output: fc.option(fc.nat(36)) }),
    carry,
  })
  const quote = fc.record({
    id: fc.string(),
    order,
    offer,
    isExecutable: fc.boolean(),
    partnerId: fc.option(fc.string()),
    feeOf: fc.constantFrom('partner', 'operator'),
    expiresAt: fc.integer({ min: 0 }),
    mintedAt: fc.integer({ min: 0 }),
    swapId: fc.option(fc.integer({ min: 1 })),
    race: fc.constant(null),
  })

  it('opens to exactly what was sealed', async () => {
    await fc.assert(
      fc.asyncProperty(quote, async (one) => {
        expect(tokens.open(tokens.mint(one))).toEqual(one)
      }),
      { numRuns: 300 },
    )
  })

  it('forgets which venues were left out: the race is run', async () => {
    const { order: opened } = tokens.open(tokens.mint(sealed({ order: { excludeVenues: ['other'] } })))
    expect(opened.excludeVenues).toEqual([])
  })

  it('tells nothing of what it holds [quote-token-tamper-evident]', async () => {
    expect(Object.keys(header()).sort()).toEqual(['alg', 'aud', 'enc', 'kid'])
    const readable = Buffer.from(token.replaceAll('.', ''), 'base64url').toString('latin1')
    expect(readable).not.toContain('toy')
    expect(readable).not.toContain(WALLETS.evm)
    expect(readable).not.toContain(KEY_HEX)
  })

  it('is a JWE like any other: jose opens it, and what jose seals is opened', async () => {
    const secret = Buffer.from(KEY_HEX, 'hex')
    const { plaintext, protectedHeader } = await compactDecrypt(token, secret)
    expect(protectedHeader).toMatchObject({ alg: 'dir', enc: 'A256GCM' })
    const theirs = await new CompactEncrypt(plaintext).setProtectedHeader(protectedHeader).encrypt(secret)
    expect(theirs).not.toBe(token)
    expect(tokens.open(theirs)).toEqual(sealed())
  })

  it('has the shape of version 1 and stands in tokens of builds before: a change of it needs another VERSION', async () => {
    const whole = sealed({ swapId: 7, race: 'r', feeOf: 'operator', partnerId: 'p', order: { unnamed: ['refundTo'] } })
    expect(tokens.open(OF_VERSION_1)).toEqual(whole)
    const textOf = async (one: string) => (await compactDecrypt(one, Buffer.from(KEY_HEX, 'hex'))).plaintext
    expect(await textOf(tokens.mint(whole))).toEqual(await textOf(OF_VERSION_1))
  })

  it('has an initialisation vector of its own, of 96 bits, however many are minted', () => {
    const ivs = Array.from({ length: 5_000 }, () => tokens.mint(sealed()).split('.')[2] ?? '')
    expect(new Set(ivs).size).toBe(ivs.length)
    expect(ivs.every((iv) => Buffer.from(iv, 'base64url').length === 12)).toBe(true)
  })

  it('is under 2 KB for the longest realistic quote and well under the limit of a query string [quote-token-tamper-evident]', async () => {
    const longest = sealed({
      partnerId: 'partner-0123456789abcdef',
      order: {
        ...anOrder({
          from: pair(TOKENS.usdcSolana),
          to: [-1, 'BTC'],
          amount: 123_456_789_012_345_678_901_234_567n,
          recipient: addressFor('bitcoin', 'recipient'),
          refundTo: addressFor('solana', 'refund'),
        }),
        slippageBps: 5_000,
        feeBps: 100,
      },
      offer: { carry: 'x'.repeat(598), spender: addressFor('solana', 'spender'), outputAmount: toAmount(10n ** 26n) },
    })
    const minted = tokens.mint(longest)
    process.stdout.write(
      `quote token: ${token.length} characters ordinary, ${minted.length} with Solana addresses and a carry of 600 bytes\n`,
    )
    expect(minted.length).toBeLessThan(2_048)
  })

  it('holds the largest carry that the offer rules let through, whatever the rest is', async () => {
    const largest = sealed({
      id: 'x'.repeat(16),
      partnerId: 'p'.repeat(40),
      order: {
        ...anOrder({
          from: pair(TOKENS.usdcSolana),
          to: pair(TOKENS.usdcSolana),
          amount: MAX_AMOUNT,
          recipient: addressFor('solana', 'r'),
          refundTo: addressFor('solana', 'f'),
        }),
        unnamed: ['recipient', 'refundTo'],
      },
      offer: {
        carry: 'x'.repeat(1_998),
        outputAmount: MAX_AMOUNT as Amount,
        fee: { bps: 100, amount: MAX_AMOUNT as Amount },
        slippage: { isFirm: true, guaranteedMin: MAX_AMOUNT as Amount },
        spender: addressFor('solana', 's'),
      },
    })
    const minted = tokens.mint(largest)
    expect(minted.length).toBeLessThanOrEqual(QUOTE_TOKEN_LENGTH_MAX)
    expect(tokens.open(minted)).toEqual(largest)
  })

  it('that is ours in all but one field, of which it has another kind or none, is refused', async () => {
    const packed = {
      v: 1,
      id: 'q',
      x: 1,
      e: 1,
      p: null,
      o: [[1, TOKENS.usdcEthereum.address], [10, NATIVE], '5', WALLETS.evm, 0, 0, [], 77, 0, 0, 0, 0],
      f: ['toy', 'DEPOSIT', '4', 0, '0', [1, '3'], null, null, null, null, [6, 18]],
      c: null,
    }
    const seal = (content: object) => sealText(JSON.stringify(content))
    const opened = tokens.open(await seal(packed))
    expect([opened.order.slippageBps, opened.offer.slippage]).toEqual([77, { isFirm: true, guaranteedMin: 3n }])
    for (const place of [0, 1, 2, 3, 6, 7, 8])
      for (const wrong of [null, {}]) await refuses(await seal({ ...packed, o: packed.o.with(place, wrong as never) }))
    for (const place of [0, 1, 2, 3, 4, 5, 10]) await refuses(await seal({ ...packed, f: packed.f.with(place, {} as never) }))
  })

  it('is not minted over the limit', async () => {
    expect(() => tokens.mint(sealed({ offer: { carry: 'x'.repeat(4_000) } }))).toThrow(RangeError)
  })
})

describe('an altered quote token [quote-token-tamper-evident]', () => {
  const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

  it('is refused for any one character changed, removed or added, at every position', async () => {
    let tried = 0
    const attempt = async (altered: string) => {
      tried += 1
      await refuses(altered)
    }
    for (let i = 0; i < token.length; i += 1) {
      const [before, own, rest] = [token.slice(0, i), token.charAt(i), token.slice(i + 1)]
      // The neighbours in the alphabet differ in the lowest bits, which the last character of a part does not use.
      const at = ALPHABET.indexOf(own)
      const others =
        own === '.' ? ['A', '-', ''] : [1, 2, 3, 31, 63].map((step) => ALPHABET.charAt((at + step) % 64)).concat('.', '')
      for (const other of others) await attempt(`${before}${other}${rest}`)
      await attempt(`${before}A${token.slice(i)}`)
      await attempt(`${before}.${token.slice(i)}`)
    }
    for (const tail of ['A', '.', '=', ' ', '\n', '%00', '\u0000']) await attempt(`${token}${tail}`)
    process.stdout.write(`token alterations: ${tried} tried, ${tried} refused\n`)
  })

  it('is refused at every truncation, from either end', async () => {
    for (let i = 0; i < token.length; i += 1) {
      await refuses(token.slice(0, i))
      if (i > 0) await refuses(token.slice(i))
    }
  })

  it('is refused when parts change places, come twice, or come from another token', async () => {
    const other = tokens.mint(sealed({ id: 'another' }))
    const [a, b] = [token.split('.'), other.split('.')]
    for (const i of [2, 3, 4]) await refuses(a.with(i, b[i] ?? '').join('.'))
    await refuses([a[0], a[1], a[3], a[2], a[4]].join('.'))
    await refuses(`${token}.${token}`)
    await refuses([...a, ''].join('.'))
  })
})

describe('what was never a quote token', () => {
  it.each([
    ['nothing', ''],
    ['dots', '....'],
    ['JSON', '{"id":"q"}'],
    ['characters outside ASCII', '€.€.€.€.€'],
    ['too much of it', 'A'.repeat(QUOTE_TOKEN_LENGTH_MAX + 1)],
    ['a megabyte of dots', '.'.repeat(1_000_000)],
  ])('is refused: %s', async (_what, text) => {
    await refuses(text)
  })

  const encode = (value: unknown): string => base64url.encode(JSON.stringify(value))
  const bytes = Buffer.from(KEY_HEX, 'hex')

  it('is refused with any other algorithm in the header, even under our own key', async () => {
    const { kid } = header()
    const aud = 'simnet'
    const own = { kid, aud }
    const plain = new TextEncoder().encode('{}')
    const [, , iv, ciphertext, tag] = token.split('.')
    for (const header of [
      { alg: 'none', enc: 'A256GCM', ...own },
      { alg: 'dir', enc: 'none', ...own },
      { alg: 'dir', enc: 'A128GCM', ...own },
      { alg: 'dir', enc: 'A256CBC-HS512', ...own },
      { alg: 'A256KW', enc: 'A256GCM', ...own },
      { alg: 'PBES2-HS512+A256KW', enc: 'A256GCM', ...own, p2c: 100_000_000, p2s: 'AAAA' },
      { alg: 'dir', enc: 'A256GCM', ...own, zip: 'DEF' },
      { alg: 'dir', enc: 'A256GCM', ...own, crit: ['exp'], exp: 1 },
      { alg: 'dir', enc: 'A256GCM', aud },
      { alg: 'dir', enc: 'A256GCM', kid: 7, aud },
      { alg: 'dir', enc: 'A256GCM', kid: ['x'], aud },
      { alg: 'dir', enc: 'A256GCM', kid: '__proto__', aud },
      own,
      [],
      null,
      'text',
    ])
      await refuses([encode(header), '', iv, ciphertext, tag].join('.'))
    await refuses(
      await new CompactEncrypt(plain).setProtectedHeader({ alg: 'dir', enc: 'A128GCM', ...own }).encrypt(bytes.subarray(0, 16)),
    )
    await refuses(await new CompactEncrypt(plain).setProtectedHeader({ alg: 'A256KW', enc: 'A256GCM', ...own }).encrypt(bytes))
    await refuses(await new CompactSign(plain).setProtectedHeader({ alg: 'HS256', ...own }).sign(bytes))
    await refuses(`${encode({ alg: 'none' })}.${encode({ id: 'q' })}.`)
  })

  it('is refused when it opens under our key and holds something else', async () => {
    for (const content of ['', 'text', 'null', '1', '"v"', '[]', '{}', '{"v":0}', '{"v":2}', '{"v":"1"}', '{"v":1}'])
      await refuses(await sealText(content))
    for (const lists of ['[]', 'null']) await refuses(await sealText(`{"v":1,"o":${lists},"f":${lists}}`))
  })
})

describe('the keys', () => {
  const [first, second, third] = ['11', '22', '33'].map((byte) => key(byte.repeat(32))) as [Secret, Secret, Secret]

  it('open what another key minted never', async () => {
    const theirs = createQuoteSeal([first], 'simnet')
    await refuses(theirs.mint(sealed()))
    await refusalOf(opening(theirs, token), 'QUOTE_INVALID')
  })

  it('open no token of another network, though the key is the same [quote-token-key-rotation]', async () => {
    const mainnet = createQuoteSeal([key(KEY_HEX)], 'mainnet')
    await refusalOf(opening(mainnet, token), 'QUOTE_INVALID')
    const minted = mainnet.mint(sealed())
    expect(mainnet.open(minted)).toEqual(sealed())
    await refuses(minted)
    // The header names the network, and is authenticated.
    const renamed = [token.split('.')[0], ...minted.split('.').slice(1)].join('.')
    await refuses(renamed)
  })

  it('rotate: the first mints, the second still opens, a third is refused [quote-token-key-rotation]', async () => {
    const old = createQuoteSeal([first], 'simnet')
    const rotated = createQuoteSeal([second, first], 'simnet')
    const newest = createQuoteSeal([third, second], 'simnet')
    const minted = rotated.mint(sealed())
    expect(rotated.open(old.mint(sealed()))).toEqual(sealed())
    expect(createQuoteSeal([second], 'simnet').open(minted)).toEqual(sealed())
    await refusalOf(opening(old, minted), 'QUOTE_INVALID')
    expect(newest.open(minted)).toEqual(sealed())
    await refusalOf(opening(newest, old.mint(sealed())), 'QUOTE_INVALID')
  })

  it('are needed: none is a mistake of ours', async () => {
    expect(() => createQuoteSeal([], 'simnet')).toThrow(TypeError)
  })

  it('are never printed, by themselves or in what goes wrong', async () => {
    const secret = key(KEY_HEX)
    const shown = [
      String(secret),
      `${secret}`,
      JSON.stringify({ secret }),
      inspect({ secret }, { depth: 9, showHidden: true }),
      inspect(tokens, { depth: 9, showHidden: true }),
    ]
    const error = await refusalOf(opening(tokens, `${token}x`))
    shown.push(inspect(error, { depth: 9 }), JSON.stringify(error), error.stack ?? '')
    for (const text of shown) expect(text).not.toContain(KEY_HEX)
    expect(shown.slice(0, 4)).toEqual(['[secret]', '[secret]', '{"secret":"[secret]"}', '{ secret: [secret] }'])
    expect(error).toBeInstanceOf(SwapError)
    expect(error.publicMessage).not.toMatch(/jwe|jose|decrypt|key/i)
  })
})
