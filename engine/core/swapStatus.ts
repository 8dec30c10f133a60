import type { Amount } from './amount.ts'

export type SwapState = 'pending' | 'processing' | 'success' | 'expired' | 'refunded' | 'failed' | 'not_found' | 'unknown'

/** Where a swap stands, in our words and the venue's own. */
export type SwapStatus = {
  readonly state: SwapState
  /** The venue's raw status; null when the venue was not asked or said nothing. */
  readonly venueStatus: string | null
  /** Smallest units of the output token that reached the recipient; null until known. */
  readonly deliveredAmount: Amount | null
  /** The delivery, or the refund; the destination chain's own transaction id. Null until known. */
  readonly txHash: string | null
}

/** Where a swap stands by the venue's word, and the transactions it names for it. None of it is believed without a look. */
export type VenueWord = SwapStatus & {
  /** The transactions that paid the input in, where the venue names them. */
  readonly paidBy?: readonly string[]
  /** What gave some of the input back beside a delivery; a refund alone is named by `txHash`. */
  readonly refundTx?: string | null
  /** Smallest units of what came back. It tells which of several payments it is, and proves none. */
  readonly refundedAmount?: Amount | null
}

type StateFacts = {
  /** The swap has ended. `expired` is no end: a refund is still owed. */
  readonly isTerminal: boolean
  /** The venue has certainly recognised the ref as this swap. */
  readonly isRecognised: boolean
  /** The venue has seen the payment. Some venues say `expired` of what was never paid. */
  readonly isPaid: boolean
  /** The venue knows no such swap, or has no word for it that we know: nothing is learned of a swap seen before. */
  readonly isForgotten: boolean
}

/** Everything that any part of the service asks of a state, in one table: a new state has to answer all of it. */
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

/** A swap of which nobody has a word: `pending` when it is ours, `not_found` or `unknown` when it may not be. */
export const wordless = (state: 'pending' | 'not_found' | 'unknown'): SwapStatus => ({
  state,
  venueStatus: null,
  deliveredAmount: null,
  txHash: null,
})
