import type { Asset, ListedToken } from '../../core/asset.ts'
import { SOLANA } from '../../core/chain.ts'
import bridged from './bridgedTokens.json' with { type: 'json' }

/** One form of a token Across carries between the chains we serve; all forms of one token are counted one for one. */
export type BridgedForm = {
  readonly token: string
  readonly chainId: number
  /** EVM addresses in lower case. */
  readonly address: string
  readonly decimals: number
}

export const BRIDGED: readonly BridgedForm[] = bridged.forms

const NAMES: { readonly [symbol: string]: string } = bridged.names
/** Of the forms that have another symbol than the token. */
const SYMBOLS: { readonly [form: string]: string } = bridged.symbols

export const BRIDGED_TOKENS: readonly ListedToken[] = BRIDGED.map(({ token, chainId, address, decimals }) => {
  const symbol = SYMBOLS[`${chainId}:${address}`] ?? token
  return { chainId, address, decimals, symbol, name: NAMES[symbol] ?? symbol }
})

const formOf = ({ chainId, address }: Asset): BridgedForm | null => {
  const spelled = chainId === SOLANA ? address : address.toLowerCase()
  return BRIDGED.find((form) => form.chainId === chainId && form.address === spelled) ?? null
}

/** What Across counts it as, such as `USDC` for all forms of it; null when it does not carry it. */
export const bridgedAs = (asset: Asset): string | null => formOf(asset)?.token ?? null

type Sum = Asset & { readonly amount: bigint }

/**
 * True when both are forms of one bridged token and `deposited` is worth at least `delivered`. False too when that
 * cannot be told: what is compared bounds what an opaque swap before the bridge may lose.
 */
export const covers = (deposited: Sum, delivered: Sum): boolean => {
  const [from, to] = [formOf(deposited), formOf(delivered)]
  if (from === null || from.token !== to?.token) return false
  return deposited.amount * 10n ** BigInt(to.decimals) >= delivered.amount * 10n ** BigInt(from.decimals)
}
