import type { SimRandom } from '../../engine/simnet/kit/world.ts'
import type { Execution } from '../client/wire.ts'
import type { Client } from './client.ts'
import type { Stage } from './stage.ts'

/** A partner, by what the service answered it. */
export type Partner = {
  readonly name: string
  readonly partnerId: string
  readonly apiKey: string
  readonly payoutAddress: string
  readonly webhookUrl: string
  feeBps: number
  /** How many different fees it set, one after another. */
  feesSet: number
  /** Null when the answer that contained it was lost. */
  webhookSecret: string | null
  /** Its first settings were answered. */
  isSetUp: boolean
  readonly payouts: { readonly chainId: number; readonly token: string; readonly amount: bigint; readonly txHash: string }[]
}

export const SWAP_KINDS = ['deposit', 'transaction', 'signature', 'posted'] as const
/** `posted`: the service broadcasts the signed transaction. */
export type SwapKind = (typeof SWAP_KINDS)[number]

/** `never`: not paid. `short`: paid less than the deposit asks for, which is refunded. */
export type Intent = 'pay' | 'never' | 'short'

/** One quote with an amount and a recipient of its own, and its course. */
export type Swap = {
  readonly kind: SwapKind
  readonly intent: Intent
  readonly requestId: string
  readonly partner: Partner | null
  readonly amount: bigint
  readonly recipient: string
  offer: { readonly bps: number; readonly feeAmount: bigint } | null
  quoteToken: string
  /** Null unless `/execute` succeeded. */
  execution: Execution | null
  /** Requests to execute, and to submit, without a final answer. With replicas, `lostExecutes` counts steps of the clock as well. */
  lostExecutes: number
  lostSubmits: number
  /** The `ref` for `/status`, once it was paid or signed. */
  ref: string | null
  /** Money left its payer, or the order may be out. */
  isPaid: boolean
  /** The last status that was answered. */
  reported: { readonly status: string } | null
}

/** The answers that the users of the service received. */
export type Journal = {
  readonly partners: Partner[]
  readonly swaps: Swap[]
  /** What must not happen. */
  readonly problems: string[]
  repeats: number
  requotes: number
}

/** What the users of a run share. */
export type Run = {
  readonly stage: Stage
  readonly client: Client
  readonly journal: Journal
  readonly random: SimRandom
}

export const isEnd = (status: string | undefined): boolean => ['success', 'refunded', 'failed'].includes(status ?? '')
