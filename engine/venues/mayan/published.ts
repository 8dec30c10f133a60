import { type Address, addressOf } from '../../core/address.ts'
import { type Asset, isNative, NATIVE_SOL } from '../../core/asset.ts'
import { CHAIN_IDS, type ChainId, chainOf, isEvmChainId, SOLANA } from '../../core/chain.ts'

/** https://docs.mayan.finance/integration/quote-api, explorer-api */
export const PUBLIC_HOSTS = {
  price: 'https://price-api.mayan.finance/v3',
  explorer: 'https://explorer-api.mayan.finance/v3',
  init: 'https://sia.mayan.finance/v10',
} as const

/** The SDK that is imitated: github.com/mayan-finance/swap-sdk, 2026-08-03. */
export const SDK_VERSION = [15, 2, 0] as const

const evm = (address: string): Address => addressOf('evm', address)
const solana = (address: string): Address => addressOf('solana', address)

/** What wallets call and allow: at one address on all of its EVM chains. src/addresses.ts of the SDK. */
export const FORWARDER = evm('0x337685fdaB40D39bd02028545a4FfA7D287cC3E2')
/** Swift V2: where orders are placed and given back, and where they are filled. https://docs.mayan.finance/resources/chains-contracts */
export const SWIFT = evm('0x40fFE85A28DC9993541449464d7529a922142960')
export const SWIFT_FILLS = evm('0xD78D199f8C402e7B5Cc2abE278dF0412400a3BAe')

/** Programs of Solana, likewise. */
export const SWIFT_PROGRAM = solana('mayan34VedncxdK2XobtvWFDXQASUTBXhUVzt2kKgny')
export const CPI_PROXY = solana('D8C8iW6zmoKg5TRr8nQ7h14TMWqQX8FiBdj2ju5MF3wa')
export const FEE_MANAGER = solana('5VtQHnhs2pfVEr68qQsbTRwKh4JV5GTu9mBHgHFxpHeQ')
/** Named in questions, never called. */
export const SWAP_PROGRAM = solana('FC4eXxkyrMPTjiYUpp4EAnkmwMbQyZ6NDCh1kfLn6vsf')

/** The accounts that sign quotes: the default of mayan-finance/tx-builder, src/utils/signature.ts. */
export const QUOTE_SIGNERS: readonly Address[] = [evm('0xe8FDd6f6D10532bd49Cced5502CAa483E232E637')]

type Pinned = { readonly name: string; readonly wormholeId: number; readonly dollars: readonly Address[] }

const dollars = (...addresses: readonly string[]): readonly Address[] => addresses.map(evm)

/** Names in questions, Wormhole's numbers in answers and orders, and the tokens of Circle and Tether there. */
const PINNED: { readonly [chainId in ChainId]?: Pinned } = {
  1: {
    name: 'ethereum',
    wormholeId: 2,
    dollars: dollars('0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48', '0xdAC17F958D2ee523a2206206994597C13D831ec7'),
  },
  10: { name: 'optimism', wormholeId: 24, dollars: dollars('0x0b2C639c533813f4Aa9D7837CAf62653d097Ff85') },
  56: {
    name: 'bsc',
    wormholeId: 4,
    dollars: dollars('0x8AC76a51cc950d9822D68b83fE1Ad97B32Cd580d', '0x55d398326f99059fF775485246999027B3197955'),
  },
  130: { name: 'unichain', wormholeId: 44, dollars: dollars('0x078D782b760474a361dDA0AF3839290b0EF57AD6') },
  137: { name: 'polygon', wormholeId: 5, dollars: dollars('0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359') },
  143: { name: 'monad', wormholeId: 48, dollars: dollars('0x754704Bc059F8C67012fEd69BC8A327a5aafb603') },
  999: { name: 'hyperevm', wormholeId: 47, dollars: [] },
  8453: { name: 'base', wormholeId: 30, dollars: dollars('0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913') },
  42161: {
    name: 'arbitrum',
    wormholeId: 23,
    dollars: dollars('0xaf88d065e77c8cC2239327C5EDb3A432268e5831', '0xFd086bC7CD5C481DCC9C85ebE478A1C0b69FCbb9'),
  },
  43114: { name: 'avalanche', wormholeId: 6, dollars: dollars('0xB97EF9Ef8734C71904D8002F8b6Bc66Dd9c48a6E') },
  59144: { name: 'linea', wormholeId: 38, dollars: dollars('0x176211869cA2b568f2A7D4EE941E073a821EE1ff') },
  [SOLANA]: {
    name: 'solana',
    wormholeId: 1,
    dollars: [solana('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'), solana('Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB')],
  },
}

export const pinned = (chainId: ChainId): Pinned | null => PINNED[chainId] ?? null

export const chainOfWormhole = (wormholeId: number): ChainId | null =>
  CHAIN_IDS.find((chainId) => PINNED[chainId]?.wormholeId === wormholeId) ?? null

/** `coins` of chains whose coin is ether: one of it is one on all of them. Null for what has no worth that is known beforehand. */
export const currencyOf = (asset: Asset): 'dollars' | 'ether' | null => {
  const { chainId, address } = asset
  if (PINNED[chainId]?.dollars.includes(address)) return 'dollars'
  if (!isEvmChainId(chainId) || chainOf(chainId).nativeCurrency.symbol !== 'ETH') return null
  const wrapped = chainOf(chainId).wrappedNative
  return isNative(asset) || (wrapped !== null && address === evm(wrapped)) ? 'ether' : null
}

/**
 * The most that one transaction of a cancelled order costs on a chain: in millionths of a dollar, and in wei of ether. About three
 * times the highest cost in orders of Mayan's explorer from 2025-03 to 2026-03 (`redeemRelayerFee` on the chain of the output,
 * `refundRelayerFee` on the chain of the input): 0.50 dollars on Solana, 0.71 on Ethereum, 0.017 on other chains.
 */
const NETWORK_COST: { readonly [chainId in ChainId]?: { readonly dollars: bigint; readonly ether: bigint } } = {
  1: { dollars: 2_000_000n, ether: 1_000_000_000_000_000n },
  [SOLANA]: { dollars: 1_500_000n, ether: 800_000_000_000_000n },
}
const OTHER_COST = { dollars: 50_000n, ether: 25_000_000_000_000n }

/** The cost of cancelling an order on `to` and of refunding it, in smallest units of the locked token; 0 without a known currency. */
export const refundCost = (locked: Asset, decimals: number, to: ChainId): bigint => {
  const currency = currencyOf(locked)
  if (currency === null) return 0n
  const [here, there] = [locked.chainId, to].map((chainId) => (NETWORK_COST[chainId] ?? OTHER_COST)[currency])
  return (((here ?? 0n) + (there ?? 0n)) * 10n ** BigInt(decimals)) / 10n ** (currency === 'dollars' ? 6n : 18n)
}

/** What an order is paid with on Solana that is read here: not coins, which the program wraps by itself. */
export const isServedInput = ({ chainId, address }: Asset): boolean => chainId !== SOLANA || address !== NATIVE_SOL

/** The only contracts a wallet is asked to call or allow. */
export const CONTRACTS: { readonly [chainId in ChainId]?: readonly Address[] } = Object.fromEntries(
  CHAIN_IDS.filter((chainId) => PINNED[chainId]).map((chainId) => [chainId, [chainId === SOLANA ? CPI_PROXY : FORWARDER]]),
)

/** Tokens of which a referrer on Solana must have accounts, or the fee is lost: https://docs.mayan.finance/integration/referral */
export const REFERRER_MINTS = [
  'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
  'Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB',
  '7vfCXTUXx5WJV5JADk17DUJ4ksgau7utNKj4b963voxs',
].map(solana)
