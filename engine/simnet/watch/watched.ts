import type { ActiveFault, FaultKind } from '../kit/faults.ts'

/**
 * The events of the service that the offline network records, by their names and fields in the log, and the state that its
 * page shows. Nothing in them is a secret. In the state amounts are smallest units as decimal text, times are epoch
 * milliseconds of the network's clock, and unknown values are null. The page is checked against these types too, so they
 * import nothing that needs Node.
 */

type ExecutionType = 'TRANSACTION' | 'SIGNATURE' | 'DEPOSIT'
type SwapState = 'pending' | 'processing' | 'success' | 'expired' | 'refunded' | 'failed' | 'not_found' | 'unknown'

/** `<chain>:<token>` of both sides. */
type Route = { readonly input: string; readonly output: string; readonly inputAmount: string }

/** The result of a venue in a race: see ToldRun of core. */
type Run = {
  readonly venue: string
  readonly outcome: 'offer' | 'dropped' | 'decline' | 'rejected' | 'timeout' | 'failure' | 'cut' | 'skipped'
  readonly elapsedMs: number
  readonly rank?: number
  readonly amount?: string
  readonly minimum?: string
  readonly isPreview?: true
  readonly kind?: string
  readonly inputMinimum?: string
  readonly inputMaximum?: string
  readonly reason?: string
}

/** A payment of a swap that a chain shows. */
export type WatchedPayment = {
  readonly kind: 'input' | 'output' | 'refund' | 'extra'
  readonly chainId: number
  readonly token: string
  readonly txHash: string
  /** Smallest units; null where the chain no longer shows the amount. */
  readonly amount: string | null
  readonly isFinal: boolean
}

type OfRace = Route & {
  /** Offers first, by their rank. */
  readonly runs: readonly Run[]
  readonly unwilling: readonly string[]
  /** The value of the input by the venues' published prices, in the output token. */
  readonly reference: string | null
}

export type WatchedRace =
  | ({
      readonly event: 'quote.served'
      readonly quoteId: string
      readonly venue: string
      readonly executable: boolean
      readonly elapsedMs: number
      readonly overheadMs: number
      /** Basis points by which the winner is above the second, and above `reference`. */
      readonly leadBps: number | null
      readonly referenceBps: number | null
    } & OfRace)
  | ({ readonly event: 'quote.refused'; readonly code: string } & OfRace)

export type WatchedStep = { readonly quoteId?: string; readonly swapId?: number; readonly ref?: string | null } & (
  | { readonly event: 'swap.executed'; readonly venue: string; readonly executionType: ExecutionType; readonly repeated: boolean }
  | { readonly event: 'signature.submitted' }
  | { readonly event: 'transaction.submitted'; readonly txHash: string; readonly outcome: string }
  | {
      readonly event: 'swap.tracked'
      readonly by: 'status' | 'settlement'
      readonly state: SwapState
      readonly venueStatus: string | null
      /** All recorded payments; left out where none were read. */
      readonly payments?: readonly WatchedPayment[]
    }
)

export type WatchedEvent = WatchedRace | WatchedStep

/** A race, when it ended. `id` counts the races of this network from 1. */
export type Race = WatchedRace & { readonly id: number; readonly at: number }

/** One entry of a swap's timeline, with the state of the swap from then on. */
export type SwapStep = {
  readonly at: number
  /** `seen`: the state or the venue's status changed. `ended`: likewise, for the first end. `paid`, `delivered`, `refunded`: a payment. */
  readonly what: 'executed' | 'submitted' | 'seen' | 'ended' | 'paid' | 'delivered' | 'refunded'
  readonly by: 'client' | 'status' | 'settlement'
  readonly state: SwapState
  readonly venueStatus: string | null
}

/** What its chain shows of a transaction. */
export type TransactionFacts = {
  /** The number of its block, or Solana's slot. */
  readonly block: number | null
  readonly blockAt: number | null
  /** The sender; on Bitcoin the address of the first input. */
  readonly from: string | null
  /** The callee or the first payee; on Solana the first program beside the compute budget. */
  readonly to: string | null
}

/** A swap that was executed since this network started. */
export type Swap = {
  readonly swapId: number
  readonly quoteId: string
  readonly venue: string
  readonly executionType: ExecutionType
  readonly ref: string | null
  readonly executedAt: number
  /** The requested route and the quoted output; null where the race is forgotten. */
  readonly quoted: (Route & { readonly outputAmount: string | null }) | null
  readonly state: SwapState
  readonly venueStatus: string | null
  /** Oldest first. */
  readonly steps: readonly SwapStep[]
  readonly payments: readonly (WatchedPayment & TransactionFacts)[]
}

/** An error that no caller waits for. */
export type Notice = { readonly chainId: number | null; readonly txHash: string | null; readonly reason: string }

/** A token of the faucet. */
export type FaucetToken = {
  readonly chainId: number
  readonly address: string
  readonly symbol: string
  readonly name: string
  readonly decimals: number
  readonly isNative: boolean
  /** The name of its price in `prices`. */
  readonly currency: string
}

export type WatchedChain = {
  readonly chainId: number
  readonly name: string
  /** False until the first call starts its node. */
  readonly isRunning: boolean
  /** The latest block, on Solana the slot. */
  readonly height: number | null
  readonly tokens: readonly FaucetToken[]
}

/** `GET /state`, and each event of `GET /events`: `state` has all members, `change` those that changed, and of lists the changed entries. */
export type NetworkState = {
  /** `aheadMs`: how far the clock is ahead of real time. */
  readonly clock: { readonly now: number; readonly aheadMs: number }
  /** The origin of the service; null while it is not listening. */
  readonly service: { readonly url: string | null }
  readonly chains: readonly WatchedChain[]
  readonly faultKinds: readonly FaultKind[]
  /** Venue ids, `chain:<id>` and `facilitator`. */
  readonly faultTargets: readonly string[]
  readonly faults: readonly ActiveFault[]
  /** US dollars as decimal text, such as "3950.25". */
  readonly prices: { readonly [currency: string]: string }
  /** The last 50, newest first. */
  readonly races: readonly Race[]
  /** The last 50, newest first. */
  readonly swaps: readonly Swap[]
  readonly notices: readonly Notice[]
}

export type Balance = FaucetToken & { readonly owner: string; readonly amount: string }

/** `GET /balances?address=…`: every token of every chain on which the address is valid, natives first, zeros included. */
export type Balances = {
  readonly balances: readonly Balance[]
  /** Chains that could not be read. */
  readonly unread: readonly { readonly chainId: number; readonly reason: string }[]
}
