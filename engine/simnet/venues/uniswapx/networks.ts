/** A kind of order, in the words of quotes. */
export type Kind = 'DUTCH_V2' | 'DUTCH_V3' | 'PRIORITY'
export type Protocol = 'UNISWAPX_V2' | 'UNISWAPX_V3'

/** One chain with quotes. Addresses in lower case. */
export type OrderNetwork = {
  readonly chainId: number
  /** What is answered to each value of `protocols`; nothing where there is no entry. */
  readonly kinds: { readonly [P in Protocol]?: Kind }
  readonly reactors: { readonly [K in Kind]?: string }
  readonly wrappedNative: string
  /** Smaller orders get no quote. */
  readonly usdMin: bigint
}

export const ZERO_ADDRESS = `0x${'0'.repeat(40)}`
export const NATIVE_MARKER = '0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee'
export const PERMIT2 = '0x000000000022d473030f116ddee9f6b43ac78ba3'

/** Whoever fills the orders here, out of what they bring. */
export const FILLER = '0x5a3C9a1B0cB4c37C5f1D2e6E7b8a9C0d1E2f3A4b'.toLowerCase()

const V2: OrderNetwork['kinds'] = { UNISWAPX_V2: 'DUTCH_V2', UNISWAPX_V3: 'DUTCH_V3' }
const AUCTIONS: OrderNetwork['kinds'] = { UNISWAPX_V2: 'PRIORITY', UNISWAPX_V3: 'DUTCH_V3' }
const V3: OrderNetwork['kinds'] = { UNISWAPX_V3: 'DUTCH_V3' }

type Row = readonly [chainId: number, kinds: OrderNetwork['kinds'], wrappedNative: string, ...reactors: readonly string[]]

/** The reactors by the order of their kinds. */
const ROWS: readonly Row[] = [
  [
    ...([1, V2, '0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2'] as const),
    ...['0x00000011f84b9aa48e5f8aa8b9897600006289be', '0x0000000015757c461808ea25eb309638b62681cf'],
  ],
  [
    ...([130, AUCTIONS, '0x4200000000000000000000000000000000000006'] as const),
    ...['0x00000006021a6bce796be7ba509bbba71e956e37', '0x000000005af66799d1a6317714d66800f9ca1406'],
  ],
  [4663, V3, '0x0bd7d308f8e1639fab988df18a8011f41eacad73', '0x000000007a1c8e570011eedf86a2a35593013cba'],
  [
    ...([8453, AUCTIONS, '0x4200000000000000000000000000000000000006'] as const),
    ...['0x000000001ec5656dcdb24d90dfa42742738de729', '0x000000008a8330b5d1f43a62bf4c673a49f27ba0'],
  ],
  [42161, V3, '0x82af49447d8a07e3bd95bd0d56f35241523fbab1', '0xb274d5f4b833b61b340b654d600a864fb604a87c'],
]

export const ORDER_NETWORKS: readonly OrderNetwork[] = ROWS.map(([chainId, kinds, wrappedNative, ...reactors]) => ({
  ...{ chainId, kinds, wrappedNative, usdMin: chainId === 1 ? 300n : 1_000n },
  reactors: Object.fromEntries(Object.values(kinds).map((kind, i) => [kind, reactors[i]])),
}))
