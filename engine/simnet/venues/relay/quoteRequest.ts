import { parseAddress } from '../../../core/address.ts'
import { type ChainId, ecosystemOf } from '../../../core/chain.ts'
import type { SimToken, SimTokens } from '../../kit/tokens.ts'
import { findToken, isSolverCurrency, type Network, networkById } from './networks.ts'
import { ApiRefusal } from './refusal.ts'

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

type Fields = { readonly [field: string]: unknown }
type Check = (value: unknown) => boolean

const isText: Check = (value) => typeof value === 'string' && value.length > 0 && value.length <= 256
const isBoolean: Check = (value) => typeof value === 'boolean'
const isNumber: Check = (value) => Number.isInteger(value)
const isAmount: Check = (value) => typeof value === 'string' && /^[1-9][0-9]{0,77}$/.test(value)
const isAppFees: Check = (value) =>
  Array.isArray(value) &&
  value.length <= 8 &&
  value.every((entry: unknown) => {
    const { recipient, fee, ...rest } = (entry ?? {}) as Fields
    return isText(recipient) && typeof fee === 'string' && /^[0-9]{1,5}$/.test(fee) && Object.keys(rest).length === 0
  })

const REQUIRED: { readonly [field: string]: Check } = {
  user: isText,
  originChainId: isNumber,
  destinationChainId: isNumber,
  originCurrency: isText,
  destinationCurrency: isText,
  amount: isAmount,
  tradeType: (value) => typeof value === 'string' && ['EXACT_INPUT', 'EXACT_OUTPUT', 'EXPECTED_OUTPUT'].includes(value),
}

const PRICE_OPTIONS: { readonly [field: string]: Check } = {
  recipient: isText,
  slippageTolerance: isText,
  refundTo: isText,
  appFees: isAppFees,
  referrer: isText,
  usePermit: isBoolean,
  useDepositAddress: isBoolean,
}

const QUOTE_OPTIONS: { readonly [field: string]: Check } = {
  ...PRICE_OPTIONS,
  strict: isBoolean,
  disableOriginSwaps: isBoolean,
  recoveryAddress: isText,
  permitExpiry: isNumber,
  includeProtocolData: isBoolean,
  explicitDeposit: isBoolean,
  ttl: isNumber,
  maxRouteLength: isNumber,
  includeComputeUnitLimit: isBoolean,
}

const checkFields = (body: Fields, options: { readonly [field: string]: Check }): void => {
  for (const field of Object.keys(body))
    if (!Object.hasOwn(REQUIRED, field) && !Object.hasOwn(options, field))
      throw new ApiRefusal(null, `body must NOT have additional properties: ${field}`)
  for (const [field, check] of Object.entries(REQUIRED))
    if (!check(body[field])) throw new ApiRefusal(null, `body/${field} is missing or invalid`)
  for (const [field, check] of Object.entries(options))
    if (body[field] !== undefined && !check(body[field])) throw new ApiRefusal(null, `body/${field} is invalid`)
}

const readNetwork = (id: unknown): Network => {
  const network = networkById(Number(id))
  if (!network) throw new ApiRefusal('UNSUPPORTED_CHAIN', `Chain ${String(id)} is not supported`)
  return network
}

const readAddress = ({ chainId }: Network, raw: unknown): string => {
  const ecosystem = ecosystemOf(chainId as ChainId)
  const address = parseAddress(ecosystem, String(raw))
  if (address === null) throw new ApiRefusal('INVALID_ADDRESS', `Invalid address ${String(raw)}`)
  return address
}

const readSlippage = (raw: unknown): number | null => {
  if (raw === undefined) return null
  const isValid = /^(0|[1-9][0-9]{0,4})$/.test(String(raw)) && Number(raw) <= 10_000
  if (!isValid) throw new ApiRefusal('INVALID_SLIPPAGE_TOLERANCE', 'slippageTolerance must be an integer from 0 to 10000')
  return Number(raw)
}

const readRecipient = (body: Fields, origin: Network, destination: Network, user: string, tokens: SimTokens): string => {
  if (body['recipient'] === undefined && origin.vm !== destination.vm)
    throw new ApiRefusal('INVALID_ADDRESS', 'recipient is required for this route')
  const recipient = readAddress(destination, body['recipient'] ?? user)
  if (tokens.find(destination.chainId, recipient)) throw new ApiRefusal('INVALID_RECIPIENT', 'recipient is a token contract')
  return recipient
}

const readAppFees = (raw: unknown): QuoteRequest['appFees'] =>
  ((raw ?? []) as readonly { recipient: string; fee: string }[]).map(({ recipient, fee }) => {
    if (parseAddress('evm', recipient) === null)
      throw new ApiRefusal('INVALID_ADDRESS', 'appFees recipient must be an EVM address')
    if (Number(fee) >= 10_000) throw new ApiRefusal(null, 'body/appFees fee is invalid')
    return { recipient, bps: Number(fee) }
  })

const checkRefundTo = (body: Fields, output: SimToken): void => {
  const isNeeded = body['strict'] === true || !isSolverCurrency(output)
  if (isNeeded && body['refundTo'] === undefined) throw new ApiRefusal(null, 'refundTo is required for this route')
}

/** `strict` is taken and means nothing any more: every address takes what comes. */
const checkDepositAddress = (body: Fields, input: SimToken): boolean => {
  if (body['strict'] === true && body['useDepositAddress'] !== true) throw new ApiRefusal(null, 'strict needs useDepositAddress')
  if (body['useDepositAddress'] !== true) return false
  if (!isSolverCurrency(input)) throw new ApiRefusal('UNSUPPORTED_CURRENCY', 'deposit addresses take solver currencies only')
  return true
}

/** The name of an integrator is for those who are known by a key. */
const checkReferrer = ({ referrer }: Fields, hasKey: boolean): void => {
  if (referrer !== undefined && !hasKey) throw new ApiRefusal('UNAUTHORIZED_QUOTE', 'Please provide an api key', 401)
}

const checkOriginSwap = (body: Fields, input: SimToken): void => {
  if (body['disableOriginSwaps'] === true && !isSolverCurrency(input))
    throw new ApiRefusal('NO_SWAP_ROUTES_FOUND', 'No routes found')
}

type Asked = { readonly isPrice: boolean; readonly hasKey: boolean }

/** Reads a question as strictly as the reference describes it. Throws ApiRefusal. */
export const readQuoteRequest = (raw: unknown, tokens: SimTokens, { isPrice, hasKey }: Asked): QuoteRequest => {
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) throw new ApiRefusal(null, 'body must be object')
  const body = raw as Fields
  checkFields(body, isPrice ? PRICE_OPTIONS : QUOTE_OPTIONS)
  checkReferrer(body, hasKey)
  if (body['tradeType'] !== 'EXACT_INPUT') throw new ApiRefusal('UNSUPPORTED_ROUTE', 'only exact inputs are played offline')
  if (body['usePermit'] === true || body['explicitDeposit'] === false)
    throw new ApiRefusal('UNSUPPORTED_EXECUTION_TYPE', 'not played offline')
  const origin = readNetwork(body['originChainId'])
  const destination = readNetwork(body['destinationChainId'])
  const input = findToken(tokens, origin, String(body['originCurrency']))
  if (!input) throw new ApiRefusal('INVALID_INPUT_CURRENCY', 'Invalid input currency')
  const output = findToken(tokens, destination, String(body['destinationCurrency']))
  if (!output) throw new ApiRefusal('INVALID_OUTPUT_CURRENCY', 'Invalid output currency')
  if (origin === destination) throw new ApiRefusal('NO_SWAP_ROUTES_FOUND', 'no exchange on a single chain is played offline')
  checkOriginSwap(body, input)
  checkRefundTo(body, output)
  const user = readAddress(origin, body['user'])
  return {
    user,
    origin,
    destination,
    input,
    output,
    recipient: readRecipient(body, origin, destination, user, tokens),
    refundTo: body['refundTo'] === undefined ? null : readAddress(origin, body['refundTo']),
    amount: BigInt(String(body['amount'])),
    slippageBps: readSlippage(body['slippageTolerance']),
    appFees: readAppFees(body['appFees']),
    useDepositAddress: checkDepositAddress(body, input),
  }
}
