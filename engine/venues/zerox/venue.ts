import { keccakText } from '../../chains/evm/evmCodec.ts'
import { type Address, addressOf, evmAddressText } from '../../core/address.ts'
import type { Offer } from '../../core/offer.ts'
import type { VenueOrder } from '../../core/order.ts'
import type { ExecutedSwap, SwapKey } from '../../core/swap.ts'
import type { Venue, VenueConfig, VenueDefinition, VenuePorts, VenueProfile } from '../venue.ts'
import { VenueError } from '../venueError.ts'
import { type Blueprint, buildSignature, buildTransaction } from './build.ts'
import { createZeroxClient } from './client.ts'
import { createDecode } from './decode.ts'
import { createEvents } from './events.ts'
import {
  availableOf,
  feeBpsOf,
  isSignatureEnough,
  mayBeSigned,
  SLIPPAGE_RULE,
  toGaslessOffer,
  toQuestion,
  toSwapOffer,
} from './map.ts'
import { CONTRACTS, PUBLIC_BASE_URL, serves } from './published.ts'
import { createSettlers } from './settlers.ts'
import { createSubmitter } from './submit.ts'
import { createTracker } from './track.ts'
import { createUnfilledReader } from './unfilled.ts'

/** A recorded trade could be filled for an hour; a call can be sent for some minutes. */
const DEADLINE_MS_MAX = 65 * 60_000

/** By the hash of a trade, or by all that a call says: 0x puts a nonce or an id of its own into each. */
const keysOf = async ({ execution: { payload, venueRef } }: ExecutedSwap): Promise<readonly SwapKey[]> => {
  const value = payload.executionType === 'TRANSACTION' ? keccakText(payload.transaction.data) : venueRef
  return value === null ? [] : [{ kind: 'orderId', value }]
}

const profileOf = (feeRecipient: Address | null): VenueProfile => ({
  id: 'zerox',
  name: '0x',
  serves,
  bindsAtQuote: { recipient: [], refundTo: [] },
  hasSandbox: true,
  contracts: CONTRACTS,
  feeRecipient: () => feeRecipient,
  slippage: () => SLIPPAGE_RULE,
  takesOnTrust: [],
  holdsInput: () => false,
  nativeFeeMax: () => 0n,
  refundKeeps: () => ({ amount: 0n, bps: 0 }),
  amountCarriesReference: () => 0n,
  toldApartBy: keysOf,
  // Of a free key, over all calls together: https://docs.0x.org/introduction/rate-limits
  limits: { requestsPerSecond: 5 },
  deadlineMsMax: DEADLINE_MS_MAX,
})

/** Whether a swap that 0x does not take by signature may still be had by a transaction: not where 0x is in trouble. */
const mayBeSent = (error: unknown): error is VenueError =>
  error instanceof VenueError && (error.isDecline || error.nature === 'keyRefused')

const create = (config: VenueConfig, { http, chains, clock }: VenuePorts): Venue => {
  const recipient = config.settings['FEE_RECIPIENT'] ?? null
  const feeRecipient = recipient === null ? null : addressOf('evm', recipient)
  const client = createZeroxClient(config, http)
  const settlers = createSettlers()
  const unfilled = createUnfilledReader(chains)

  const asked = (order: VenueOrder) => {
    const feeBps = feeBpsOf(order, feeRecipient)
    return { feeBps, question: toQuestion(order, order, { slippageBps: order.slippageBps, feeBps, feeRecipient }) }
  }
  /** Null: by signature it cannot be had. An error: nor can it, and why. */
  const signed = async (order: VenueOrder, signal: AbortSignal): Promise<Offer | VenueError | null> => {
    if (!mayBeSigned(order)) return null
    const { feeBps, question } = asked(order)
    try {
      const answer = availableOf(await client.gaslessQuote(question, signal))
      return isSignatureEnough(answer, order) ? toGaslessOffer(answer, order, { feeBps, now: clock.now() }) : null
    } catch (error) {
      if (mayBeSent(error)) return error
      throw error
    }
  }
  const sent = async (order: VenueOrder, signal: AbortSignal): Promise<Offer> => {
    const { feeBps, question } = asked(order)
    return toSwapOffer(availableOf(await client.price(question, signal)), order, { feeBps, now: clock.now() })
  }

  return {
    profile: profileOf(feeRecipient),
    quote: async (order, signal) => {
      if (!serves(order)) throw new VenueError('unsupportedPair', 'not a swap of two tokens of one served chain')
      const offer = await signed(order, signal)
      if (offer !== null && !(offer instanceof VenueError)) return offer
      try {
        return await sent(order, signal)
      } catch (error) {
        // The reason that helps: nobody trades so little, and how much it must be.
        const isVague = error instanceof VenueError && error.kind === 'noLiquidity'
        throw isVague && offer?.kind === 'amountTooSmall' ? offer : error
      }
    },
    execute: (sealed, binding, signal) => {
      const plan: Blueprint = { sealed, binding, client, feeRecipient, signal }
      return sealed.offer.executionType === 'SIGNATURE' ? buildSignature(plan) : buildTransaction(plan)
    },
    decode: createDecode({ settlers, feeRecipient }),
    submitter: createSubmitter(client),
    tracker: createTracker(client),
    events: createEvents(settlers),
    unfilled,
    prices: null,
    bitcoinReach: null,
  }
}

/**
 * 0x: an aggregator of pools and market makers, same chain only. Tokens are sold by a signed trade where a signature is all that
 * it takes, else as coins are: by a transaction to AllowanceHolder. https://docs.0x.org
 */
export const zerox: VenueDefinition = {
  id: 'zerox',
  publicBaseUrl: PUBLIC_BASE_URL,
  needsKey: true,
  settings: [{ name: 'FEE_RECIPIENT', pattern: evmAddressText, expects: 'an EVM address, to which integrator fees are paid' }],
  create,
}
