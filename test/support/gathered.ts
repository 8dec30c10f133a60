import { expect, it } from 'vitest'
import { toAmount } from '../../engine/core/amount.ts'
import type { Offer } from '../../engine/core/offer.ts'
import type { SwapState, SwapStatus, VenueWord } from '../../engine/core/swapStatus.ts'
import { parseTransactionId } from '../../engine/core/transactionId.ts'
import {
  type Gathered,
  type InputSight,
  judge,
  type PayoutSight,
  type Sighting,
  type Subject,
  type Verdict,
  type Word,
} from '../../engine/execution/track/judge.ts'
import { anOrder } from './anOrder.ts'

/** What the judge is given, by parts. */

export const STATES = ['pending', 'processing', 'success', 'expired', 'refunded', 'failed', 'not_found', 'unknown'] as const

const idOf = (byte: string) => {
  const id = parseTransactionId(8453, `0x${byte.repeat(32)}`)
  if (id === null) throw new TypeError('no transaction id')
  return id
}
/** A delivery, and a refund. */
export const DONE = idOf('d0')
export const BACK = idOf('b0')

export const order = anOrder({
  from: [8453, '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'],
  to: [42161, '0xaf88d065e77c8cC2239327C5EDb3A432268e5831'],
  amount: 100n,
})
export const offer: Offer = {
  venue: 'toy',
  executionType: 'DEPOSIT',
  outputAmount: toAmount(99n),
  fee: { bps: 0, amount: toAmount(0n) },
  slippage: { isFirm: true, guaranteedMin: toAmount(98n) },
  gasUnits: null,
  spender: null,
  nativeFee: toAmount(0n),
  estimatedTimeSeconds: null,
  expiresAt: null,
  decimals: { input: null, output: null },
  carry: null,
}

export const status = (state: SwapState, rest: Partial<SwapStatus> = {}): SwapStatus => ({
  state,
  venueStatus: 'WORDS',
  deliveredAmount: null,
  txHash: null,
  ...rest,
})

/** What the chains show of a swap's input. */
export const PAID: InputSight = { kind: 'paid', amount: 100n }
export const input = (kind: Exclude<InputSight['kind'], 'paid'>): InputSight => ({ kind })

/** What they show of a payout. */
export const NOT_LOOKED: PayoutSight = { kind: 'notLooked' }
export const NONE: PayoutSight = { kind: 'none' }
export const UNREADABLE: PayoutSight = { kind: 'unreadable' }
export const fresh = (txHash = DONE): PayoutSight => ({ kind: 'fresh', txHash })
export const delivered = (amount: bigint, isWhole = true): PayoutSight => ({ kind: 'paid', txHash: DONE, amount, isWhole })
export const returned = (amount: bigint, isWhole = true): PayoutSight => ({ kind: 'paid', txHash: BACK, amount, isWhole })

const TRUSTED: Sighting = { input: { kind: 'notLooked' }, output: NOT_LOOKED, refund: NOT_LOOKED }

/** A venue's word with what the chains show: `seen` left out, nobody looked. */
export const said = (claimed: VenueWord, seen: Partial<Sighting> = {}): Word => ({ kind: 'said', claimed, ...TRUSTED, ...seen })
export const says = (state: SwapState, seen?: Partial<Sighting>): Word => said(status(state), seen)
export const silent = (last: SwapStatus): Word => ({ kind: 'silent', last })

/** A swap of which nothing was seen yet, asked about by the ref `asked`. */
export const SUBJECT: Subject = { order, offer, ref: 'asked', isRecorded: true, own: { knownBy: null, last: null } }
/** What the service sends for the caller. */
export const unposted = { state: 'unposted', otherwise: null } as const
export const underWay = { state: 'underWay', otherwise: null } as const
export const over = { state: 'over', otherwise: null } as const

export const known = (last: SwapStatus | null, knownBy: string | null = 'asked'): Subject => ({
  ...SUBJECT,
  own: { knownBy, last },
})
export const wasSeen = (state: SwapState, rest?: Partial<SwapStatus>) => known(status(state, rest))
export const UNOWNED: Subject = { ...SUBJECT, own: null }
export const UNBOUND: Subject = { ...SUBJECT, offer: { ...offer, slippage: null } }
export const UNRECORDED: Subject = { ...SUBJECT, isRecorded: false, own: null }

/** A rule of the judge. */
type Row = readonly [guarantee: string, given: Partial<Gathered>, told: Partial<SwapStatus>, rest?: Partial<Verdict>]

export const judged = (given: Partial<Gathered>): Verdict =>
  judge({ subject: SUBJECT, word: null, broadcast: null, isDead: false, ...given })

export const holds = (rows: readonly Row[]): void => {
  for (const [guarantee, given, told, rest = {}] of rows)
    it(guarantee, () => {
      const verdict = judged(given)
      expect(verdict.told).toMatchObject(told)
      expect(verdict).toMatchObject(rest)
    })
}

export const UNSEEN = { state: 'processing', venueStatus: 'WORDS', deliveredAmount: null, txHash: null } as const
export const OWED = { state: 'expired', venueStatus: 'WORDS', deliveredAmount: null, txHash: null } as const
