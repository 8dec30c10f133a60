import type { Hex, Payload } from '../../core/execution.ts'
import { keptAtVenue, paidOnDelivery } from '../kit/feeCustody.ts'
import { PLAIN_PROFILE, PLAIN_VENUE } from '../kit/plain.ts'
import { openWithin } from '../kit/reprice.ts'
import type { TrustRule, Venue, VenueDefinition, VenueProfile } from '../venue.ts'
import { rejected, VenueError } from '../venueError.ts'
import { createBebopClient } from './client.ts'
import { decode } from './decode.ts'
import { createEvents } from './events.ts'
import { readMessage } from './jamOrder.ts'
import { readMakerOrder } from './makerOrder.ts'
import * as map from './map.ts'
import { createPins } from './pins.ts'
import { BEBOP_CHAIN_IDS, contractsOf, PUBLIC_BASE_URL, pathOf, pinnedSigner, serves } from './published.ts'
import { routerOrderOf } from './routerOrder.ts'
import { BEBOP_SETTINGS, type BebopSettings, readSettings } from './settings.ts'
import { createRouterSigners } from './signers.ts'
import { createSubmitter } from './submit.ts'
import { createTracker } from './track.ts'
import { createUnfilledReader } from './unfilled.ts'
import { offerCarryShape } from './wire.ts'

const FEE_ON_TRUST: TrustRule = {
  executionType: 'TRANSACTION',
  parts: ['fee'],
  appliesTo: () => true,
  routes: 'all',
  reason: 'the venue records partner fees off chain',
}

const JAM_SIGNATURES = { by: 'signerCode', source: 'JamValidation.sol of bebop-dex/bebop-jam-contracts' } as const

/** Orders end within 75 seconds by the documents; the rest allows for clocks that differ. */
const DEADLINE_MS_MAX = 5 * 60_000

/** The nonce identifies an order: JAM's with its taker, the router's alone. The event id identifies a maker's order. */
const keyOf = async (payload: Payload): Promise<string> => {
  if (payload.executionType === 'SIGNATURE') {
    const { taker, nonce } = readMessage(payload.typedData)
    return `jam:${taker.toLowerCase()}:${nonce}`
  }
  if (payload.executionType === 'DEPOSIT') throw rejected('executionType', 'this venue takes no deposits')
  const routed = await routerOrderOf(payload)
  if (routed !== null) return `router:${routed.routerNonce}`
  return `maker:${(await readMakerOrder(payload.transaction.data as Hex))?.eventId}`
}

/** Limits are per key and chain, and not published. */
const profileOf = (settings: BebopSettings): VenueProfile => ({
  ...PLAIN_PROFILE,
  id: 'bebop',
  name: 'Bebop',
  serves,
  contracts: Object.fromEntries(BEBOP_CHAIN_IDS.map((chainId) => [chainId, contractsOf(settings.pinned(chainId))])),
  signatureChecks: [...new Set(BEBOP_CHAIN_IDS.flatMap((id) => settings.pinned(id).jam.map(([contract]) => contract)))].map(
    (contract) => ({ ...JAM_SIGNATURES, contract }),
  ),
  feeRecipient: (route) => map.feeRecipientOf(route, settings),
  // JAM pays the partner's share of the gross in the settling transaction (`partnerInfo`, JamSettlement.sol of
  // bebop-dex/bebop-jam-contracts). The venue keeps the partner's account of router orders off chain: https://docs.bebop.xyz
  feeCustody: ({ order }) =>
    map.wayOf(order, settings) === 'jam'
      ? paidOnDelivery('output', settings.feeRecipient)
      : keptAtVenue('creditedAtVenue', 'output'),
  slippage: () => map.SLIPPAGE_RULE,
  takesOnTrust: [FEE_ON_TRUST],
  toldApartBy: async ({ execution: { payload } }) => [{ kind: 'orderId', value: await keyOf(payload) }],
  deadlineMsMax: DEADLINE_MS_MAX,
})

type Sold = { readonly answered: map.Answered; readonly terms: map.Terms }

const create: VenueDefinition['create'] = (config, { http, chains, clock }): Venue => {
  const settings = readSettings(config)
  const client = createBebopClient(config, http)
  const profile = profileOf(settings)
  const { pinned } = settings
  const signers = createRouterSigners({ chains, clock }, (chainId) => pinnedSigner(chainId, settings.routerSigner))

  /** Requests the final payload: the API has no separate price, and nothing is taken until it is signed or sent. */
  const ask = async (wish: map.Wish, signal: AbortSignal): Promise<Sold> => {
    const { order } = wish
    const path = pathOf(order.input.chainId)
    if (path === null || !serves(order)) throw new VenueError('unsupportedPair', 'not a swap of two assets of one served chain')
    const way = map.wayOf(order, settings)
    const answer = await client.quote(way, path, map.toQuery(wish, settings), signal)
    const payload = map.payloadOf(wish, answer, settings)
    const claims = await decode({ payload, evidence: map.evidenceOf(wish) }, { pinned, signers })
    const answered = { wish, answer, payload, claims }
    const terms = map.termsOf(answered, settings)
    map.demandTimeToSign(answered, clock.now())
    return { answered, terms }
  }

  return {
    ...PLAIN_VENUE,
    profile,
    quote: async (order, signal) => {
      const { recipient, slippageBps } = order
      const { answered, terms } = await ask({ order, recipient, slippageBps, feeBps: map.feeBpsOf(order, settings) }, signal)
      return map.toOffer(answered, terms)
    },
    execute: async ({ order, offer }, { recipient }, signal) => {
      offerCarryShape.read(offer.carry)
      const open = (slippageBps: number) => ask({ order, recipient, slippageBps, feeBps: offer.fee.bps }, signal)
      const { answered, terms } = await openWithin({ order, offer }, map.SLIPPAGE_RULE, { open, priceOf: (sold) => sold.terms })
      return map.toExecution(answered, terms)
    },
    decode: (execution) => decode(execution, { pinned, signers }),
    submitter: createSubmitter(client),
    tracker: createTracker(client),
    events: createEvents(pinned),
    unfilled: createUnfilledReader(chains),
    pins: createPins(chains, settings),
  }
}

/**
 * Bebop: makers' quotes and a solver's orders, same chain only. Tokens are sold by a signed JAM order, coins by a call of its
 * router. https://docs.bebop.xyz
 */
export const bebop: VenueDefinition = { id: 'bebop', publicBaseUrl: PUBLIC_BASE_URL, settings: BEBOP_SETTINGS, create }
