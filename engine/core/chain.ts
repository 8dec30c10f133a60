/** Every chain id the API accepts: EVM chain ids, -1 for native Bitcoin, -2 for Solana. */
export const CHAIN_IDS = [1, 10, 56, 130, 137, 324, 480, 999, 143, 8453, 42161, 59144, 43114, 4663, -1, -2] as const

export type ChainId = (typeof CHAIN_IDS)[number]
export type Ecosystem = 'evm' | 'solana' | 'bitcoin'

export const BITCOIN = -1 satisfies ChainId
export const SOLANA = -2 satisfies ChainId

/** The EVM chains among the ids. */
export type EvmChainId = Exclude<ChainId, -1 | -2>

export type Chain = {
  readonly chainId: ChainId
  readonly name: string
  readonly shortName: string
  readonly nativeCurrency: { readonly name: string; readonly symbol: string; readonly decimals: number }
  readonly explorerUrl: string
  /** ERC-20 form of the native coin, where it is well known. Checksummed. */
  readonly wrappedNative: string | null
}

const ETHER = { name: 'Ether', symbol: 'ETH', decimals: 18 }
const OP_STACK_WETH = '0x4200000000000000000000000000000000000006'

const evm = (
  chainId: EvmChainId,
  name: string,
  shortName: string,
  explorerUrl: string,
  wrappedNative: string | null,
  nativeCurrency: Chain['nativeCurrency'] = ETHER,
): Chain => ({ chainId, name, shortName, explorerUrl, wrappedNative, nativeCurrency })

const coin = (name: string, symbol: string, decimals = 18): Chain['nativeCurrency'] => ({ name, symbol, decimals })

/** Static facts of every chain, in the order of the API's list. */
export const CHAINS: readonly Chain[] = [
  evm(1, 'Ethereum', 'eth', 'https://etherscan.io', '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2'),
  {
    chainId: BITCOIN,
    name: 'Bitcoin',
    shortName: 'btc',
    nativeCurrency: coin('Bitcoin', 'BTC', 8),
    explorerUrl: 'https://mempool.space',
    wrappedNative: null,
  },
  {
    chainId: SOLANA,
    name: 'Solana',
    shortName: 'sol',
    nativeCurrency: coin('Solana', 'SOL', 9),
    explorerUrl: 'https://solscan.io',
    wrappedNative: null,
  },
  evm(10, 'OP Mainnet', 'oeth', 'https://optimistic.etherscan.io', OP_STACK_WETH),
  evm(56, 'BNB Smart Chain', 'bnb', 'https://bscscan.com', '0xbb4CdB9CBd36B01bD1cBaEBF2De08d9173bc095c', coin('BNB', 'BNB')),
  evm(130, 'Unichain', 'unichain', 'https://uniscan.xyz', OP_STACK_WETH),
  evm(137, 'Polygon', 'pol', 'https://polygonscan.com', '0x0d500B1d8E8eF31E21C99d1Db9A6444d3ADf1270', coin('POL', 'POL')),
  evm(143, 'Monad', 'mon', 'https://monadscan.com', '0x3bd359C1119dA7Da1D913D1C4D2B7c461115433A', coin('Monad', 'MON')),
  evm(324, 'ZKsync Era', 'zksync', 'https://explorer.zksync.io', '0x5AEa5775959fBC2557Cc8789bC1bf90A239D9a91'),
  evm(480, 'World Chain', 'wc', 'https://worldscan.org', OP_STACK_WETH),
  evm(
    999,
    'HyperEVM',
    'hyper_evm',
    'https://hyperevmscan.io',
    '0x5555555555555555555555555555555555555555',
    coin('Hyperliquid', 'HYPE'),
  ),
  evm(
    4663,
    'Robinhood Chain',
    'robinhood',
    'https://robinhoodchain.blockscout.com',
    '0x0Bd7D308f8E1639FAb988df18A8011f41EAcAD73',
  ),
  evm(8453, 'Base', 'base', 'https://basescan.org', OP_STACK_WETH),
  evm(42161, 'Arbitrum One', 'arb1', 'https://arbiscan.io', '0x82aF49447D8a07e3bd95BD0d56f35241523fBab1'),
  evm(
    43114,
    'Avalanche C-Chain',
    'avax',
    'https://snowtrace.io',
    '0xB31f66AA3C1e785363F0875A1B74E27b85FD66c7',
    coin('Avalanche', 'AVAX'),
  ),
  evm(59144, 'Linea', 'linea', 'https://lineascan.build', '0xe5D7C2a44FfDDf6b295A15c148167daaAf5Cf34f'),
]

const BY_ID = new Map<number, Chain>(CHAINS.map((chain) => [chain.chainId, chain]))

export const isChainId = (value: number): value is ChainId => BY_ID.has(value)

export const isEvmChainId = (chainId: ChainId): chainId is EvmChainId => chainId > 0

/** Facts of one chain; total over ChainId. */
export const chainOf = (chainId: ChainId): Chain => {
  const chain = BY_ID.get(chainId)
  if (!chain) throw new RangeError(`chain ${chainId} has no entry`)
  return chain
}

export const ecosystemOf = (chainId: ChainId): Ecosystem =>
  chainId === BITCOIN ? 'bitcoin' : chainId === SOLANA ? 'solana' : 'evm'
