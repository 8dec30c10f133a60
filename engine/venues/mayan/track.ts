import { parseAddress } from '../../core/address.ts'
import { type Amount, toAmount } from '../../core/amount.ts'
import { ecosystemOf } from '../../core/chain.ts'
import type { Clock } from '../../core/clock.ts'
import type { Order } from '../../core/order.ts'
import type { SwapState, VenueWord } from '../../core/swapStatus.ts'
import { parseTransactionId } from '../../core/transactionId.ts'
import { isOneOf, NOT_FOUND, swapStatus, type Tracked } from '../kit/track.ts'
import type { StatusTracker } from '../venue.ts'
import type { MayanClient } from './client.ts'
import { ownNames } from './events.ts'
import { pinned } from './protocol.ts'
import { executionCarry, type WireStatus } from './wire.ts'

/** How long after its price expired a payment may still be missing in the explorer: our own bound. */
const UNSEEN_MS_MAX = 10 * 60_000

/** README of mayan-finance/swap-sdk; the last one is in the route of Wormhole Connect. */
const RAW_STATUSES = ['INPROGRESS', 'COMPLETED', 'REFUNDED', 'CANCELED'] as const
type RawStatus = (typeof RAW_STATUSES)[number]
const isRawStatus = isOneOf(RAW_STATUSES)

const settledBy = ({ fulfillTxHash, redeemTxHash, txs }: WireStatus): string | null => {
  const rows = (txs ?? []).map((row) => (row ?? {}) as { readonly [name: string]: unknown })
  const named = rows.find(({ goals }) => Array.isArray(goals) && goals.includes('SETTLE'))?.['txHash']
  return fulfillTxHash ?? redeemTxHash ?? (typeof named === 'string' ? named : null)
}

/** utils/swap.dto.ts of mayan-finance/example-tx-parser. */
const underWay = (status: string | null): SwapState => {
  switch (status) {
    case 'ORDER_SUBMITTED':
      return 'pending'
    case 'ORDER_EXPIRED':
    case 'ORDER_CANCELED':
      return 'expired'
    default:
      return 'processing'
  }
}

const stateOf = (raw: RawStatus, word: WireStatus): SwapState => {
  const refundTx = word.refundTxHash ?? null
  switch (raw) {
    case 'INPROGRESS':
      return underWay(word.status ?? null)
    case 'COMPLETED':
      // Without a transaction it is unproved.
      return settledBy(word) === null ? 'processing' : 'success'
    case 'REFUNDED':
    case 'CANCELED':
      return refundTx === null ? 'expired' : 'refunded'
  }
}

/** A decimal number of whole tokens; null when invalid, or finer than the token. */
const readAmount = (text: string | null | undefined, decimals: number | null): Amount | null => {
  const match = /^(\d{1,60})(?:\.(\d{1,60}))?$/.exec(text ?? '')
  if (match === null || decimals === null) return null
  const [, whole = '', fraction = ''] = match
  if (/[1-9]/.test(fraction.slice(decimals))) return null
  return toAmount(BigInt(whole + fraction.slice(0, decimals).padEnd(decimals, '0')))
}

const isRoute = ({ sourceChain, destChain }: WireStatus, { input, output }: Order): boolean =>
  sourceChain === String(pinned(input.chainId)?.wormholeId) && destChain === String(pinned(output.chainId)?.wormholeId)

/** By the order's id where our record has it, else by its recipient: the address of the quote, where it has one. */
const isOurs = async (word: WireStatus, { order, executed }: Tracked): Promise<boolean> => {
  if (!isRoute(word, order)) return false
  const { orderHash = null, destAddress = null } = word
  const names = executed && (await ownNames(executed))
  // Some answers omit `0x`.
  if (names && orderHash !== null) return names.has(`0x${orderHash.toLowerCase().replace(/^0x/, '')}`)
  const recipient = executed?.binding.recipient ?? (order.unnamed.includes('recipient') ? null : order.recipient)
  return recipient === null || destAddress === null || parseAddress(ecosystemOf(order.output.chainId), destAddress) === recipient
}

type TrackerPorts = { readonly client: Pick<MayanClient, 'status'>; readonly clock: Clock }

/** Follows an order by the transaction that placed it. The explorer's report only shows where to read. */
export const createTracker = ({ client, clock }: TrackerPorts): StatusTracker => ({
  track: async (text, swap, signal): Promise<VenueWord> => {
    const { order, offer } = swap
    const name = swap.executed && executionCarry.read(swap.executed.execution.carry).name
    const ref = parseTransactionId(order.input.chainId, text)
    if (ref === null) return NOT_FOUND
    const first = await client.status('trx', ref, signal)
    if (first === null) {
      const isFresh = swap.executed !== null && offer.expiresAt !== null && clock.now() < offer.expiresAt + UNSEEN_MS_MAX
      return isFresh ? swapStatus('pending', null) : NOT_FOUND
    }
    // A transaction may also place the orders of others, and its report covers one order only.
    const isFirst = await isOurs(first, swap)
    const word = isFirst || name === null ? first : await client.status('order-id', name, signal)
    if (word === null || !(isFirst || (await isOurs(word, swap)))) return NOT_FOUND
    if (!isFirst && parseTransactionId(order.input.chainId, word.sourceTxHash ?? '') !== ref) return NOT_FOUND
    const state = isRawStatus(word.clientStatus) ? stateOf(word.clientStatus, word) : 'unknown'
    const venueStatus = word.status ?? word.clientStatus
    const named = { paidBy: [ref], refundTx: word.refundTxHash ?? null }
    if (state === 'success') {
      const deliveredAmount = readAmount(word.toAmount, offer.decimals.output)
      return { ...swapStatus(state, venueStatus, { deliveredAmount, txHash: settledBy(word) }), ...named }
    }
    if (state !== 'refunded') return { ...swapStatus(state, venueStatus), ...named }
    return { ...swapStatus(state, venueStatus, { txHash: word.refundTxHash ?? null }), paidBy: [ref] }
  },
})
