import { amount, each, type FieldProblem, matching, oneOf, queryFields, readFields, text } from '../../kit/fields.ts'
import { found, Refusal, refuseIf } from '../../kit/refusal.ts'
import type { SimTokens } from '../../kit/tokens.ts'
import { addressOn, findToken, isSvm, type Network, networkByWireId } from './networks.ts'

const NAME = text(1, 128)
const NUMBER = matching('a number', /^[0-9]{1,10}$/)
const FLAG = oneOf('true', 'false')

const FIELDS = {
  required: {
    ...each(NUMBER, 'srcChainId', 'dstChainId'),
    ...each(NAME, 'srcChainTokenIn', 'dstChainTokenOut'),
    srcChainTokenInAmount: amount,
  },
  optional: {
    dstChainTokenOutAmount: NAME,
    ...each(NAME, 'senderAddress', 'srcChainOrderAuthorityAddress', 'srcChainRefundAddress', 'srcAllowedCancelBeneficiary'),
    ...each(NAME, 'dstChainTokenOutRecipient', 'dstChainOrderAuthorityAddress', 'affiliateFeeRecipient'),
    affiliateFeePercent: matching('a percentage', /^[0-9]{1,2}(\.[0-9]{1,4})?$/),
    ...each(FLAG, 'prependOperatingExpenses', 'enableEstimate'),
    referralCode: NUMBER,
    accesstoken: text(8, 256),
  },
}

const INVALID = 'INVALID_QUERY_PARAMETERS'

const refuseField = ({ name, kind, expects }: FieldProblem): Refusal =>
  new Refusal(INVALID, kind === 'unknown' ? `${name} is not a parameter` : `${name} must be ${expects}`)

/** What cannot be played offline, and what the API does not take. */
const checkKind = (query: Query): void => {
  const { affiliateFeePercent: percent, affiliateFeeRecipient: to, dstChainTokenOutAmount = 'auto' } = query
  refuseIf((percent === undefined) !== (to === undefined), INVALID, 'affiliateFeePercent and affiliateFeeRecipient go together')
  refuseIf(Number(percent ?? 0) > 10, INVALID, 'affiliateFeePercent must not be greater than 10')
  refuseIf(dstChainTokenOutAmount !== 'auto', INVALID, 'only market orders are played offline')
  refuseIf(query.prependOperatingExpenses === 'true' || query.enableEstimate === 'true', INVALID, 'not played offline')
}

type Query = ReturnType<typeof readQuery>
const readQuery = (query: URLSearchParams) => readFields(queryFields(query), FIELDS, refuseField)

const chainOf = (name: string, number: string): Network =>
  found(networkByWireId(Number(number)), INVALID, `${name} is not supported`)

const addressIn = (network: Network, name: string, text: string | undefined): string | null =>
  text === undefined
    ? null
    : found(addressOn(network, isSvm(network) ? text : text.toLowerCase()), INVALID, `${name} is no address`)

/** Reads a question to /dln/order/create-tx as strictly as its parameters are documented. Throws Refusal. */
export const readQuestion = (search: URLSearchParams, tokens: SimTokens) => {
  const query = readQuery(search)
  checkKind(query)
  const [origin, destination] = [chainOf('srcChainId', query.srcChainId), chainOf('dstChainId', query.dstChainId)]
  refuseIf(origin === destination, 'SOURCE_AND_DESTINATION_CHAINS_ARE_EQUAL', 'Source and destination chains are equal')
  const input = found(findToken(tokens, origin, query.srcChainTokenIn), 'UNSUPPORTED_TOKEN_IN', 'Unsupported input token')
  const output = found(
    findToken(tokens, destination, query.dstChainTokenOut),
    'UNSUPPORTED_TOKEN_OUT',
    'Unsupported output token',
  )
  const recipient = addressIn(destination, 'dstChainTokenOutRecipient', query.dstChainTokenOutRecipient)
  const authority = addressIn(origin, 'srcChainOrderAuthorityAddress', query.srcChainOrderAuthorityAddress)
  const canceller = addressIn(destination, 'dstChainOrderAuthorityAddress', query.dstChainOrderAuthorityAddress)
  const sender = addressIn(origin, 'senderAddress', query.senderAddress)
  const refundTo = addressIn(origin, 'srcChainRefundAddress', query.srcChainRefundAddress)
  const beneficiary = addressIn(origin, 'srcAllowedCancelBeneficiary', query.srcAllowedCancelBeneficiary)
  const feeRecipient = addressIn(origin, 'affiliateFeeRecipient', query.affiliateFeeRecipient)
  const maker = sender ?? authority
  const isWhole = recipient !== null && authority !== null && canceller !== null && maker !== null
  return {
    ...{ origin, destination, input, output, amount: query.srcChainTokenInAmount },
    /** Null: a price alone is wanted. */
    parties: isWhole ? { recipient, authority, canceller, maker, refundTo: refundTo ?? maker, beneficiary } : null,
    /** Ten-thousandths of a percent. */
    fee: feeRecipient === null ? null : { recipient: feeRecipient, ppm: Math.round(Number(query.affiliateFeePercent) * 10_000) },
    referralCode: Number(query.referralCode ?? 0),
  }
}

/** A question, checked. */
export type Question = Readonly<ReturnType<typeof readQuestion>>
export type Parties = NonNullable<Question['parties']>
