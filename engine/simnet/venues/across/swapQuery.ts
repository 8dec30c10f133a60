import { parseEvmAddress, parseSolanaAddress } from '../../../core/address.ts'
import {
  amount,
  each,
  type FieldProblem,
  type FieldType,
  named,
  oneOf,
  queryFields,
  readFields,
  text,
  type,
} from '../../kit/fields.ts'
import { found, Refusal, refuseIf } from '../../kit/refusal.ts'
import type { SimToken, SimTokens } from '../../kit/tokens.ts'
import { bridgeClassOf, findToken, isSvm, type Network, networkByWireId, ZERO_ADDRESS } from './networks.ts'

/** Fractions are scaled by 10^18. */
export const ONE = 10n ** 18n

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

export const INTEGER = named('positiveIntStr', amount)
const ADDRESS = type('validAddress', (value) =>
  typeof value === 'string' && (parseEvmAddress(value) ?? parseSolanaAddress(value)) !== null ? value : undefined,
)
const BOOLEAN = type('true | false', (value) => (value === 'true' || value === 'false' ? value === 'true' : undefined))
const TEXT = named('string', text(1, Number.POSITIVE_INFINITY))
/** Null: auto. */
const SLIPPAGE = type('positiveFloatStr (max 0.5) | auto', (value) => (value === 'auto' ? null : upTo('0.5').read(value)))

const PARAMS = {
  required: {
    ...each(INTEGER, 'amount', 'originChainId', 'destinationChainId'),
    ...each(ADDRESS, 'inputToken', 'outputToken', 'depositor'),
  },
  optional: {
    ...each(ADDRESS, 'recipient', 'refundAddress', 'appFeeRecipient'),
    ...each(BOOLEAN, 'refundOnOrigin', 'skipOriginTxEstimation', 'strictTradeType', 'skipChecks'),
    ...each(TEXT, 'integratorId', 'excludeSources', 'includeSources'),
    tradeType: oneOf('minOutput', 'exactOutput', 'exactInput'),
    routingPreference: oneOf('default', 'across', 'native', 'sponsored-cctp'),
    slippageTolerance: upTo('50'),
    slippage: SLIPPAGE,
    appFee: upTo('1'),
  },
}

/** A parameter the vendor refuses, by its name. */
const refuseParam = (isWrong: boolean, param: string, message: string): void =>
  refuseIf(isWrong, 'INVALID_PARAM', message, { param })

export const misfit = ({ kind, name: param, expects }: FieldProblem): Refusal => {
  const message = `Invalid parameter at path '${param}'. Expected type '${kind === 'unknown' ? 'never' : expects}'`
  return new Refusal('INVALID_PARAM', message, { param })
}

const readParams = (query: URLSearchParams) => readFields(queryFields(query), PARAMS, misfit)
type Params = ReturnType<typeof readParams>

/** `named`: the id the vendor prints. */
export const readNetwork = (wireId: bigint, param: string, named = wireId): Network =>
  found(networkByWireId(wireId), 'INVALID_PARAM', `Unsupported chain id: ${named}`, { param })

/** Origin and destination. The vendor prints the origin's id even when the other is the bad one. */
export const readNetworks = ({ originChainId, destinationChainId }: Pick<Params, 'originChainId' | 'destinationChainId'>) => {
  const origin = readNetwork(originChainId, 'originChainId')
  const destination = readNetwork(destinationChainId, 'destinationChainId', originChainId)
  refuseIf(origin === destination, 'INVALID_PARAM', 'Origin and destination chains cannot be the same')
  return { origin, destination }
}

const checkAddress = (network: Network, address: string, param: string): string => {
  const parsed = isSvm(network) ? parseSolanaAddress(address) : parseEvmAddress(address)
  const message = `'${param}' must be a valid ${isSvm(network) ? 'SVM' : 'EVM'} address`
  return found(parsed, 'INVALID_PARAM', message, { param })
}

const readToken = (tokens: SimTokens, network: Network, params: Params, param: 'inputToken' | 'outputToken'): SimToken => {
  const address = checkAddress(network, params[param], param)
  const message = `Unable to find tokenDetails for address: ${address}, on chain with id: ${network.wireId}`
  return found(findToken(tokens, network, address), null, message, { status: 404 })
}

export const RECIPIENT_NEEDED = 'Recipient is required for routes involving Solana'

const checkSolanaRules = (params: Params, output: SimToken): void => {
  const hasFee = params.appFee !== undefined || params.appFeeRecipient !== undefined
  refuseParam(params.recipient === undefined, 'recipient', RECIPIENT_NEEDED)
  refuseParam(hasFee, 'appFee, appFeeRecipient', 'App fee is not supported for routes involving Solana')
  const isSwapped = bridgeClassOf(output) === null
  refuseParam(isSwapped, 'outputToken', 'Destination swaps are not supported yet for routes involving Solana.')
}

const checkWishes = ({ excludeSources, includeSources, tradeType = 'exactInput' }: Params): void => {
  const both = excludeSources !== undefined && includeSources !== undefined
  refuseParam(both, 'excludeSources, includeSources', "Cannot use 'excludeSources' and 'includeSources' together.")
  const message = 'Trade type can not be guaranteed with the available swap providers on this route.'
  refuseIf(tradeType !== 'exactInput', 'SWAP_TYPE_NOT_GUARANTEED', message)
}

const readAppFee = ({ appFee: fraction, appFeeRecipient: recipient }: Params, destination: Network) => {
  const message = "Both 'appFee' and 'appFeeRecipient' must be provided together, or neither should be provided."
  refuseParam((fraction === undefined) !== (recipient === undefined), 'appFee, appFeeRecipient', message)
  if (fraction === undefined || recipient === undefined) return null
  return { fraction, recipient: checkAddress(destination, recipient, 'appFeeRecipient') }
}

const readIntegratorId = ({ integratorId }: Params): string | null => {
  const isWrong = integratorId !== undefined && !/^0x[0-9a-fA-F]{4}$/.test(integratorId)
  refuseParam(isWrong, 'integratorId', 'Invalid integrator ID. Needs to be 2 bytes hex string.')
  return integratorId ?? null
}

/** Reads the query of /swap/approval as strictly as the vendor's superstructs do, and refuses parameters it does not know. */
export const readSwapQuery = (query: URLSearchParams, tokens: SimTokens) => {
  const params = readParams(query)
  const { origin, destination } = readNetworks(params)
  const input = readToken(tokens, origin, params, 'inputToken')
  const output = readToken(tokens, destination, params, 'outputToken')
  if (isSvm(origin) || isSvm(destination)) checkSolanaRules(params, output)
  checkWishes(params)
  const depositor = checkAddress(origin, params.depositor, 'depositor')
  const { refundAddress } = params
  return {
    ...{ origin, destination, input, output, depositor },
    amount: params.amount,
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

/** A question to /swap/approval, checked. */
export type SwapQuery = Readonly<ReturnType<typeof readSwapQuery>>

/** A token as answers spell it: the native coin of an EVM chain is the zero address. */
export const wireToken = (network: Network, { address, symbol, decimals, name, isNative }: SimToken) => ({
  address: isNative && !isSvm(network) ? ZERO_ADDRESS : address,
  symbol,
  decimals,
  chainId: network.wireId,
  name,
})
