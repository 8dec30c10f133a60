import type { ChainId } from '../../../engine/core/chain.ts'
import { type RecordedRow, recordedAnswer, recordedOrder } from '../../support/recordedAnswers.ts'
import { takenThrough } from '../../support/venueKit/calls.ts'
import type { Asked } from '../../support/venueKit/canned.ts'
import recordings from './recordings.json' with { type: 'json' }
import { type Body, cannedUniswapX, FEE_RECIPIENT, NONE } from './support.ts'

/** Signed orders as published; the adapter uses no other field of an answer. */
type Recorded = RecordedRow & Omit<(typeof recordings)[number], keyof RecordedRow> & { readonly feeBps?: number }

const ZERO = `0x${'0'.repeat(40)}`
const NATIVE = '0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE'

/** Quote, build, decode and proof, with the order that it answers. */
const accept = async ({ routing, orderId, feeBps = 0, permitData }: Recorded): Promise<void> => {
  const { permitted, deadline, witness } = permitData.values
  const [own, fee] = witness.baseOutputs
  if (!own) throw new TypeError('nothing is paid')
  const chainId = permitData.domain.chainId as ChainId
  const [from, to] = [[chainId, permitted.token] as const, [chainId, own.token === ZERO ? NATIVE : own.token] as const]
  const swap = { wallet: witness.info.swapper, recipient: own.recipient, from, to }
  const order = { ...recordedOrder(swap, permitted.amount, 1_500), feeBps }
  const now = deadline * 1_000 - 60_000
  const body = { requestId: 'r', routing, quote: { orderId, quoteId: 'q' }, permitData }
  const settings = { FEE_RECIPIENT: fee?.recipient ?? FEE_RECIPIENT }
  const protocol = routing === 'DUTCH_V3' ? 'UNISWAPX_V3' : 'UNISWAPX_V2'
  const answering = ({ body: asked }: Asked) => (String((asked as Body)['protocols']) === protocol ? { body } : NONE)
  const { offer } = await takenThrough(cannedUniswapX(answering, { settings, now: () => now }).venue, order, now)
  if (offer.outputAmount !== BigInt(own.startAmount)) throw new Error(`offers ${offer.outputAmount}`)
}

export const recordedAnswers = (recordings as unknown as readonly Recorded[]).map((row) => recordedAnswer(row, () => accept(row)))
