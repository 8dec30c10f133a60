import type { Execution } from '../client/wire.ts'

/** A partner as it knows itself: only what it was answered. */
export type Partner = {
  readonly name: string
  readonly partnerId: string
  readonly apiKey: string
  readonly payoutAddress: string
  readonly webhookUrl: string
  feeBps: number
  /** How many different fees it set, one after another. */
  feesSet: number
  /** Null: the answer that told it was lost. */
  webhookSecret: string | null
  /** Settings that were answered stand from then on. */
  isSetUp: boolean
  readonly payouts: { readonly chainId: number; readonly token: string; readonly amount: bigint; readonly txHash: string }[]
}

export const SWAP_KINDS = ['deposit', 'transaction', 'signature', 'posted'] as const
export type SwapKind = (typeof SWAP_KINDS)[number]

/** `never`: it is not paid; `short`: too little is, which is sent back. */
export type Intent = 'pay' | 'never' | 'short'

export type Offer = { readonly bps: number; readonly feeAmount: bigint; readonly outputAmount: bigint }

/** One quote that somebody wanted to swap by, with money and a recipient of its own. */
export type Swap = {
  readonly kind: SwapKind
  readonly intent: Intent
  readonly requestId: string
  readonly partner: Partner | null
  readonly amount: bigint
  readonly recipient: string
  readonly bornIn: number
  offer: Offer | null
  quoteToken: string
  /** Null: no answer of /execute was ever had, but a refusal. */
  execution: Execution | null
  /** Calls of /execute and of submitting that had no answer. */
  lostExecutes: number
  lostSubmits: number
  /** What /status is asked with, once it was paid or signed. */
  ref: string | null
  /** Money has left its payer, or the order is out. */
  isPaid: boolean
  /** Hashes that were posted for it. */
  txHash: string | null
  /** How it was last told. */
  told: { readonly status: string; readonly deliveredAmount?: string } | null
}

/** All that the users of the service know at the end. */
export type Tale = {
  readonly partners: Partner[]
  readonly swaps: Swap[]
  /** What must not be. */
  readonly problems: string[]
  /** How often something was asked again that had no answer. */
  lost: number
  repeats: number
  requotes: number
}

export const createTale = (): Tale => ({ partners: [], swaps: [], problems: [], lost: 0, repeats: 0, requotes: 0 })

export const isEnd = (status: string | undefined): boolean => ['success', 'refunded', 'failed'].includes(status ?? '')
