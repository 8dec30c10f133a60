import type { EvmChainId } from '../../core/chain.ts'
import type { Offer } from '../../core/offer.ts'
import type { VenueOrder } from '../../core/order.ts'
import type { Venue, VenuePorts } from '../venue.ts'
import { VenueError } from '../venueError.ts'
import type { ZeroxClient } from './client.ts'
import type { Decoding } from './decode.ts'
import {
  approvalOf,
  availableOf,
  betterOf,
  mayBeSigned,
  needsPermit,
  quoteTermsOf,
  type SignedOffer,
  toQuestion,
  toSentOffer,
  toSignedOffer,
} from './map.ts'
import type { Permits } from './permits.ts'
import { serves } from './published.ts'

/** Whether the other way may still give the swap: not while 0x is failing. */
const mayGoOn = (error: unknown): error is VenueError =>
  error instanceof VenueError && (error.isDecline || error.nature === 'ownLimit' || error.nature === 'keyRefused')

/** How long the Gasless API is not called after it refused the key. */
const CLOSED_MS = 60 * 60_000

type Parts = Decoding & { readonly permits: Permits } & Pick<VenuePorts, 'notice' | 'clock' | 'chains'>

/** Requests the signature and the transaction concurrently, and offers the better one. A failure of either is the venue's. */
export const createQuote = (client: ZeroxClient, { settlers, feeRecipient, permits, ...ports }: Parts): Venue['quote'] => {
  const { chains, clock, notice } = ports
  let closedUntil = 0

  const asked = (order: VenueOrder) => {
    const terms = quoteTermsOf(order, feeRecipient)
    return { question: toQuestion(order, order, terms), feeBps: terms.feeBps }
  }
  /**
   * Whether a trade has a permit, which only a firm quote shows. It requests one per token, for all wallets without code, and one
   * per wallet with code.
   */
  const comesWithPermit = async (order: VenueOrder, signal: AbortSignal): Promise<boolean> => {
    const own = permits.comes(order, 'wallet')
    if (own !== null) return own === true
    const signer = { chainId: order.input.chainId as EvmChainId, address: order.sender }
    const whose = (await chains.code(signer, signal).catch(() => null)) === '0x' ? 'token' : 'wallet'
    let comes = permits.comes(order, whose)
    if (comes === 'asked') return false
    if (comes === null) {
      permits.learn(order, whose, 'asked')
      const answer = await client
        .gaslessQuote(asked(order).question, signal)
        .then(availableOf)
        .catch((error: unknown) => {
          // The cause may be this wallet, such as its balance: other wallets request their own.
          permits.learn(order, whose, null)
          permits.learn(order, 'wallet', 'asked')
          throw error
        })
      const approval = approvalOf(answer, order)
      comes = approval !== null && approval !== 'other'
      // An allowance of Permit2, or another kind of approval, belongs to this wallet only.
      permits.learn(order, whose, comes || (approval === null && needsPermit(answer)) ? comes : null)
    }
    permits.learn(order, 'wallet', comes)
    return comes
  }
  /** Null: no signature is possible. An error: likewise, with its reason. */
  const signed = async (order: VenueOrder, signal: AbortSignal): Promise<SignedOffer | VenueError | null> => {
    if (!mayBeSigned(order) || clock.now() < closedUntil || permits.comes(order, 'wallet') === false) return null
    const { question, feeBps } = asked(order)
    try {
      const answer = availableOf(await client.gaslessPrice(question, signal))
      const offer = toSignedOffer(answer, order, feeBps, clock.now())
      return !needsPermit(answer) || (await comesWithPermit(order, signal)) ? offer : null
    } catch (error) {
      if (!mayGoOn(error)) throw error
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
    return toSentOffer(
      availableOf(await client.price(question, signal)),
      order,
      { feeBps, holders: settlers.allowanceHolders(order.input.chainId) },
      clock.now(),
    )
  }

  return async (order, signal) => {
    if (!serves(order)) throw new VenueError('unsupportedPair', 'not a swap of two tokens of one served chain')
    const [bySignature, byTransaction] = await Promise.allSettled([signed(order, signal), sent(order, signal)])
    if (bySignature.status === 'rejected') throw bySignature.reason
    const { value } = bySignature
    const [offer, why] = value instanceof VenueError ? [null, value] : [value, null]
    if (byTransaction.status === 'fulfilled') return offer === null ? byTransaction.value : betterOf(offer, byTransaction.value)
    const error: unknown = byTransaction.reason
    if (!mayGoOn(error) || error.nature === 'keyRefused') throw error
    if (offer !== null) return offer.offer
    // The more useful reason: the amount is too small, with the minimum.
    throw error.kind === 'noLiquidity' && why?.kind === 'amountTooSmall' ? why : error
  }
}
