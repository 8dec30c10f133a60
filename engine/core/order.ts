import { type Address, placeholderAddress } from './address.ts'
import type { Amount } from './amount.ts'
import { type Ecosystem, ecosystemOf } from './chain.ts'
import { isCrossEcosystem, type Route } from './route.ts'

export type RankingMode = 'best_output' | 'fastest'

/** An address of the swap that the caller may still have to supply. */
export type Party = 'recipient' | 'refundTo'

/**
 * The caller's request, checked and complete, as every venue receives it. `recipient` and `refundTo` are always filled, so that a
 * price is possible; `unnamed` lists those that the caller left out. An unnamed recipient is a placeholder, and must be replaced
 * before execution.
 */
export type Order = Route & {
  /** Smallest units of the input token; more than zero. */
  readonly inputAmount: Amount
  /** The wallet that pays, on the input chain. */
  readonly sender: Address
  /** The recipient on the output chain. */
  readonly recipient: Address
  /** The refund address of the input, on its chain. */
  readonly refundTo: Address
  readonly unnamed: readonly Party[]
  /** The caller's tolerance between the expected and the guaranteed output, basis points; null leaves it to the venue. */
  readonly slippageBps: number | null
  /** The integrator fee to charge, set by the engine from the caller's tier. */
  readonly feeBps: number
  readonly rankingMode: RankingMode
  readonly sandbox: boolean
  readonly excludeVenues: readonly string[]
  readonly broadcastViaService: boolean
}

/** The order for one venue, with the slippage for that venue. */
export type VenueOrder = Order & { readonly slippageBps: number }

/** Replaces addresses that the caller left out: by the sender where it can receive, else by a placeholder. */
export const resolveParties = (
  route: Route,
  sender: Address,
  given: { readonly recipient: Address | null; readonly refundTo: Address | null },
): Pick<Order, 'recipient' | 'refundTo' | 'unnamed'> => {
  const destination: Ecosystem = ecosystemOf(route.output.chainId)
  const senderCanReceive = !isCrossEcosystem(route)
  const recipient = given.recipient ?? (senderCanReceive ? sender : placeholderAddress(destination))
  // A Bitcoin sender is often an exchange's address, where a refund would be lost. It is listed as unnamed, so that a venue that
  // fixes the refund address at quote time can require one. Venues that bind later fall back to the sender.
  const refundTo = given.refundTo ?? sender
  const unnamed: Party[] = []
  if (!given.recipient && !senderCanReceive) unnamed.push('recipient')
  if (!given.refundTo && ecosystemOf(route.input.chainId) === 'bitcoin') unnamed.push('refundTo')
  return { recipient, refundTo, unnamed }
}
