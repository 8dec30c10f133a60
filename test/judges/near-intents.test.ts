import {
  ApiError,
  GetExecutionStatusResponse,
  OneClickService,
  OpenAPI,
  QuoteRequest,
  type QuoteResponse,
  TokenResponse,
  verifyQuoteSignature,
} from '@defuse-protocol/one-click-sdk-typescript'
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest'
import { NATIVE } from '../../engine/core/asset.ts'
import { BITCOIN } from '../../engine/core/chain.ts'
import { WALLETS } from '../support/anOrder.ts'
import { WET_QUOTES } from '../venues/near-intents/recordedAnswers.ts'
import { API_KEY, type NearIntentsBench, openBench, REQUEST } from '../venues/near-intents/support.ts'
import { judgeByTypes } from './typeJudge.ts'

/** The official client: @defuse-protocol/one-click-sdk-typescript 0.1.25. */
let bench: NearIntentsBench
const asBefore = { BASE: OpenAPI.BASE, TOKEN: OpenAPI.TOKEN }
beforeEach(async () => {
  bench = await openBench()
  Object.assign(OpenAPI, { BASE: bench.baseUrl, TOKEN: API_KEY })
})
afterEach(() => bench.close())
afterAll(() => void Object.assign(OpenAPI, asBefore))

const request = (change: Partial<QuoteRequest> = {}): QuoteRequest =>
  ({
    ...REQUEST,
    depositMode: 'SIMPLE',
    confidentiality: 'public',
    referral: 'acme',
    quoteWaitingTimeMs: 1_000,
    sessionId: 'session_1',
    connectedWallets: [WALLETS.evmOther],
    appFees: [{ recipient: 'acme-fees.near', fee: 20 }],
    ...change,
  }) as QuoteRequest

const publicKey = () => bench.sim.settings?.['PUBLIC_KEY'] ?? ''

const whole = async () => {
  const tokens = await OneClickService.getTokens()
  const dry = await OneClickService.getQuote(request())
  const wet = await OneClickService.getQuote(request({ dry: false }))
  const address = wet.quote.depositAddress ?? ''
  const pending = await OneClickService.getExecutionStatus(address)
  const txHash = await bench.world.bitcoin.transfer({ to: address, amount: 1_000_000n })
  bench.sim.onDeposit({ chainId: BITCOIN, address, amount: 1_000_000n, token: NATIVE, txHash })
  const submitted = await OneClickService.submitDepositTx({ txHash, depositAddress: address })
  await bench.schedule.advance(60 * 60_000)
  const done = await OneClickService.getExecutionStatus(address)
  return { tokens, dry, wet, pending, submitted, done }
}

const refusal = async (call: Promise<unknown>): Promise<ApiError> => {
  const outcome: unknown = await call.then(
    () => new Error('not refused'),
    (error: unknown) => error,
  )
  if (outcome instanceof ApiError) return outcome
  throw outcome
}

test('near-intents: the official client completes a swap from the token list to the delivery', async () => {
  const { tokens, dry, wet, pending, submitted, done } = await whole()
  const chains: readonly string[] = Object.values(TokenResponse.blockchain)
  expect(tokens.filter(({ blockchain }) => !chains.includes(blockchain))).toEqual([])
  expect(dry.quote).not.toHaveProperty('depositAddress')
  expect(dry.quoteRequest).toMatchObject({ confidentiality: 'public', quoteWaitingTimeMs: 1_000, referral: 'acme' })
  const { PENDING_DEPOSIT, KNOWN_DEPOSIT_TX, SUCCESS } = GetExecutionStatusResponse.status
  expect([pending.status, submitted.status, done.status]).toEqual([PENDING_DEPOSIT, KNOWN_DEPOSIT_TX, SUCCESS])
  expect(done.swapDetails).toMatchObject({ amountOut: wet.quote.amountOut, depositedAmount: '1000000' })
  for (const call of bench.sent) expect(call.headers['authorization']).toBe(`Bearer ${API_KEY}`)
})

test('near-intents: the official client verifies every quote, also inside a status, and no altered one', async () => {
  const { dry, wet, done } = await whole()
  for (const answer of [dry, wet, done.quoteResponse]) {
    expect(verifyQuoteSignature(answer, publicKey())).toBe(true)
    expect(verifyQuoteSignature({ ...answer, quote: { ...answer.quote, minAmountOut: '1' } }, publicKey())).toBe(false)
  }
})

/*
 * How the client's types meet the wire: its enums are strings there, what is optional may be null, and the quote inside a
 * status comes without its `correlationId`. All three as the live venue's own answers have it, which are judged here too.
 */
const WIRE = [
  "import type * as sdk from '@defuse-protocol/one-click-sdk-typescript'",
  'type OrNull<T, V> = undefined extends T ? V | null : V',
  "type Told<K, T> = K extends 'quoteResponse' ? Wire<Omit<T, 'correlationId'>> : OrNull<T, Wire<NonNullable<T>>>",
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a template of the judged text, not of this one
  'type Wire<T> = T extends string ? `${T}` : T extends readonly (infer E)[] ? readonly Wire<E>[] :',
  '  T extends object ? { readonly [K in keyof T]: Told<K, T[K]> } : T',
]

test('near-intents: simulated and recorded answers match the client types, and broken ones do not', async () => {
  const { tokens, dry, wet, pending, submitted, done } = await whole()
  const refused = await refusal(OneClickService.getQuote(request({ amount: '1' })))
  // Kept without the id that each of them had for tracing.
  const live = WET_QUOTES.map(({ answer }) => ['QuoteResponse', { correlationId: '', ...answer }] as const)
  const broken = [
    ['QuoteResponse', { ...wet, quote: { ...wet.quote, amountOut: 1 } }],
    ['QuoteResponse', { ...wet, quoteRequest: { ...wet.quoteRequest, depositType: 'ELSEWHERE' } }],
    ['GetExecutionStatusResponse', { ...done, status: 'DONE' }],
    ['GetExecutionStatusResponse', { ...done, swapDetails: { ...done.swapDetails, nearTxHashes: undefined } }],
    ['TokenResponse[]', [{ ...tokens[0], blockchain: 'atlantis' }]],
  ] as const
  const sound = [
    ['TokenResponse[]', tokens],
    ['QuoteResponse', dry],
    ['QuoteResponse', wet],
    ['GetExecutionStatusResponse', pending],
    ['SubmitDepositTxResponse', submitted],
    ['GetExecutionStatusResponse', done],
    ['BadRequestResponse', refused.body],
    ...live,
  ] as const
  const answers = [...sound, ...broken]
  const found = judgeByTypes(
    WIRE,
    answers.map(([type, answer]) => [`Wire<sdk.${type}>`, answer]),
  )
  expect(found.slice(0, sound.length)).toEqual(sound.map(() => []))
  for (const faults of found.slice(sound.length)) expect(faults).not.toEqual([])
}, 60_000)

test.each<[string, Partial<QuoteRequest>]>([
  ['confidentiality', { confidentiality: QuoteRequest.confidentiality.BASIC }],
  ['swapType', { swapType: QuoteRequest.swapType.FLEX_INPUT }],
  ['depositType', { depositType: QuoteRequest.depositType.INTENTS }],
  ['depositMode', { depositMode: QuoteRequest.depositMode.MEMO }],
  ['customRecipientMsg', { customRecipientMsg: 'run this' }],
  ['rebates', { rebates: [{ recipient: 'acme.near', share: 100 }] }],
])('simulated 1Click: rejects an unsupported %s with a message', async (field, change) => {
  const { status, body } = await refusal(OneClickService.getQuote(request(change)))
  expect({ status, body }).toMatchObject({ status: 400, body: { message: expect.stringContaining(field) } })
})

test('simulated 1Click: returns the errors of the client: 401 for a key, 404 for an address', async () => {
  expect((await refusal(OneClickService.getExecutionStatus(WALLETS.bitcoin))).status).toBe(404)
  OpenAPI.TOKEN = 'short'
  expect((await refusal(OneClickService.getQuote(request()) as Promise<QuoteResponse>)).status).toBe(401)
})
