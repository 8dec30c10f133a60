import { parseAddress, ZERO_EVM_ADDRESS } from '../../../core/address.ts'
import { type ChainId, ecosystemOf, SOLANA } from '../../../core/chain.ts'
import type { SimToken, SimTokens } from '../../kit/tokens.ts'

/** One chain as deBridge has it: fees and supported chains, and deployed contracts, of docs.debridge.com. */
export type Network = {
  /** The service's number. */
  readonly chainId: ChainId
  /** deBridge's own, the only one its API takes. */
  readonly wireId: number
  readonly name: string
  /** What an order costs beside its input, in smallest units of the coin. */
  readonly fixFee: bigint
}

/** On every EVM chain. `gate`: what unlocks and cancellations come through; `router`: makes swaps before orders. */
export const CONTRACTS = {
  source: '0xeF4fB24aD0916217251F553c0596F8Edc630EB66',
  destination: '0xE7351Fd770A37282b91D153Ee690B63579D6dd7f',
  forwarder: '0x663DC15D3C1aC63ff12E45Ab68FeA3F0a883C251',
  gate: '0x43dE2d77BF8027e25dBD179B491e8d64f38398aA',
  router: '0x1111111254EEB25477B68fb85Ed929f73A960582',
} as const
export const PROGRAM = 'src5qyZHqTqecJV4aY6Cb6zDZLMDzrDKKezs22MPHr4'

/** The one solver there is. */
export const SOLVER = {
  evm: '0x555CE236C0220695b68341bc48C68d52210cC35b',
  solana: '2snHHreXbpJ7UwZxPe37gnUNf7Wx7wv6UKDSR2JckKuS',
} as const

export const PROTOCOL_FEE_BPS = 4n

const [MILLI, SOLANA_COIN] = [10n ** 15n, '11111111111111111111111111111111']

const on = (chainId: ChainId, wireId: number, name: string, fixFee: bigint): Network => ({ chainId, wireId, name, fixFee })

export const NETWORKS: readonly Network[] = [
  on(1, 1, 'Ethereum', MILLI),
  on(10, 10, 'Optimism', MILLI),
  on(56, 56, 'BNB Smart Chain', 5n * MILLI),
  on(137, 137, 'Polygon', 500n * MILLI),
  on(143, 100000030, 'Monad', 2_000n * MILLI),
  on(999, 100000022, 'HyperEVM', 50n * MILLI),
  on(8453, 8453, 'Base', MILLI),
  on(42161, 42161, 'Arbitrum', MILLI),
  on(43114, 43114, 'Avalanche', 50n * MILLI),
  on(59144, 59144, 'Linea', MILLI),
  on(SOLANA, 7565164, 'Solana', 15_000_000n),
]

export const isSvm = ({ chainId }: Network): boolean => chainId === SOLANA

export const networkOf = (chainId: number): Network | null => NETWORKS.find((network) => network.chainId === chainId) ?? null

export const networkByWireId = (wireId: number): Network | null => NETWORKS.find((network) => network.wireId === wireId) ?? null

/** As deBridge names a coin. */
const coinOf = (network: Network): string => (isSvm(network) ? SOLANA_COIN : ZERO_EVM_ADDRESS)

export const nameOf = (network: Network, { isNative, address }: SimToken): string =>
  isNative ? coinOf(network) : isSvm(network) ? address : address.toLowerCase()

/** A token of the offline network as deBridge names it; null when there is none. Its own native markers mean nothing there. */
export const findToken = (tokens: SimTokens, network: Network, name: string): SimToken | null => {
  if (name === coinOf(network)) return tokens.native(network.chainId)
  const token = tokens.find(network.chainId, name)
  return token?.isNative ? null : token
}

/** In the spelling of the chain; null when it is none of it. */
export const addressOn = ({ chainId }: Network, text: string): string | null => parseAddress(ecosystemOf(chainId), text)

/** What orders are made of without a swap: what takers hold. */
export const isReserve = ({ isNative, symbol, chainId }: SimToken): boolean =>
  symbol === 'USDC' || symbol === 'USDT' || (isNative && chainId !== SOLANA)
