import { type Address, addressOf } from '../../core/address.ts'
import { isNative } from '../../core/asset.ts'
import { isEvmChainId, SOLANA } from '../../core/chain.ts'
import type { Binding, Execution } from '../../core/execution.ts'
import type { Route } from '../../core/route.ts'
import type { SealedOffer } from '../../core/swap.ts'
import { bridgesIn } from '../kit/claimProblems.ts'
import { keptAtVenue } from '../kit/feeCustody.ts'
import { deliveryCostCents, PLAIN_PROFILE, PLAIN_VENUE } from '../kit/plain.ts'
import { addressIn, FEE_RECIPIENT, solanaAddressSetting } from '../kit/settings.ts'
import type { SlippageRule, Venue, VenueConfig, VenueDefinition, VenuePorts, VenueProfile } from '../venue.ts'
import { VenueError } from '../venueError.ts'
import { build } from './build.ts'
import { createDebridgeClient } from './client.ts'
import { decode, toldApartBy } from './decode.ts'
import { createEvents } from './events.ts'
import { type Ask, toOffer, toTerms, VENUE_ID } from './map.ts'
import { createPins } from './pins.ts'
import { isServed } from './protocol.ts'
import { contractsOf, type Pinned, PUBLIC_BASE_URL, pinnedBy, SETTINGS } from './published.ts'
import { createTracker } from './track.ts'
import { offerCarry } from './wire.ts'

/** An order demands an exact output: this is the price margin until execute asks again, our own choice. */
const SLIPPAGE_RULE: SlippageRule = { defaultBps: 30, minBps: 0, maxBps: 5_000 }

/** Neither calls nor orders have a deadline. */
const DEADLINE_MS_MAX = 3_600_000

/** For each call: status and limits of docs.debridge.com. */
const REQUESTS_PER_MINUTE = { keyless: 50, keyed: 300 }

/** The protocol may change its fee: the limit is twice the published fee. */
const FEE_MARGIN = 2n

const serves = ({ input, output }: Route): boolean =>
  input.chainId !== output.chainId &&
  isServed(input.chainId) &&
  isServed(output.chainId) &&
  // How to wrap SOL into an order is not published.
  !(input.chainId === SOLANA && isNative(input))

const createProfile = (config: VenueConfig, pinned: Pinned): VenueProfile => {
  const onSolana = config.settings['FEE_RECIPIENT_SOLANA'] ?? null
  const recipients = { evm: addressIn(config, FEE_RECIPIENT), solana: onSolana === null ? null : addressOf('solana', onSolana) }
  const perMinute = config.apiKey === null ? REQUESTS_PER_MINUTE.keyless : REQUESTS_PER_MINUTE.keyed
  return {
    ...PLAIN_PROFILE,
    id: VENUE_ID,
    name: 'deBridge',
    serves,
    hasSandbox: false,
    contracts: contractsOf(pinned),
    feeRecipient: ({ input }) => (isEvmChainId(input.chainId) ? recipients.evm : recipients.solana),
    // Held until its solver is paid (`ClaimedUnlock` of DlnSource.sol); on Solana until a withdrawal: docs.debridge.com
    feeCustody: ({ order: { input } }) => keptAtVenue(isEvmChainId(input.chainId) ? 'venueAccount' : 'creditedAtVenue', 'taken'),
    slippage: () => SLIPPAGE_RULE,
    holdsInput: () => true,
    deliveryCostCents,
    nativeFeeMax: ({ input }) => pinned.feeOn(input.chainId) * FEE_MARGIN,
    // A cancelled order returns all of it, fees included: DlnSource.sol of debridge-finance/dln-contracts, `_claimCancel`.
    refundKeeps: () => ({ amount: 0n, bps: 0 }),
    toldApartBy: (swap) => toldApartBy(swap, pinned),
    limits: { requestsPerMinute: perMinute, statusPerMinute: perMinute },
    deadlineMsMax: DEADLINE_MS_MAX,
  }
}

const create = (config: VenueConfig, { http, chains, clock }: VenuePorts): Venue => {
  const pinned = pinnedBy(config)
  const profile = createProfile(config, pinned)
  const client = createDebridgeClient(config, http)
  const referralCode = config.settings['REFERRAL_CODE'] ?? null

  const askFor = (order: Ask['order'], bps: number): Omit<Ask, 'binding'> => {
    if (!serves(order)) throw new VenueError('unsupportedPair', 'debridge is not asked for this route')
    const recipient = profile.feeRecipient(order) as Address | null
    return { order, fee: bps > 0 && recipient !== null ? { bps, recipient } : null, referralCode }
  }

  const quote: Venue['quote'] = async (order, signal) => {
    // For an absent recipient the order uses a placeholder. The bytes of the answer show the spender.
    const bound = { ...askFor(order, order.feeBps), binding: order }
    const answer = await client.createTx(bound, signal)
    const terms = toTerms(answer, bound, pinned)
    const { claims } = await build(answer, bound, terms, pinned)
    const offer = toOffer({ ask: bound, answer, terms, spender: claims.spender, now: clock.now() })
    return { ...offer, ...bridgesIn(claims) }
  }

  const execute = async ({ order, offer }: SealedOffer, binding: Binding, signal: AbortSignal): Promise<Execution> => {
    offerCarry.read(offer.carry)
    const ask = { ...askFor(order, offer.fee.bps), binding }
    const answer = await client.createTx(ask, signal)
    return (await build(answer, ask, toTerms(answer, ask, pinned), pinned)).execution
  }

  return {
    ...{ ...PLAIN_VENUE, profile, quote, execute, events: createEvents(pinned) },
    decode: (execution) => decode(execution, pinned),
    tracker: createTracker(client, clock, pinned),
    pins: createPins({ client, chains, pinned }),
  }
}

/**
 * deBridge's DLN. The user locks the input in an order, and a solver pays its exact output on the other chain. The recipient
 * cancels an unfilled order there. https://docs.debridge.com
 */
export const debridge: VenueDefinition = {
  id: VENUE_ID,
  publicBaseUrl: PUBLIC_BASE_URL,
  settings: [
    FEE_RECIPIENT,
    solanaAddressSetting('FEE_RECIPIENT_SOLANA'),
    { name: 'REFERRAL_CODE', pattern: /^[1-9][0-9]{0,8}$/, expects: 'a number of up to 9 digits' },
    ...Object.values(SETTINGS),
    { name: 'TRACKING_URL', pattern: /^https?:\/\/[^\s?#]+[^\s?#/]$/, expects: 'a URL without a trailing slash' },
  ],
  create,
}
