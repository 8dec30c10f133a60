/** One order book of the simulated venue. All addresses in lower case. */
export type BookNetwork = {
  readonly path: string
  readonly chainId: number
  readonly wrappedNative: string
  /** What settling one order costs, in millionths of a US dollar. */
  readonly settlementUsdMicros: bigint
}

export const NATIVE_MARKER = '0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee'
export const ZERO_ADDRESS = `0x${'0'.repeat(40)}`

/** The account the settlement contract takes settlements from. */
export const COW_SOLVER = '0x7a8e05726f2a6E799cb3D39fB185669Ad75f4ba0'

/** Production contracts, the same on every chain. https://docs.cow.fi/cow-protocol/reference/contracts/core */
export const SETTLEMENT_CONTRACT = '0x9008d19f58aabd9ed0d60971565aa8510560ab41'
export const VAULT_RELAYER_CONTRACT = '0xc92e8bdf79f0507f65a392b0ab4667716bfe0110'
export const ETH_FLOW_CONTRACT = '0xba3cb449bd2b4adddbc894d8697f5170800eadec'

const ROWS = [
  ['mainnet', 1, '0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2', 800_000n],
  ['bnb', 56, '0xbb4cdb9cbd36b01bd1cbaebf2de08d9173bc095c', 60_000n],
  ['polygon', 137, '0x0d500b1d8e8ef31e21c99d1db9a6444d3adf1270', 20_000n],
  ['base', 8453, '0x4200000000000000000000000000000000000006', 20_000n],
  ['arbitrum_one', 42161, '0x82af49447d8a07e3bd95bd0d56f35241523fbab1', 40_000n],
  ['avalanche', 43114, '0xb31f66aa3c1e785363f0875a1b74e27b85fd66c7', 60_000n],
  ['linea', 59144, '0xe5d7c2a44ffddf6b295a15c148167daaaf5cf34f', 30_000n],
] as const

export const BOOK_NETWORKS: readonly BookNetwork[] = ROWS.map(([path, chainId, wrappedNative, settlementUsdMicros]) => ({
  path,
  chainId,
  wrappedNative,
  settlementUsdMicros,
}))
