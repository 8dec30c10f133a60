import { keccakText } from '../../chains/evm/evmCodec.ts'
import { isNonceUnspent } from '../../chains/evm/permit2.ts'
import type { Offer } from '../../core/offer.ts'
import type { VenueOrder } from '../../core/order.ts'
import type { ExecutedSwap, SwapKey } from '../../core/swap.ts'
import { paidOnDelivery } from '../kit/feeCustody.ts'
import { PERMIT2_CHECK, PLAIN_PROFILE, PLAIN_VENUE } from '../kit/plain.ts'
import { addressIn, FEE_RECIPIENT } from '../kit/settings.ts'
import type { Venue, VenueConfig, VenueDefinition, VenuePorts, VenueProfile } from '../venue.ts'
import { rejected, VenueError } from '../venueError.ts'
import { createBuild } from './build.ts'
import { createZeroxClient, type Question } from './client.ts'
import { createDecode } from './decode.ts'
import { createEvents } from './events.ts'
import {
  type Answer,
  availableOf,
  isSignatureEnough,
  mayBeSigned,
  quoteTermsOf,
  SLIPPAGE_RULE,
  toOffer,
  toQuestion,
} from './map.ts'
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

const create = (config: VenueConfig, { http, chains, clock }: VenuePorts): Venue => {
  const feeRecipient = addressIn(config, FEE_RECIPIENT)
  const client = createZeroxClient(config, http)
  const settlers = createSettlers()

  type Asked = {
    readonly question: Question
    toOffer<A extends Extract<Answer, Parameters<typeof toOffer>[0]>>(answer: A): Offer
  }
  const asked = (order: VenueOrder): Asked => {
    const terms = quoteTermsOf(order, feeRecipient)
    return {
      question: toQuestion(order, order, terms),
      toOffer: (answer) => toOffer(answer, order, { feeBps: terms.feeBps, now: clock.now() }),
    }
  }
  /** Null: by signature it cannot be had. An error: nor can it, and why. */
  const signed = async (order: VenueOrder, signal: AbortSignal): Promise<Offer | VenueError | null> => {
    if (!mayBeSigned(order)) return null
    const { question, toOffer: offerOf } = asked(order)
    try {
      const answer = availableOf(await client.gaslessQuote(question, signal))
      if (!isSignatureEnough(answer, order)) return null
      const { spender } = answer.trade.eip712.message
      if (!settlers.isSettler('metaTransaction', order.input.chainId, spender))
        throw rejected('settler', 'an unknown Settler', spender)
      return offerOf(answer)
    } catch (error) {
      if (mayBeSent(error)) return error
      throw error
    }
  }
  const sent = async (order: VenueOrder, signal: AbortSignal): Promise<Offer> => {
    const { question, toOffer: offerOf } = asked(order)
    return offerOf(availableOf(await client.price(question, signal)))
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
    execute: createBuild(client, { settlers, feeRecipient }),
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
