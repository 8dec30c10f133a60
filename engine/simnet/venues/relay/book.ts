import type { QuoteRequest } from './quoteRequest.ts'

/** How a request is to end once it is paid. */
export type Fate =
  | { readonly ends: 'success'; readonly amount: bigint; readonly isLie?: boolean }
  | { readonly ends: 'refund'; readonly failReason: string }
  | { readonly ends: 'failure'; readonly failReason: string; readonly refundFailReason: string }
  | { readonly ends: 'unheardOf' }

/** How it did end. */
export type End = {
  readonly status: string
  /** Outgoing: the fill, or the refund. */
  readonly txHashes: readonly string[]
  /** What the recipient got; null when it got nothing. */
  readonly delivered: bigint | null
  readonly failReason: string
  readonly refundFailReason: string
}

export type Paid = { readonly txHash: string; readonly amount: bigint; readonly at: number }

export type RelayRequest = {
  readonly requestId: string
  readonly orderId: string
  readonly request: QuoteRequest
  readonly quoted: { readonly expected: bigint; readonly minimum: bigint }
  readonly depositAddress: string | null
  readonly createdAt: number
  paid: Paid | null
  /** The request a payment of another amount was taken for; null while there is none. */
  supersededBy: string | null
  /** When a payment in bitcoin was first seen in a block. */
  confirmedAt: number | null
  fate: Fate | null
  end: End | null
}

/** From the payment, or from its block on Bitcoin, until it is filled. */
export const FILL_MS = 6_000
const STAGE_MS = 2_000
const NOTHING = 'N/A'

/** The raw status at a moment. */
export const statusAt = ({ paid, end, fate, confirmedAt, request, supersededBy }: RelayRequest, now: number): string => {
  if (end) return end.status
  // It stays what it was when it was handed over.
  if (supersededBy !== null) return 'pending'
  if (!paid) return 'waiting'
  const isBitcoin = request.origin.vm === 'bvm'
  if (isBitcoin && confirmedAt === null) return 'pending'
  const elapsed = now - (confirmedAt ?? paid.at)
  // A fill that does not work is tried again and again.
  if (elapsed >= FILL_MS) return fate?.ends === 'refund' ? 'delayed' : 'submitted'
  if (isBitcoin || elapsed >= 2 * STAGE_MS) return 'submitted'
  return elapsed >= STAGE_MS ? 'pending' : 'depositing'
}

/** GET /intents/status/v3. */
export const statusBody = (entry: RelayRequest, now: number) => {
  const { paid, end, request, createdAt } = entry
  const status = statusAt(entry, now)
  return {
    status,
    details: status === 'pending' ? 'Could not fill request (will retry)' : '',
    inTxHashes: paid ? [paid.txHash] : [],
    txHashes: end?.txHashes ?? [],
    updatedAt: now,
    originChainId: request.origin.id,
    destinationChainId: request.destination.id,
    quoteCreatedAt: createdAt,
    failReason: end?.failReason ?? NOTHING,
    refundFailReason: end?.refundFailReason ?? NOTHING,
  }
}

export const endWith = (status: string, more: Partial<End> = {}): End => ({
  status,
  txHashes: [],
  delivered: null,
  failReason: NOTHING,
  refundFailReason: NOTHING,
  ...more,
})

const KEPT = 10_000

export interface Book {
  add(entry: RelayRequest): void
  byRequestId(requestId: string): RelayRequest | null
  byOrderId(orderId: string): RelayRequest | null
  /** The request the address was opened for. */
  byDepositAddress(address: string): RelayRequest | null
  /** That, and those its payments were quoted again as. */
  allAtDepositAddress(address: string): readonly RelayRequest[]
  byDepositTx(txHash: string): RelayRequest | null
}

/** Requests in memory; the oldest go first. */
export const createBook = (): Book => {
  const entries = new Map<string, RelayRequest>()
  const byOrder = new Map<string, string>()
  const find = (fits: (entry: RelayRequest) => boolean) => [...entries.values()].find(fits) ?? null
  return {
    add: (entry) => {
      entries.set(entry.requestId, entry)
      byOrder.set(entry.orderId, entry.requestId)
      const [oldest] = entries.values()
      if (entries.size <= KEPT || !oldest) return
      entries.delete(oldest.requestId)
      byOrder.delete(oldest.orderId)
    },
    byRequestId: (requestId) => entries.get(requestId.toLowerCase()) ?? null,
    byOrderId: (orderId) => entries.get(byOrder.get(orderId.toLowerCase()) ?? '') ?? null,
    byDepositAddress: (address) => find(({ depositAddress }) => depositAddress === address),
    allAtDepositAddress: (address) => [...entries.values()].filter(({ depositAddress }) => depositAddress === address),
    byDepositTx: (txHash) => find(({ paid }) => paid?.txHash.toLowerCase() === txHash.toLowerCase()),
  }
}
