import { PERMIT2 } from '../../chains/evm/permit2.ts'
import { type Address, addressOf, ZERO_EVM_ADDRESS } from '../../core/address.ts'
import { type Asset, isNative, isSameAsset, NATIVE } from '../../core/asset.ts'
import { type ChainId, chainOf, type EvmChainId } from '../../core/chain.ts'
import type { Route } from '../../core/route.ts'

/** https://developers.uniswap.org/docs/api-reference */
export const PUBLIC_BASE_URL = 'https://trade-api.gateway.uniswap.org/v1'

/** The kinds of orders by the `routing` of an answer: the signed type of each, and its name in the API's records. */
export const KINDS = {
  DUTCH_V2: { witness: 'V2DutchOrder', orderType: 'Dutch_V2' },
  DUTCH_V3: { witness: 'V3DutchOrder', orderType: 'Dutch_V3' },
  PRIORITY: { witness: 'PriorityOrder', orderType: 'Priority' },
} as const
export type Routing = keyof typeof KINDS
export const ROUTINGS = Object.keys(KINDS) as readonly Routing[]

type Protocol = 'UNISWAPX_V2' | 'UNISWAPX_V3'

export type UniswapXNetwork = {
  readonly chainId: EvmChainId
  /** A request has exactly one, and the API answers with the chain's kinds. A later one is tried after the first has no quote. */
  readonly protocols: readonly Protocol[]
  readonly reactors: { readonly [R in Routing]?: Address }
  /** The API has no quotes below about this many US dollars. */
  readonly usdMin: bigint
  /** Tokens worth a dollar, with their decimals. The value of other tokens is unknown. */
  readonly dollars: { readonly [token: string]: number }
}

type OfChains<T> = { readonly [chainId in ChainId]?: T }

const reactors = (texts: OfChains<string>): OfChains<Address> =>
  Object.fromEntries(Object.entries(texts).map(([chainId, text]) => [chainId, addressOf('evm', text)]))

/**
 * src/constants.ts of @uniswap/uniswapx-sdk 3.1.0, deployments.md in Uniswap/UniswapX; where quotes are documented or were seen.
 * Optimism, BNB Smart Chain, Polygon, Monad, World Chain and Avalanche have reactors, but no quote is known.
 */
const REACTORS: { readonly [R in Routing]: OfChains<Address> } = {
  DUTCH_V2: reactors({ 1: '0x00000011F84B9aa48e5f8aA8B9897600006289Be' }),
  DUTCH_V3: reactors({
    1: '0x0000000015757c461808EA25Eb309638B62681cf',
    130: '0x000000005aF66799D1a6317714D66800f9CA1406',
    4663: '0x000000007A1C8e570011EeDF86A2A35593013cBA',
    8453: '0x000000008a8330B5d1F43A62Bf4C673A49f27ba0',
    42161: '0xB274d5F4b833b61B340b654d600A864fB604a87c',
  }),
  PRIORITY: reactors({
    130: '0x00000006021a6Bce796be7ba509BBBA71e956e37',
    8453: '0x000000001Ec5656dcdB24D90DFa42742738De729',
  }),
}

const DOLLARS: OfChains<UniswapXNetwork['dollars']> = {
  1: {
    '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48': 6,
    '0xdAC17F958D2ee523a2206206994597C13D831ec7': 6,
    '0x6B175474E89094C44Da98b954EedeAC495271d0F': 18,
  },
  130: { '0x078D782b760474a361dDA0AF3839290b0EF57AD6': 6 },
  4663: { '0x5fc5360D0400a0Fd4f2af552ADD042D716F1d168': 6 },
  8453: { '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913': 6 },
  42161: { '0xaf88d065e77c8cC2239327C5EDb3A432268e5831': 6, '0xFd086bC7CD5C481DCC9C85ebE478A1C0b69FCbb9': 6 },
}

/**
 * Least sizes: https://developers.uniswap.org, FAQ on swapping. The older protocol covers V2 and priority orders. V3 has a
 * reactor on each chain, since May 2026 beside an older one on three: deployments.md and playbook/chains of Uniswap/UniswapX.
 */
const NETWORKS: readonly UniswapXNetwork[] = ([1, 130, 4663, 8453, 42161] as const).map((chainId) => {
  const found = ROUTINGS.flatMap((routing) => REACTORS[routing][chainId] ?? []).length
  return {
    chainId,
    protocols: found > 1 ? ['UNISWAPX_V2', 'UNISWAPX_V3'] : ['UNISWAPX_V3'],
    reactors: Object.fromEntries(
      ROUTINGS.flatMap((routing) => {
        const reactor = REACTORS[routing][chainId]
        return reactor === undefined ? [] : [[routing, reactor]]
      }),
    ),
    usdMin: chainId === 1 ? 300n : 1_000n,
    dollars: DOLLARS[chainId] ?? {},
  }
})

/** Null for a chain without known quotes of UniswapX. */
export const networkOf = (chainId: ChainId): UniswapXNetwork | null =>
  NETWORKS.find((network) => network.chainId === chainId) ?? null

export type Reactors = (chainId: ChainId, routing?: Routing) => readonly Address[]

/** The reactors of a chain, of one kind or of all. `set`: those of a setting, for any kind. */
export const reactorsWith =
  (set: (chainId: ChainId) => readonly Address[]): Reactors =>
  (chainId, routing) => {
    const network = networkOf(chainId)
    if (network === null) return []
    const published = (routing === undefined ? ROUTINGS : [routing]).flatMap((kind) => network.reactors[kind] ?? [])
    return [...new Set([...published, ...set(chainId)])]
  }

/** The contracts that a wallet signs for, and those that may then use its signature. */
export const contractsOf = (reactorsOn: Reactors): OfChains<readonly Address[]> =>
  Object.fromEntries(NETWORKS.map(({ chainId }) => [chainId, [PERMIT2, ...reactorsOn(chainId)]]))

export const ORDER_CHAIN_IDS = NETWORKS.map(({ chainId }) => chainId)

/** A token in orders and the API: the zero address represents coins. */
export const tokenOf = (asset: Asset): Address => (isNative(asset) ? ZERO_EVM_ADDRESS : asset.address)

export const assetOf = (chainId: ChainId, token: Address): Asset => ({
  chainId,
  address: token === ZERO_EVM_ADDRESS ? NATIVE : token,
})

/** Swaps of a token within one chain. Coins cannot be sold, and no order exchanges a coin with its wrapped form. */
export const serves = ({ input, output }: Route): boolean => {
  if (networkOf(input.chainId) === null || output.chainId !== input.chainId) return false
  const { wrappedNative } = chainOf(input.chainId)
  const isUnwrap = isNative(output) && input.address === wrappedNative
  return !isNative(input) && !isSameAsset(input, output) && !isUnwrap
}
