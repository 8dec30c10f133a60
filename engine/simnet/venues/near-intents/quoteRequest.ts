import { parseAddress, ZERO_EVM_ADDRESS } from '../../../core/address.ts'
import { type ChainId, ecosystemOf } from '../../../core/chain.ts'
import {
  amount,
  each,
  type FieldProblem,
  flag,
  integer,
  listOf,
  matching,
  oneOf,
  readFields,
  record,
  text,
} from '../../kit/fields.ts'
import { Refusal } from '../../kit/refusal.ts'
import type { ListedAsset, Listing } from './listing.ts'

export type Fields = { readonly [field: string]: unknown }

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
  readonly echo: Fields
}

/** As the venue refuses everything: in words, without a code. */
export const refused = (message: string, status = 400): Refusal => new Refusal(null, message, { status })

export const refuseField = ({ kind, name }: FieldProblem): Refusal => {
  if (kind === 'noObject') return refused('the body must be a JSON object')
  return refused(kind === 'unknown' ? `property ${name} should not exist` : `${name} is missing or invalid`)
}

const TEXT = text(1, 512)
const ACCOUNT = matching(
  'an account of NEAR',
  /^(?:(?=.{2,64}$)(?:[a-z0-9]+(?:[-_][a-z0-9]+)*\.)+[a-z0-9]+(?:[-_][a-z0-9]+)*|[0-9a-f]{64}|0x[0-9a-f]{40})$/,
)
const ISO_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,3})?Z$/

const FIELDS = {
  required: {
    dry: flag,
    swapType: oneOf('EXACT_INPUT', 'EXACT_OUTPUT', 'FLEX_INPUT', 'ANY_INPUT'),
    slippageTolerance: integer(0, 10_000),
    ...each(TEXT, 'originAsset', 'destinationAsset', 'refundTo', 'recipient'),
    ...each(oneOf('ORIGIN_CHAIN', 'INTENTS', 'CONFIDENTIAL_INTENTS'), 'depositType', 'refundType'),
    recipientType: oneOf('DESTINATION_CHAIN', 'INTENTS', 'CONFIDENTIAL_INTENTS'),
    amount,
    deadline: matching('an ISO time', ISO_TIME),
  },
  optional: {
    depositMode: oneOf('SIMPLE', 'MEMO'),
    confidentiality: oneOf('public', 'basic', 'advanced'),
    quoteWaitingTimeMs: integer(0, 60_000),
    appFees: listOf(record({ required: { recipient: ACCOUNT, fee: integer(0, 500) }, optional: {} }), 10),
    referral: matching('a lower-case name', /^[a-z0-9][a-z0-9_-]{0,63}$/),
    sessionId: TEXT,
    connectedWallets: listOf(TEXT, Number.POSITIVE_INFINITY),
  },
} as const

const readBody = (body: unknown) => readFields(body, FIELDS, refuseField)
type Body = ReturnType<typeof readBody>

/** This offline venue plays exact-input swaps from chain to chain; the account flows of the real one it does not. */
const PLAYED = {
  swapType: 'EXACT_INPUT',
  depositType: 'ORIGIN_CHAIN',
  refundType: 'ORIGIN_CHAIN',
  recipientType: 'DESTINATION_CHAIN',
  confidentiality: 'public',
} as const

const checkFlow = (body: Body): void => {
  for (const [field, played] of Object.entries(PLAYED)) {
    const asked = body[field as keyof typeof PLAYED] ?? played
    if (asked !== played) throw refused(`${field} ${asked} is not available`)
  }
  if (body.depositMode === 'MEMO') throw refused('Incorrect depositMode')
}

const findAsset = (listing: Listing, assetId: string, name: string): ListedAsset => {
  const asset = listing.find(assetId)
  if (!asset) throw refused(`${name} is not valid`)
  return asset
}

const checkPayable = (raw: string, { token }: ListedAsset, name: string): void => {
  const address = parseAddress(ecosystemOf(token.chainId as ChainId), raw)
  if (address === null || address === ZERO_EVM_ADDRESS || address === token.address) throw refused(`${name} is not valid`)
}

/** A deposit must have time to be mined. */
const LEAST_WINDOW_MS = 60_000

/** Checks a quote request as strictly as the API reference describes it. Throws Refusal. */
export const checkQuoteRequest = (raw: unknown, listing: Listing, now: number): CheckedRequest => {
  const body = readBody(raw)
  checkFlow(body)
  const input = findAsset(listing, body.originAsset, 'tokenIn')
  const output = findAsset(listing, body.destinationAsset, 'tokenOut')
  if (input === output) throw refused('Quoting for this pair is not available')
  checkPayable(body.refundTo, input, 'refundTo')
  checkPayable(body.recipient, output, 'recipient')
  const deadlineAt = Date.parse(body.deadline)
  // Not a number: a time that no calendar has.
  if (!(deadlineAt >= now + LEAST_WINDOW_MS)) throw refused('deadline must be in the future')
  const { amount, slippageTolerance, dry: isDry, appFees = [], quoteWaitingTimeMs = 0 } = body
  const assets = { originAsset: input.assetId, destinationAsset: output.assetId }
  const echo: Fields = { ...(raw as object), ...assets, depositMode: 'SIMPLE', confidentiality: 'public', quoteWaitingTimeMs }
  return { input, output, amount, deadlineAt, slippageTolerance, isDry, appFees, echo }
}
