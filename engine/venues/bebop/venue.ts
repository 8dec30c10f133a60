import type { Binding, Execution, Hex, Payload } from '../../core/execution.ts'
import type { VenueOrder } from '../../core/order.ts'
import type { ExecutedSwap, SealedOffer, SwapKey } from '../../core/swap.ts'
import { openWithin } from '../kit/reprice.ts'
import type { TrustRule, Venue, VenueDefinition, VenueProfile } from '../venue.ts'
import { VenueError } from '../venueError.ts'
import { createBebopClient } from './client.ts'
import { decode } from './decode.ts'
import { events } from './events.ts'
import { readMessage } from './jamOrder.ts'
import { readMakerOrder } from './makerOrder.ts'
import {
  type Answered,
  evidenceOf,
  feeBpsOf,
  feeRecipientOf,
  jamPayload,
  rfqPayload,
  SLIPPAGE_RULE,
  type Terms,
  termsOf,
  toExecution,
  toOffer,
  toQuery,
  VENUE_ID,
  type Wish,
  wayOf,
} from './map.ts'
import {
  BALANCE_MANAGER,
  BEBOP_CHAIN_IDS,
  JAM_SETTLEMENT,
  PUBLIC_BASE_URL,
  pathOf,
  ROUTER,
  SETTLEMENT,
  servesWith,
} from './published.ts'
import { routerOrderOf } from './routerOrder.ts'
import { BEBOP_SETTINGS, type BebopSettings, readSettings } from './settings.ts'
import { createSubmitter } from './submit.ts'
import { createTracker } from './track.ts'
import { createUnfilledReader } from './unfilled.ts'
import { offerCarryShape } from './wire.ts'

const TAKEN_ON_TRUST: readonly TrustRule[] = [
  {
    executionType: 'TRANSACTION',
    parts: ['fee'],
    appliesTo: () => true,
    routes: 'all',
    reason: 'the venue keeps account of partner fees off chain',
  },
]

/** Orders end within 75 seconds by the documents; clocks are not all alike. */
const DEADLINE_MS_MAX = 5 * 60_000

/** An order is known by its nonce: JAM's by that of its taker, the router's by its own; a maker's by its event id. */
const keyOf = async (payload: Payload): Promise<string> => {
  if (payload.executionType === 'SIGNATURE') {
    const { taker, nonce } = readMessage(payload.typedData)
    return `jam:${taker.toLowerCase()}:${nonce}`
  }
  if (payload.executionType === 'DEPOSIT') throw new VenueError('badResponse', 'this venue takes no deposits')
  const routed = await routerOrderOf(payload)
  if (routed !== null) return `router:${routed.routerNonce}`
  return `maker:${(await readMakerOrder(payload.transaction.data as Hex))?.eventId}`
}

const toldApartBy = async ({ execution: { payload } }: ExecutedSwap): Promise<readonly SwapKey[]> => [
  { kind: 'orderId', value: await keyOf(payload) },
]

const profileOf = (settings: BebopSettings): VenueProfile => ({
  id: VENUE_ID,
  name: 'Bebop',
  serves: servesWith(settings.signerOn),
  bindsAtQuote: { recipient: [], refundTo: [] },
  hasSandbox: true,
  contracts: Object.fromEntries(
    BEBOP_CHAIN_IDS.map((chainId) => [chainId, [JAM_SETTLEMENT, BALANCE_MANAGER, ROUTER, SETTLEMENT]]),
  ),
  feeRecipient: (route) => feeRecipientOf(route, settings),
  slippage: () => SLIPPAGE_RULE,
  takesOnTrust: TAKEN_ON_TRUST,
  // A signed order moves nothing until it is filled, a transaction takes and pays at once.
  holdsInput: () => false,
  nativeFeeMax: () => 0n,
  // Nothing is ever held, so nothing is given back.
  refundKeeps: () => ({ amount: 0n, bps: 0 }),
  amountCarriesReference: () => 0n,
  toldApartBy,
  // Per key and chain, and not published.
  limits: null,
  deadlineMsMax: DEADLINE_MS_MAX,
})

type Sold = { readonly answered: Answered; readonly terms: Terms }

const create: VenueDefinition['create'] = (config, { http, chains }): Venue => {
  const settings = readSettings(config)
  const client = createBebopClient(config, http)
  const profile = profileOf(settings)

  /** Asks for the real thing: there is no price without it, and nothing of it is taken until it is signed or sent. */
  const ask = async (wish: Wish, signal: AbortSignal): Promise<Sold> => {
    const { order } = wish
    const path = pathOf(order.input.chainId)
    if (path === null || !profile.serves(order))
      throw new VenueError('unsupportedPair', 'not a swap of two assets of one served chain')
    const way = wayOf(order, settings)
    const query = toQuery(wish, settings)
    const built = async (): Promise<Pick<Answered, 'answer' | 'payload'>> => {
      if (way === 'jam') {
        const answer = await client.jamQuote(path, query, signal)
        return { answer, payload: jamPayload(wish, answer) }
      }
      const answer = await client.rfqQuote(path, query, signal)
      return { answer, payload: rfqPayload(wish, answer) }
    }
    const { answer, payload } = await built()
    const claims = await decode({ payload, evidence: evidenceOf(wish) }, settings.signerOn)
    const answered = { wish, answer, payload, claims }
    return { answered, terms: termsOf(answered, way, feeRecipientOf(order, settings)) }
  }

  const wishOf = (order: VenueOrder, rest: Omit<Wish, 'order'>): Wish => ({ order, ...rest })

  const execute = async ({ order, offer }: SealedOffer, { recipient }: Binding, signal: AbortSignal): Promise<Execution> => {
    offerCarryShape.read(offer.carry)
    const feeBps = offer.fee.bps
    const open = (slippageBps: number) => ask(wishOf(order, { recipient, slippageBps, feeBps }), signal)
    const priceOf = ({ terms }: Sold) => terms
    const { answered, terms } = await openWithin({ order, offer }, SLIPPAGE_RULE, { open, priceOf })
    return toExecution(answered, terms)
  }

  return {
    profile,
    quote: async (order, signal) => {
      const { recipient, slippageBps } = order
      const { answered, terms } = await ask(wishOf(order, { recipient, slippageBps, feeBps: feeBpsOf(order, settings) }), signal)
      return toOffer(answered, terms)
    },
    execute,
    decode: (execution) => decode(execution, settings.signerOn),
    submitter: createSubmitter(client),
    tracker: createTracker(client),
    events,
    unfilled: createUnfilledReader(chains),
    prices: null,
    bitcoinReach: null,
  }
}

/**
 * Bebop: makers' quotes and a solver's orders, same chain only. Tokens are sold by an order of JAM that is signed, coins by a call of
 * its router. https://docs.bebop.xyz
 */
export const bebop: VenueDefinition = { id: VENUE_ID, publicBaseUrl: PUBLIC_BASE_URL, settings: BEBOP_SETTINGS, create }
