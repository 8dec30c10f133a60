import { parseAddress } from '../../../core/address.ts'
import { type ChainId, ecosystemOf } from '../../../core/chain.ts'
import { amount, type FieldProblem, flag, integer, listOf, matching, oneOf, readFields, record, text } from '../../kit/fields.ts'
import { Refusal } from '../../kit/refusal.ts'
import type { SimToken, SimTokens } from '../../kit/tokens.ts'
import { findToken, isSolverCurrency, type Network, networkById } from './networks.ts'

/** A question to /quote/v2 or /price, checked. */
export type QuoteRequest = {
  readonly user: string
  readonly recipient: string
  readonly refundTo: string | null
  readonly origin: Network
  readonly destination: Network
  readonly input: SimToken
  readonly output: SimToken
  readonly amount: bigint
  /** Null: automatic. */
  readonly slippageBps: number | null
  readonly appFees: readonly { readonly recipient: string; readonly bps: number }[]
  readonly useDepositAddress: boolean
}

/** A quote that may be paid. */
export type QuotedRequest = {
  readonly requestId: string
  readonly orderId: string
  readonly request: QuoteRequest
  readonly quoted: { readonly expected: bigint; readonly minimum: bigint }
  readonly depositAddress: string | null
  readonly createdAt: number
}

const TEXT = text(1, 256)
const NUMBER = integer(Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER)

const REQUIRED = {
  user: TEXT,
  originChainId: NUMBER,
  destinationChainId: NUMBER,
  originCurrency: TEXT,
  destinationCurrency: TEXT,
  amount,
  tradeType: oneOf('EXACT_INPUT', 'EXACT_OUTPUT', 'EXPECTED_OUTPUT'),
}

const PRICE_OPTIONS = {
  recipient: TEXT,
  slippageTolerance: TEXT,
  refundTo: TEXT,
  appFees: listOf(record({ required: { recipient: TEXT, fee: matching('basis points', /^[0-9]{1,5}$/) }, optional: {} }), 8),
  referrer: TEXT,
  usePermit: flag,
  useDepositAddress: flag,
}

const QUOTE_OPTIONS = {
  ...PRICE_OPTIONS,
  strict: flag,
  disableOriginSwaps: flag,
  recoveryAddress: TEXT,
  permitExpiry: NUMBER,
  includeProtocolData: flag,
  explicitDeposit: flag,
  ttl: NUMBER,
  maxRouteLength: NUMBER,
  includeComputeUnitLimit: flag,
}

const WORDS = {
  noObject: () => 'body must be object',
  unknown: (name: string) => `body must NOT have additional properties: ${name}`,
  missing: (name: string) => `body must have required property '${name}'`,
  wrong: (name: string, expects: string) => `body/${name} must be ${expects}`,
} as const

/** Refused before the question was looked at: without a code. */
export const refuseField = ({ kind, name, expects }: FieldProblem): Refusal => new Refusal(null, WORDS[kind](name, expects))

const readBody = (body: unknown) => readFields(body, { required: REQUIRED, optional: QUOTE_OPTIONS }, refuseField)
const readPriceBody = (body: unknown) => readFields(body, { required: REQUIRED, optional: PRICE_OPTIONS }, refuseField)
type Body = ReturnType<typeof readPriceBody> & Partial<ReturnType<typeof readBody>>

const readNetwork = (id: number): Network => {
  const network = networkById(id)
  if (!network) throw new Refusal('UNSUPPORTED_CHAIN', `Chain ${id} is not supported`)
  return network
}

const readAddress = ({ chainId }: Network, raw: string): string => {
  const address = parseAddress(ecosystemOf(chainId as ChainId), raw)
  if (address === null) throw new Refusal('INVALID_ADDRESS', `Invalid address ${raw}`)
  return address
}

const readCurrency = (tokens: SimTokens, network: Network, currency: string, side: 'INPUT' | 'OUTPUT'): SimToken => {
  const token = findToken(tokens, network, currency)
  if (!token) throw new Refusal(`INVALID_${side}_CURRENCY`, `Invalid ${side.toLowerCase()} currency`)
  return token
}

const readSlippage = (raw: string | undefined): number | null => {
  if (raw === undefined) return null
  if (!/^(0|[1-9][0-9]{0,4})$/.test(raw) || Number(raw) > 10_000)
    throw new Refusal('INVALID_SLIPPAGE_TOLERANCE', 'slippageTolerance must be an integer from 0 to 10000')
  return Number(raw)
}

const readRecipient = (
  raw: string | undefined,
  origin: Network,
  destination: Network,
  user: string,
  tokens: SimTokens,
): string => {
  if (raw === undefined && origin.vm !== destination.vm)
    throw new Refusal('INVALID_ADDRESS', 'recipient is required for this route')
  const recipient = readAddress(destination, raw ?? user)
  if (tokens.find(destination.chainId, recipient)) throw new Refusal('INVALID_RECIPIENT', 'recipient is a token contract')
  return recipient
}

const readAppFees = (fees: Body['appFees'] = []): QuoteRequest['appFees'] =>
  fees.map(({ recipient, fee }) => {
    if (parseAddress('evm', recipient) === null) throw new Refusal('INVALID_ADDRESS', 'appFees recipient must be an EVM address')
    if (Number(fee) >= 10_000) throw new Refusal(null, 'body/appFees fee is invalid')
    return { recipient, bps: Number(fee) }
  })

/** What goes with the two currencies. `strict` is taken and means nothing any more: every address takes what comes. */
const checkWishes = (
  { strict, useDepositAddress, disableOriginSwaps, refundTo }: Body,
  input: SimToken,
  output: SimToken,
): void => {
  if (disableOriginSwaps === true && !isSolverCurrency(input)) throw new Refusal('NO_SWAP_ROUTES_FOUND', 'No routes found')
  const isRefundNeeded = strict === true || !isSolverCurrency(output)
  if (isRefundNeeded && refundTo === undefined) throw new Refusal(null, 'refundTo is required for this route')
  if (strict === true && useDepositAddress !== true) throw new Refusal(null, 'strict needs useDepositAddress')
  if (useDepositAddress === true && !isSolverCurrency(input))
    throw new Refusal('UNSUPPORTED_CURRENCY', 'deposit addresses take solver currencies only')
}

/** What this offline venue plays, and the name of an integrator, which is for those who are known by a key. */
const checkKind = ({ referrer, tradeType, usePermit, explicitDeposit }: Body, hasKey: boolean): void => {
  if (referrer !== undefined && !hasKey) throw new Refusal('UNAUTHORIZED_QUOTE', 'Please provide an api key', { status: 401 })
  if (tradeType !== 'EXACT_INPUT') throw new Refusal('UNSUPPORTED_ROUTE', 'only exact inputs are played offline')
  if (usePermit === true || explicitDeposit === false) throw new Refusal('UNSUPPORTED_EXECUTION_TYPE', 'not played offline')
}

type Asked = { readonly isPrice: boolean; readonly hasKey: boolean }

/** Reads a question as strictly as the reference describes it. Throws Refusal. */
export const readQuoteRequest = (raw: unknown, tokens: SimTokens, { isPrice, hasKey }: Asked): QuoteRequest => {
  const body: Body = isPrice ? readPriceBody(raw) : readBody(raw)
  checkKind(body, hasKey)
  const origin = readNetwork(body.originChainId)
  const destination = readNetwork(body.destinationChainId)
  const input = readCurrency(tokens, origin, body.originCurrency, 'INPUT')
  const output = readCurrency(tokens, destination, body.destinationCurrency, 'OUTPUT')
  if (origin === destination) throw new Refusal('NO_SWAP_ROUTES_FOUND', 'no exchange on a single chain is played offline')
  checkWishes(body, input, output)
  const user = readAddress(origin, body.user)
  return {
    user,
    origin,
    destination,
    input,
    output,
    recipient: readRecipient(body.recipient, origin, destination, user, tokens),
    refundTo: body.refundTo === undefined ? null : readAddress(origin, body.refundTo),
    amount: body.amount,
    slippageBps: readSlippage(body.slippageTolerance),
    appFees: readAppFees(body.appFees),
    useDepositAddress: body.useDepositAddress === true,
  }
}
