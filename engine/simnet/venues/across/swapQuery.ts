import { parseEvmAddress, parseSolanaAddress } from '../../../core/address.ts'
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

type Check = { readonly type: string; readonly fits: (text: string) => boolean }

const matches = (type: string, pattern: RegExp): Check => ({ type, fits: (text) => pattern.test(text) })
const oneOf = (...values: readonly string[]): Check => ({ type: values.join(' | '), fits: (text) => values.includes(text) })

const DECIMAL = /^(?:0|[1-9][0-9]*)(?:\.[0-9]{1,18})?$/

const scaled = (text: string): bigint => {
  const [whole = '0', fraction = ''] = text.split('.')
  return BigInt(whole) * ONE + BigInt(fraction.padEnd(18, '0'))
}

const upTo = (most: string): Check => ({
  type: `positiveFloatStr (max ${most})`,
  fits: (text) => DECIMAL.test(text) && scaled(text) <= scaled(most),
})

const INTEGER = matches('positiveIntStr', /^[1-9][0-9]{0,77}$/)
const ADDRESS: Check = {
  type: 'validAddress',
  fits: (text) => parseEvmAddress(text) !== null || parseSolanaAddress(text) !== null,
}
const BOOLEAN = oneOf('true', 'false')
const TEXT: Check = { type: 'string', fits: (text) => text.length > 0 }
const SLIPPAGE: Check = { type: 'positiveFloatStr (max 0.5) | auto', fits: (text) => text === 'auto' || upTo('0.5').fits(text) }

const PARAMS: { readonly [name: string]: Check } = {
  amount: INTEGER,
  tradeType: oneOf('minOutput', 'exactOutput', 'exactInput'),
  inputToken: ADDRESS,
  outputToken: ADDRESS,
  originChainId: INTEGER,
  destinationChainId: INTEGER,
  depositor: ADDRESS,
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
}

const REQUIRED = ['amount', 'inputToken', 'outputToken', 'originChainId', 'destinationChainId', 'depositor']

const misfit = (path: string, type: string): Refusal =>
  invalidParam(path, `Invalid parameter at path '${path}'. Expected type '${type}'`)

const checkTypes = (query: URLSearchParams): void => {
  for (const name of new Set(query.keys())) {
    const check = PARAMS[name]
    const [value = '', ...others] = query.getAll(name)
    if (!check) throw misfit(name, 'never')
    if (others.length > 0 || !check.fits(value)) throw misfit(name, check.type)
  }
  for (const name of REQUIRED) {
    if (!query.has(name)) throw misfit(name, PARAMS[name]?.type ?? '')
  }
}

const readNetworks = (query: URLSearchParams): readonly [Network, Network] => {
  const text = query.get('originChainId') ?? ''
  const origin = networkByWireId(BigInt(text))
  const destination = networkByWireId(BigInt(query.get('destinationChainId') ?? '0'))
  // The vendor prints the origin id even when the other is the bad one.
  const message = `Unsupported chain id: ${text}`
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

const readToken = (tokens: SimTokens, network: Network, query: URLSearchParams, param: string): SimToken => {
  const address = checkAddress(network, query.get(param) ?? '', param)
  const token = findToken(tokens, network, address)
  if (!token)
    throw new Refusal(null, `Unable to find tokenDetails for address: ${address}, on chain with id: ${network.wireId}`, {
      status: 404,
    })
  return token
}

const checkSolanaRules = (query: URLSearchParams, networks: readonly Network[], output: SimToken): void => {
  if (!networks.some(isSvm)) return
  if (!query.has('recipient')) throw invalidParam('recipient', 'Recipient is required for routes involving Solana')
  if (query.has('appFee') || query.has('appFeeRecipient'))
    throw invalidParam('appFee, appFeeRecipient', 'App fee is not supported for routes involving Solana')
  if (bridgeClassOf(output) === null)
    throw invalidParam('outputToken', 'Destination swaps are not supported yet for routes involving Solana.')
}

const readAppFee = (query: URLSearchParams, destination: Network): SwapQuery['appFee'] => {
  const fee = query.get('appFee')
  const recipient = query.get('appFeeRecipient')
  if ((fee === null) !== (recipient === null))
    throw invalidParam(
      'appFee, appFeeRecipient',
      "Both 'appFee' and 'appFeeRecipient' must be provided together, or neither should be provided.",
    )
  if (fee === null || recipient === null) return null
  return { fraction: scaled(fee), recipient: checkAddress(destination, recipient, 'appFeeRecipient') }
}

const readIntegratorId = (query: URLSearchParams): string | null => {
  const id = query.get('integratorId')
  if (id !== null && !/^0x[0-9a-fA-F]{4}$/.test(id))
    throw invalidParam('integratorId', 'Invalid integrator ID. Needs to be 2 bytes hex string.')
  return id
}

/** Reads the query of /swap/approval as strictly as the vendor's superstructs do, and refuses parameters it does not know. */
export const readSwapQuery = (query: URLSearchParams, tokens: SimTokens): SwapQuery => {
  checkTypes(query)
  const [origin, destination] = readNetworks(query)
  const input = readToken(tokens, origin, query, 'inputToken')
  const output = readToken(tokens, destination, query, 'outputToken')
  checkSolanaRules(query, [origin, destination], output)
  if (query.has('excludeSources') && query.has('includeSources'))
    throw invalidParam('excludeSources, includeSources', "Cannot use 'excludeSources' and 'includeSources' together.")
  if ((query.get('tradeType') ?? 'exactInput') !== 'exactInput')
    throw new Refusal(
      'SWAP_TYPE_NOT_GUARANTEED',
      'Trade type can not be guaranteed with the available swap providers on this route.',
    )
  const depositor = checkAddress(origin, query.get('depositor') ?? '', 'depositor')
  const refundAddress = query.get('refundAddress')
  const slippage = query.get('slippage') ?? 'auto'
  return {
    amount: BigInt(query.get('amount') ?? '0'),
    origin,
    destination,
    input,
    output,
    depositor,
    recipient: checkAddress(destination, query.get('recipient') ?? depositor, 'recipient'),
    refundAddress: refundAddress === null ? null : checkAddress(origin, refundAddress, 'refundAddress'),
    refundOnOrigin: (query.get('refundOnOrigin') ?? String(bridgeClassOf(output) !== null)) === 'true',
    slippage: slippage === 'auto' ? null : scaled(slippage),
    appFee: readAppFee(query, destination),
    integratorId: readIntegratorId(query),
    skipChecks: query.get('skipChecks') === 'true',
    skipOriginTxEstimation: query.get('skipOriginTxEstimation') === 'true',
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
