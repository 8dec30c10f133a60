import { type ChainId, chainOf, SOLANA } from '../../../core/chain.ts'
import type { SimToken, SimTokens } from '../../kit/tokens.ts'

/** One chain as Across has it. Source: broadcast/deployed-addresses.json of across-protocol/contracts 5.0.27, 2026-09-18. */
export type Network = {
  /** The service's number; -2 is Solana. */
  readonly chainId: number
  /** Across's own number. */
  readonly wireId: number
  readonly name: string
  readonly spokePool: string
  readonly periphery: string
  readonly multicallHandler: string
  /** ERC-20 form of the native coin; null on Solana. */
  readonly wrapped: string | null
}

export const SVM_WIRE_ID = 34268394551451
export const ZERO_ADDRESS = '0x0000000000000000000000000000000000000000'
/** Polygon's system contract, another name of its native coin. */
const POL = '0x0000000000000000000000000000000000001010'
const PERIPHERY = '0x97CCDBea4632140639aD5eA9b944aa034eb15fD4'
const PERIPHERY_ZKSYNC = '0x7C99cED6d8011AF8A52488884F7BA2c61b0FA57D'
const HANDLER = '0x0F7Ae28dE1C8532170AD4ee566B5801485c13a0E'
export const EVENT_EMITTERS: { readonly [chainId: number]: string } = {
  324: '0x74a2966e23B61A360b1345eA359127aF325beC4C',
  43114: '0x25b15Fc38d6A2C13FEDdD9cb51f184F7Cf0D4C11',
}
export const EVENT_EMITTER = '0xBF75133b48b0a42AB9374027902E83C5E2949034'
/** Uniswap's SwapRouter02, as on Ethereum; here on every chain. https://docs.uniswap.org/contracts/v3/reference/deployments */
export const EXCHANGE = '0x68b3465833fb72A70ecDF485E0e4C7bD8665Fc45'

type Row = readonly [chainId: ChainId, spokePool: string, multicallHandler?: string, periphery?: string]

const ROWS: readonly Row[] = [
  [1, '0x5c7BCd6E7De5423a257D81B442095A1a6ced35C5'],
  [10, '0x6f26Bf09B1C792e3228e5467807a900A503c0281'],
  [56, '0x4e8E101924eDE233C13e2D8622DC8aED2872d505'],
  [130, '0x09aea4b2242abC8bb4BB78D537A67a245A7bEC64'],
  [137, '0x9295ee1d8C5b022Be115A2AD3c30C72E34e7F096'],
  [143, '0xd2ecb3afe598b746F8123CaE365a598DA831A449', '0xeC41F75c686e376Ab2a4F18bde263ab5822c4511'],
  [324, '0xE0B015E54d54fc84a6cB9B666099c46adE9335FF', '0x68d3806E57148D6c6793C78EbDDbc272fE605dbf', PERIPHERY_ZKSYNC],
  [480, '0x09aea4b2242abC8bb4BB78D537A67a245A7bEC64'],
  [999, '0x35E63eA3eb0fb7A3bc543C71FB66412e1F6B0E04', '0x5E7840E06fAcCb6d1c3b5F5E0d1d3d07F2829bba'],
  // Its handler and emitter are not published: the usual addresses stand for them.
  [4663, '0xD29C85F15DF544bA632C9E25829fd29d767d7978'],
  [8453, '0x09aea4b2242abC8bb4BB78D537A67a245A7bEC64'],
  [42161, '0xe35e9842fceaCA96570B734083f4a58e8F7C5f2A'],
  [43114, '0xFE9D541c92E4e90437C7152A00244886dE37a658', '0x9610954AcDCA5FF7905f051A040ce33fe613c60e'],
  [59144, '0x7E63A5f1a8F0B4d0934B2f2327DAED3F6bb2ee75', '0xdF1C940487574EEfa79989a79a4936A0F979cDa2'],
  [SOLANA, 'DLv3NggMiSaef97YCkew5xKUHDh13tVGZ7tydt3ZeAru', 'HaQe51FWtnmaEcuYEfPA7MRCXKrtqptat4oJdJ8zV5Be'],
]

export const NETWORKS: readonly Network[] = ROWS.map(
  ([chainId, spokePool, multicallHandler = HANDLER, periphery = PERIPHERY]) => ({
    chainId,
    wireId: chainId === SOLANA ? SVM_WIRE_ID : chainId,
    name: chainOf(chainId).name,
    spokePool,
    periphery,
    multicallHandler,
    wrapped: chainOf(chainId).wrappedNative,
  }),
)

export const isSvm = ({ chainId }: Network): boolean => chainId === SOLANA

export const networkByWireId = (wireId: bigint): Network | null =>
  NETWORKS.find((network) => BigInt(network.wireId) === wireId) ?? null

/** A token of the offline network as a caller of Across names it; null when there is none. */
export const findToken = (tokens: SimTokens, network: Network, address: string): SimToken | null => {
  if (isSvm(network)) return tokens.find(network.chainId, address)
  const isNative = address === ZERO_ADDRESS || (network.chainId === 137 && address === POL)
  if (isNative) return tokens.native(network.chainId)
  const token = tokens.find(network.chainId, address)
  return token && !token.isNative ? token : null
}

/** The contract that moves when a token is bridged: the wrapped form for native coins. */
export const contractOf = (network: Network, token: SimToken): string =>
  token.isNative && network.wrapped !== null ? network.wrapped : token.address

/** Tokens the bridge carries, and which of them they are forms of. */
const BRIDGED: { readonly [symbol: string]: string } = {
  USDC: 'USDC',
  USDT: 'USDT',
  ETH: 'ETH',
  WETH: 'ETH',
  WBTC: 'WBTC',
  DAI: 'DAI',
}

/** Which bridged token this is a form of; null when it must be swapped first. Solana bridges USDC only. */
export const bridgeClassOf = ({ chainId, symbol }: SimToken): string | null => {
  const found = BRIDGED[symbol] ?? null
  return chainId === SOLANA && found !== 'USDC' ? null : found
}

/** The form of a bridged token on a chain; null where Across has none. */
export const bridgedTokenOn = (tokens: SimTokens, { chainId }: Network, bridgeClass: string): SimToken | null =>
  tokens.all.find((token) => token.chainId === chainId && !token.isNative && bridgeClassOf(token) === bridgeClass) ?? null
