import { type Address, addressOf, parseAddress } from './address.ts'
import { BITCOIN, type ChainId, chainOf, ecosystemOf, SOLANA } from './chain.ts'

/** One fungible thing on one chain. `address` is the contract or mint, or the chain's native marker. */
export type Asset = { readonly chainId: ChainId; readonly address: Address }

/** An asset with its metadata from the chain. */
export type Token = Asset & {
  readonly symbol: string
  readonly name: string
  readonly decimals: number
  readonly isNative: boolean
}

/** A row of a published table. `address` in any case. Without a `symbol` it proves only the decimals. */
export type ListedToken = {
  readonly chainId: number
  readonly address: string
  readonly decimals: number
  readonly symbol?: string
  /** Absent: the symbol. */
  readonly name?: string
}

/** Metadata that two sources agreed on at `readAt`, epoch ms. */
export type KeptToken = { readonly token: Token; readonly readAt: number }

/** Represents the native coin of an EVM chain, and bitcoin itself. */
export const NATIVE = addressOf('evm', '0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE')

/** The wrapped-SOL mint, which represents native SOL. */
export const NATIVE_SOL = addressOf('solana', 'So11111111111111111111111111111111111111112')

/** The native coin of a chain, as clients name it. */
export const nativeAsset = (chainId: ChainId): Asset => ({ chainId, address: chainId === SOLANA ? NATIVE_SOL : NATIVE })

export const isNative = ({ chainId, address }: Asset): boolean => address === nativeAsset(chainId).address

export const isSameAsset = (a: Asset, b: Asset): boolean => a.chainId === b.chainId && a.address === b.address

/**
 * Reads a client's text as a token of that chain: contract address, mint, native marker, or `BTC` on Bitcoin. Null for an invalid
 * text. It does not check that the contract exists.
 */
export const parseAsset = (chainId: ChainId, raw: string): Asset | null => {
  if (chainId === BITCOIN) {
    const isBitcoin = raw.toLowerCase() === NATIVE.toLowerCase() || raw.toUpperCase() === 'BTC'
    return isBitcoin ? { chainId, address: NATIVE } : null
  }
  const isNativeMarker = chainId !== SOLANA && raw.toLowerCase() === NATIVE.toLowerCase()
  const address = isNativeMarker ? NATIVE : parseAddress(ecosystemOf(chainId), raw)
  return address && { chainId, address }
}

/** The native coin as a token: the one kind of token that needs no chain read. */
export const nativeToken = (chainId: ChainId): Token => {
  const { symbol, name, decimals } = chainOf(chainId).nativeCurrency
  return { ...nativeAsset(chainId), symbol, name, decimals, isNative: true }
}
