import { createHash } from 'node:crypto'
import type { PaymentPayload, PaymentRequirements } from '@x402/core/types'
import { decodeParameters } from '../chains/evm/evmCodec.ts'
import { solanaMessageOf } from '../chains/solana/solanaCodec.ts'
import { parseSolanaAddress } from '../core/address.ts'
import type { Hex } from '../core/execution.ts'
import type { PaidRequest } from '../core/paidCall.ts'
import { canonicalJson } from './canonicalJson.ts'
import { readEvmPayment } from './evmAuthorization.ts'
import { paymentRefused } from './paymentRefusal.ts'
import type { PaymentTerms } from './paymentTerms.ts'
import { readSolanaPayment } from './solanaPayment.ts'

/** A payment as its payer signed it. Its signature is not verified yet. */
export type SignedPayment = {
  readonly payload: PaymentPayload
  readonly requirements: PaymentRequirements
  /** False for terms of the past, or unknown terms: it may only match a payment that was made then. */
  readonly isOffered: boolean
  readonly payer: string
  /** Key of this payment, with any request. */
  readonly paymentKey: string
  /** Key of this payment, as signed, with this request. */
  readonly requestKey: string
}

type Fields = { readonly [name: string]: unknown }

/** The signed content alone: the facilitator must see the same content as the service. */
type Identity = { readonly payer: string; readonly nonce: string; readonly payload: Fields }

const DIGITS = /^(0|[1-9][0-9]{0,77})$/
const NONCE = /^0x[0-9a-fA-F]{64}$/
const HEX = /^0x(?:[0-9a-fA-F]{2})+$/

const isRecord = (value: unknown): value is Fields => typeof value === 'object' && value !== null && !Array.isArray(value)

const textOf = (fields: Fields, name: string, form: RegExp): string => {
  const text = fields[name]
  if (typeof text !== 'string' || !form.test(text)) throw paymentRefused('malformed')
  return text
}

const ADDRESS = /^0x[0-9a-fA-F]{40}$/

/** For a wallet that is not deployed yet: https://eips.ethereum.org/EIPS/eip-6492 */
const WRAPPED = /(6492){16}$/
const WRAPPING = [{ type: 'address' }, { type: 'bytes' }, { type: 'bytes' }] as const

const canBeRead = async (signature: string): Promise<boolean> =>
  !WRAPPED.test(signature) || (await decodeParameters(WRAPPING, signature.slice(0, -64) as Hex)) !== null

/**
 * The clock difference that the official client allows. A payment that could settle long after its request would stay in the
 * records as long.
 */
const CLOCKS_APART_MS = 600_000

/** EIP-3009. */
const evmIdentity = async (
  { authorization, ...rest }: Fields,
  asked: PaymentRequirements,
  now: number | null,
): Promise<Identity> => {
  if (!isRecord(authorization)) throw paymentRefused('notAccepted')
  const signature = textOf(rest, 'signature', HEX)
  const signed = {
    from: textOf(authorization, 'from', ADDRESS),
    to: textOf(authorization, 'to', ADDRESS),
    value: textOf(authorization, 'value', DIGITS),
    validAfter: textOf(authorization, 'validAfter', DIGITS),
    validBefore: textOf(authorization, 'validBefore', DIGITS),
    nonce: textOf(authorization, 'nonce', NONCE),
  }
  const payload = { signature, authorization: signed }
  const payment = readEvmPayment(payload, asked)
  if (!payment) throw paymentRefused('notAccepted')
  const { authorizer: payer, nonce, validBefore } = payment.authorization
  const isTooLate = now !== null && validBefore > now + CLOCKS_APART_MS + asked.maxTimeoutSeconds * 1_000
  if (isTooLate) throw paymentRefused('notAccepted')
  if (!(await canBeRead(signature))) throw paymentRefused('malformed')
  return { payer, nonce, payload }
}

const BASE64 = /^[0-9A-Za-z+/]{1,4096}={0,2}$/

/**
 * The signed message, without the signatures: the fee payer's signature does not exist yet. The fee payer is the facilitator;
 * other signers have no effect.
 */
const svmIdentity = async (fields: Fields, asked: PaymentRequirements): Promise<Identity> => {
  const transaction = textOf(fields, 'transaction', BASE64)
  const payload = { transaction }
  const payment = await readSolanaPayment(payload, asked)
  if (!payment) throw paymentRefused((await solanaMessageOf(transaction)) === null ? 'malformed' : 'notAccepted')
  return { payer: payment.payer, nonce: createHash('sha256').update(payment.message.bytes).digest('hex'), payload }
}

const sha256 = (...parts: readonly string[]): string => createHash('sha256').update(JSON.stringify(parts)).digest('hex')

/** The payment in a header. Throws PAYMENT_REQUIRED. */
const decode = async (header: string): Promise<PaymentPayload> => {
  const [{ decodePaymentSignatureHeader }, { isPaymentPayloadV2, PaymentPayloadV2Schema }] = await Promise.all([
    import('@x402/core/http'),
    import('@x402/core/schemas'),
  ])
  let decoded: unknown
  try {
    decoded = decodePaymentSignatureHeader(header)
  } catch (error) {
    throw paymentRefused('malformed', error)
  }
  if (!isPaymentPayloadV2(decoded as PaymentPayload)) throw paymentRefused('malformed')
  return PaymentPayloadV2Schema.parse(decoded) as PaymentPayload
}

/** The purpose of the payment in our own words: the client's text is passed to no party. */
export type PaidFor = Required<Pick<PaymentPayload, 'resource' | 'extensions'>>

/**
 * On Solana a facilitator pays fees from any of several accounts, and names one per request. Another instance, or an earlier
 * request, received another one. The facilitator itself checks the account.
 */
const withFeePayerOf = ({ accepted }: PaymentPayload, asked: PaymentRequirements): PaymentRequirements => {
  const feePayer = accepted.extra?.['feePayer']
  const isNamed = asked.network.startsWith('solana:') && typeof feePayer === 'string' && parseSolanaAddress(feePayer) !== null
  return isNamed ? { ...asked, extra: { ...asked.extra, feePayer } } : asked
}

/** Reads a payment, and checks it against the accepted terms, or its own terms. Throws PAYMENT_REQUIRED for a difference. */
export const readSignedPayment = async (
  request: PaidRequest,
  { server, requirements }: PaymentTerms,
  { now, about }: { readonly now: number; readonly about: PaidFor },
): Promise<SignedPayment> => {
  const sent = await decode(request.payment)
  const terms = requirements.map((each) => withFeePayerOf(sent, each))
  const offered = server.findMatchingRequirements(terms, sent)
  const asked = offered ?? (sent.accepted as PaymentRequirements)
  const isSolana = asked.network.startsWith('solana:')
  const { payer, nonce, payload } = await (isSolana
    ? svmIdentity(sent.payload, asked)
    : evmIdentity(sent.payload, asked, offered ? now : null))
  const { operation, partnerId } = request
  return {
    payload: { x402Version: sent.x402Version, accepted: asked, payload, ...about },
    requirements: asked,
    isOffered: offered !== undefined,
    payer,
    paymentKey: sha256(asked.network, asked.asset.toLowerCase(), payer, nonce),
    requestKey: sha256(operation, partnerId ?? '', canonicalJson(request.asked), canonicalJson(payload)),
  }
}
