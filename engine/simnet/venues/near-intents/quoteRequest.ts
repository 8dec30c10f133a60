import { parseAddress, ZERO_EVM_ADDRESS } from '../../../core/address.ts'
import { type ChainId, ecosystemOf } from '../../../core/chain.ts'
import type { ListedAsset, Listing } from './listing.ts'

export type AppFee = { readonly recipient: string; readonly fee: number }

/** A quote request that passed every check, its asset ids replaced by the ones the venue works with. */
export type CheckedRequest = {
  readonly input: ListedAsset
  readonly output: ListedAsset
  readonly amount: bigint
  readonly deadlineAt: number
  readonly slippageTolerance: number
  readonly isDry: boolean
  readonly appFees: readonly AppFee[]
  /** The request as the venue repeats it. */
  readonly echo: { readonly [field: string]: unknown }
}

/** The request is refused with this HTTP status and message. */
export class Refused extends Error {
  override readonly name = 'Refused'
  readonly status: number
  constructor(message: string, status = 400) {
    super(message)
    this.status = status
  }
}

const refuse = (message: string): never => {
  throw new Refused(message)
}

type Check = (value: unknown) => boolean

const isText: Check = (value) => typeof value === 'string' && value.length > 0 && value.length <= 512
const isBoolean: Check = (value) => typeof value === 'boolean'
const isOneOf =
  (...allowed: readonly string[]): Check =>
  (value) =>
    typeof value === 'string' && allowed.includes(value)
const isWholeNumber =
  (min: number, max: number): Check =>
  (value) =>
    Number.isInteger(value) && Number(value) >= min && Number(value) <= max
const isAmount: Check = (value) => typeof value === 'string' && /^[1-9][0-9]{0,77}$/.test(value)
const isIsoTime: Check = (value) =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,3})?Z$/.test(value) && !Number.isNaN(Date.parse(value))

const ACCOUNT = /^(?:(?=.{2,64}$)(?:[a-z0-9]+(?:[-_][a-z0-9]+)*\.)+[a-z0-9]+(?:[-_][a-z0-9]+)*|[0-9a-f]{64}|0x[0-9a-f]{40})$/

const isAppFee: Check = (value) => {
  if (typeof value !== 'object' || value === null) return false
  const { recipient, fee, ...rest } = value as { recipient?: unknown; fee?: unknown }
  return typeof recipient === 'string' && ACCOUNT.test(recipient) && isWholeNumber(0, 500)(fee) && Object.keys(rest).length === 0
}
const isAppFees: Check = (value) => Array.isArray(value) && value.length <= 10 && value.every(isAppFee)

const REQUIRED: { readonly [field: string]: Check } = {
  dry: isBoolean,
  swapType: isOneOf('EXACT_INPUT', 'EXACT_OUTPUT', 'FLEX_INPUT', 'ANY_INPUT'),
  slippageTolerance: isWholeNumber(0, 10_000),
  originAsset: isText,
  depositType: isOneOf('ORIGIN_CHAIN', 'INTENTS', 'CONFIDENTIAL_INTENTS'),
  destinationAsset: isText,
  amount: isAmount,
  refundTo: isText,
  refundType: isOneOf('ORIGIN_CHAIN', 'INTENTS', 'CONFIDENTIAL_INTENTS'),
  recipient: isText,
  recipientType: isOneOf('DESTINATION_CHAIN', 'INTENTS', 'CONFIDENTIAL_INTENTS'),
  deadline: isIsoTime,
}

const OPTIONAL: { readonly [field: string]: Check } = {
  depositMode: isOneOf('SIMPLE', 'MEMO'),
  confidentiality: isOneOf('public', 'basic', 'advanced'),
  quoteWaitingTimeMs: isWholeNumber(0, 60_000),
  appFees: isAppFees,
  referral: (value) => typeof value === 'string' && /^[a-z0-9][a-z0-9_-]{0,63}$/.test(value),
  sessionId: isText,
  connectedWallets: (value) => Array.isArray(value) && value.every(isText),
}

const checkFields = (body: { readonly [field: string]: unknown }): void => {
  for (const field of Object.keys(body))
    if (!(field in REQUIRED) && !(field in OPTIONAL)) refuse(`property ${field} should not exist`)
  for (const [field, check] of Object.entries(REQUIRED)) if (!check(body[field])) refuse(`${field} is missing or invalid`)
  for (const [field, check] of Object.entries(OPTIONAL))
    if (body[field] !== undefined && !check(body[field])) refuse(`${field} is invalid`)
}

/** This offline venue plays exact-input swaps from chain to chain; the account flows of the real one it does not. */
const checkFlow = (body: { readonly [field: string]: unknown }): void => {
  if (body['swapType'] !== 'EXACT_INPUT') refuse(`swapType ${String(body['swapType'])} is not available`)
  if (body['depositType'] !== 'ORIGIN_CHAIN') refuse(`depositType ${String(body['depositType'])} is not available`)
  if (body['refundType'] !== 'ORIGIN_CHAIN') refuse(`refundType ${String(body['refundType'])} is not available`)
  if (body['recipientType'] !== 'DESTINATION_CHAIN') refuse(`recipientType ${String(body['recipientType'])} is not available`)
  if (body['depositMode'] === 'MEMO') refuse('Incorrect depositMode')
  if ((body['confidentiality'] ?? 'public') !== 'public')
    refuse(`confidentiality ${String(body['confidentiality'])} is available by invitation only`)
}

const isPayable = (raw: string, { token }: ListedAsset): boolean => {
  const address = parseAddress(ecosystemOf(token.chainId as ChainId), raw)
  return address !== null && address !== ZERO_EVM_ADDRESS && address !== token.address
}

/** A deposit must have time to be mined. */
const LEAST_WINDOW_MS = 60_000

/** Checks a quote request as strictly as the API reference describes it. Throws Refused. */
export const checkQuoteRequest = (raw: unknown, listing: Listing, now: number): CheckedRequest => {
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) return refuse('the body must be a JSON object')
  const body = raw as { readonly [field: string]: unknown }
  checkFields(body)
  checkFlow(body)
  const input = listing.find(String(body['originAsset'])) ?? refuse('tokenIn is not valid')
  const output = listing.find(String(body['destinationAsset'])) ?? refuse('tokenOut is not valid')
  if (input === output) refuse('Quoting for this pair is not available')
  if (!isPayable(String(body['refundTo']), input)) refuse('refundTo is not valid')
  if (!isPayable(String(body['recipient']), output)) refuse('recipient is not valid')
  const deadlineAt = Date.parse(String(body['deadline']))
  if (deadlineAt < now + LEAST_WINDOW_MS) refuse('deadline must be in the future')
  return {
    input,
    output,
    amount: BigInt(String(body['amount'])),
    deadlineAt,
    slippageTolerance: Number(body['slippageTolerance']),
    isDry: body['dry'] === true,
    appFees: (body['appFees'] as readonly AppFee[] | undefined) ?? [],
    echo: {
      ...body,
      depositMode: 'SIMPLE',
      originAsset: input.assetId,
      destinationAsset: output.assetId,
      confidentiality: 'public',
      quoteWaitingTimeMs: body['quoteWaitingTimeMs'] ?? 0,
    },
  }
}
