import { type Asset, isNative, isSameAsset, nativeAsset, parseAsset } from './asset.ts'
import { chainOf, isChainId, SOLANA } from './chain.ts'
import pegs from './pegs.json' with { type: 'json' }

/** One form of a token on one chain. All forms of one `token` have the same value, one for one. */
export type PegForm = {
  readonly token: string
  readonly chainId: number
  /** EVM addresses in lower case. */
  readonly address: string
  readonly decimals: number
}

/** The forms in Across's own constants; `WETH` is the class of ether, `WBTC` that of wrapped bitcoin. */
export const PEG_FORMS: readonly PegForm[] = pegs.forms

/** Tether's own mint on Solana, which Across does not carry. https://tether.to/en/supported-protocols */
const USDT_SOLANA: PegForm = {
  ...{ token: 'USDT', chainId: SOLANA, decimals: 6 },
  address: 'Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB',
}

/** An asset and its amount, smallest units. */
export type Sum = { readonly asset: Asset; readonly amount: bigint }

/**
 * The form of an asset, with its decimals; null where only prices relate it to others. A coin and its wrapped token are one
 * class: ether on all chains with it as coin, other coins on their own chain.
 */
export const formOf = ({ chainId, address }: Asset): PegForm | null => {
  const { nativeCurrency, wrappedNative } = chainOf(chainId)
  const spelled = chainId === SOLANA ? address : address.toLowerCase()
  const isCoin = isNative({ chainId, address }) || spelled === wrappedNative?.toLowerCase()
  const { symbol, decimals } = nativeCurrency
  if (isCoin) return { token: symbol === 'ETH' ? 'WETH' : symbol, chainId, address: spelled, decimals }
  return [...PEG_FORMS, USDT_SOLANA].find((form) => form.chainId === chainId && form.address === spelled) ?? null
}

/** The class of an asset, such as `USDC`; null where only prices relate it to others. */
export const pegOf = (asset: Asset): string | null => formOf(asset)?.token ?? null

const ETHEREUM = 1

/** The asset itself, then its forms on its own chain and on Ethereum: most price lists have one of them. */
export const pricedForms = (asset: Asset): readonly Asset[] => {
  const [own, token] = [{ chainId: asset.chainId, address: asset.address }, pegOf(asset)]
  if (token === null) return [own]
  const tokens = PEG_FORMS.map(({ chainId, address }) => (isChainId(chainId) ? parseAsset(chainId, address) : null))
  const others = [nativeAsset(asset.chainId), nativeAsset(ETHEREUM), ...tokens].filter(
    (form): form is Asset => form !== null && [asset.chainId, ETHEREUM].includes(form.chainId) && pegOf(form) === token,
  )
  return [own, ...others.filter((form) => !isSameAsset(form, own))]
}

/** Rounded up. */
const converted = (amount: bigint, from: PegForm, to: PegForm): bigint => {
  const unit = 10n ** BigInt(from.decimals)
  return (amount * 10n ** BigInt(to.decimals) + unit - 1n) / unit
}

const leastOf = (locked: Asset, { asset, amount }: Sum, isSame: (a: string, b: string) => boolean): bigint | null => {
  const [to, from] = [formOf(locked), formOf(asset)]
  return to !== null && from !== null && isSame(to.token, from.token) ? converted(amount, from, to) : null
}

/** The least of `locked` that equals `output` one for one, rounded up; null without a common class. */
export const leastAtPeg = (locked: Asset, output: Sum): bigint | null => leastOf(locked, output, (a, b) => a === b)

const DOLLARS = ['USDC', 'USDT']

/** The same between USDC and USDT. Used where no prices compare the two. */
export const leastInDollars = (locked: Asset, output: Sum): bigint | null =>
  leastOf(locked, output, (a, b) => DOLLARS.includes(a) && DOLLARS.includes(b))

/** True when both are of one class and the first is worth at least the second. Exact. */
export const covers = ({ asset, amount }: Sum, output: Sum): boolean => {
  const least = leastAtPeg(asset, output)
  return least !== null && amount >= least
}
