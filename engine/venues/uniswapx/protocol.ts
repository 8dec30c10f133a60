import { type TypedKind, typedKind } from '../../chains/evm/typedKind.ts'
import { type Address, addressOf } from '../../core/address.ts'
import type { ChainId, EvmChainId } from '../../core/chain.ts'

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

export type OfChains<T> = { readonly [chainId in ChainId]?: T }

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
export const NETWORKS: readonly UniswapXNetwork[] = ([1, 130, 4663, 8453, 42161] as const).map((chainId) => {
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

export const PERMIT = 'PermitWitnessTransferFrom'

const DOMAIN = 'string name, uint256 chainId, address verifyingContract'
const OWN = 'OrderInfo info, address cosigner'

const kindOf = (routing: Routing, structs: { readonly [name: string]: string }): TypedKind =>
  typedKind(PERMIT, DOMAIN, {
    [PERMIT]: `TokenPermissions permitted, address spender, uint256 nonce, uint256 deadline, ${KINDS[routing].witness} witness`,
    TokenPermissions: 'address token, uint256 amount',
    OrderInfo:
      'address reactor, address swapper, uint256 nonce, uint256 deadline, address additionalValidationContract, bytes additionalValidationData',
    ...structs,
  })

/** src/lib of Uniswap/UniswapX: V2DutchOrderLib, V3DutchOrderLib, PriorityOrderLib. */
export const ORDER_KINDS: { readonly [R in Routing]: TypedKind } = {
  DUTCH_V2: kindOf('DUTCH_V2', {
    V2DutchOrder: `${OWN}, address baseInputToken, uint256 baseInputStartAmount, uint256 baseInputEndAmount, DutchOutput[] baseOutputs`,
    DutchOutput: 'address token, uint256 startAmount, uint256 endAmount, address recipient',
  }),
  DUTCH_V3: kindOf('DUTCH_V3', {
    V3DutchOrder: `${OWN}, uint256 startingBaseFee, V3DutchInput baseInput, V3DutchOutput[] baseOutputs`,
    V3DutchInput:
      'address token, uint256 startAmount, NonlinearDutchDecay curve, uint256 maxAmount, uint256 adjustmentPerGweiBaseFee',
    V3DutchOutput:
      'address token, uint256 startAmount, NonlinearDutchDecay curve, address recipient, uint256 minAmount, uint256 adjustmentPerGweiBaseFee',
    NonlinearDutchDecay: 'uint256 relativeBlocks, int256[] relativeAmounts',
  }),
  PRIORITY: kindOf('PRIORITY', {
    PriorityOrder: `${OWN}, uint256 auctionStartBlock, uint256 baselinePriorityFeeWei, PriorityInput input, PriorityOutput[] outputs`,
    PriorityInput: 'address token, uint256 amount, uint256 mpsPerPriorityFeeWei',
    PriorityOutput: 'address token, uint256 amount, uint256 mpsPerPriorityFeeWei, address recipient',
  }),
}
