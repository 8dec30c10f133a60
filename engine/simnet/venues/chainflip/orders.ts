import { BITCOIN } from '../../../core/chain.ts'
import { BoundedMap } from '../../kit/boundedMap.ts'
import { sumOf } from '../../kit/deposits.ts'
import { type Fate, fails, fateByFault, fills, refunds, takeSettlementFault } from '../../kit/fate.ts'
import { createFulfilment, type Fulfilment, type Progress, type Terms, untouched } from '../../kit/fulfilment.ts'
import { orRefused } from '../../kit/refusal.ts'
import type { SimToken } from '../../kit/tokens.ts'
import type { World } from '../../kit/world.ts'
import type { CfParameters } from './cfParameters.ts'
import { payFrom } from './payFrom.ts'
import { egressFee, leastAmount, type Pair, priceOf } from './pricing.ts'

/** A swap as the State Chain keeps it: of a channel, or of a call of a vault. */
export type Swap = Pair &
  Terms &
  Progress & {
    readonly recipient: string
    readonly refundTo: string
    readonly minPriceX128: bigint
    readonly retryBlocks: number
    readonly brokerBps: number
    readonly isVaultSwap: boolean
  }

export type Channel = {
  readonly id: string
  readonly address: string
  readonly expected: bigint
  readonly openedAt: number
  readonly expiresAt: number
  /** A deposit more is a swap of its own: the last one is told of. */
  swaps: readonly Swap[]
}

const BLOCK_MS = 6_000
/** From the payment, or from its block on Bitcoin, until the output is sent. */
export const SWAP_MS = 24_000
/** A day. */
export const CHANNEL_MS = 24 * 3_600_000

const boughtAtLeast = ({ minPriceX128 }: Swap, swapped: bigint): bigint => (swapped * minPriceX128) >> 128n

/** What becomes of a payment: what it buys now, its refund when that is less than the lowest price, or nothing where it is too small. */
const decideFate = ({ faults, market }: World, venue: string, swap: Swap, paid: bigint, at: number): Fate => {
  if (paid < leastAmount(swap, market)) return fails(at, 'BelowMinimumDeposit')
  const refund = refunds(at + swap.retryBlocks * BLOCK_MS, 'MinPriceViolation')
  const price = orRefused(() => priceOf({ ...swap, amount: paid }, market))
  if (price === null) return refund
  const minimum = boughtAtLeast(swap, price.swapped)
  const fill = fills(at, price.delivered, paid)
  const fault = takeSettlementFault(faults, venue)
  if (fault) return fateByFault(fault, { fill, minimum, refundAt: refund.at, reason: 'SWAP_OUTPUT_TOO_SMALL' })
  if (faults.take(venue, 'unknown-status')) return { ...fails(at, null), ends: 'unheardOf' }
  return price.bought < minimum ? refund : fill
}

type Opened = Pair & Pick<Swap, 'recipient' | 'refundTo' | 'minPriceX128' | 'retryBlocks' | 'brokerBps' | 'isVaultSwap'>

const newSwap = (world: World, terms: Opened, openUntil: number): Swap => ({
  ...terms,
  ...untouched(),
  // Any payment is taken: what one is worth is decided then.
  amountNeeded: 1n,
  refundCost: egressFee(terms.src, terms.input, world.market),
  openUntil,
  settleMs: terms.src.chainId === BITCOIN ? SWAP_MS : 0,
})

const isToken = ({ input }: Pair, token: SimToken | null): boolean => token === input

/** Channels and swaps in memory, and what becomes of what is paid. */
export const createOrders = (world: World, venue: string) => {
  const { clock, tokens } = world
  const channels = new BoundedMap<string, Channel>()
  const byAddress = new BoundedMap<string, Channel>()
  const byPayment = new BoundedMap<string, Swap>()
  const keyOf = (chainId: number, address: string) => `${chainId}:${address.startsWith('0x') ? address.toLowerCase() : address}`

  const fulfilment: Fulfilment<Swap> = createFulfilment<Swap>(world, {
    decide: (swap, completedAt) => {
      const at = (completedAt ?? clock.now()) + (swap.settleMs > 0 ? 0 : SWAP_MS)
      return decideFate(world, venue, swap, sumOf(fulfilment.seen(swap)), at)
    },
    instead: () => refunds(clock.now() + BLOCK_MS, 'SENDING_FAILED'),
    deliver: ({ output: token, recipient: to }, amount) => payFrom(world, { token, to, amount }),
    giveBack: ({ input: token, refundTo: to }, amount) => payFrom(world, { token, to, amount }),
    vanished: (swap) => {
      if (swap.src.chainId !== BITCOIN) return
      for (const payment of swap.paid) fulfilment.whenBack(payment, () => fulfilment.pay(swap, payment))
      swap.paid = []
    },
  })

  return {
    open: (channel: Omit<Channel, 'swaps'>, terms: Opened): Channel => {
      const opened: Channel = { ...channel, swaps: [newSwap(world, terms, channel.expiresAt)] }
      channels.set(channel.id.toLowerCase(), opened)
      byAddress.set(keyOf(terms.src.chainId, channel.address), opened)
      return opened
    },
    channel: (id: string): Channel | null => channels.get(id.toLowerCase()) ?? null,
    /** Open ones to a recipient for a pair. */
    openFor: ({ src, dest }: Pair, recipient: string): number =>
      [...channels.values()].filter(({ swaps: [swap], expiresAt }) => {
        const isFor = swap?.recipient.toLowerCase() === recipient.toLowerCase() && swap.src === src && swap.dest === dest
        return isFor && expiresAt > clock.now()
      }).length,
    byPayment: (txHash: string): Swap | null => byPayment.get(txHash.toLowerCase()) ?? byPayment.get(txHash) ?? null,
    seen: fulfilment.seen,
    /** True when the address is a channel's. Of another token, and what comes too late, nobody takes notice. */
    deposit: (
      at: { readonly chainId: number; readonly address: string; readonly token: string },
      txHash: string,
      amount: bigint,
    ) => {
      const channel = byAddress.get(keyOf(at.chainId, at.address))
      const last = channel?.swaps.at(-1)
      if (!channel || !last) return false
      if (!isToken(last, tokens.find(at.chainId, at.token)) || clock.now() > channel.expiresAt) return true
      const isFirst = last.paid.length === 0
      const swap = isFirst ? last : newSwap(world, last, channel.expiresAt)
      if (!isFirst) channel.swaps = [...channel.swaps, swap]
      byPayment.set(txHash, swap)
      fulfilment.pay(swap, { txHash, amount })
      return true
    },
    /** A call of a vault, by its event. What nobody can read is kept, and known to nobody. */
    vaultSwap: (
      { src, dest, input, output }: Pair,
      { recipient, txHash, amount }: { readonly recipient: string; readonly txHash: string; readonly amount: bigint },
      { refundTo, minPriceX128, retryBlocks, brokerBps }: CfParameters,
    ): void => {
      const terms = { src, dest, input, output, recipient, refundTo, minPriceX128, retryBlocks, brokerBps, isVaultSwap: true }
      const swap = newSwap(world, terms, clock.now())
      byPayment.set(txHash.toLowerCase(), swap)
      fulfilment.pay(swap, { txHash, amount })
    },
  }
}

export type Orders = ReturnType<typeof createOrders>
