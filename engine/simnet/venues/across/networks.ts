import { hexToBytes } from '@noble/hashes/utils.js'
import { base58 } from '@scure/base'
import { addressOf, parseEvmAddress, parseSolanaAddress, ZERO_EVM_ADDRESS } from '../../../core/address.ts'
import { type ChainId, chainOf, type EvmChainId, SOLANA } from '../../../core/chain.ts'
import type { Hex } from '../../../core/execution.ts'
import { CONTRACTS, type Contracts, SVM_SPOKE, WIRE_SOLANA } from '../../../venues/across/protocol.ts'
import type { SimToken, SimTokens } from '../../kit/tokens.ts'

/** One chain as Across has it. */
export type Network = {
  readonly chainId: ChainId
  /** Across's own number. */
  readonly wireId: number
  readonly spokePool: string
  readonly periphery: string
  readonly multicallHandler: string
  readonly eventEmitter: string
  /** ERC-20 form of the native coin; null on Solana. */
  readonly wrapped: string | null
}

/** broadcast/deployed-addresses.json of across-protocol/contracts 5.0.27, 2026-09-18. */
const SPOKE_POOLS: { readonly [chainId in EvmChainId]: string } = {
  1: '0x5c7BCd6E7De5423a257D81B442095A1a6ced35C5',
  10: '0x6f26Bf09B1C792e3228e5467807a900A503c0281',
  56: '0x4e8E101924eDE233C13e2D8622DC8aED2872d505',
  130: '0x09aea4b2242abC8bb4BB78D537A67a245A7bEC64',
  137: '0x9295ee1d8C5b022Be115A2AD3c30C72E34e7F096',
  143: '0xd2ecb3afe598b746F8123CaE365a598DA831A449',
  324: '0xE0B015E54d54fc84a6cB9B666099c46adE9335FF',
  480: '0x09aea4b2242abC8bb4BB78D537A67a245A7bEC64',
  999: '0x35E63eA3eb0fb7A3bc543C71FB66412e1F6B0E04',
  4663: '0xD29C85F15DF544bA632C9E25829fd29d767d7978',
  8453: '0x09aea4b2242abC8bb4BB78D537A67a245A7bEC64',
  42161: '0xe35e9842fceaCA96570B734083f4a58e8F7C5f2A',
  43114: '0xFE9D541c92E4e90437C7152A00244886dE37a658',
  59144: '0x7E63A5f1a8F0B4d0934B2f2327DAED3F6bb2ee75',
}

/** Uniswap's SwapRouter02, as on Ethereum; here on every chain. https://docs.uniswap.org/contracts/v3/reference/deployments */
export const EXCHANGE = '0x68b3465833fb72A70ecDF485E0e4C7bD8665Fc45'

/** Where no handler and emitter are published, the usual addresses stand for them. */
const networkOn = (chainId: ChainId, spokePool: string, contracts: Contracts): Network => ({
  chainId,
  wireId: chainId === SOLANA ? WIRE_SOLANA : chainId,
  spokePool,
  periphery: contracts.peripheries.autumn ?? '',
  multicallHandler: contracts.multicallHandler ?? CONTRACTS[1].multicallHandler ?? '',
  eventEmitter: contracts.eventEmitter ?? CONTRACTS[1].eventEmitter ?? '',
  wrapped: chainOf(chainId).wrappedNative,
})

export const NETWORKS: readonly Network[] = [
  ...Object.entries(CONTRACTS).map(([id, contracts]) => {
    const chainId = Number(id) as EvmChainId
    return networkOn(chainId, SPOKE_POOLS[chainId], contracts)
  }),
  networkOn(SOLANA, SVM_SPOKE, { peripheries: {}, multicallHandler: null, eventEmitter: null }),
]

export const isSvm = ({ chainId }: Pick<Network, 'chainId'>): boolean => chainId === SOLANA

export const networkByWireId = (wireId: bigint): Network | null =>
  NETWORKS.find((network) => BigInt(network.wireId) === wireId) ?? null

/** An address as its chain spells it; null for one of another kind of chain. */
export const addressOn = (network: Network, text: string): string | null =>
  isSvm(network) ? parseSolanaAddress(text) : parseEvmAddress(text)

/** An address of a chain as the 32 bytes that Across writes. */
export const wordOn = (network: Pick<Network, 'chainId'>, address: string): Hex =>
  isSvm(network)
    ? `0x${Buffer.from(base58.decode(address)).toString('hex')}`
    : `0x${address.slice(2).toLowerCase().padStart(64, '0')}`

/** The address in a word of Across. */
export const wordAddress = (network: Pick<Network, 'chainId'>, word: string): string =>
  isSvm(network) ? base58.encode(hexToBytes(word.slice(2))) : addressOf('evm', `0x${word.slice(26)}`)

/** A token as a caller of Across names it, by the zero address for a native coin; null when there is none. */
export const findToken = (tokens: SimTokens, network: Network, address: string): SimToken | null => {
  const token = tokens.find(network.chainId, address)
  if (isSvm(network)) return token
  if (address === ZERO_EVM_ADDRESS) return tokens.native(network.chainId)
  return token?.isNative ? null : token
}

/** The contract that moves when a token is bridged: the wrapped form for native coins. */
export const contractOf = ({ wrapped }: Pick<Network, 'wrapped'>, token: SimToken): string =>
  token.isNative && wrapped !== null ? wrapped : token.address

/** A token as answers spell it. */
export const wireToken = (network: Network, { address, symbol, decimals, name, isNative }: SimToken) => ({
  address: isNative && !isSvm(network) ? ZERO_EVM_ADDRESS : address,
  symbol,
  decimals,
  chainId: network.wireId,
  name,
})

/** A bridged token as the bridge names it: native coins by their wrapped form. */
export const bridgedToken = (network: Network, token: SimToken) => ({
  ...wireToken(network, token),
  address: contractOf(network, token),
})

const BRIDGED: { readonly [symbol: string]: string } = {
  USDC: 'USDC',
  USDT: 'USDT',
  ETH: 'ETH',
  WETH: 'ETH',
  WBTC: 'WBTC',
  DAI: 'DAI',
}

/** Which bridged token this is a form of; null when it must be exchanged first. Solana bridges USDC only. */
export const bridgeClassOf = ({ chainId, symbol }: SimToken): string | null => {
  const found = BRIDGED[symbol] ?? null
  return chainId === SOLANA && found !== 'USDC' ? null : found
}

/** The form of a bridged token on a chain; null where Across has none. */
export const bridgedTokenOn = (tokens: SimTokens, { chainId }: Network, bridgeClass: string): SimToken | null =>
  tokens.all.find((token) => token.chainId === chainId && !token.isNative && bridgeClassOf(token) === bridgeClass) ?? null
