import { base58 } from '@scure/base'
import { expect, test } from 'vitest'
import { isSignedBy, quoteDigest, signedWords } from '../../../engine/venues/near-intents/quoteSignature.ts'
import { readSettings } from '../../../engine/venues/near-intents/settings.ts'
import type { QuoteResponse } from '../../../engine/venues/near-intents/wire.ts'
import { recordedAnswers } from './recordedAnswers.ts'
import { PRODUCTION_QUOTES, STAGING_KEY, STAGING_QUOTES } from './recordedQuotes.ts'

/** A quote answer in the documented shape, signed with a throw-away key. */
const TEST_KEY = base58.decode('55cUZzJimLwUGrSEj22EWDHqBL395qkThvRBkjgfstdU')
const VECTOR = {
  timestamp: '2026-11-20T00:00:01.412Z',
  signature: 'ed25519:qXmhK3NeRXWYvTuFHBD5X1UDpv2LzzNcCyEm5tNL233oBhK7Wjw1YFhwNCowkv5CGBbn6uiW1d4b39xRAuhUu6P',
  quoteRequest: {
    dry: false,
    depositMode: 'SIMPLE',
    swapType: 'EXACT_INPUT',
    slippageTolerance: 100,
    originAsset: '1cs_v1:btc:native:coin',
    depositType: 'ORIGIN_CHAIN',
    destinationAsset: 'nep141:base-0x833589fcd6edb6e08f4c7c32d4f71b54bda02913.omft.near',
    amount: '1000000',
    refundTo: 'bc1q4vxn43l44h30nkluqfxd9eckf45vr2awz38lwa',
    refundType: 'ORIGIN_CHAIN',
    recipient: '0x2b9D4e71F08A36c5B7E21D94f3a6085c7E1B9f42',
    recipientType: 'DESTINATION_CHAIN',
    deadline: '2026-11-20T01:30:00.000Z',
    referral: 'acme',
    quoteWaitingTimeMs: 3000,
    appFees: [{ recipient: 'acme-fees.near', fee: 20 }],
  },
  quote: {
    amountIn: '1000000',
    amountInFormatted: '0.01',
    amountInUsd: '984.1200',
    minAmountIn: '1000000',
    amountOut: '980112345',
    amountOutFormatted: '980.112345',
    amountOutUsd: '980.0143',
    minAmountOut: '970311221',
    timeEstimate: 812,
    refundFee: '1900',
    withdrawFee: '12000',
    depositAddress: 'bc1qk6s0ynedvn2w7r4f8gq5x3u9c0zjhm2ptlae7d',
    deadline: '2026-11-23T01:30:00.000Z',
    timeWhenInactive: '2026-11-23T01:30:00.000Z',
  },
} satisfies QuoteResponse

const isValid = (answer: QuoteResponse) => isSignedBy(TEST_KEY, signedWords(answer), answer.signature ?? '')

test('the signed vector verifies, and its message is the expected one', () => {
  expect(quoteDigest(signedWords(VECTOR))).toBe('HjeoBnjLvVbDmepqDmys3Qn6wPPw9vsWnCTpw7sPt21y')
  expect(isValid(VECTOR)).toBe(true)
})

const other = (value: unknown): unknown =>
  typeof value === 'boolean'
    ? !value
    : typeof value === 'number'
      ? value + 1
      : `${String(value).slice(0, -1)}${String(value).endsWith('0') ? '1' : '0'}`

/** Documented as left out of the message; on a real quote its own deadline takes the place of the requested one. */
const UNSIGNED = ['depositMode', 'appFees', 'deadline']

test.each(Object.keys(VECTOR.quoteRequest).filter((field) => !UNSIGNED.includes(field)))(
  'altering quoteRequest.%s breaks the signature',
  (field) => {
    const quoteRequest = {
      ...VECTOR.quoteRequest,
      [field]: other(VECTOR.quoteRequest[field as keyof typeof VECTOR.quoteRequest]),
    }
    expect(isValid({ ...VECTOR, quoteRequest })).toBe(false)
  },
)

test.each(Object.keys(VECTOR.quote))('altering quote.%s breaks the signature', (field) => {
  expect(
    isValid({ ...VECTOR, quote: { ...VECTOR.quote, [field]: other(VECTOR.quote[field as keyof typeof VECTOR.quote]) } }),
  ).toBe(false)
})

test('altering the timestamp, the signature or the key breaks it too', () => {
  expect(isValid({ ...VECTOR, timestamp: '2026-11-20T00:00:01.413Z' })).toBe(false)
  expect(isValid({ ...VECTOR, signature: VECTOR.signature.replace('qXm', 'qXn') })).toBe(false)
  expect(isSignedBy(base58.decode('5J5tkaxyPoR3Q9S8LXfo5bWnXK5Z2bctJ4mB9gENh7co'), signedWords(VECTOR), VECTOR.signature)).toBe(
    false,
  )
})

test('a signature of the wrong form is no signature, and nothing is thrown', () => {
  for (const signature of ['', 'ed25519:', 'ed25519:0OIl', 'ed25519:abc', `ed25519:${'1'.repeat(200)}`])
    expect(isSignedBy(TEST_KEY, signedWords(VECTOR), signature)).toBe(false)
})

test('adding a word that is signed when set breaks the signature; adding null ones does not', () => {
  const withMessage = { ...VECTOR.quoteRequest, customRecipientMsg: 'run this' }
  expect(isValid({ ...VECTOR, quoteRequest: withMessage, quote: { ...VECTOR.quote, customRecipientMsg: 'run this' } })).toBe(
    false,
  )
  expect(isValid({ ...VECTOR, quote: { ...VECTOR.quote, depositMemo: '1' } })).toBe(false)
  expect(
    isValid({
      ...VECTOR,
      quote: { ...VECTOR.quote, depositMemo: null },
      quoteRequest: { ...VECTOR.quoteRequest, virtualChainRecipient: null },
    }),
  ).toBe(true)
})

test('on a dry quote the deposit words are not signed and the requested deadline is', () => {
  const dry = signedWords({ ...VECTOR, quoteRequest: { ...VECTOR.quoteRequest, dry: true } })
  expect(dry['deadline']).toBe('2026-11-20T01:30:00.000Z')
  expect(Object.keys(dry)).not.toContain('depositAddress')
  expect(Object.keys(dry)).not.toContain('timeEstimate')
})

test('a word the quote leaves unset is not signed, even where the request has one of that name', () => {
  const request = { ...VECTOR.quoteRequest, virtualChainRecipient: '0x1' }
  expect(signedWords({ ...VECTOR, quoteRequest: request })).not.toHaveProperty('virtualChainRecipient')
  expect(signedWords({ ...VECTOR, quoteRequest: { ...request, dry: true } })).toHaveProperty('virtualChainRecipient', '0x1')
})

const keyOf = (text: string | null) => readSettings({ baseUrl: '', apiKey: null, settings: { PUBLIC_KEY: text } }).publicKey

test('what the live venue signed verifies with the key that is pinned, and with no other', () => {
  const signed = PRODUCTION_QUOTES.filter(({ blanked }) => !blanked)
  expect(signed).toHaveLength(5)
  for (const { name, answer } of signed) {
    expect(isSignedBy(keyOf(null), signedWords(answer), answer.signature ?? ''), name).toBe(true)
    expect(isSignedBy(keyOf(STAGING_KEY), signedWords(answer), answer.signature ?? ''), name).toBe(false)
  }
  for (const { name, answer } of STAGING_QUOTES)
    expect(isSignedBy(keyOf(STAGING_KEY), signedWords(answer), answer.signature ?? ''), name).toBe(true)
})

test.each(recordedAnswers)('recorded $recordedAt: $name', async ({ run, refusedBecause }) => {
  if (refusedBecause === undefined) await run()
  else await expect(run(), refusedBecause).rejects.toThrow()
})
