import { isNative, isSameAsset } from '../../core/asset.ts'
import { BITCOIN, CHAIN_IDS, isEvmChainId } from '../../core/chain.ts'
import type { Route } from '../../core/route.ts'
import { keptAtVenue } from '../kit/feeCustody.ts'
import { PLAIN_PROFILE, PLAIN_VENUE } from '../kit/plain.ts'
import type { TrustRule, Venue, VenueConfig, VenueDefinition, VenuePorts, VenueProfile } from '../venue.ts'
import { rejected, VenueError } from '../venueError.ts'
import { accountIdOf } from './accounts.ts'
import { build } from './build.ts'
import { createChainflipClient } from './client.ts'
import { type DecodePorts, decode, toldApartBy } from './decode.ts'
import { createEvents } from './events.ts'
import {
  type Ask,
  COMMISSION_BPS_MAX,
  countedFees,
  createMarks,
  guaranteedOf,
  minPriceFor,
  pairOf,
  SLIPPAGE_RULE,
  type Terms,
  toOffer,
  toQuoteQuery,
  toTerms,
  VENUE_ID,
} from './map.ts'
import { createBitcoinReach, createNetworkList } from './network.ts'
import { createPins, createVaultReader } from './pins.ts'
import { STATE_CHAIN_BLOCK_MS, vaultKeyOf, WIRE_ASSETS, wireAssetOf } from './protocol.ts'
import { CONTRACT_SYMBOLS, type Pinned, PUBLIC_BASE_URL, pinnedBy, SETTINGS } from './published.ts'
import { refundKeeps } from './refundKeeps.ts'
import { createTracker } from './track.ts'
import { offerCarry } from './wire.ts'

/** Channels live for a day: `deposit_channel_lifetime` of chainflip-backend; the estimate from blocks may be longer. */
const DEADLINE_MS_MAX = 48 * 3_600_000
const DECODE_MS = 5_000

/**
 * The State Chain has no newer state within one block. After ten requests in a minute about unknown swaps the backend refuses all
 * requests for ten: rate limiting of chainflip-backend.
 */
const LIMITS = { statusIntervalMs: STATE_CHAIN_BLOCK_MS, statusMissesPerMinute: 10 } as const

const TAKEN_ON_TRUST: readonly TrustRule[] = [
  {
    executionType: 'TRANSACTION',
    parts: ['minimum'],
    appliesTo: () => true,
    routes: 'all',
    reason: 'the call binds the price, but not the fee that the network deducts to send the output',
  },
  {
    executionType: 'DEPOSIT',
    parts: ['recipient', 'minimum', 'refund', 'fee'],
    appliesTo: () => true,
    routes: 'all',
    reason: 'the address is derived from its channel, and only the records of the venue link the channel to the swap',
  },
]

const serves = ({ input, output }: Route): boolean =>
  !isSameAsset(input, output) && wireAssetOf(input) !== null && wireAssetOf(output) !== null

const createProfile = (broker: string | null, { vaults }: Pinned): VenueProfile => ({
  ...PLAIN_PROFILE,
  id: VENUE_ID,
  name: 'Chainflip',
  serves,
  contracts: Object.fromEntries(CHAIN_IDS.flatMap((chainId) => (vaults(chainId).length > 0 ? [[chainId, vaults(chainId)]] : []))),
  // The venue's own broker opens channels and takes no fee for others.
  feeRecipient: ({ input }) => (isEvmChainId(input.chainId) ? broker : null),
  // Taken between the halves of the swap, in USDC. The broker withdraws it by `broker_withdraw_fees`: docs.chainflip.io
  feeCustody: () => keptAtVenue('creditedAtVenue', 'output', 'USDC of the broker account'),
  slippage: () => SLIPPAGE_RULE,
  takesOnTrust: TAKEN_ON_TRUST,
  holdsInput: () => true,
  refundKeeps,
  toldApartBy,
  limits: LIMITS,
  deadlineMsMax: DEADLINE_MS_MAX,
})

const brokerOf = ({ settings }: VenueConfig): DecodePorts['broker'] => {
  const name = settings['BROKER_ACCOUNT'] ?? null
  const id = name === null ? null : accountIdOf(name)
  return name === null || id === null ? null : { id, name }
}

const create = (config: VenueConfig, { http, clock }: VenuePorts): Venue => {
  const broker = brokerOf(config)
  const pinned = pinnedBy(config)
  const client = createChainflipClient(config, http)
  const network = createNetworkList(client.networkInfo, clock)
  const nextMark = createMarks(clock)
  const readVault = createVaultReader(client, pinned, clock)

  const readVaultKey = async (signal: AbortSignal): Promise<Uint8Array> => {
    const { bitcoin_vault } = await client.bitcoinVault(signal)
    const key = vaultKeyOf(new TextDecoder().decode(Uint8Array.from(bitcoin_vault.Btc)))
    if (key === null) throw rejected('vaultKey', 'chainflip: the vault of bitcoin has no address of a key')
    return key
  }

  /** Reads the vault's key before a channel is opened: without it the address cannot be proved. */
  const vaultKeyFor = async ({ pair, isVaultSwap }: Ask, signal: AbortSignal): Promise<DecodePorts['vaultKey']> => {
    if (isVaultSwap || pair.input.asset.chainId !== BITCOIN) return () => readVaultKey(signal)
    const key = await readVaultKey(signal)
    return async () => key
  }

  const priceOf = async (ask: Ask, signal: AbortSignal): Promise<Terms> =>
    toTerms(await client.quote(toQuoteQuery(ask), signal), ask)

  return {
    ...PLAIN_VENUE,
    profile: createProfile(broker?.name ?? null, pinned),
    quote: async (order, signal) => {
      const pair = pairOf(order)
      const isVaultSwap = (await network.read(signal)).isVaultSwap(pair)
      const commissionBps = isVaultSwap && broker !== null && order.feeBps <= COMMISSION_BPS_MAX ? order.feeBps : 0
      const ask: Ask = { order, pair, isVaultSwap, commissionBps }
      const vault = isVaultSwap && !isNative(order.input) ? await readVault(order.input.chainId, signal) : null
      return toOffer(await priceOf(ask, signal), ask, { now: clock.now(), vault })
    },
    execute: async ({ order, offer }, binding, signal) => {
      offerCarry.read(offer.carry)
      const isVaultSwap = offer.executionType === 'TRANSACTION'
      const ask: Ask = { order, pair: pairOf(order), isVaultSwap, commissionBps: offer.fee.bps }
      ;(await network.renew(signal)).demandWay(ask.pair, isVaultSwap)
      const vaultKey = await vaultKeyFor(ask, signal)
      const terms = await priceOf(ask, signal)
      const quoted = offer.slippage?.guaranteedMin ?? 0n
      // A price below the quote would open a channel that can only refund.
      if (terms.outputAmount < quoted) throw new VenueError('noLiquidity', 'chainflip: the price has fallen below the minimum')
      const guaranteedMin = [guaranteedOf(terms, order), quoted].reduce((a, b) => (a > b ? a : b))
      const fees = countedFees(terms)
      const minPriceX128 = minPriceFor(guaranteedMin, order.inputAmount, fees, nextMark())
      const wish = { ...ask, binding, minPriceX128, retryBlocks: terms.retryBlocks }
      return build({ wish, terms, guaranteedMin }, { client, broker, pinned, vaultKey, now: clock.now(), signal })
    },
    decode: (execution) => decode(execution, { broker, pinned, vaultKey: () => readVaultKey(AbortSignal.timeout(DECODE_MS)) }),
    tracker: createTracker({ client, clock }),
    events: createEvents(pinned),
    bitcoinReach: createBitcoinReach(network),
    pins: createPins(client, pinned),
  }
}

/**
 * Chainflip: an exchange with its own chain, whose validators hold the vaults. Swaps are paid by a call of its vault on an EVM
 * chain, and elsewhere by a deposit to a separate address. https://docs.chainflip.io
 */
export const chainflip: VenueDefinition = {
  id: VENUE_ID,
  publicBaseUrl: PUBLIC_BASE_URL,
  settings: [
    {
      name: 'BROKER_ACCOUNT',
      pattern: { test: (text) => accountIdOf(text) !== null },
      expects: 'an account of the State Chain, which begins with cF',
    },
    {
      name: 'RPC_URL',
      pattern: /^(https?:\/\/[^\s]+|\/[a-z0-9/-]*)$/,
      expects: 'the URL of a node of the State Chain, or a path of the base URL',
    },
    ...Object.values(SETTINGS),
  ],
  tokens: WIRE_ASSETS.map(({ asset, symbol, decimals }) => ({ ...asset, symbol: CONTRACT_SYMBOLS[symbol] ?? symbol, decimals })),
  create,
}
