import { NATIVE, NATIVE_SOL } from '../../core/asset.ts'
import { BITCOIN, CHAINS, SOLANA } from '../../core/chain.ts'
import { type Currency, REFERENCE_USD_MICROS } from './referencePrices.ts'

/** A token of the offline network, at its real address. `currency` is what its price follows. */
export type SimToken = {
  readonly chainId: number
  /** Checksummed contract, mint, or the native marker of the chain. */
  readonly address: string
  readonly symbol: string
  readonly name: string
  readonly decimals: number
  readonly isNative: boolean
  readonly currency: Currency
  /** `bytes32` for the old tokens whose symbol and name are no strings. */
  readonly metadata: 'string' | 'bytes32'
  /** True for tokens that refuse to change a non-zero allowance. */
  readonly refusesReapproval: boolean
  /** True for tokens that keep one percent of every transfer, so that less arrives than was sent. */
  readonly takesTransferFee: boolean
  /** The Solana program that owns the mint; it means nothing elsewhere. */
  readonly program: 'token' | 'token-2022'
}

export interface SimTokens {
  readonly all: readonly SimToken[]
  /** By chain and address, EVM addresses in any case; null when the offline network has no such token. */
  find(chainId: number, address: string): SimToken | null
  native(chainId: number): SimToken
}

type Row = readonly [
  chainId: number,
  address: string,
  symbol: string,
  name: string,
  decimals: number,
  currency: Currency,
  habits?: Partial<Pick<SimToken, 'metadata' | 'refusesReapproval' | 'takesTransferFee' | 'program'>>,
]

const PLAIN = { metadata: 'string', refusesReapproval: false, takesTransferFee: false, program: 'token' } as const

const token = ([chainId, address, symbol, name, decimals, currency, habits = {}]: Row): SimToken => ({
  ...{ chainId, address, symbol, name, decimals, isNative: false, currency },
  ...PLAIN,
  ...habits,
})

const USDC_ON: { readonly [chainId: string]: string } = {
  1: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48',
  10: '0x0b2C639c533813f4Aa9D7837CAf62653d097Ff85',
  56: '0x8AC76a51cc950d9822D68b83fE1Ad97B32Cd580d',
  130: '0x078D782b760474a361dDA0AF3839290b0EF57AD6',
  137: '0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359',
  143: '0x754704Bc059F8C67012fEd69BC8A327a5aafb603',
  480: '0x79A02482A880bCE3F13e09Da970dC34db4CD24d1',
  8453: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
  42161: '0xaf88d065e77c8cC2239327C5EDb3A432268e5831',
  43114: '0xB97EF9Ef8734C71904D8002F8b6Bc66Dd9c48a6E',
  59144: '0x176211869cA2b568f2A7D4EE941E073a821EE1ff',
  [SOLANA]: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
}

/** On Monad the contract is named after its symbol, and its signatures are over the name. */
const usdcName = (chainId: number): string => (chainId === 143 ? 'USDC' : 'USD Coin')

const OTHERS: readonly Row[] = [
  [1, '0xdAC17F958D2ee523a2206206994597C13D831ec7', 'USDT', 'Tether USD', 6, 'USD', { refusesReapproval: true }],
  [56, '0x55d398326f99059fF775485246999027B3197955', 'USDT', 'Tether USD', 18, 'USD'],
  [42161, '0xFd086bC7CD5C481DCC9C85ebE478A1C0b69FCbb9', 'USDT', 'Tether USD', 6, 'USD'],
  [SOLANA, 'Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB', 'USDT', 'Tether USD', 6, 'USD'],
  [SOLANA, '2b1kV6DkPAnxd5ixfnxCpjxmKwqjjaYmCZfHsFu24GXo', 'PYUSD', 'PayPal USD', 6, 'USD', { program: 'token-2022' }],
  // Ether of Wormhole, whose tokens have eight decimals at most.
  [SOLANA, '7vfCXTUXx5WJV5JADk17DUJ4ksgau7utNKj4b963voxs', 'WETH', 'Ether (Portal)', 8, 'ETH'],
  [4663, '0x5fc5360D0400a0Fd4f2af552ADD042D716F1d168', 'USDG', 'Global Dollar', 6, 'USD'],
  [1, '0x6B175474E89094C44Da98b954EedeAC495271d0F', 'DAI', 'Dai Stablecoin', 18, 'USD'],
  [1, '0x2260FAC5E5542a773Aa44fBCfeDf7C193bc2C599', 'WBTC', 'Wrapped BTC', 8, 'BTC'],
  [8453, '0xcbB7C0000aB88B473b1f5aFd9ef808440eed33Bf', 'cbBTC', 'Coinbase Wrapped BTC', 8, 'BTC'],
  [1, '0x9f8F72aA9304c8B593d555F12eF6589cC3A579A2', 'MKR', 'Maker', 18, 'MKR', { metadata: 'bytes32' }],
  // Exists here only: no real token has this address.
  [1, '0x15678B3c97292db44ad3C723A138e672383A1e6c', 'FEEUSD', 'Dollar With Transfer Fee', 18, 'USD', { takesTransferFee: true }],
  [42161, '0x912CE59144191C1204E64559FE8253a0e49E6548', 'ARB', 'Arbitrum', 18, 'ARB'],
]

/** The price of a chain's coin, which has its symbol. */
const currencyOf = (symbol: string): Currency => (Object.hasOwn(REFERENCE_USD_MICROS, symbol) ? (symbol as Currency) : 'ETH')

const natives = (): readonly SimToken[] =>
  CHAINS.map(({ chainId, nativeCurrency: { symbol, name, decimals } }) => {
    const address = chainId === SOLANA ? NATIVE_SOL : NATIVE
    return { ...token([chainId, address, symbol, name, decimals, currencyOf(symbol)]), isNative: true }
  })

const wrappedNatives = (): readonly SimToken[] =>
  CHAINS.flatMap(({ chainId, wrappedNative, nativeCurrency: { symbol, name, decimals } }) =>
    wrappedNative === null
      ? []
      : [token([chainId, wrappedNative, `W${symbol}`, `Wrapped ${name}`, decimals, currencyOf(symbol)])],
  )

const usdcs = (): readonly SimToken[] =>
  Object.entries(USDC_ON).map(([id, address]) => {
    const chainId = Number(id)
    return token([chainId, address, 'USDC', usdcName(chainId), chainId === 56 ? 18 : 6, 'USD'])
  })

const keyOf = (chainId: number, address: string): string =>
  chainId === BITCOIN || chainId === SOLANA ? `${chainId}:${address}` : `${chainId}:${address.toLowerCase()}`

export const createTokens = (): SimTokens => {
  const all = [...natives(), ...wrappedNatives(), ...usdcs(), ...OTHERS.map(token)]
  const byKey = new Map(all.map((entry) => [keyOf(entry.chainId, entry.address), entry]))
  return {
    all,
    find: (chainId, address) => byKey.get(keyOf(chainId, address)) ?? null,
    native: (chainId) => {
      const found = all.find((entry) => entry.chainId === chainId && entry.isNative)
      if (!found) throw new RangeError(`chain ${chainId} has no native coin here`)
      return found
    },
  }
}
