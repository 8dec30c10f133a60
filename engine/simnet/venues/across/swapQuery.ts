import { parseEvmAddress, parseSolanaAddress } from '../../../core/address.ts'
import { amount, type FieldProblem, type FieldType, named, oneOf, queryFields, readFields, text, type } from '../../kit/fields.ts'
import { Refusal } from '../../kit/refusal.ts'
import type { SimToken, SimTokens } from '../../kit/tokens.ts'
import { bridgeClassOf, findToken, isSvm, type Network, networkByWireId, ZERO_ADDRESS } from './networks.ts'
import { invalidParam } from './refusal.ts'

/** Fractions are scaled by 10^18. */
export const ONE = 10n ** 18n

/** A question to /swap/approval, checked. */
export type SwapQuery = {
  readonly amount: bigint
  readonly origin: Network
  readonly destination: Network
  readonly input: SimToken
  readonly output: SimToken
  readonly depositor: string
  readonly recipient: string
  readonly refundAddress: string | null
  readonly refundOnOrigin: boolean
  /** Null: auto. */
  readonly slippage: bigint | null
  readonly appFee: { readonly fraction: bigint; readonly recipient: string } | null
  readonly integratorId: string | null
  readonly skipChecks: boolean
  readonly skipOriginTxEstimation: boolean
}

const DECIMAL = /^(?:0|[1-9][0-9]*)(?:\.[0-9]{1,18})?$/

const scaled = (text: string): bigint => {
  const [whole = '0', fraction = ''] = text.split('.')
  return BigInt(whole) * ONE + BigInt(fraction.padEnd(18, '0'))
}

/** A fraction, scaled. */
const upTo = (most: string): FieldType<bigint> =>
  type(`positiveFloatStr (max ${most})`, (value) =>
    typeof value === 'string' && DECIMAL.test(value) && scaled(value) <= scaled(most) ? scaled(value) : undefined,
  )

const INTEGER = named('positiveIntStr', amount)
const ADDRESS = type('validAddress', (value) =>
  typeof value === 'string' && (parseEvmAddress(value) ?? parseSolanaAddress(value)) !== null ? value : undefined,
)
const BOOLEAN = type('true | false', (value) => (value === 'true' || value === 'false' ? value === 'true' : undefined))
const TEXT = named('string', text(1, Number.POSITIVE_INFINITY))
/** Null: auto. */
const SLIPPAGE = type('positiveFloatStr (max 0.5) | auto', (value) => (value === 'auto' ? null : upTo('0.5').read(value)))

const PARAMS = {
  required: {
    amount: INTEGER,
    inputToken: ADDRESS,
    outputToken: ADDRESS,
    originChainId: INTEGER,
    destinationChainId: INTEGER,
    depositor: ADDRESS,
  },
  optional: {
    tradeType: oneOf('minOutput', 'exactOutput', 'exactInput'),
    recipient: ADDRESS,
    integratorId: TEXT,
    refundAddress: ADDRESS,
    refundOnOrigin: BOOLEAN,
    slippageTolerance: upTo('50'),
    slippage: SLIPPAGE,
    skipOriginTxEstimation: BOOLEAN,
    excludeSources: TEXT,
    includeSources: TEXT,
    appFee: upTo('1'),
    appFeeRecipient: ADDRESS,
    strictTradeType: BOOLEAN,
    skipChecks: BOOLEAN,
    routingPreference: oneOf('default', 'across', 'native', 'sponsored-cctp'),
  },
}

const misfit = ({ kind, name, expects }: FieldProblem): Refusal =>
  invalidParam(name, `Invalid parameter at path '${name}'. Expected type '${kind === 'unknown' ? 'never' : expects}'`)

const readParams = (query: URLSearchParams) => readFields(queryFields(query), PARAMS, misfit)
type Params = ReturnType<typeof readParams>

const readNetworks = ({ originChainId, destinationChainId }: Params): readonly [Network, Network] => {
  const origin = networkByWireId(originChainId)
  const destination = networkByWireId(destinationChainId)
  // The vendor prints the origin id even when the other is the bad one.
  const message = `Unsupported chain id: ${originChainId}`
  if (!origin) throw invalidParam('originChainId', message)
  if (!destination) throw invalidParam('destinationChainId', message)
  if (origin === destination) throw new Refusal('INVALID_PARAM', 'Origin and destination chains cannot be the same')
  return [origin, destination]
}

const checkAddress = (network: Network, address: string, param: string): string => {
  const parsed = isSvm(network) ? parseSolanaAddress(address) : parseEvmAddress(address)
  if (parsed === null) throw invalidParam(param, `'${param}' must be a valid ${isSvm(network) ? 'SVM' : 'EVM'} address`)
  return parsed
}

const readToken = (tokens: SimTokens, network: Network, params: Params, param: 'inputToken' | 'outputToken'): SimToken => {
  const address = checkAddress(network, params[param], param)
  const token = findToken(tokens, network, address)
  if (!token)
    throw new Refusal(null, `Unable to find tokenDetails for address: ${address}, on chain with id: ${network.wireId}`, {
      status: 404,
    })
  return token
}

const checkSolanaRules = (params: Params, networks: readonly Network[], output: SimToken): void => {
  if (!networks.some(isSvm)) return
  if (params.recipient === undefined) throw invalidParam('recipient', 'Recipient is required for routes involving Solana')
  if (params.appFee !== undefined || params.appFeeRecipient !== undefined)
    throw invalidParam('appFee, appFeeRecipient', 'App fee is not supported for routes involving Solana')
  if (bridgeClassOf(output) === null)
    throw invalidParam('outputToken', 'Destination swaps are not supported yet for routes involving Solana.')
}

const readAppFee = ({ appFee: fraction, appFeeRecipient }: Params, destination: Network): SwapQuery['appFee'] => {
  if ((fraction === undefined) !== (appFeeRecipient === undefined))
    throw invalidParam(
      'appFee, appFeeRecipient',
      "Both 'appFee' and 'appFeeRecipient' must be provided together, or neither should be provided.",
    )
  if (fraction === undefined || appFeeRecipient === undefined) return null
  return { fraction, recipient: checkAddress(destination, appFeeRecipient, 'appFeeRecipient') }
}

const readIntegratorId = (params: Params): string | null => {
  const integratorId = params.integratorId ?? null
  if (integratorId !== null && !/^0x[0-9a-fA-F]{4}$/.test(integratorId))
    throw invalidParam('integratorId', 'Invalid integrator ID. Needs to be 2 bytes hex string.')
  return integratorId
}

/** Reads the query of /swap/approval as strictly as the vendor's superstructs do, and refuses parameters it does not know. */
export const readSwapQuery = (query: URLSearchParams, tokens: SimTokens): SwapQuery => {
  const params = readParams(query)
  const [origin, destination] = readNetworks(params)
  const input = readToken(tokens, origin, params, 'inputToken')
  const output = readToken(tokens, destination, params, 'outputToken')
  checkSolanaRules(params, [origin, destination], output)
  if (params.excludeSources !== undefined && params.includeSources !== undefined)
    throw invalidParam('excludeSources, includeSources', "Cannot use 'excludeSources' and 'includeSources' together.")
  if ((params.tradeType ?? 'exactInput') !== 'exactInput')
    throw new Refusal(
      'SWAP_TYPE_NOT_GUARANTEED',
      'Trade type can not be guaranteed with the available swap providers on this route.',
    )
  const depositor = checkAddress(origin, params.depositor, 'depositor')
  const { refundAddress } = params
  return {
    amount: params.amount,
    origin,
    destination,
    input,
    output,
    depositor,
    recipient: checkAddress(destination, params.recipient ?? depositor, 'recipient'),
    refundAddress: refundAddress === undefined ? null : checkAddress(origin, refundAddress, 'refundAddress'),
    refundOnOrigin: params.refundOnOrigin ?? bridgeClassOf(output) !== null,
    slippage: params.slippage ?? null,
    appFee: readAppFee(params, destination),
    integratorId: readIntegratorId(params),
    skipChecks: params.skipChecks === true,
    skipOriginTxEstimation: params.skipOriginTxEstimation === true,
  }
}

/** A token as answers spell it: the native coin of an EVM chain is the zero address. */
export const wireToken = (network: Network, { address, symbol, decimals, name, isNative }: SimToken) => ({
  address: isNative && !isSvm(network) ? ZERO_ADDRESS : address,
  symbol,
  decimals,
  chainId: network.wireId,
  name,
})
