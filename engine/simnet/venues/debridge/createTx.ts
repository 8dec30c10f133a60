import { alteredTerms, misquotedBy, takesFor } from '../../kit/lies.ts'
import { ok, refuseIf } from '../../kit/refusal.ts'
import type { SimRequest, SimResponse } from '../../kit/simVenue.ts'
import type { World } from '../../kit/world.ts'
import type { Book } from './book.ts'
import { evmTransaction, orderOf, type Plan } from './build.ts'
import { CONTRACTS, isSvm, PROGRAM } from './networks.ts'
import { idOf } from './order.ts'
import { type Deal, priced } from './pricing.ts'
import { readQuestion } from './question.ts'
import { svmTransaction } from './svm.ts'
import { estimationOf } from './views.ts'

/** Seen on what the live API wraps into orders: its own marker, and nothing that a contract reads. */
const METADATA = `0x0101${'00'.repeat(31)}`

/** GET /dln/order/create-tx: a price and, where all are named, the transaction. */
export const answerCreateTx = (world: World, venue: string, book: Pick<Book, 'prepare'>) => {
  const { clock, random, tokens, faults, solana } = world

  const planOf = (deal: Deal & { readonly parties: NonNullable<Deal['parties']> }): Plan => {
    const takes = takesFor(faults, venue, '/dln/order/create-tx')
    const contract = isSvm(deal.origin) ? PROGRAM : CONTRACTS.source
    const { recipient } = deal.parties
    const terms = alteredTerms(takes, { recipient, minimum: deal.takeAmount, amount: deal.gross, contract }, deal)
    const parties = { ...deal.parties, recipient: terms.recipient }
    const off = terms.amount - deal.gross
    const sums = { gross: terms.amount, net: deal.net + off, takeAmount: terms.minimum }
    return {
      ...deal,
      ...sums,
      parties,
      contract: terms.contract,
      salt: BigInt(clock.now()) * 1_000n + BigInt(random.integer(1_000)),
      metadata: METADATA,
    }
  }

  const transactionOf = async (plan: Plan) =>
    isSvm(plan.origin) ? svmTransaction(plan, await solana.blockhash()) : evmTransaction(plan, world)

  return async ({ query, path }: SimRequest): Promise<SimResponse> => {
    const question = readQuestion(query, tokens)
    const takes = takesFor(faults, venue, path)
    refuseIf(takes('halt'), 'IMPOSSIBLE_ROUTE', 'No route is available')
    const deal = priced(question, world, misquotedBy(takes))
    const head = {
      estimation: estimationOf(deal),
      fixFee: deal.origin.fixFee.toString(),
      protocolFee: deal.protocolFee.toString(),
    }
    if (deal.parties === null) return ok(head)
    await book.prepare(deal.output)
    const plan = planOf({ ...deal, parties: deal.parties })
    const orderId = takes('bad-signature') ? `0x${random.hex(64)}` : idOf(orderOf(plan))
    const order = { approximateFulfillmentDelay: deal.delay, salt: Number(plan.salt), metadata: plan.metadata }
    return ok({ ...head, tx: await transactionOf(plan), orderId, order })
  }
}
