import { BITCOIN, SOLANA } from '../../../core/chain.ts'
import type { SimToken, SimTokens } from '../../kit/tokens.ts'

/** One asset as Chainflip has it. Sources: docs.chainflip.io, and packages/shared/src/consts.ts of chainflip-sdk-monorepo. */
export type CfAsset = {
  /** The service's number of its chain. */
  readonly chainId: number
  readonly chain: string
  readonly asset: string
  /** In /api/networkInfo. */
  readonly name: string
  /** In calls of the vault. */
  readonly chainNumber: number
  readonly assetNumber: number
  /** Empty for the chain's coin. */
  readonly token: string
  /** Of the code that an EVM chain's deposit addresses are deployed by. */
  readonly codeHash: string
}

type Chain = Pick<CfAsset, 'chainId' | 'chain' | 'chainNumber'>
const ETHEREUM: Chain = { chainId: 1, chain: 'Ethereum', chainNumber: 1 }
const ARBITRUM: Chain = { chainId: 42161, chain: 'Arbitrum', chainNumber: 4 }
const BSC: Chain = { chainId: 56, chain: 'Bsc', chainNumber: 8 }
const ON_BITCOIN: Chain = { chainId: BITCOIN, chain: 'Bitcoin', chainNumber: 3 }
const ON_SOLANA: Chain = { chainId: SOLANA, chain: 'Solana', chainNumber: 5 }

const USDC = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'
const USDT = '0xdAC17F958D2ee523a2206206994597C13D831ec7'
const WBTC = '0x2260FAC5E5542a773Aa44fBCfeDf7C193bc2C599'
const USDC_ARBITRUM = '0xaf88d065e77c8cC2239327C5EDb3A432268e5831'
const USDT_ARBITRUM = '0xFd086bC7CD5C481DCC9C85ebE478A1C0b69FCbb9'
const USDT_BSC = '0x55d398326f99059fF775485246999027B3197955'

/** By token, the empty one for coins. */
const CODE_HASHES: { readonly [token: string]: string } = {
  '': 'e90bf83533981276d50deaebb5f14dd57d3ab72c3a030e66b023bce46f259f4c',
  [USDC]: '5a34f22940ed950cd6e4e970ad9cec1b2951a060ef42d58282ac996a9e20fc75',
  [USDT]: 'cf6197f4e8a9a20cf43210f968d82bfb622265edfc7990b5fc340a57416d5c8a',
  [WBTC]: 'eac2f146b16e34b05345f2eff8100efda97759c25160365269a848d12c4b6647',
  [USDC_ARBITRUM]: '2f30284886514030c4f1ce01820717261baea6b3fddc48be7b0f67bb5a4296cf',
  [USDT_ARBITRUM]: '63c74d8b335ef4818bf2ba4e554c5ed1cd4ef04029dfd30c3444efd5b060e587',
  [USDT_BSC]: 'e955f79f20b01ae33de54b8657f8af4b1b67235c9d94a4c7195557cc67bd4017',
}

const on = (chain: Chain, asset: string, name: string, assetNumber: number, token = ''): CfAsset => ({
  ...chain,
  asset,
  name,
  assetNumber,
  token,
  codeHash: CODE_HASHES[token] ?? '',
})

/** Those of the offline network's chains. */
export const ASSETS: readonly CfAsset[] = [
  on(ETHEREUM, 'ETH', 'Eth', 1),
  on(ETHEREUM, 'USDC', 'Usdc', 3, USDC),
  on(ETHEREUM, 'USDT', 'Usdt', 8, USDT),
  on(ETHEREUM, 'WBTC', 'Wbtc', 14, WBTC),
  on(ARBITRUM, 'ETH', 'ArbEth', 6),
  on(ARBITRUM, 'USDC', 'ArbUsdc', 7, USDC_ARBITRUM),
  on(ARBITRUM, 'USDT', 'ArbUsdt', 15, USDT_ARBITRUM),
  on(ON_BITCOIN, 'BTC', 'Btc', 5),
  on(ON_SOLANA, 'SOL', 'Sol', 9),
  on(ON_SOLANA, 'USDC', 'SolUsdc', 10, 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'),
  on(ON_SOLANA, 'USDT', 'SolUsdt', 16, 'Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB'),
  on(BSC, 'BNB', 'Bnb', 19),
  on(BSC, 'USDT', 'BscUsdt', 20, USDT_BSC),
]

/** What /api/networkInfo tells of besides. */
export const OTHER_NAMES = ['Flip', 'Cbbtc', 'Trx', 'TrxUsdt', 'HubDot', 'HubUsdt', 'HubUsdc'] as const

const VAULTS: { readonly [chainId: number]: string } = {
  1: '0xF5e10380213880111522dd0efD3dbb45b9f62Bcc',
  56: '0x79001a5e762f3bEFC8e5871b42F6734e00498920',
  42161: '0x79001a5e762f3bEFC8e5871b42F6734e00498920',
}

/** The vault contract of an EVM chain; null elsewhere. */
export const vaultOn = (chainId: number): string | null => VAULTS[chainId] ?? null

/** Is taken by deposit channels alone on this network: the real one switches vault swaps off now and then, asset by asset. */
const WITHOUT_VAULT_SWAPS = ['ArbUsdt']

export const takesVaultSwaps = ({ chainId, name }: CfAsset): boolean =>
  vaultOn(chainId) !== null && !WITHOUT_VAULT_SWAPS.includes(name)

export const assetNamed = (chain: unknown, asset: unknown): CfAsset | null =>
  ASSETS.find((each) => each.chain === chain && each.asset === asset) ?? null

export const assetNumbered = (chain: number, asset: number): CfAsset | null =>
  ASSETS.find((each) => each.chainNumber === chain && each.assetNumber === asset) ?? null

export const tokenOf = (tokens: SimTokens, { chainId, token }: CfAsset): SimToken => {
  const found = token === '' ? tokens.native(chainId) : tokens.find(chainId, token)
  if (!found) throw new RangeError(`no token at ${token}`)
  return found
}
