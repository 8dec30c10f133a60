/** One chain of the simulated venue. */
export type Network = {
  readonly chainId: number
  readonly path: string
  /** What a solver asks for settling one order, in millionths of a US dollar. */
  readonly gasUsdMicros: bigint
  /** How long a quote lives, in seconds: without a key, with one, and where a short one is asked for. */
  readonly livesS: { readonly demo: number; readonly keyed: number; readonly short: number }
}

export const NATIVE_MARKER = '0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE'
export const ZERO_ADDRESS = `0x${'0'.repeat(40)}`
export const ZERO_HASH = `0x${'0'.repeat(64)}`

/** Published contracts, the same on every chain. https://docs.bebop.xyz */
export const CONTRACTS = {
  router: '0xBeb0009ACa35087ce7cCF11637E24dd1Aad3bf2A',
  settlement: '0xbbbbbBB520d69a9775E85b458C58c648259FAD5F',
  jam: '0xbeb0b0623f66bE8cE162EbDfA2ec543A522F4ea6',
  manager: '0xC5a350853E4e36b73EB0C24aaA4b8816C9A3579a',
} as const

/** Keys of the offline network alone, each the hash of its name. */
export const ROUTER_SIGNER = {
  key: 'b210147724715b67e7bd99cf65b5ab01227b5821a17288be455d7a480e77f40d',
  address: '0xf8Bb599f5Fe3a904Fa032c83da7352E9aBEE5667',
} as const
export const MAKER = {
  key: '062b828b70fdac21eb1a35d66357ce0e212a393522b1a190cb26622cc3c7a729',
  address: '0x37b7D5F6C8117093f1bb7b9cf6B67f137646D872',
} as const
/** Settles what was signed for JAM. */
export const SOLVER = '0x79E4758262595Fdd0A3D7AfFA5bC681577fBD188'

const ETHEREUM_S = { demo: 30, keyed: 75, short: 5 }
const OTHERS_S = { demo: 10, keyed: 60, short: 3 }

const ROWS = [
  [1, 'ethereum', 1_500_000n],
  [10, 'optimism', 20_000n],
  [56, 'bsc', 60_000n],
  [137, 'polygon', 20_000n],
  [999, 'hyperevm', 20_000n],
  [8453, 'base', 20_000n],
  [42161, 'arbitrum', 40_000n],
  [43114, 'avalanche', 60_000n],
] as const

export const NETWORKS: readonly Network[] = ROWS.map(([chainId, path, gasUsdMicros]) => ({
  chainId,
  path,
  gasUsdMicros,
  livesS: chainId === 1 ? ETHEREUM_S : OTHERS_S,
}))
