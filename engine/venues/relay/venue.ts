import { type Address, addressOf } from '../../core/address.ts'
import { nativeAsset } from '../../core/asset.ts'
import { BITCOIN, ecosystemOf, isEvmChainId, SOLANA } from '../../core/chain.ts'
import type { Binding, Execution } from '../../core/execution.ts'
import type { Order } from '../../core/order.ts'
import type { Route } from '../../core/route.ts'
import type { SealedOffer } from '../../core/swap.ts'
import { keptAtVenue } from '../kit/feeCustody.ts'
import { openWithin } from '../kit/reprice.ts'
import * as kit from '../kit/settings.ts'
import type {
  BitcoinReach,
  SlippageRule,
  TrustRule,
  Venue,
  VenueConfig,
  VenueDefinition,
  VenuePorts,
  VenueProfile,
} from '../venue.ts'
import { VenueError } from '../venueError.ts'
import { type Answered, build } from './build.ts'
import { createChainCheck } from './checkChains.ts'
import { createRelayClient, type RelayClient } from './client.ts'
import { decode, toldApartBy } from './decode.ts'
import { createEvents } from './events.ts'
import { type Ask, CHAIN_NAMES, chainNamesIn, contractsWith, notSold, toOffer, toTerms, VENUE_ID } from './map.ts'
import { createPins } from './pins.ts'
import { fromCurrency, SOLVER, STAND_INS, toWireChain } from './protocol.ts'
import { refundKeeps } from './refundKeeps.ts'
import { isWithoutFunds } from './refusals.ts'
import { createTracker } from './track.ts'
import { offerCarry } from './wire.ts'

/**
 * Without a slippage the venue chooses one. Its documents state no figure, but their swaps without one have 200, whatever the
 * pair: features/price-stabilization.mdx and deposit-addresses.mdx of relayprotocol/relay-docs, 2026-08-21. The accepted range:
 * https://docs.relay.link/references/api/get-quote-v2
 */
const SLIPPAGE_RULE: SlippageRule = { defaultBps: 200, minBps: 0, maxBps: 10_000 }
/**
 * A depository call has no deadline; a deposit address has that of its order, a week in every recorded one. A later one costs
 * nothing: it only extends the wait for an unpaid address.
 */
const DEADLINE_MS_MAX = 30 * 24 * 3_600_000
const DECODE_MS = 5_000

/**
 * Swaps between chains that begin with a deposit at the venue's own contract. Within one chain Relay returns calldata of an
 * exchange, which nothing binds to the quote.
 */
const serves = ({ input, output }: Route): boolean => input.chainId !== output.chainId

const isFromBitcoin = ({ input }: Route): boolean => input.chainId === BITCOIN

/** The API reference, for POST /quote and for all others: default limits of a key; those without a key are not published. */
const LIMITS = { requestsPerMinute: 50, statusPerMinute: 200 } as const

const FEE_OFF_CHAIN = 'the venue credits the fee off chain, and no response names its recipient'

const TAKEN_ON_TRUST: readonly TrustRule[] = [
  { executionType: 'TRANSACTION', parts: ['fee'], appliesTo: () => true, routes: 'all', reason: FEE_OFF_CHAIN },
  { executionType: 'DEPOSIT', parts: ['fee'], appliesTo: isFromBitcoin, routes: 'from Bitcoin', reason: FEE_OFF_CHAIN },
  {
    executionType: 'DEPOSIT',
    parts: ['recipient', 'minimum', 'refund'],
    appliesTo: isFromBitcoin,
    routes: 'from Bitcoin',
    reason: 'only an unsigned response of the venue links the address to the order that names them',
  },
]

const createProfile = (feeRecipient: Address | null, own: Pick<VenueProfile, 'contracts' | 'toldApartBy'>): VenueProfile => ({
  id: VENUE_ID,
  name: 'Relay',
  serves,
  bindsAtQuote: { recipient: ['touchesSolana'], refundTo: ['fromBitcoin'] },
  hasSandbox: true,
  ...own,
  feeRecipient: () => feeRecipient,
  // A share of the input, credited off chain and claimed from there: "App fees", docs.relay.link
  feeCustody: () => keptAtVenue('creditedAtVenue', 'input', 'USDC in its books'),
  slippage: () => SLIPPAGE_RULE,
  takesOnTrust: TAKEN_ON_TRUST,
  holdsInput: () => true,
  nativeFeeMax: () => 0n,
  refundKeeps,
  amountCarriesReference: () => 0n,
  limits: LIMITS,
  deadlineMsMax: DEADLINE_MS_MAX,
})

/** Relay prices no order of an empty wallet. The quote then uses a placeholder wallet, whose payload is never handed out. */
const askForAny = async <T>({ sender, input }: Order, call: (user: Address) => Promise<T>): Promise<T> => {
  try {
    return await call(sender)
  } catch (error) {
    if (!isWithoutFunds(error)) throw error
    const ecosystem = ecosystemOf(input.chainId)
    return call(addressOf(ecosystem, STAND_INS[ecosystem]))
  }
}

/** Relay's listed tokens of a chain, while it swaps from bitcoin to there: its solver buys tokens that it does not hold. */
const createBitcoinReach = (client: RelayClient, checkChains: ReturnType<typeof createChainCheck>): BitcoinReach => ({
  tokens: async (chainId, signal) => {
    try {
      await checkChains({ input: nativeAsset(BITCOIN), output: nativeAsset(chainId) }, signal)
    } catch (error) {
      if (error instanceof VenueError && error.kind === 'unsupportedPair') return []
      throw error
    }
    const wireId = toWireChain(chainId)
    const listed = await client.currencies(wireId, signal)
    const assets = listed.flatMap((currency) => (currency.chainId === wireId ? [fromCurrency(chainId, currency.address)] : []))
    return assets.flatMap((asset) => (asset === null ? [] : [asset.address]))
  },
})

const SOLVER_SETTING = kit.addressSetting('SOLVER', 'the one that signs orders')
const DEPOSITORIES = kit.addressesByChainSetting('DEPOSITORIES', 'depositories of Relay beyond those published', isEvmChainId)
const SOLANA_DEPOSITORIES = kit.solanaAddressesSetting('SOLANA_DEPOSITORIES', 'depository programs beyond the published one')
const ROUTERS = kit.addressesByChainSetting('ROUTERS', 'routers of Relay beyond those published', isEvmChainId)

const create = (config: VenueConfig, { http, chains, clock }: VenuePorts): Venue => {
  const feeRecipient = kit.addressIn(config, kit.FEE_RECIPIENT)
  const routers = kit.addressesByChainIn(config, ROUTERS)
  const onSolana = kit.solanaAddressesIn(config, SOLANA_DEPOSITORIES)
  const depositories = { ...kit.addressesByChainIn(config, DEPOSITORIES), [SOLANA]: onSolana }
  const names = chainNamesIn(config)
  const ports = { chains, names, solver: kit.addressIn(config, SOLVER_SETTING) ?? SOLVER, routers, depositories }
  const referrer = config.settings['REFERRER'] ?? null
  const client = createRelayClient(config, http)
  const checkChains = createChainCheck(client.chains, clock, ports)
  const feeOf = (bps: number): Ask['fee'] => (bps > 0 && feeRecipient !== null ? { bps, recipient: feeRecipient } : null)

  const checkRoute = async (route: Route, signal: AbortSignal): Promise<void> => {
    if (!serves(route)) throw notSold('a route on one chain')
    await checkChains(route, signal)
  }

  const answerTo = async (ask: Ask, signal: AbortSignal): Promise<Answered> => {
    const answer = await client.quote(ask, signal)
    return { ask, answer, terms: toTerms(answer, ask) }
  }

  const quote: Venue['quote'] = async (order, signal) => {
    await checkRoute(order, signal)
    const { slippageBps, feeBps } = order
    return askForAny(order, async (user) => {
      const now = clock.now()
      const ask: Ask = { order, binding: order, slippageBps, fee: feeOf(feeBps), user, referrer }
      // From Bitcoin a quote without a deposit address is a transaction over the wallet's own coins, which is not sold here.
      if (isFromBitcoin(order)) {
        const price = await client.price(ask, signal)
        return toOffer(price, toTerms(price, ask), { ask, pays: null, gasUnits: null, now })
      }
      const answered = await answerTo(ask, signal)
      const { execution, gasUnits } = await build(answered, { ...ports, now, signal, isPreview: true })
      const { payload } = execution
      const pays = payload.executionType === 'TRANSACTION' ? payload.transaction.to : null
      return toOffer(answered.answer, answered.terms, { ask, pays, gasUnits, now })
    })
  }

  const execute = async ({ order, offer }: SealedOffer, binding: Binding, signal: AbortSignal): Promise<Execution> => {
    offerCarry.read(offer.carry)
    await checkRoute(order, signal)
    const fee = feeOf(offer.fee.bps)
    const open = (slippageBps: number) => {
      const openAs = (user: Address) => answerTo({ order, binding, user, slippageBps, fee, referrer }, signal)
      // The payer of a deposit address signs nothing, and need not be the wallet of the order: exchanges are not.
      return isFromBitcoin(order) ? askForAny(order, openAs) : openAs(order.sender)
    }
    const priceOf = ({ terms }: Answered) => ({ expected: terms.outputAmount, minimum: terms.slippage.guaranteedMin })
    const answered = await openWithin({ order, offer }, SLIPPAGE_RULE, { open, priceOf })
    return (await build(answered, { ...ports, now: clock.now(), signal, isPreview: false })).execution
  }

  return {
    profile: createProfile(feeRecipient, {
      contracts: contractsWith(depositories),
      toldApartBy: (swap) => toldApartBy(swap, names),
    }),
    quote,
    execute,
    decode: (execution) => decode(execution, { ...ports, now: clock.now(), signal: AbortSignal.timeout(DECODE_MS) }),
    submitter: null,
    tracker: createTracker(client),
    events: createEvents(routers, ports.solver),
    unfilled: null,
    prices: null,
    pins: createPins(client, ports),
    bitcoinReach: createBitcoinReach(client, checkChains),
  }
}

/**
 * Relay: a solver network that fills deposits on another chain. Deposits are calls of its depository, and in bitcoin payments to
 * an address that is opened for one swap. https://docs.relay.link
 */
export const relay: VenueDefinition = {
  id: VENUE_ID,
  publicBaseUrl: 'https://api.relay.link',
  settings: [
    kit.FEE_RECIPIENT,
    {
      name: 'REFERRER',
      pattern: /^[a-z0-9][a-z0-9._-]{0,63}$/,
      expects: 'a tag of lower-case letters, digits, ., - and _',
      needsKey: true,
    },
    SOLVER_SETTING,
    DEPOSITORIES,
    SOLANA_DEPOSITORIES,
    ROUTERS,
    CHAIN_NAMES,
  ],
  create,
}
