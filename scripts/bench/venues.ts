import type { Address } from '../../engine/core/address.ts'
import { bpsOf, toAmount } from '../../engine/core/amount.ts'
import type { Offer } from '../../engine/core/offer.ts'
import type { VenueOrder } from '../../engine/core/order.ts'
import type { HttpClient } from '../../engine/net/httpClient.ts'
import { callVenue } from '../../engine/venues/kit/callVenue.ts'
import { paidOnDelivery } from '../../engine/venues/kit/feeCustody.ts'
import { PLAIN_PROFILE, PLAIN_VENUE } from '../../engine/venues/kit/plain.ts'
import { amount, count, object, type Static, shape, text } from '../../engine/venues/kit/shapes.ts'
import type { Venue, VenueProfile } from '../../engine/venues/venue.ts'
import { VenueError } from '../../engine/venues/venueError.ts'
import { contractOf, priceOf, QUOTE_BODY } from './sample.ts'

const profileOf = (index: number, contract: Address): VenueProfile => ({
  ...PLAIN_PROFILE,
  id: `bench-${index}`,
  name: `Bench ${index}`,
  serves: () => true,
  contracts: { [QUOTE_BODY.inputChainId]: [contract] },
  feeRecipient: () => null,
  feeCustody: () => paidOnDelivery('output', null),
  slippage: () => ({ defaultBps: 50, minBps: 1, maxBps: 5_000 }),
  toldApartBy: async () => [],
  deadlineMsMax: 3_600_000,
})

type Price = { readonly outputAmount: bigint; readonly seconds: number; readonly quoteId: string }

const offerOf = (index: number, { slippageBps }: VenueOrder, { outputAmount, seconds, quoteId }: Price): Offer => ({
  venue: `bench-${index}`,
  executionType: 'TRANSACTION',
  outputAmount: toAmount(outputAmount),
  fee: { bps: 0, amount: toAmount(0n) },
  slippage: { isFirm: true, guaranteedMin: toAmount(outputAmount - bpsOf(outputAmount, slippageBps)) },
  gasUnits: 180_000n,
  spender: contractOf(index),
  nativeFee: toAmount(0n),
  estimatedTimeSeconds: seconds,
  expiresAt: null,
  decimals: { input: 6, output: 6 },
  carry: { v: 1, quoteId, exclusivityDeadline: 0, relayer: contractOf(index) },
})

const venueOf = (index: number, quote: Venue['quote']): Venue => {
  const refuse = () => Promise.reject(new VenueError('unavailable', 'the benchmark executes nothing'))
  return {
    ...PLAIN_VENUE,
    profile: profileOf(index, contractOf(index)),
    quote,
    execute: refuse,
    decode: refuse,
  }
}

const venuesOf = (count: number, make: (index: number) => Venue): readonly Venue[] =>
  Array.from({ length: count }, (_, i) => make(i))

/** Venues that answer at once, without leaving the process. */
export const createInstantVenues = (count: number): readonly Venue[] =>
  venuesOf(count, (index) =>
    venueOf(index, async (order) => {
      const outputAmount = priceOf(index, order.inputAmount)
      return offerOf(index, order, { outputAmount, seconds: 4 + index, quoteId: '0f8a4c1e-6b0d-4a57-9d52-2f6f1f0c7a11' })
    }),
  )

/** A venue that never answers, not even to a cancelled call. */
export const createHangingVenue = (index: number): Venue => venueOf(index, () => new Promise(() => {}))

const ANSWER = shape('quote', object({ outputAmount: amount, expectedFillTime: count(), id: text({ maxLength: 64 }) }))

/** The fields of a loopback venue's answer that are read. */
export type VenueAnswer = Static<typeof ANSWER>

/** A request of a loopback venue, which answers after so many ms. */
export const venueRequest = (latencyMs: number, { input, output, inputAmount, sender, recipient }: VenueOrder) => ({
  path: `/quote/${latencyMs}`,
  json: {
    inputToken: input.address,
    outputToken: output.address,
    originChainId: input.chainId,
    destinationChainId: output.chainId,
    amount: inputAmount.toString(),
    depositor: sender,
    recipient,
  },
})

/** Venues at these origins, called over HTTP as the adapters call theirs. */
export const createLoopbackVenues = (
  origins: readonly string[],
  http: HttpClient,
  latencyMs: (index: number, order: VenueOrder) => number = () => 0,
): readonly Venue[] =>
  venuesOf(origins.length, (index) =>
    venueOf(index, async (order, signal) => {
      const { path, json } = venueRequest(latencyMs(index, order), order)
      const call = { method: 'POST', url: `${origins[index]}${path}`, json, signal } as const
      const { outputAmount, expectedFillTime, id } = await callVenue(http, call, { shape: ANSWER, refusal: () => null })
      return offerOf(index, order, { outputAmount: BigInt(outputAmount), seconds: expectedFillTime, quoteId: id })
    }),
  )
