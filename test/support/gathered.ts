import type { Payments } from '../../engine/chains/payments.ts'
import { toAmount } from '../../engine/core/amount.ts'
import type { Offer } from '../../engine/core/offer.ts'
import type { SwapState, SwapStatus } from '../../engine/core/swapStatus.ts'
import { parseTransactionId } from '../../engine/core/transactionId.ts'
import type { Sighting, Subject, Word } from '../../engine/execution/track/judge.ts'
import { anOrder, assetOf } from './anOrder.ts'

/** What the judge is given, by parts. */

export const STATES = ['pending', 'processing', 'success', 'expired', 'refunded', 'failed', 'not_found', 'unknown'] as const
export const EXECUTED_AT = Date.UTC(2026, 10, 20)
const MINUTE_MS = 60_000
export const DONE = parseTransactionId(8453, `0x${'d0'.repeat(32)}`)
if (DONE === null) throw new Error('no transaction id')
export const USDC = assetOf(8453, '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913')
export const USDT = assetOf(8453, '0xfde4C96c8593536E31F229EA8f37b2ADa2699bb2')
export const WETH = assetOf(8453, '0x4200000000000000000000000000000000000006')

export const order = anOrder({
  from: [8453, USDC.address],
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
export const said = (claimed: SwapStatus, sighting: Sighting = { kind: 'notLooked' }): Word => ({
  kind: 'said',
  claimed,
  sighting,
})
export const says = (state: SwapState, sighting?: Sighting) => said(status(state), sighting)
export const silent = (last: SwapStatus): Word => ({ kind: 'silent', last })

export const unreadable: Sighting = { kind: 'unreadable', txHash: DONE }
export const paid = (amount: bigint, rest: Partial<Payments> = {}, owedToOthers = 0n): Sighting => ({
  kind: 'seen',
  txHash: DONE,
  payments: { amount, paidIn: [], paidAt: EXECUTED_AT, ...rest },
  owedToOthers,
})
export const paidIn = (...paidIn: Payments['paidIn']) => paid(0n, { paidIn })
export const at = (minutes: number) => ({ paidAt: EXECUTED_AT + minutes * MINUTE_MS })

/** A swap of which nothing was seen yet, asked about by the ref `asked`. */
export const SUBJECT: Subject = { order, offer, ref: 'asked', executedAt: EXECUTED_AT, own: { knownBy: null, last: null } }
/** What the service sends for the caller. */
export const unposted = { state: 'unposted', byVenueRef: null } as const
export const underWay = { state: 'underWay', byVenueRef: null } as const
export const over = { state: 'over', byVenueRef: null } as const
