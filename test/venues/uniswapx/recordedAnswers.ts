import { addressOf } from '../../../engine/core/address.ts'
import type { ChainId } from '../../../engine/core/chain.ts'
import { ROUTINGS } from '../../../engine/venues/uniswapx/published.ts'
import { WALLETS } from '../../support/anOrder.ts'
import { type RecordedAnswer, recordedOrder } from '../../support/recordedAnswers.ts'
import { takenThrough } from '../../support/venueKit/calls.ts'
import { cannedUniswapX, FEE_RECIPIENT } from './support.ts'
import vectors from './vectors.json' with { type: 'json' }

/** No answer of the live API is published whole: these were made with its own SDK, and stand as the API sends them. */

type Vector = (typeof vectors.vectors)[number]

const ZERO = `0x${'0'.repeat(40)}`
const NATIVE = '0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE'

const evm = (text: string) => addressOf('evm', text.toLowerCase())

/** The routing is told by the structs of its answer, as the API tells it in a word. */
const routingOf = ({ permitData }: Vector) =>
  ROUTINGS.find((routing) => permitData.types.PermitWitnessTransferFrom.some(({ type }) => type === NAMES[routing]))
const NAMES = { DUTCH_V2: 'V2DutchOrder', DUTCH_V3: 'V3DutchOrder', PRIORITY: 'PriorityOrder' } as const

/** Quote, build, decode and proof, with the order that it answers. */
const accept = (vector: Vector) => async (): Promise<void> => {
  const { permitData, orderHash: orderId, encodedOrder } = vector
  const chainId = vector.chainId as ChainId
  const { permitted, deadline, witness } = permitData.values
  const [own, fee] = witness.baseOutputs
  if (!own) throw new TypeError('nothing is paid')
  const [from, to] = [[chainId, permitted.token] as const, [chainId, own.token === ZERO ? NATIVE : own.token] as const]
  const swap = { wallet: WALLETS.evm, recipient: own.recipient, from, to }
  const order = { ...recordedOrder(swap, permitted.amount, 300), feeBps: fee === undefined ? 0 : 30 }
  if (fee !== undefined && evm(fee.recipient) !== FEE_RECIPIENT) throw new TypeError('a fee of somebody else')
  const now = deadline * 1_000 - 60_000
  const body = { requestId: 'r', routing: routingOf(vector), quote: { orderId, encodedOrder, quoteId: 'q' }, permitData }
  const { venue } = cannedUniswapX(() => ({ body }), { now: () => now })
  const { offer } = await takenThrough(venue, order, now)
  if (offer.outputAmount !== BigInt(own.startAmount)) throw new Error(`offers ${offer.outputAmount}`)
}

export const recordedAnswers: readonly RecordedAnswer[] = vectors.vectors.map((vector) => ({
  name: `${vector.id}, ${vector.kind}`,
  source: vectors.madeWith,
  recordedAt: null,
  run: accept(vector),
}))
