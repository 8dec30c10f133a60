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
import { found, Refusal, refuseIf } from '../../kit/refusal.ts'
import type { SimToken, SimTokens } from '../../kit/tokens.ts'
import { findToken, isSolverCurrency, type Network, networkById } from './networks.ts'

const TEXT = text(1, 256)
const NUMBER = integer(Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER)
const APP_FEE = record({ required: { recipient: TEXT, fee: matching('basis points', /^[0-9]{1,4}$/) }, optional: {} })

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

/** Refused before the question was looked at: without a code. */
export const refuseField = ({ kind, name, expects }: FieldProblem): Refusal =>
  new Refusal(null, kind === 'unknown' ? `body must NOT have additional properties: ${name}` : `body/${name} must be ${expects}`)

const readQuote = (body: unknown) => readFields(body, QUOTE, refuseField)
const readPrice = (body: unknown) => readFields(body, PRICE, refuseField)
type Body = ReturnType<typeof readPrice> & Partial<ReturnType<typeof readQuote>>

const readAddress = ({ chainId }: Network, raw: string): string =>
  found(parseAddress(ecosystemOf(chainId), raw), 'INVALID_ADDRESS', `Invalid address ${raw}`)

/** Of every automatic quote in the vendor's documents, whatever the pair. */
const AUTOMATIC_SLIPPAGE_BPS = '200'

const readSlippage = (raw = AUTOMATIC_SLIPPAGE_BPS): number => {
  const isBps = /^(0|[1-9][0-9]{0,4})$/.test(raw) && Number(raw) <= 10_000
  refuseIf(!isBps, 'INVALID_SLIPPAGE_TOLERANCE', 'slippageTolerance must be an integer from 0 to 10000')
  return Number(raw)
}

const readAppFees = (fees: Body['appFees'] = []) =>
  fees.map(({ recipient, fee }) => {
    refuseIf(parseAddress('evm', recipient) === null, 'INVALID_ADDRESS', 'appFees recipient must be an EVM address')
    return { recipient, bps: Number(fee) }
  })

/** What this offline venue plays, and the name of an integrator, which is for those who are known by a key. */
const checkKind = ({ referrer, tradeType, usePermit, explicitDeposit }: Body, isKeyed: boolean): void => {
  refuseIf(referrer !== undefined && !isKeyed, 'UNAUTHORIZED_QUOTE', 'Please provide an api key', { status: 401 })
  refuseIf(tradeType !== 'EXACT_INPUT', 'UNSUPPORTED_ROUTE', 'only exact inputs are played offline')
  refuseIf(usePermit === true || explicitDeposit === false, 'UNSUPPORTED_EXECUTION_TYPE', 'not played offline')
}

/** What goes with the two currencies. `strict` is taken and means nothing any more: every address takes what comes. */
const checkWishes = ({ strict, useDepositAddress, refundTo }: Body, { vm }: Network, input: SimToken, output: SimToken): void => {
  refuseIf(!isSolverCurrency(input), 'NO_SWAP_ROUTES_FOUND', 'no exchange before the deposit is played offline')
  const isRefundNeeded = strict === true || !isSolverCurrency(output)
  refuseIf(isRefundNeeded && refundTo === undefined, null, 'refundTo is required for this route')
  refuseIf(strict === true && useDepositAddress !== true, null, 'strict needs useDepositAddress')
  const isPlayed = (useDepositAddress === true) === (vm === 'bvm')
  refuseIf(!isPlayed, 'UNSUPPORTED_EXECUTION_TYPE', 'offline, bitcoin is paid to an address, and nothing else is')
}

type Asked = { readonly isPrice: boolean; readonly isKeyed: boolean }

/** Reads a question to /quote/v2 or /price as strictly as the reference describes it. Throws Refusal. */
export const readQuoteRequest = (raw: unknown, tokens: SimTokens, { isPrice, isKeyed }: Asked) => {
  const body: Body = isPrice ? readPrice(raw) : readQuote(raw)
  checkKind(body, isKeyed)
  const origin = found(networkById(body.originChainId), 'UNSUPPORTED_CHAIN', 'originChainId is not supported')
  const destination = found(networkById(body.destinationChainId), 'UNSUPPORTED_CHAIN', 'destinationChainId is not supported')
  const input = found(findToken(tokens, origin, body.originCurrency), 'INVALID_INPUT_CURRENCY', 'Invalid input currency')
  const output = found(
    findToken(tokens, destination, body.destinationCurrency),
    'INVALID_OUTPUT_CURRENCY',
    'Invalid output currency',
  )
  refuseIf(origin === destination, 'NO_SWAP_ROUTES_FOUND', 'no exchange on a single chain is played offline')
  checkWishes(body, origin, input, output)
  const user = readAddress(origin, body.user)
  // Unnamed, it is the user, where that is an address on both.
  const recipient = readAddress(destination, body.recipient ?? user)
  refuseIf(tokens.find(destination.chainId, recipient) !== null, 'INVALID_RECIPIENT', 'recipient is a token contract')
  return {
    ...{ user, recipient, origin, destination, input, output },
    refundTo: body.refundTo === undefined ? null : readAddress(origin, body.refundTo),
    amount: body.amount,
    slippageBps: readSlippage(body.slippageTolerance),
    appFees: readAppFees(body.appFees),
  }
}

/** A question, checked. */
export type QuoteRequest = Readonly<ReturnType<typeof readQuoteRequest>>
