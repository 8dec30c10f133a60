import { hashTypedData } from '../../chains/evm/evmCodec.ts'
import type { Hex, TypedData, TypedDataField } from '../../core/execution.ts'
import { PERMIT2 } from './published.ts'
import type { WirePermit, WireTrade } from './wire.ts'

const fields = (text: string): readonly TypedDataField[] =>
  text.split(', ').map((field) => {
    const [type = '', name = ''] = field.split(' ')
    return { name, type }
  })

/** Permit2's witness transfer, the witness being what the Settler is to do: `src/SettlerAbstract.sol` of 0x-settler. */
export const TRADE_TYPES: TypedData['types'] = {
  EIP712Domain: fields('string name, uint256 chainId, address verifyingContract'),
  PermitWitnessTransferFrom: fields(
    'TokenPermissions permitted, address spender, uint256 nonce, uint256 deadline, SlippageAndActions slippageAndActions',
  ),
  TokenPermissions: fields('address token, uint256 amount'),
  SlippageAndActions: fields('address recipient, address buyToken, uint256 minAmountOut, bytes[] actions'),
}
export const TRADE_TYPE = 'PermitWitnessTransferFrom'

/** https://eips.ethereum.org/EIPS/eip-2612 */
const PERMIT = fields('address owner, address spender, uint256 value, uint256 nonce, uint256 deadline')
export const PERMIT_TYPE = 'Permit'
/** Some tokens have no version. */
const PERMIT_DOMAINS = [
  fields('string name, string version, uint256 chainId, address verifyingContract'),
  fields('string name, uint256 chainId, address verifyingContract'),
]

const isSameType = (one: readonly TypedDataField[], other: readonly TypedDataField[] | undefined): boolean =>
  one.length === other?.length && one.every(({ name, type }, at) => name === other[at]?.name && type === other[at]?.type)

const hasTypes = (given: TypedData['types'], expected: TypedData['types']): boolean =>
  Object.keys(given).length === Object.keys(expected).length &&
  Object.entries(expected).every(([name, type]) => isSameType(type, given[name]))

const isOfTrade = ({ types, primaryType, domain }: TypedData): boolean => {
  const { name, chainId, verifyingContract, ...others } = domain
  return (
    hasTypes(types, TRADE_TYPES) &&
    primaryType === TRADE_TYPE &&
    name === 'Permit2' &&
    chainId !== undefined &&
    verifyingContract?.toLowerCase() === PERMIT2.toLowerCase() &&
    Object.keys(others).length === 0
  )
}

const isOfPermit = ({ types, primaryType, domain }: TypedData): boolean => {
  const { name, version, chainId, verifyingContract, ...others } = domain
  const expected = PERMIT_DOMAINS[version === undefined ? 1 : 0] ?? []
  return (
    hasTypes(types, { EIP712Domain: expected, Permit: PERMIT }) &&
    primaryType === PERMIT_TYPE &&
    name !== undefined &&
    chainId !== undefined &&
    verifyingContract !== undefined &&
    Object.keys(others).length === 0
  )
}

/** A value that does not fit its type has no hash. */
const hashOf = (typedData: TypedData): Promise<Hex | null> => hashTypedData(typedData).catch(() => null)

/** What a wallet signs by a trade in the domain of Permit2; null for typed data of any other type. */
export const hashOfTrade = async (typedData: TypedData): Promise<Hex | null> => (isOfTrade(typedData) ? hashOf(typedData) : null)

/** What a wallet signs by a permit in the domain of some token; null likewise. */
export const hashOfPermit = async (typedData: TypedData): Promise<Hex | null> =>
  isOfPermit(typedData) ? hashOf(typedData) : null

type WireTyped<Message> = {
  readonly types: TypedData['types']
  readonly domain: TypedData['domain']
  readonly primaryType: string
  readonly message: Message
}

/** As wallets take it: the chain tells no two spellings of an address apart, and a number is its digits. */
export const tradeToSign = ({ message, domain, ...rest }: WireTyped<WireTrade>): TypedData => ({
  ...rest,
  domain: { ...domain, verifyingContract: PERMIT2 },
  message,
})

export const permitToSign = (
  { message: { nonce, ...message }, domain, ...rest }: WirePermit['eip712'],
  token: string,
): TypedData => ({ ...rest, domain: { ...domain, verifyingContract: token }, message: { ...message, nonce: nonce.toString() } })

/** The permit as 0x wrote it, whose nonce is a number. */
export const permitToSubmit = ({ message: { nonce, ...message }, ...rest }: TypedData): object => ({
  ...rest,
  message: { ...message, nonce: Number(nonce) },
})

/** Sixty-five bytes, taken apart. */
export const partsOf = (signature: Hex): { readonly r: string; readonly s: string; readonly v: number } => ({
  r: `0x${signature.slice(2, 66)}`,
  s: `0x${signature.slice(66, 130)}`,
  v: Number.parseInt(signature.slice(130, 132), 16),
})
