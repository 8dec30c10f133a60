import type { ChainId } from '../../../engine/core/chain.ts'
import { checkOffer } from '../../../engine/quoting/offerRules.ts'
import { kyberswap } from '../../../engine/venues/kyberswap/venue.ts'
import { type RecordedAnswer, type RecordedRow, recordedAnswer, recordedOrder } from '../../support/recordedAnswers.ts'
import { START_OF_TIME } from '../../support/venueBench.ts'
import { never, takenThrough, transactionOf } from '../../support/venueKit/calls.ts'
import { type Canned, canned } from '../../support/venueKit/canned.ts'
import recordings from './recordings.json' with { type: 'json' }
import { ROUTER, STRANGER } from './support.ts'

type Place = readonly [ChainId, string]
export type Recorded = Omit<(typeof recordings.built)[number], 'from' | 'to' | 'keccak' | 'fee'> & {
  readonly fee: { readonly bps: number; readonly recipient: string; readonly of?: string } | null
  readonly from: Place
  readonly to: Place
  readonly keccak?: readonly string[]
}
export type RecordedRoute = RecordedRow & {
  readonly from: Place
  readonly to: Place
  readonly summary: (typeof recordings.routes)[number]['summary']
}

/** A recorded build, with the route it was built from as far as its source tells. */
const answersOf = ({ from, to, amount, routed, built, fee, data }: Recorded) => {
  const extraFee = fee
    ? { feeAmount: String(fee.bps), chargeFeeBy: fee.of ?? 'currency_out', isInBps: true, feeReceiver: fee.recipient }
    : { feeAmount: '', chargeFeeBy: '', isInBps: false, feeReceiver: '' }
  const routeSummary = { tokenIn: from[1], amountIn: amount, tokenOut: to[1], amountOut: routed, gas: '215000', extraFee }
  const isOfCoins = /^0x(ee)+$/i.test(from[1])
  return {
    routes: { routeSummary, routerAddress: ROUTER },
    build: { amountIn: amount, amountOut: built, data, routerAddress: ROUTER, transactionValue: isOfCoins ? amount : '0' },
  }
}

export const orderOf = (swap: Recorded) => ({
  ...recordedOrder(swap, swap.amount, swap.slippageBps),
  feeBps: swap.fee?.bps ?? 0,
})

/** The adapter, answered what was recorded. */
export const cannedBy = (swap: Recorded): Canned => {
  const { routes, build } = answersOf(swap)
  const settings = swap.fee ? { FEE_RECIPIENT: swap.fee.recipient } : {}
  const data = (path: string) => (path.endsWith('/routes') ? routes : build)
  return canned(kyberswap, ({ path }) => ({ body: { code: 0, message: 'successfully', data: data(path) } }), { settings })
}

const quoted = async (row: RecordedRoute): Promise<void> => {
  const { from, to, summary } = row
  const order = recordedOrder({ from, to, wallet: STRANGER }, summary.amountIn, 50)
  const body = { code: 0, message: 'successfully', data: { routeSummary: summary, routerAddress: ROUTER } }
  const { venue } = canned(kyberswap, () => ({ body }))
  const offer = await venue.quote(order, never())
  checkOffer({ offer, order, asked: order, profile: venue.profile, now: START_OF_TIME })
  if (String(offer.outputAmount) !== summary.amountOut) throw new Error('the price is not the recorded one')
}

const taken = async (swap: Recorded): Promise<void> => {
  const { execution } = await takenThrough(cannedBy(swap).venue, orderOf(swap))
  if (transactionOf(execution).data !== swap.data) throw new Error('the calldata is not the recorded one')
  if (String(execution.slippage?.guaranteedMin) !== swap.minimum) throw new Error('the minimum is not the recorded one')
}

/** Answers of aggregator-api.kyberswap.com that somebody published. */
export const recordedAnswers: readonly RecordedAnswer[] = [
  ...([...recordings.built, ...recordings.withInputFee] as unknown as readonly (Recorded & RecordedRow)[]).map((row) =>
    recordedAnswer(row, () => taken(row)),
  ),
  ...(recordings.routes as unknown as readonly RecordedRoute[]).map((row) => recordedAnswer(row, () => quoted(row))),
]
