import { isNative } from '../../core/asset.ts'
import type { Route } from '../../core/route.ts'
import type { SealedOffer } from '../../core/swap.ts'
import { keptAtVenue } from '../kit/feeCustody.ts'
import { addressesIn, addressIn, addressSetting } from '../kit/settings.ts'
import type { Venue, VenueConfig, VenueDefinition, VenuePorts, VenueProfile } from '../venue.ts'
import { VenueError } from '../venueError.ts'
import { writeAppData } from './appData.ts'
import { blueprint, buildSignature, buildTransaction } from './build.ts'
import { type BookAccess, createCowClient } from './client.ts'
import { decode } from './decode.ts'
import { createEvents } from './events.ts'
import { type CowSettings, refuseZeroRecipient, SLIPPAGE_RULE, termsOf, toOffer, toQuoteRequest } from './map.ts'
import { createPins } from './pins.ts'
import { AUTHENTICATOR } from './protocol.ts'
import {
  AUTHENTICATORS,
  COW_CHAIN_IDS,
  type CowFamilies,
  familiesIn,
  networkOf,
  OWN_CONTRACTS,
  PARTNER_BASE_URL,
  PUBLIC_BASE_URL,
  serves,
} from './published.ts'
import { createSubmitter } from './submit.ts'
import { createTracker } from './track.ts'
import { createUnfilledReader, createUnsoldReader } from './unfilled.ts'

const FEE_RECIPIENT = addressSetting('FEE_RECIPIENT', 'to which partner fees are paid')
const SIGNING_SOURCE = 'GPv2Signing.sol of cowprotocol/contracts'
const DEADLINE_MS_MAX = 60 * 60_000

const profileOf = ({ feeRecipient }: CowSettings, families: CowFamilies): VenueProfile => ({
  id: 'cow',
  name: 'CoW Protocol',
  serves,
  // The order contains the receiver, the quote does not. Coins are refunded to their sender; tokens never leave the wallet.
  bindsAtQuote: { recipient: [], refundTo: ['fromNativeCoin'] },
  hasSandbox: true,
  contracts: Object.fromEntries(COW_CHAIN_IDS.map((chainId) => [chainId, families.flatMap((family) => Object.values(family))])),
  signatureChecks: families.map(({ settlement: contract }) => ({ contract, by: 'scheme', source: SIGNING_SOURCE })),
  feeRecipient: () => feeRecipient,
  // Taken in the bought token; CoW DAO keeps 25 % and pays weekly, from 0.001 WETH: "Partner fee", docs.cow.fi
  feeCustody: () => keptAtVenue('venueAccount', 'output', 'WETH, weekly, less what CoW DAO keeps'),
  slippage: () => SLIPPAGE_RULE,
  takesOnTrust: [],
  // A signed order moves no money before its fill; coins wait in EthFlow.
  holdsInput: (_route, executionType) => executionType === 'TRANSACTION',
  nativeFeeMax: () => 0n,
  // EthFlow refunds all that was not sold, and the caller of the refund pays its gas: CoWSwapEthFlow.sol in
  // cowprotocol/ethflowcontract, `_invalidateOrder`, and https://docs.cow.fi/smart-contracts/eth-flow-contract
  refundKeeps: () => ({ amount: 0n, bps: 0 }),
  amountCarriesReference: () => 0n,
  // The UID: a hash over our order, with its end in seconds, and its owner.
  toldApartBy: async ({ execution: { venueRef } }) => (venueRef === null ? [] : [{ kind: 'payload', value: venueRef }]),
  // https://docs.cow.fi: a hundred a minute, except for quotes and orders, whose limits are wider than any need.
  limits: { statusPerMinute: 100 },
  deadlineMsMax: DEADLINE_MS_MAX,
})

const create = (config: VenueConfig, { http, chains, clock }: VenuePorts): Venue => {
  const families = familiesIn(config)
  const settings: CowSettings = {
    appCode: config.settings['APP_CODE'] ?? 'swap-service',
    feeRecipient: addressIn(config, FEE_RECIPIENT),
  }

  const bookOf = ({ input }: Route): BookAccess => {
    const network = networkOf(input.chainId)
    if (!network) throw new VenueError('unsupportedPair', `no order book on chain ${input.chainId}`)
    return { network: { ...network, ...families[0] }, client: createCowClient(config, http, network), families }
  }
  const bookOfSwap = ({ order }: SealedOffer) => bookOf(order)

  return {
    profile: profileOf(settings, families),
    quote: async (order, signal) => {
      const { network, client } = bookOf(order)
      if (!serves(order)) throw new VenueError('unsupportedPair', 'not a swap of two tokens of one served chain')
      refuseZeroRecipient(order.recipient)
      if (isNative(order.input) && order.refundTo !== order.sender)
        throw new VenueError('unsupportedPair', 'coins are given back to the wallet that sent them, and to no other')
      const terms = termsOf(order, settings)
      const appData = writeAppData(terms)
      const answer = await client.quote(toQuoteRequest(order, network, appData, clock.now()), order.inputAmount, signal)
      return toOffer(answer, { order, network, terms, appData })
    },
    execute: async (sealed, binding, signal) => {
      const { network, client } = bookOf(sealed.order)
      const plan = blueprint(sealed, binding, { network, settings, now: clock.now() })
      return isNative(sealed.order.input) ? buildTransaction(plan, client, signal) : buildSignature(plan)
    },
    decode: (execution) => decode(execution, families),
    submitter: createSubmitter(bookOfSwap),
    tracker: createTracker(bookOfSwap),
    events: createEvents(createUnsoldReader(chains, families), families),
    unfilled: createUnfilledReader(chains, families),
    prices: null,
    pins: createPins(chains, { ...families[0], authenticators: [AUTHENTICATOR, ...addressesIn(config, AUTHENTICATORS)] }),
    bitcoinReach: null,
  }
}

/**
 * CoW Protocol: an order book settled in batch auctions, same chain only. ERC-20 inputs are sold by a signed order, native coins
 * by a transaction to EthFlow. https://docs.cow.fi
 */
export const cow: VenueDefinition = {
  id: 'cow',
  publicBaseUrl: PUBLIC_BASE_URL,
  publicBaseUrlWithKey: PARTNER_BASE_URL,
  settings: [
    FEE_RECIPIENT,
    { name: 'APP_CODE', pattern: /^[ -~]{1,50}$/, expects: 'up to 50 printable characters that name this service in its orders' },
    ...Object.values(OWN_CONTRACTS),
    AUTHENTICATORS,
  ],
  create,
}
