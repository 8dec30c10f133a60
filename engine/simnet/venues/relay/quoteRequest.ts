import { parseAddress } from '../../../core/address.ts'
import { ecosystemOf } from '../../../core/chain.ts'
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
import { Refusal, refuseIf } from '../../kit/refusal.ts'
import type { SimToken, SimTokens } from '../../kit/tokens.ts'
import { findToken, isSolverCurrency, type Network, networkById } from './networks.ts'

const TEXT = text(1, 256)
const NUMBER = integer(Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER)
const APP_FEE = record({ required: { recipient: TEXT, fee: matching('basis points', /^[0-9]{1,5}$/) }, optional: {} })

const PRICE = {
  required: {
    ...each(TEXT, 'user', 'originCurrency', 'destinationCurrency'),
    ...each(NUMBER, 'originChainId', 'destinationChainId'),
    amount,
    tradeType: oneOf('EXACT_INPUT', 'EXACT_OUTPUT', 'EXPECTED_OUTPUT'),
  },
  optional: {
    ...each(TEXT, 'recipient', 'slippageTolerance', 'refundTo', 'referrer'),
    ...each(flag, 'usePermit', 'useDepositAddress'),
    appFees: listOf(APP_FEE, 8),
  },
}

const QUOTE = {
  required: PRICE.required,
  optional: {
    ...PRICE.optional,
    ...each(flag, 'strict', 'disableOriginSwaps', 'includeProtocolData', 'explicitDeposit', 'includeComputeUnitLimit'),
    ...each(NUMBER, 'permitExpiry', 'ttl', 'maxRouteLength'),
    recoveryAddress: TEXT,
  },
}

const WORDS = {
  noObject: () => 'body must be object',
  unknown: (name: string) => `body must NOT have additional properties: ${name}`,
  missing: (name: string) => `body must have required property '${name}'`,
  wrong: (name: string, expects: string) => `body/${name} must be ${expects}`,
} as const

/** Refused before the question was looked at: without a code. */
export const refuseField = ({ kind, name, expects }: FieldProblem): Refusal => new Refusal(null, WORDS[kind](name, expects))

const readBody = (body: unknown) => readFields(body, QUOTE, refuseField)
const readPriceBody = (body: unknown) => readFields(body, PRICE, refuseField)
type Body = ReturnType<typeof readPriceBody> & Partial<ReturnType<typeof readBody>>

const readNetwork = (id: number): Network => {
  const network = networkById(id)
  if (!network) throw new Refusal('UNSUPPORTED_CHAIN', `Chain ${id} is not supported`)
  return network
}

const readAddress = ({ chainId }: Network, raw: string): string => {
  const address = parseAddress(ecosystemOf(chainId), raw)
  if (address === null) throw new Refusal('INVALID_ADDRESS', `Invalid address ${raw}`)
  return address
}

const readCurrency = (tokens: SimTokens, network: Network, currency: string, side: 'INPUT' | 'OUTPUT'): SimToken => {
  const token = findToken(tokens, network, currency)
  if (!token) throw new Refusal(`INVALID_${side}_CURRENCY`, `Invalid ${side.toLowerCase()} currency`)
  return token
}

/** Null: automatic. */
const readSlippage = (raw: string | undefined): number | null => {
  if (raw === undefined) return null
  const isBps = /^(0|[1-9][0-9]{0,4})$/.test(raw) && Number(raw) <= 10_000
  refuseIf(!isBps, 'INVALID_SLIPPAGE_TOLERANCE', 'slippageTolerance must be an integer from 0 to 10000')
  return Number(raw)
}

const readAppFees = (fees: Body['appFees'] = []) =>
  fees.map(({ recipient, fee }) => {
    refuseIf(parseAddress('evm', recipient) === null, 'INVALID_ADDRESS', 'appFees recipient must be an EVM address')
    refuseIf(Number(fee) >= 10_000, null, 'body/appFees fee is invalid')
    return { recipient, bps: Number(fee) }
  })

/** What this offline venue plays, and the name of an integrator, which is for those who are known by a key. */
const checkKind = ({ referrer, tradeType, usePermit, explicitDeposit }: Body, hasKey: boolean): void => {
  refuseIf(referrer !== undefined && !hasKey, 'UNAUTHORIZED_QUOTE', 'Please provide an api key', { status: 401 })
  refuseIf(tradeType !== 'EXACT_INPUT', 'UNSUPPORTED_ROUTE', 'only exact inputs are played offline')
  refuseIf(usePermit === true || explicitDeposit === false, 'UNSUPPORTED_EXECUTION_TYPE', 'not played offline')
}

/** What goes with the two currencies. `strict` is taken and means nothing any more: every address takes what comes. */
const checkWishes = (body: Body, input: SimToken, output: SimToken): void => {
  const { strict, useDepositAddress, disableOriginSwaps, refundTo } = body
  refuseIf(disableOriginSwaps === true && !isSolverCurrency(input), 'NO_SWAP_ROUTES_FOUND', 'No routes found')
  const isRefundNeeded = strict === true || !isSolverCurrency(output)
  refuseIf(isRefundNeeded && refundTo === undefined, null, 'refundTo is required for this route')
  refuseIf(strict === true && useDepositAddress !== true, null, 'strict needs useDepositAddress')
  const isSwapped = useDepositAddress === true && !isSolverCurrency(input)
  refuseIf(isSwapped, 'UNSUPPORTED_CURRENCY', 'deposit addresses take solver currencies only')
}

type Asked = { readonly isPrice: boolean; readonly hasKey: boolean }

/** Reads a question to /quote/v2 or /price as strictly as the reference describes it. Throws Refusal. */
export const readQuoteRequest = (raw: unknown, tokens: SimTokens, { isPrice, hasKey }: Asked) => {
  const body: Body = isPrice ? readPriceBody(raw) : readBody(raw)
  checkKind(body, hasKey)
  const origin = readNetwork(body.originChainId)
  const destination = readNetwork(body.destinationChainId)
  const input = readCurrency(tokens, origin, body.originCurrency, 'INPUT')
  const output = readCurrency(tokens, destination, body.destinationCurrency, 'OUTPUT')
  refuseIf(origin === destination, 'NO_SWAP_ROUTES_FOUND', 'no exchange on a single chain is played offline')
  checkWishes(body, input, output)
  const user = readAddress(origin, body.user)
  const isUnnamed = body.recipient === undefined && origin.vm !== destination.vm
  refuseIf(isUnnamed, 'INVALID_ADDRESS', 'recipient is required for this route')
  const recipient = readAddress(destination, body.recipient ?? user)
  refuseIf(tokens.find(destination.chainId, recipient) !== null, 'INVALID_RECIPIENT', 'recipient is a token contract')
  return {
    ...{ user, recipient, origin, destination, input, output },
    refundTo: body.refundTo === undefined ? null : readAddress(origin, body.refundTo),
    amount: body.amount,
    slippageBps: readSlippage(body.slippageTolerance),
    appFees: readAppFees(body.appFees),
    useDepositAddress: body.useDepositAddress === true,
  }
}

/** A question, checked. */
export type QuoteRequest = Readonly<ReturnType<typeof readQuoteRequest>>
