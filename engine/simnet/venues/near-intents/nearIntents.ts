import { readFields, text } from '../../kit/fields.ts'
import { type Takes, takesFor } from '../../kit/lies.ts'
import { answering, hasKey, ok } from '../../kit/refusal.ts'
import type { SimRequest, SimResponse, SimVenue } from '../../kit/simVenue.ts'
import type { World } from '../../kit/world.ts'
import { createListing } from './listing.ts'
import { createOrders, type Order } from './orders.ts'
import { createQuoteCall } from './quoteCall.ts'
import { refused, refuseField } from './quoteRequest.ts'
import { statusBody } from './status.ts'

const ID = 'near-intents'

const ANY_TEXT = text(0, 512)
const HINT = {
  required: { txHash: text(1, 512), depositAddress: ANY_TEXT },
  optional: { memo: ANY_TEXT, nearSenderAccount: ANY_TEXT },
}

const isKeyed = ({ headers }: SimRequest): boolean =>
  hasKey(headers['x-api-key'] ?? headers['authorization']?.replace(/^Bearer /, ''), {
    lengthMax: 4096,
    code: null,
    message: 'Unauthorized',
  })

/**
 * The 1Click Swap API of NEAR Intents, from its public reference: token list, quotes signed with a key made from the
 * seed, deposit addresses, status. Deposits are seen on their chains; deliveries and refunds are made there.
 * https://docs.near-intents.org/integration/distribution-channels/1click-api
 */
export const createNearIntents = (world: World): SimVenue => {
  const { clock, random, tokens, market, faults } = world
  const listing = createListing(tokens, market)
  const orders = createOrders(world, ID)
  const quotes = createQuoteCall(world, { listing, open: orders.open })

  const found = (address: string, order: Order | null): Order => {
    if (!order) throw refused(`Deposit address ${address} not found`, 404)
    return order
  }

  const answerStatus = (order: Order, takes: Takes, status = 200): SimResponse => {
    const override = takes('unknown-status') ? 'SOLVER_REVIEW' : null
    return ok({ correlationId: random.hex(32), ...statusBody(order, orders, clock.now(), override) }, status)
  }

  const getStatus = ({ query }: SimRequest, takes: Takes): SimResponse => {
    const address = query.get('depositAddress')
    if (!address) throw refused('depositAddress must be a string')
    // None of the simulated addresses has a memo, so one that is asked for with a memo is another one.
    return answerStatus(found(address, query.has('depositMemo') ? null : orders.find(address)), takes)
  }

  const submitDeposit = ({ body }: SimRequest, takes: Takes): SimResponse => {
    const { txHash, depositAddress } = readFields(body ?? {}, HINT, refuseField)
    const order = found(depositAddress, orders.find(depositAddress))
    order.hint = txHash
    return answerStatus(order, takes, 201)
  }

  const route = (call: SimRequest): SimResponse => {
    const { method, path } = call
    const takes = takesFor(faults, ID, path)
    const hasApiKey = isKeyed(call)
    switch (`${method} ${path}`) {
      case 'GET /v0/tokens':
        return ok(listing.rows(clock.now(), takes('wrong-decimals') ? 12 : 0))
      case 'POST /v0/quote':
        return ok(quotes.answer(call.body, hasApiKey, takes), 201)
      case 'POST /v0/deposit/submit':
        return submitDeposit(call, takes)
      case 'GET /v0/status':
        return getStatus(call, takes)
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
