import type { Amount } from './amount.ts'

export type SwapState = 'pending' | 'processing' | 'success' | 'expired' | 'refunded' | 'failed' | 'not_found' | 'unknown'

/** The status of a swap: our state, and the venue's raw status. */
export type SwapStatus = {
  readonly state: SwapState
  /** The venue's raw status; null when the venue was not asked or reported none. */
  readonly venueStatus: string | null
  /** Smallest units of the output token that reached the recipient; null until they are reported. */
  readonly deliveredAmount: Amount | null
  /** The delivery, or the refund; the destination chain's own transaction id. Null until it is reported. */
  readonly txHash: string | null
}

/** The venue's report of a swap, with the transactions that it names. The chain must confirm every part of it. */
export type VenueWord = SwapStatus & {
  /** The transactions that paid the input, where the venue names them. */
  readonly paidBy?: readonly string[]
  /** The transaction of a partial refund beside a delivery; `txHash` is that of a refund alone. */
  readonly refundTx?: string | null
  /** Smallest units of the refund. It selects one of several payments, and proves no payment. */
  readonly refundedAmount?: Amount | null
}

type StateFacts = {
  /** The swap has ended. `expired` is no end: a refund is still owed. */
  readonly isTerminal: boolean
  /** The venue has recognised the ref as this swap. */
  readonly isRecognised: boolean
  /** The venue has observed the payment. Some venues report `expired` for unpaid swaps. */
  readonly isPaid: boolean
  /** The venue reports no known state of the swap: a recorded swap keeps its earlier state. */
  readonly isForgotten: boolean
}

/** Every property of a state that the service uses, in one table: a new state must define all of them. */
const FACTS: { readonly [S in SwapState]: StateFacts } = {
  pending: { isTerminal: false, isRecognised: false, isPaid: false, isForgotten: false },
  processing: { isTerminal: false, isRecognised: true, isPaid: true, isForgotten: false },
  success: { isTerminal: true, isRecognised: true, isPaid: true, isForgotten: false },
  expired: { isTerminal: false, isRecognised: true, isPaid: false, isForgotten: false },
  refunded: { isTerminal: true, isRecognised: true, isPaid: true, isForgotten: false },
  failed: { isTerminal: true, isRecognised: true, isPaid: true, isForgotten: false },
  not_found: { isTerminal: false, isRecognised: false, isPaid: false, isForgotten: true },
  unknown: { isTerminal: false, isRecognised: false, isPaid: false, isForgotten: true },
}

export const SWAP_STATES = Object.keys(FACTS) as readonly SwapState[]

export const factsOf = (state: SwapState): StateFacts => FACTS[state]

export const isTerminal = (state: SwapState): boolean => FACTS[state].isTerminal

/** A swap without any report: `pending` when it is ours, `not_found` or `unknown` when it may not be. */
export const wordless = (state: 'pending' | 'not_found' | 'unknown'): SwapStatus => ({
  state,
  venueStatus: null,
  deliveredAmount: null,
  txHash: null,
})
