import { toAmount } from '../../core/amount.ts'
import { isSameAsset } from '../../core/asset.ts'
import type { Execution } from '../../core/execution.ts'
import { addressIn } from '../kit/addresses.ts'
import { keptAtVenue } from '../kit/feeCustody.ts'
import { firm, PLAIN_PROFILE, PLAIN_VENUE } from '../kit/plain.ts'
import { openWithin } from '../kit/reprice.ts'
import type { TrustRule, Venue, VenueDefinition, VenueProfile } from '../venue.ts'
import { type AppliedFee, sortFees } from './appFees.ts'
import { checkQuote } from './checkQuote.ts'
import { createOneClickClient } from './client.ts'
import { decodeDeposit, toEvidence, toldApartBy } from './decode.ts'
import {
  DEADLINE_MS_MAX,
  depositBy,
  pairOf,
  priceOf,
  type QuoteWish,
  SLIPPAGE_RULE,
  toOffer,
  toQuoteRequest,
  VENUE_ID,
} from './map.ts'
import { createPins } from './pins.ts'
import { CHAIN_CODES, FEE_BPS_MAX } from './protocol.ts'
import { PUBLIC_BASE_URL } from './published.ts'
import { refundKeeps } from './refundKeeps.ts'
import { NEAR_INTENTS_SETTINGS, type NearIntentsSettings, readSettings } from './settings.ts'
import { createBitcoinReach, createPriceFeed, createTokenList } from './tokenList.ts'
import { createTracker } from './track.ts'
import type { QuoteResponse, TrackingCarry } from './wire.ts'

const TAKEN_ON_TRUST: readonly TrustRule[] = [
  {
    executionType: 'DEPOSIT',
    parts: ['fee'],
    appliesTo: () => true,
    routes: 'all',
    reason: 'the signature of the venue does not cover the list of fees',
  },
]

const profileOf = ({ feeAccount }: NearIntentsSettings): VenueProfile => ({
  ...PLAIN_PROFILE,
  id: VENUE_ID,
  name: 'NEAR Intents',
  serves: ({ input, output }) => input.chainId in CHAIN_CODES && output.chainId in CHAIN_CODES && !isSameAsset(input, output),
  contracts: {},
  feeRecipient: () => feeAccount,
  // A share of `amountIn`, in the account inside NEAR Intents: "Fee config", docs.near-intents.org
  feeCustody: () => keptAtVenue('creditedAtVenue', 'input'),
  slippage: () => SLIPPAGE_RULE,
  takesOnTrust: TAKEN_ON_TRUST,
  holdsInput: () => true,
  refundKeeps,
  toldApartBy,
  deadlineMsMax: DEADLINE_MS_MAX,
})

type Answered = { readonly wish: QuoteWish; readonly answer: QuoteResponse; readonly fee: AppliedFee }

const toExecution = ({ wish, answer }: Answered): Execution => {
  const { order, now } = wish
  const { quote } = answer
  const address = addressIn(order.input.chainId, quote.depositAddress ?? '', 'depositAddress')
  return {
    payload: {
      executionType: 'DEPOSIT',
      deposit: { chainId: order.input.chainId, address, amount: toAmount(BigInt(quote.amountIn)) },
    },
    venueRef: address,
    evidence: toEvidence(answer),
    ...firm(priceOf(quote)),
    carry: { v: 1, depositBy: depositBy(order, now), depositAddress: quote.depositAddress ?? '' } satisfies TrackingCarry,
  }
}

const create: VenueDefinition['create'] = (config, { http, clock, notice }): Venue => {
  const settings = readSettings(config)
  const client = createOneClickClient(config, http)
  const tokens = createTokenList(client.tokens, { clock, notice, codes: settings.codes })

  const ask = async (wish: QuoteWish, signal: AbortSignal): Promise<Answered> => {
    const request = toQuoteRequest(wish, settings)
    const answer = await client.quote(request, signal)
    for (const { recipient, fee } of sortFees(answer.quoteRequest.appFees ?? [], settings).unknown)
      notice(`a fee of ${fee} bps goes to ${recipient}, which is neither our account nor known as the venue's`)
    return { wish, answer, fee: checkQuote(wish, request, answer, settings) }
  }

  return {
    // A deposit is a plain transfer to an address of its own, where the engine finds it: no events.
    ...PLAIN_VENUE,
    profile: profileOf(settings),
    quote: async (order, signal) => {
      const pair = pairOf(order, await tokens.read(signal))
      const feeBps = settings.feeAccount !== null && order.feeBps <= FEE_BPS_MAX ? order.feeBps : 0
      const { recipient, refundTo, slippageBps } = order
      const wish: QuoteWish = { order, pair, isDry: true, recipient, refundTo, slippageBps, feeBps, now: clock.now() }
      const { answer, fee } = await ask(wish, signal)
      return toOffer(answer.quote, { pair, fee })
    },
    execute: async ({ order, offer }, binding, signal) => {
      const pair = pairOf(order, await tokens.read(signal))
      const feeBps = offer.fee.bps > 0 ? order.feeBps : 0
      const open = (slippageBps: number) =>
        ask({ order, pair, isDry: false, ...binding, slippageBps, feeBps, now: clock.now() }, signal)
      const opened = await openWithin({ order, offer }, SLIPPAGE_RULE, { open, priceOf: ({ answer }) => priceOf(answer.quote) })
      return toExecution(opened)
    },
    decode: async (execution) => decodeDeposit(execution, { index: await tokens.read(null), settings, now: clock.now() }),
    tracker: createTracker(client, clock, settings.codes),
    prices: createPriceFeed(tokens),
    pins: createPins(client, settings.codes),
    bitcoinReach: createBitcoinReach(tokens),
  }
}

/**
 * NEAR Intents through its 1Click Swap API: a deposit address for every swap, proved by the venue's signed quote. Recipient and
 * refund address are bound at execute time, with a second, real quote.
 * https://docs.near-intents.org/integration/distribution-channels/1click-api/about-1click-api
 */
export const nearIntents: VenueDefinition = {
  id: VENUE_ID,
  publicBaseUrl: PUBLIC_BASE_URL,
  settings: NEAR_INTENTS_SETTINGS,
  create,
}
