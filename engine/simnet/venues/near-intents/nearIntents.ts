import { sumOf } from '../../kit/deposits.ts'
import { readFields, text } from '../../kit/fields.ts'
import { type Takes, takesFor } from '../../kit/lies.ts'
import { answering, hasKey, ok } from '../../kit/refusal.ts'
import type { SimRequest, SimResponse, SimVenue } from '../../kit/simVenue.ts'
import type { World } from '../../kit/world.ts'
import { createListing } from './listing.ts'
import { createOrders, type Order, type Orders } from './orders.ts'
import { createQuotes, refused, refuseField } from './quotes.ts'

const ID = 'near-intents'
const HINT = { required: { txHash: text(1, 512), depositAddress: text(1, 512) }, optional: {} }
const KEY = { lengthMax: 4096, code: null, message: 'Unauthorized' }

const KNOWN_MS = 10_000
const ENDS = { filled: 'SUCCESS', refunded: 'REFUNDED', failed: 'FAILED', unheardOf: 'FAILED' } as const

/** The raw status at a moment. */
const statusAt = (order: Order, { seen, completedAt }: Orders, now: number): string => {
  if (order.end) return ENDS[order.end.ends]
  const completed = completedAt(order)
  if (completed !== null) return now < completed + KNOWN_MS ? 'KNOWN_DEPOSIT_TX' : 'PROCESSING'
  if (seen(order).length > 0) return 'INCOMPLETE_DEPOSIT'
  return order.hint !== null && now <= order.openUntil ? 'KNOWN_DEPOSIT_TX' : 'PENDING_DEPOSIT'
}

const transactions = (hashes: readonly string[]) => [...new Set(hashes)].map((hash) => ({ hash, explorerUrl: '' }))

const detailsOf = (order: Order, orders: Orders) => {
  const { end, refunds, refundCost, withdrawFee, amountNeeded, inventedTxHash } = order
  const delivered = end?.ends === 'filled' ? end : null
  const seen = orders.seen(order)
  return {
    ...{ intentHashes: [], nearTxHashes: [], slippage: null },
    ...{ amountIn: delivered && String(amountNeeded), amountOut: delivered && String(delivered.amount) },
    ...{ depositedAmount: seen.length > 0 ? String(sumOf(seen)) : null, refundedAmount: String(sumOf(refunds)) },
    ...{ refundReason: end?.ends === 'refunded' ? end.reason : null },
    ...{ refundFee: String(refundCost), withdrawFee: String(withdrawFee) },
    // All transactions on the origin chain, refunds included.
    originChainTxHashes: transactions([...seen, ...refunds].map(({ txHash }) => txHash)),
    destinationChainTxHashes: transactions(delivered ? [delivered.txHash ?? inventedTxHash] : []),
  }
}

/**
 * The 1Click Swap API of NEAR Intents: token list, quotes signed with a key of the seed, deposit addresses, status.
 * https://docs.near-intents.org/integration/distribution-channels/1click-api
 */
export const createNearIntents = (world: World): SimVenue => {
  const { clock, random, tokens, market, faults } = world
  const listing = createListing(tokens, market)
  const orders = createOrders(world, ID)
  const quotes = createQuotes(world, listing, orders.open)

  const find = (address: string | null): Order => {
    const order = orders.find(address ?? '')
    if (!order) throw refused(`Deposit address ${address} not found`, 404)
    return order
  }

  const statusOf = (order: Order, takes: Takes, code = 200): SimResponse => {
    const { correlationId: _ofQuote, ...quoteResponse } = order.response
    const status = takes('unknown-status') ? 'SOLVER_REVIEW' : statusAt(order, orders, clock.now())
    const updatedAt = new Date(clock.now()).toISOString()
    const swapDetails = detailsOf(order, orders)
    return ok({ correlationId: random.hex(32), status, updatedAt, quoteResponse, swapDetails }, code)
  }

  const submitDeposit = ({ body }: SimRequest, takes: Takes): SimResponse => {
    const { txHash, depositAddress } = readFields(body, HINT, refuseField)
    const order = find(depositAddress)
    order.hint = txHash
    return statusOf(order, takes, 201)
  }

  const route = (call: SimRequest): SimResponse => {
    const { method, path, headers } = call
    const takes = takesFor(faults, ID, path)
    const isKeyed = hasKey(headers['x-api-key'] ?? headers['authorization']?.replace(/^Bearer /, ''), KEY)
    switch (`${method} ${path}`) {
      case 'GET /v0/tokens':
        return ok(listing.rows(clock.now(), takes('wrong-decimals') ? 12 : 0))
      case 'POST /v0/quote':
        return ok(quotes.answer(call.body, isKeyed, takes), 201)
      case 'POST /v0/deposit/submit':
        return submitDeposit(call, takes)
      case 'GET /v0/status':
        return statusOf(find(call.query.get('depositAddress')), takes)
      default:
        throw refused(`Cannot ${method} ${path}`, 404)
    }
  }

  return {
    id: ID,
    handle: answering(route, ({ status, message }, { path }) => {
      const timestamp = new Date(clock.now()).toISOString()
      return { status, body: { message, correlationId: random.hex(32), timestamp, path } }
    }),
    onDeposit: orders.deposit,
    onTransaction: () => false,
    settings: { PUBLIC_KEY: quotes.publicKey },
    pricePaths: [{ path: '/v0/quote', unless: { dry: false } }],
  }
}
