import { inventedTxHash } from '../../kit/freshAddress.ts'
import type { Progress, Terms } from '../../kit/fulfilment.ts'
import type { World } from '../../kit/world.ts'
import { tokenBody } from './networks.ts'
import type { Issued } from './quotes.ts'

export type Transfer = Issued &
  Terms &
  Progress & {
    readonly txHash: string
    /** Epoch ms. */
    readonly madeAt: number
    readonly took: bigint
    /** At Across's pool of the origin; null for all others. */
    readonly deposit: { readonly id: bigint; readonly fillDeadline: number } | null
    /** As the escrow of LI.FI Intents reported it; null for all others. `data` is the order, times are unix seconds. */
    readonly opened: {
      readonly orderId: string
      readonly data: string
      readonly fillDeadline: number
      readonly expires: number
    } | null
    readonly lie: 'lying-success' | 'unknown-status' | null
    /** What was seen of it on the chains. */
    done: { readonly substatus: 'COMPLETED' | 'REFUNDED'; readonly txHash: string; readonly amount: bigint } | null
  }

type Told = { readonly status: string; readonly substatus: string; readonly txHash?: string; readonly amount?: bigint }

const stateOf = (transfer: Transfer, { clock, random }: World): Told => {
  const { lie, done, end, deposit, opened, price, question, refunds } = transfer
  if (lie === 'unknown-status') return { status: 'WANDERING', substatus: 'NOBODY_KNOWS' }
  const isLie = lie === 'lying-success' || (end?.ends === 'filled' && end.txHash === null)
  const invented = { txHash: inventedTxHash(question.destination.chainId, random), amount: price.expected }
  if (isLie) return { status: 'DONE', substatus: 'COMPLETED', ...invented }
  if (done) return { status: 'DONE', ...done }
  if (end?.ends === 'filled') return { status: 'DONE', substatus: 'COMPLETED', txHash: end.txHash ?? '', amount: end.amount }
  const [back] = refunds
  if (back) return { status: 'DONE', substatus: 'REFUNDED', ...back }
  if (end?.ends === 'failed') return { status: 'FAILED', substatus: 'UNKNOWN_FAILED_ERROR' }
  const { fillDeadline } = deposit ?? opened ?? { fillDeadline: Number.POSITIVE_INFINITY }
  const isLate = clock.now() >= fillDeadline * 1_000
  return { status: 'PENDING', substatus: isLate ? 'REFUND_IN_PROGRESS' : 'WAIT_DESTINATION_TRANSACTION' }
}

/** GET /v1/status */
export const statusBody = (transfer: Transfer, world: World) => {
  const { market, clock } = world
  const { question, transactionId, txHash, took, price } = transfer
  const { origin, destination, input, output, sender, recipient, amount: asked } = question
  const { status, substatus, txHash: at, amount = 0n } = stateOf(transfer, world)
  const isBack = substatus === 'REFUNDED'
  const body = (token: typeof input) => tokenBody(token, market.usdMicros(token))
  const place = { chainId: isBack ? origin.id : destination.id }
  const coin = body(world.tokens.native(origin.chainId))
  const gas = { gasPrice: '1000000000', gasUsed: '350000', gasToken: coin, gasAmount: '350000000000000', gasAmountUSD: '0.10' }
  const made = (hash: string, sum: bigint, token: typeof input) => {
    const linked = { txHash: hash, txLink: `https://explorer.li.fi/tx/${hash}` }
    return { ...linked, ...gas, amount: String(sum), token: body(token), timestamp: Math.floor(clock.now() / 1_000) }
  }
  const back = isBack ? (price.exchange?.to ?? input) : output
  return {
    ...{ transactionId, fromAddress: sender, toAddress: recipient, tool: price.tool ?? 'lifidexaggregator' },
    sending: { ...made(txHash, price.tool === null ? asked : took, input), chainId: origin.id },
    receiving: at === undefined ? place : { ...made(at, amount, back), ...place },
    ...{ feeCosts: [], metadata: { integrator: question.integrator } },
    ...{ status, substatus, substatusMessage: substatus.toLowerCase(), lifiExplorerLink: `https://explorer.li.fi/tx/${txHash}` },
  }
}
