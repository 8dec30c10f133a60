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

/** A payment as its payer signed it. Nobody has looked at its signature yet. */
export type SignedPayment = {
  readonly payload: PaymentPayload
  readonly requirements: PaymentRequirements
  /** False where it is for what was asked once, or never: it may have been paid then, and no more than that. */
  readonly isOffered: boolean
  readonly payer: string
  /** Of this payment, whatever it is presented with. */
  readonly paymentKey: string
  /** Of this payment, as it is signed, with this request. */
  readonly requestKey: string
}

type Fields = { readonly [name: string]: unknown }

/** What is signed, and nothing else that came with it: who settles it must see what we saw. */
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

/** Of a wallet that is not there yet: https://eips.ethereum.org/EIPS/eip-6492 */
const WRAPPED = /(6492){16}$/
const WRAPPING = [{ type: 'address' }, { type: 'bytes' }, { type: 'bytes' }] as const

const canBeRead = async (signature: string): Promise<boolean> =>
  !WRAPPED.test(signature) || (await decodeParameters(WRAPPING, signature.slice(0, -64) as Hex)) !== null

/**
 * How far apart clocks may be, as the official client allows for. What could be settled long after it was asked for would stay
 * in the records as long.
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
 * The message that is signed, without the signatures, of which the fee payer's is not made yet. The fee payer is the facilitator;
 * who else signs beside the payer tells nothing.
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

/** What it is for, as we say ourselves: what a client says of it goes to nobody. */
export type PaidFor = Required<Pick<PaymentPayload, 'resource' | 'extensions'>>

/**
 * A facilitator pays the fees on Solana from any of several accounts, and names one when it is asked: another instance, or this
 * one some minutes ago, was told of another. Whether it is one of them, who settles it knows.
 */
const withFeePayerOf = ({ accepted }: PaymentPayload, asked: PaymentRequirements): PaymentRequirements => {
  const feePayer = accepted.extra?.['feePayer']
  const isNamed = asked.network.startsWith('solana:') && typeof feePayer === 'string' && parseSolanaAddress(feePayer) !== null
  return isNamed ? { ...asked, extra: { ...asked.extra, feePayer } } : asked
}

/** Reads a payment, and holds it against what is accepted, or what it says was. Throws PAYMENT_REQUIRED where it is not that. */
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
