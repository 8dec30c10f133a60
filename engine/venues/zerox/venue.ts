import { keccakText } from '../../chains/evm/evmCodec.ts'
import { isNonceUnspent } from '../../chains/evm/permit2.ts'
import type { Offer } from '../../core/offer.ts'
import type { VenueOrder } from '../../core/order.ts'
import type { ExecutedSwap, SwapKey } from '../../core/swap.ts'
import { paidOnDelivery } from '../kit/feeCustody.ts'
import { PERMIT2_CHECK, PLAIN_PROFILE, PLAIN_VENUE } from '../kit/plain.ts'
import { addressIn, FEE_RECIPIENT } from '../kit/settings.ts'
import type { Venue, VenueConfig, VenueDefinition, VenuePorts, VenueProfile } from '../venue.ts'
import { VenueError } from '../venueError.ts'
import { createBuild } from './build.ts'
import { createZeroxClient } from './client.ts'
import { createDecode } from './decode.ts'
import { createEvents } from './events.ts'
import {
  approvalOf,
  availableOf,
  betterOf,
  mayBeSigned,
  needsPermit,
  quoteTermsOf,
  type SignedOffer,
  SLIPPAGE_RULE,
  toQuestion,
  toSentOffer,
  toSignedOffer,
} from './map.ts'
import { createPermits } from './permits.ts'
import { CONTRACTS, chainIn, PUBLIC_BASE_URL, serves } from './published.ts'
import { createSettlers } from './settlers.ts'
import { createSubmitter } from './submit.ts'
import { createTracker } from './track.ts'
import { tradeMessageShape } from './wire.ts'

/** By the hash of a trade, or by all that a call says: 0x puts a nonce or an id of its own into each. */
const keysOf = async ({ execution: { payload, venueRef } }: ExecutedSwap): Promise<readonly SwapKey[]> => {
  const value = payload.executionType === 'TRANSACTION' ? keccakText(payload.transaction.data) : venueRef
  return value === null ? [] : [{ kind: 'orderId', value }]
}

const PROFILE = {
  ...PLAIN_PROFILE,
  id: 'zerox',
  name: '0x',
  serves,
  contracts: CONTRACTS,
  // A trade. Of the permits beside it USDC's goes by the signer's code, too: `EIP2612.sol` of circlefin/stablecoin-evm.
  signatureChecks: [PERMIT2_CHECK],
  slippage: () => SLIPPAGE_RULE,
  toldApartBy: keysOf,
  // Of a free key, over all calls together: https://docs.0x.org/introduction/rate-limits
  limits: { requestsPerSecond: 5, coverStatus: true },
  // A recorded trade could be filled for an hour; a call can be sent for some minutes.
  deadlineMsMax: 65 * 60_000,
} satisfies Partial<VenueProfile>

/** Whether a swap that 0x does not take by signature may still be had by a transaction: not where 0x is in trouble. */
const mayBeSent = (error: unknown): error is VenueError =>
  error instanceof VenueError && (error.isDecline || error.nature === 'keyRefused')

/** How long the Gasless API is not called after it refused the key. */
const CLOSED_MS = 60 * 60_000

const create = (config: VenueConfig, { http, chains, clock, notice }: VenuePorts): Venue => {
  const feeRecipient = addressIn(config, FEE_RECIPIENT)
  const client = createZeroxClient(config, http)
  const settlers = createSettlers()

  const permits = createPermits(clock)
  let closedUntil = 0

  const asked = (order: VenueOrder) => {
    const terms = quoteTermsOf(order, feeRecipient)
    return { question: toQuestion(order, order, terms), feeBps: terms.feeBps }
  }
  /** Whether a permit comes with a trade: a firm quote shows it, and is asked for once per wallet and token. */
  const comesWithPermit = async (order: VenueOrder, signal: AbortSignal): Promise<boolean> => {
    const known = permits.comes(order)
    if (known !== null) return known
    const approval = approvalOf(availableOf(await client.gaslessQuote(asked(order).question, signal)), order)
    const comes = approval !== null && approval !== 'other'
    permits.learn(order, comes)
    return comes
  }
  /** Null: by signature it cannot be had. An error: nor can it, and why. */
  const signed = async (order: VenueOrder, signal: AbortSignal): Promise<SignedOffer | VenueError | null> => {
    if (!mayBeSigned(order) || clock.now() < closedUntil || permits.comes(order) === false) return null
    const { question, feeBps } = asked(order)
    try {
      const answer = availableOf(await client.gaslessPrice(question, signal))
      const offer = toSignedOffer(answer, order, feeBps, clock.now())
      return !needsPermit(answer) || (await comesWithPermit(order, signal)) ? offer : null
    } catch (error) {
      if (!mayBeSent(error)) throw error
      if (error.nature === 'keyRefused') {
        closedUntil = clock.now() + CLOSED_MS
        notice(
          'the Gasless API refuses the key: it is switched on in the dashboard of 0x. Until then tokens are sold by transactions',
        )
      }
      return error
    }
  }
  const sent = async (order: VenueOrder, signal: AbortSignal): Promise<Offer> => {
    const { question, feeBps } = asked(order)
    return toSentOffer(availableOf(await client.price(question, signal)), order, feeBps, clock.now())
  }

  return {
    ...PLAIN_VENUE,
    profile: {
      ...PROFILE,
      feeRecipient: () => feeRecipient,
      // An action of the call, before the output is checked: `src/core/Basic.sol` of 0x-settler
      feeCustody: () => paidOnDelivery('output', feeRecipient),
    },
    quote: async (order, signal) => {
      if (!serves(order)) throw new VenueError('unsupportedPair', 'not a swap of two tokens of one served chain')
      const [bySignature, byTransaction] = await Promise.allSettled([signed(order, signal), sent(order, signal)])
      if (bySignature.status === 'rejected') throw bySignature.reason
      const { value } = bySignature
      const [offer, why] = value instanceof VenueError ? [null, value] : [value, null]
      if (byTransaction.status === 'fulfilled') return offer === null ? byTransaction.value : betterOf(offer, byTransaction.value)
      const error: unknown = byTransaction.reason
      if (!(error instanceof VenueError && error.isDecline)) throw error
      if (offer !== null) return offer.offer
      // The reason that helps: nobody trades so little, and how much it must be.
      throw error.kind === 'noLiquidity' && why?.kind === 'amountTooSmall' ? why : error
    },
    execute: createBuild(client, { settlers, feeRecipient }, permits),
    decode: createDecode({ settlers, feeRecipient }),
    submitter: createSubmitter(client),
    tracker: createTracker(client),
    events: createEvents(settlers),
    unfilled: {
      // A trade takes its input by a nonce of its signer's.
      isUnfilled: async ({ order, execution: { payload } }, signal) => {
        const chainId = chainIn(order)
        if (chainId === null || payload.executionType !== 'SIGNATURE') return false
        const nonce = BigInt(tradeMessageShape.read(payload.typedData.message).nonce)
        return isNonceUnspent(chains, { chainId, owner: order.sender, nonce }, signal)
      },
    },
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
  settings: [FEE_RECIPIENT],
  create,
}
