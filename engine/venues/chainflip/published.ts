import { type Address, addressOf } from '../../core/address.ts'
import { type Asset, isSameAsset, NATIVE, NATIVE_SOL } from '../../core/asset.ts'
import { BITCOIN, type ChainId, SOLANA } from '../../core/chain.ts'
import type { Hex } from '../../core/execution.ts'
import { addressesByChainSetting, addressesOn, solanaAddressesIn, solanaAddressesSetting } from '../kit/settings.ts'
import type { VenueConfig } from '../venue.ts'

export const PUBLIC_BASE_URL = 'https://chainflip-swap.chainflip.io'

/** A node of the State Chain without API keys. Source: constants of @chainflip/rpc 2.2.2. */
export const PUBLIC_RPC_URL = 'https://rpc.mainnet.chainflip.io'

const evm = (raw: string): Address => addressOf('evm', raw)

/** One chain in Chainflip's notation. */
type WireChain = {
  /** The name in requests and answers, and in the ids of deposit channels. */
  readonly name: string
  /** The number in calls of the vault contract. */
  readonly contractId: number
  /** The contract that wallets call, and that deploys the fetchers of deposits; null on a chain without one. */
  readonly vault: Address | null
}

/** Ids of @chainflip/utils 2.3.3; vaults of the mainnet chain specification of chainflip-backend, 2026-08-21. */
export const WIRE_CHAINS = {
  1: { name: 'Ethereum', contractId: 1, vault: evm('0xF5e10380213880111522dd0efD3dbb45b9f62Bcc') },
  56: { name: 'Bsc', contractId: 8, vault: evm('0x79001a5e762f3bEFC8e5871b42F6734e00498920') },
  42161: { name: 'Arbitrum', contractId: 4, vault: evm('0x79001a5e762f3bEFC8e5871b42F6734e00498920') },
  [BITCOIN]: { name: 'Bitcoin', contractId: 3, vault: null },
  [SOLANA]: { name: 'Solana', contractId: 5, vault: null },
} as const satisfies { readonly [chainId in ChainId]?: WireChain }

export type ServedChainId = keyof typeof WIRE_CHAINS

export const isServedChain = (chainId: ChainId): chainId is ServedChainId & ChainId => chainId in WIRE_CHAINS

/** Null for a chain without Chainflip. */
export const wireChainOf = (chainId: ChainId): WireChain | null => (isServedChain(chainId) ? WIRE_CHAINS[chainId] : null)

/** Owns the deposit addresses of Solana. */
export const SOLANA_VAULT_PROGRAM = addressOf('solana', 'AusZPVXPoUM8QJJ2SL4KwvRGCQ22cDg6Y4rg7EvFrxi7')
/** Pays SOL out. */
const SOLANA_VAULT = addressOf('solana', '3tJ67qa2GDfvv2wcMYNUfN5QBZrFpTwcU8ASZKMvCTVU')

export const SETTINGS = {
  vaults: addressesByChainSetting('VAULTS', 'vaults beside those published', (id) => wireChainOf(id)?.vault != null),
  programs: solanaAddressesSetting('SOLANA_VAULT_PROGRAMS', 'vault programs beside the published one'),
  solanaVaults: solanaAddressesSetting('SOLANA_VAULTS', 'accounts that pay SOL out beside the published one'),
}

/** The pinned values, with the operator's last. */
export type Pinned = {
  /** Empty on chains without a vault contract. */
  readonly vaults: (chainId: ChainId) => readonly Address[]
  readonly programs: readonly Address[]
  readonly solanaVaults: readonly Address[]
}

export const pinnedBy = (config: Pick<VenueConfig, 'settings'>): Pinned => {
  const allowed = addressesOn(config, SETTINGS.vaults)
  return {
    vaults: (chainId) => {
      const vault = wireChainOf(chainId)?.vault ?? null
      return vault === null ? [] : [vault, ...allowed(chainId)]
    },
    programs: [SOLANA_VAULT_PROGRAM, ...solanaAddressesIn(config, SETTINGS.programs)],
    solanaVaults: [SOLANA_VAULT, ...solanaAddressesIn(config, SETTINGS.solanaVaults)],
  }
}

export type WireAsset = {
  readonly asset: Asset
  readonly chain: string
  /** In requests and answers. */
  readonly symbol: string
  /** In `/api/networkInfo`. */
  readonly name: string
  readonly decimals: number
  /** In calls of the vault contract. */
  readonly contractId: number
  /**
   * Of an EVM chain: keccak256 of the code that deploys a deposit address. It has 1,114 bytes with the hash 0x69071c9f…734c81d,
   * followed by the token's address as a word. `state-chain/chains/src/eth/deposit_address.rs` of chainflip-backend, 2026-08-21.
   */
  readonly depositCodeHash: Hex | null
}

/** Keccak256 of the code that deploys a deposit address of a token. */
const DEPOSIT_CODE_HASHES: { readonly [token: string]: Hex } = {
  [NATIVE]: '0xe90bf83533981276d50deaebb5f14dd57d3ab72c3a030e66b023bce46f259f4c',
  '0x826180541412D574cf1336d22c0C0a287822678A': '0x5bb0b25f5702f19924e60a65cdd34efa7ec0f85a469a70fe587873e198f24a40',
  '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48': '0x5a34f22940ed950cd6e4e970ad9cec1b2951a060ef42d58282ac996a9e20fc75',
  '0xdAC17F958D2ee523a2206206994597C13D831ec7': '0xcf6197f4e8a9a20cf43210f968d82bfb622265edfc7990b5fc340a57416d5c8a',
  '0x2260FAC5E5542a773Aa44fBCfeDf7C193bc2C599': '0xeac2f146b16e34b05345f2eff8100efda97759c25160365269a848d12c4b6647',
  '0xcbB7C0000aB88B473b1f5aFd9ef808440eed33Bf': '0xccfd6bad1b070e3fe2d227dd5738c2a4228ed82bd192c5f9d1e86b904218c03d',
  '0xaf88d065e77c8cC2239327C5EDb3A432268e5831': '0x2f30284886514030c4f1ce01820717261baea6b3fddc48be7b0f67bb5a4296cf',
  '0xFd086bC7CD5C481DCC9C85ebE478A1C0b69FCbb9': '0x63c74d8b335ef4818bf2ba4e554c5ed1cd4ef04029dfd30c3444efd5b060e587',
  '0x55d398326f99059fF775485246999027B3197955': '0xe955f79f20b01ae33de54b8657f8af4b1b67235c9d94a4c7195557cc67bd4017',
}

/** Symbols that a token's contract spells differently from Chainflip. */
export const CONTRACT_SYMBOLS: { readonly [symbol: string]: string } = { CBBTC: 'cbBTC' }

type Row = readonly [token: string, symbol: string, name: string, decimals: number, contractId: number]

/** The catalogue is closed. Tokens: packages/shared/src/consts.ts of chainflip-sdk-monorepo, 2026-08-21; ids: @chainflip/utils 2.3.3. */
const ROWS: { readonly [chainId in ServedChainId]: readonly Row[] } = {
  1: [
    [NATIVE, 'ETH', 'Eth', 18, 1],
    ['0x826180541412D574cf1336d22c0C0a287822678A', 'FLIP', 'Flip', 18, 2],
    ['0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48', 'USDC', 'Usdc', 6, 3],
    ['0xdAC17F958D2ee523a2206206994597C13D831ec7', 'USDT', 'Usdt', 6, 8],
    ['0x2260FAC5E5542a773Aa44fBCfeDf7C193bc2C599', 'WBTC', 'Wbtc', 8, 14],
    ['0xcbB7C0000aB88B473b1f5aFd9ef808440eed33Bf', 'CBBTC', 'Cbbtc', 8, 21],
  ],
  42161: [
    [NATIVE, 'ETH', 'ArbEth', 18, 6],
    ['0xaf88d065e77c8cC2239327C5EDb3A432268e5831', 'USDC', 'ArbUsdc', 6, 7],
    ['0xFd086bC7CD5C481DCC9C85ebE478A1C0b69FCbb9', 'USDT', 'ArbUsdt', 6, 15],
  ],
  56: [
    [NATIVE, 'BNB', 'Bnb', 18, 19],
    ['0x55d398326f99059fF775485246999027B3197955', 'USDT', 'BscUsdt', 18, 20],
  ],
  [BITCOIN]: [[NATIVE, 'BTC', 'Btc', 8, 5]],
  [SOLANA]: [
    [NATIVE_SOL, 'SOL', 'Sol', 9, 9],
    ['EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v', 'USDC', 'SolUsdc', 6, 10],
    ['Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB', 'USDT', 'SolUsdt', 6, 16],
  ],
}

const toAsset = (chainId: ServedChainId, [token, symbol, name, decimals, contractId]: Row): WireAsset => {
  // Bitcoin's marker has the spelling of the EVM chains.
  const address = addressOf(chainId === SOLANA ? 'solana' : 'evm', token)
  const { name: chain, vault } = WIRE_CHAINS[chainId]
  const depositCodeHash = vault === null ? null : (DEPOSIT_CODE_HASHES[address] ?? null)
  return { asset: { chainId, address }, chain, symbol, name, decimals, contractId, depositCodeHash }
}

const SERVED_CHAINS = [1, 56, 42161, BITCOIN, SOLANA] as const satisfies readonly ServedChainId[]

export const WIRE_ASSETS: readonly WireAsset[] = SERVED_CHAINS.flatMap((chainId) =>
  ROWS[chainId].map((row) => toAsset(chainId, row)),
)

/** Null for an asset without Chainflip. */
export const wireAssetOf = (asset: Asset): WireAsset | null => WIRE_ASSETS.find((each) => isSameAsset(each.asset, asset)) ?? null

export const wireAssetNamed = (chain: string, symbol: string): WireAsset | null =>
  WIRE_ASSETS.find((each) => each.chain === chain && each.symbol === symbol) ?? null

/** By the ids in a vault call. */
export const wireAssetNumbered = (dstChain: number, dstToken: number): WireAsset | null =>
  WIRE_ASSETS.find(({ asset, contractId }) => contractId === dstToken && wireChainOf(asset.chainId)?.contractId === dstChain) ??
  null

/** One block of the State Chain, ms. `SECONDS_PER_BLOCK` of chainflip-backend. */
export const STATE_CHAIN_BLOCK_MS = 6_000
