import type { SimRequest, SimResponse, SimVenue } from '../../kit/simVenue.ts'
import type { World } from '../../kit/world.ts'
import { createDepositView } from './depositView.ts'
import { createListing } from './listing.ts'
import { createOrderBook, isOfToken } from './orders.ts'
import { createQuoteCall, type HasFault } from './quoteCall.ts'
import { Refused } from './quoteRequest.ts'
import { createSettlement } from './settlement.ts'
import { createStatusCalls } from './statusCalls.ts'

const ID = 'near-intents'

/** True with a key, false without. Throws Refused for one that cannot be a key. */
const hasKey = ({ headers }: SimRequest): boolean => {
  const key = headers['x-api-key'] ?? headers['authorization']?.replace(/^Bearer /, '')
  if (key === undefined) return false
  if (!/^[\x21-\x7e]{8,4096}$/.test(key)) throw new Refused('Unauthorized', 401)
  return true
}

/**
 * The 1Click Swap API of NEAR Intents, from its public reference: token list, quotes signed with a key made from the
 * seed, deposit addresses, status. Deposits are seen on their chains; deliveries and refunds are made there.
 * https://docs.near-intents.org/integration/distribution-channels/1click-api
 */
export const createNearIntents = (world: World): SimVenue => {
  const { clock, random, tokens, market, faults } = world
  const hasFault: HasFault = (fault, path) => faults.take(ID, fault, path) !== null
  const listing = createListing(tokens, market)
  const book = createOrderBook()
  const view = createDepositView(world)
  const settlement = createSettlement(world, view, hasFault)
  const quotes = createQuoteCall(world, { listing, hasFault, open: book.open })
  const { getStatus, submitDeposit } = createStatusCalls(world, { book, view, hasFault })

  const route = (call: SimRequest, isKeyed: boolean): SimResponse => {
    const { method, path } = call
    switch (`${method} ${path}`) {
      case 'GET /v0/tokens':
        return { status: 200, body: listing.rows(clock.now(), hasFault('wrong-decimals', path) ? 12 : 0) }
      case 'POST /v0/quote':
        return { status: 201, body: quotes.answer(call.body, { path, isKeyed }) }
      case 'POST /v0/deposit/submit':
        return submitDeposit(call)
      case 'GET /v0/status':
        return getStatus(call)
      default:
        throw new Refused(`Cannot ${method} ${path}`, 404)
    }
  }

  const handle = (call: SimRequest): SimResponse => {
    try {
      return route(call, hasKey(call))
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      const { status, message } = error
      const timestamp = new Date(clock.now()).toISOString()
      return { status, body: { message, correlationId: random.hex(32), timestamp, path: call.path } }
    }
  }

  const onDeposit: SimVenue['onDeposit'] = (deposit) => {
    const order = book.find(deposit.address)
    if (order && isOfToken(order, deposit)) settlement.deposit(order, deposit)
    return order !== null
  }

  return { id: ID, handle, onDeposit, onTransaction: () => false, settings: { PUBLIC_KEY: quotes.publicKey } }
}
