import { type Address, addressOf } from '../../engine/core/address.ts'
import { toAmount } from '../../engine/core/amount.ts'
import { type Asset, parseAsset } from '../../engine/core/asset.ts'
import { type ChainId, ecosystemOf } from '../../engine/core/chain.ts'
import { type Order, resolveParties, type VenueOrder } from '../../engine/core/order.ts'

/** Well-known development wallets; nobody's money. */
export const WALLETS = {
  evm: addressOf('evm', '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'),
  evmOther: addressOf('evm', '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'),
  solana: addressOf('solana', 'GTtzwxqy67xx9DVESJjx28TgXqpc8xTqtiytgNMaQBTE'),
  bitcoin: addressOf('bitcoin', 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'),
} as const

export const assetOf = (chainId: ChainId, address: string): Asset => {
  const asset = parseAsset(chainId, address)
  if (!asset) throw new TypeError(`not an asset: ${address}`)
  return asset
}

export type OrderWish = {
  readonly from: readonly [chainId: ChainId, token: string]
  readonly to: readonly [chainId: ChainId, token: string]
  readonly amount: bigint
  readonly sender?: Address
  readonly recipient?: Address
  readonly refundTo?: Address
} & Partial<Pick<VenueOrder, 'slippageBps'>> &
  Partial<Pick<Order, 'feeBps' | 'rankingMode' | 'sandbox' | 'excludeVenues' | 'broadcastViaService'>>

/** An order as a venue is asked it: give what the test is about, the rest is ordinary. */
export const anOrder = ({ from, to, amount, sender, recipient, refundTo, ...rest }: OrderWish): VenueOrder => {
  const route = { input: assetOf(...from), output: assetOf(...to) }
  const payer = sender ?? WALLETS[ecosystemOf(route.input.chainId)]
  return {
    ...route,
    inputAmount: toAmount(amount),
    sender: payer,
    ...resolveParties(route, payer, { recipient: recipient ?? null, refundTo: refundTo ?? null }),
    slippageBps: 50,
    feeBps: 0,
    rankingMode: 'best_output',
    sandbox: false,
    excludeVenues: [],
    broadcastViaService: false,
    ...rest,
  }
}

/** The usual order of a suite, but for what a test wishes. */
export const usually =
  (usual: OrderWish) =>
  (wish: Partial<OrderWish> = {}): VenueOrder =>
    anOrder({ ...usual, ...wish })
