import { type ChainId, chainOf, SOLANA } from '../../../core/chain.ts'
import type { SimToken, SimTokens } from '../../kit/tokens.ts'

/** One chain as LI.FI has it. Source: deployments/*.json of lifinance/contracts, 2026-08-21. */
export type Network = {
  /** The service's number; -2 is Solana. */
  readonly chainId: ChainId
  /** LI.FI's own. */
  readonly id: number
  readonly key: string
  readonly name: string
  /** Null on Solana, where nothing can be sent from here. */
  readonly diamond: string | null
  readonly feeForwarder: string | null
  /** Where AcrossFacetV4 deposits; null where there is no such facet. */
  readonly spokePool: string | null
  readonly wrapped: string | null
}

export const ZERO_ADDRESS = '0x0000000000000000000000000000000000000000'
const USUAL = ['0x1231DEB6f5749EF6cE6943a275A1D3E7486F4EaE', '0xCE40449B773a3E6E5e769ADb4e567179d4828cbd'] as const

/** The exchange that the diamond may call here, on every chain. */
export const EXCHANGE = '0x7c0ffee0c0de0000000000000000000000000e5c'
export const POLYMER_FEES = '0x64ED4dE33769349F8C4bD6e8d1866f19D29bef79'
/** Who gets LI.FI's own fee. */
export const TREASURY = '0xc06ebbefd94032b85424d51906e2a335efae264b'
/** LI.FI Intents on every chain, by its docs: the escrow of inputs, the settler of outputs, the oracle of both; and the one solver. */
export const INTENTS = {
  escrow: '0x00fC00edbe7C003b006f870068c548940000223e',
  output: '0x75220B7600c300005038432a0000f308e0000068',
  oracle: '0x008C3800F3Ad9b3B662d002E90Cc00000000eE17',
  solver: '0x94807fE4300D15909C1a4fd39f76c61D68aee11E',
} as const
/** What stands for a receiver that is on no EVM chain. */
export const NON_EVM = '0x11f111f111f111F111f111f111F111f111f111F1'

type Row = readonly [chainId: ChainId, spokePool: string | null, diamond?: string, feeForwarder?: string]

const ROWS: readonly Row[] = [
  [1, '0x5c7BCd6E7De5423a257D81B442095A1a6ced35C5'],
  [10, '0x6f26Bf09B1C792e3228e5467807a900A503c0281'],
  [56, '0x4e8E101924eDE233C13e2D8622DC8aED2872d505'],
  [
    ...([130, '0x09aea4b2242abC8bb4BB78D537A67a245A7bEC64'] as const),
    '0x864b314D4C5a0399368609581d3E8933a63b9232',
    '0xA5971Bd73Dbb879aAaA6fEcB95Dc3fD50c2e3C25',
  ],
  [137, '0x9295ee1d8C5b022Be115A2AD3c30C72E34e7F096'],
  [
    ...([143, '0xd2ecb3afe598b746F8123CaE365a598DA831A449'] as const),
    '0x026F252016A7C47CDEf1F05a3Fc9E20C92a49C37',
    '0xA5971Bd73Dbb879aAaA6fEcB95Dc3fD50c2e3C25',
  ],
  [
    ...([324, '0xE0B015E54d54fc84a6cB9B666099c46adE9335FF'] as const),
    '0x341e94069f53234fE6DabeF707aD424830525715',
    '0xA577ddDa8E06BE1a0705fE9c6e6Ce2D2011100c9',
  ],
  [480, '0x09aea4b2242abC8bb4BB78D537A67a245A7bEC64'],
  [
    ...([999, '0x35E63eA3eb0fb7A3bc543C71FB66412e1F6B0E04'] as const),
    '0x0a0758d937d1059c356D4714e57F5df0239bce1A',
    '0xba072Bf218314E51d5c3d254800d799840ae6a25',
  ],
  [
    ...([4663, '0xD29C85F15DF544bA632C9E25829fd29d767d7978'] as const),
    '0xB477751B76CF82d00a686A1232f5fCD772414Af3',
    '0xF4BFFE4dfC693f37715A47c15BdA8af9ed8f7Cf1',
  ],
  [8453, '0x09aea4b2242abC8bb4BB78D537A67a245A7bEC64'],
  [42161, '0xe35e9842fceaCA96570B734083f4a58e8F7C5f2A'],
  [43114, null],
  [
    ...([59144, '0x7E63A5f1a8F0B4d0934B2f2327DAED3F6bb2ee75'] as const),
    '0xDE1E598b81620773454588B85D6b5D4eEC32573e',
    '0x72015d314542457cBB6BF14318d82464E4D413ec',
  ],
]

/** `ChainKey` of @lifi/types 18.4.0, by the number of the chain. */
const KEYS: { readonly [chainId: number]: string } = {
  ...{ 1: 'eth', 10: 'opt', 56: 'bsc', 130: 'uni', 137: 'pol', 143: 'mon', 324: 'era', 480: 'wcc', 999: 'hyp', 4663: 'out' },
  ...{ 8453: 'bas', 42161: 'arb', 43114: 'ava', 59144: 'lna' },
}

const SOLANA_NETWORK: Network = {
  ...{
    chainId: SOLANA,
    id: 1151111081099710,
    key: 'sol',
    name: 'Solana',
    diamond: null,
    feeForwarder: null,
    spokePool: null,
    wrapped: null,
  },
}

export const NETWORKS: readonly Network[] = [
  ...ROWS.map(([chainId, spokePool, diamond = USUAL[0], feeForwarder = USUAL[1]]) => ({
    ...{ chainId, id: chainId, key: KEYS[chainId] ?? '', name: chainOf(chainId).name, diamond, feeForwarder, spokePool },
    wrapped: chainOf(chainId).wrappedNative,
  })),
  SOLANA_NETWORK,
]

export const networkById = (id: string): Network | null => NETWORKS.find((network) => String(network.id) === id) ?? null
export const networkOf = (chainId: number): Network | null => NETWORKS.find((network) => network.chainId === chainId) ?? null

/** Chains whose USDC Circle burns and mints: config/polymercctp.json. */
const CCTP = [1, 10, 130, 137, 143, 480, 999, 8453, 42161, 43114, 59144, SOLANA]

export const cctpUsdc = (tokens: SimTokens, { chainId }: Network): SimToken | null =>
  CCTP.includes(chainId) ? (tokens.all.find((token) => token.chainId === chainId && token.symbol === 'USDC') ?? null) : null

/** Chains without LiFiIntentEscrowFacetV2. */
export const hasIntents = ({ chainId }: Network): boolean => ![324, 59144, SOLANA].includes(chainId)

/** SOL; WSOL, which it is told apart from, is on no list here. */
const SOL = '11111111111111111111111111111111'

const coinAddress = (chainId: number): string => (chainId === SOLANA ? SOL : ZERO_ADDRESS)

/** A token as a caller names it; null when there is none. */
export const findToken = (tokens: SimTokens, { chainId }: Network, address: string): SimToken | null => {
  if (address === coinAddress(chainId)) return tokens.native(chainId)
  const token = tokens.find(chainId, address)
  return token?.isNative ? null : token
}

/** As answers and calldata spell it. */
export const wireAddress = ({ chainId, isNative, address }: SimToken): string => (isNative ? coinAddress(chainId) : address)

export const tokenBody = (token: SimToken, usdMicros: bigint) => ({
  address: wireAddress(token),
  chainId: networkOf(token.chainId)?.id ?? token.chainId,
  symbol: token.symbol,
  decimals: token.decimals,
  name: token.name,
  coinKey: token.symbol,
  priceUSD: (Number(usdMicros) / 1_000_000).toString(),
})

/** What a pool of Across moves for a token. */
export const contractOf = ({ wrapped }: Network, token: SimToken): string =>
  token.isNative && wrapped !== null ? wrapped : token.address

const BRIDGED: { readonly [symbol: string]: string } = {
  USDC: 'USDC',
  USDT: 'USDT',
  ETH: 'ETH',
  WETH: 'ETH',
  WBTC: 'WBTC',
  DAI: 'DAI',
}

/** What of it Across carries; null for what it does not. */
export const bridgeClassOf = ({ symbol }: SimToken): string | null => BRIDGED[symbol] ?? null

export const bridgedTokenOn = (tokens: SimTokens, { chainId }: Network, bridgeClass: string): SimToken | null =>
  tokens.all.find((token) => token.chainId === chainId && !token.isNative && bridgeClassOf(token) === bridgeClass) ?? null
