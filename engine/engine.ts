import { randomBytes } from 'node:crypto'
import type { ChainEvidence } from './chains/chainEvidence.ts'
import { ChainError, type Chains } from './chains/chains.ts'
import { createChainClock } from './chains/endpoints/chainClock.ts'
import type { SolanaTransactions } from './chains/solana/solanaTransactions.ts'
import { type Config, ConfigError } from './config/config.ts'
import { venueKey } from './config/venues.ts'
import type { BuiltSwap, Health, Quote, TrackedSwap } from './core/answers.ts'
import { parseAsset, type Token } from './core/asset.ts'
import type { Caller, RequestContext } from './core/caller.ts'
import { type ChainId, ecosystemOf, SOLANA } from './core/chain.ts'
import { type Clock, systemClock } from './core/clock.ts'
import type { Hex } from './core/execution.ts'
import { quickenKeccak } from './core/keccak.ts'
import type { Order } from './core/order.ts'
import type { PaidCalls } from './core/paidCall.ts'
import { notAToken } from './core/walletAddress.ts'
import { SwapError } from './errors.ts'
import { createSubmitTransaction } from './execution/broadcast/submitTransaction.ts'
import { createExecuteQuote } from './execution/build/executeQuote.ts'
import { createSubmitSignature } from './execution/submit/submitSignature.ts'
import { createTrackSwap } from './execution/track/trackSwap.ts'
import { createVenuePlaces } from './execution/venuePlaces.ts'
import { type ClockReads, clockChains, createClockReads } from './health/clockReads.ts'
import { createHealthWatch, type HealthWatch, type HealthWatchParts } from './health/healthWatch.ts'
import { createOutages, type Outages } from './health/outages.ts'
import { createVenueReach } from './health/venueReach.ts'
import { createKeyStore, type KeyStore } from './keys/keyStore.ts'
import { createPartnerCalls, type PartnerCalls } from './keys/partnerCalls.ts'
import { createBreaker } from './net/breaker.ts'
import { type BreakerState, createMemoryBreakerState } from './net/breakerState.ts'
import { type CallLimits, createCallBudget } from './net/callBudget.ts'
import { withDeadline } from './net/deadline.ts'
import { boundAnswers, type HttpClient } from './net/httpClient.ts'
import { createLoopWatch, type LoopWatch } from './net/loopWatch.ts'
import { createTargetPost, type TargetPost } from './net/targetPost.ts'
import { bindContext } from './observe/callContext.ts'
import { createNotices } from './observe/notices.ts'
import type { Observe } from './observe/observe.ts'
import { observeAll } from './observe/observeAll.ts'
import { createQuoteOrder } from './quoting/quoteOrder.ts'
import { createQuoteSeal } from './quoting/seal.ts'
import { createRetention } from './retention/createRetention.ts'
import { createLookAt } from './settlement/lookAt.ts'
import { createSettlement, type Settlement, type SettlementTask } from './settlement/settlementJob.ts'
import { overStore } from './store/overStore.ts'
import type { Store } from './store/store.ts'
import { createAnswerBook, type KeepSample } from './venues/answerBook.ts'
import { type BitcoinCoverage, createBitcoinCoverage } from './venues/bitcoinCoverage.ts'
import { createPinWatch, type PinWatch } from './venues/checkPins.ts'
import { type GuardedVenue, guard } from './venues/guard.ts'
import { missingFeeAccounts } from './venues/missingFeeAccounts.ts'
import { VENUE_DEFINITIONS } from './venues/registry.ts'
import type { Venue, VenuePorts } from './venues/venue.ts'
import { createForgetAnswers, createLeftCalls } from './x402/leftCalls.ts'
import { createPaidCalls } from './x402/paidCalls.ts'
import type { PaymentPorts } from './x402/paymentPorts.ts'

/** The product without its HTTP edge. Every call throws SwapError only; any other error is a defect. */
export interface Engine extends PartnerCalls {
  /** The caller of an x-api-key; null is an anonymous caller. Throws UNAUTHORIZED if the key is unknown. */
  identify(apiKey: string | null): Promise<Caller>
  /** Ids that `excludeVenues` accepts: all venues, including disabled ones. */
  readonly venueIds: readonly string[]
  quote(order: Order, context: RequestContext): Promise<Quote>
  /** `destinationAddress` and `refundAddress` are checked here: their ecosystem is only known from the token. */
  execute(
    request: { quoteToken: string; destinationAddress: string | null; refundAddress: string | null },
    context: RequestContext,
  ): Promise<BuiltSwap>
  submitSignature(
    request: { quoteToken: string; signature: Hex; approvalSignature: Hex | null },
    context: RequestContext,
  ): Promise<{ statusRef: string; venue: string }>
  submitTransaction(
    request: { quoteToken: string; signedTransaction: string },
    context: RequestContext,
  ): Promise<{ txHash: string }>
  status(request: { quoteToken: string; ref: string }, context: RequestContext): Promise<TrackedSwap>
  resolveToken(request: { chainId: ChainId; address: string }, context: RequestContext): Promise<Token>
  bitcoinCoverage(request: { chainId: ChainId }, context: RequestContext): Promise<BitcoinCoverage>
  health(): Promise<Health>
  /** Checks the dependencies of the service. The caller starts and stops it. */
  readonly watch: HealthWatch
  /** Serves calls against payments. */
  readonly paidCalls: PaidCalls
  /** Follows the open swaps of partners. The caller starts and stops it. */
  readonly settlement: Settlement
  /** Compares the values that adapters pin with those that the venues publish. The caller starts and stops it. */
  readonly pins: PinWatch
}

/** The dependencies of the engine. The creator of a port closes it. */
export type EnginePorts = {
  readonly http: HttpClient
  readonly chains: Chains
  readonly solana: SolanaTransactions
  /** `trustVenues`: venue reports are not compared with the chains. For tests and benchmarks. */
  readonly evidence: ChainEvidence | 'trustVenues'
  readonly store: Store
  readonly observe: Observe
  readonly clock?: Clock
  readonly keys?: KeyStore
  readonly newId?: () => string
  /** Null if calls are not paid. */
  readonly payments?: PaymentPorts | null
  /** Posts webhooks; over the Internet by default. */
  readonly postToTarget?: TargetPost
  /** In [0, 1). */
  readonly random?: () => number
  /** The state of the venues' breakers; default: in this process. */
  readonly breakers?: BreakerState
  /** Stores rejected answers of venues for the operator; absent: none are stored. */
  readonly keepSample?: KeepSample
  readonly loopWatch?: LoopWatch
  /** Replaces the registered venues: tests and benchmarks bring their own. */
  readonly venues?: readonly Venue[]
  /** A monotonic clock, ms; default: the clock of the process. */
  readonly monotonic?: () => number
  /** Collects failures of the chains and the store from their creators. Absent: only health checks detect failures. */
  readonly outages?: Outages
  /** The venues to quote and execute; absent: all. Swaps of the others are still followed. */
  readonly venuesEnabled?: readonly string[]
}

const BREAKER = { failuresMax: 5, cutsMax: 8, openMs: 15_000 } as const
const TOKEN_DEADLINE_MS = 5_000
/** The smallest time limit of a pass over the open swaps, ms. */
const PASS_MS = 60_000
/** The maximum time that settlement waits for the comparison of the service's clock, ms. */
const UNCOMPARED_MS = 10_000

const unsupportedToken = (reason: string, cause?: unknown): SwapError =>
  new SwapError('UNSUPPORTED_TOKEN', 'Not a token: address.', { details: { fields: [{ path: 'address', reason }] }, cause })

const createResolveToken =
  (chains: Chains): Engine['resolveToken'] =>
  async ({ chainId, address }) => {
    const asset = parseAsset(chainId, address)
    if (!asset) throw unsupportedToken(notAToken(chainId, address))
    try {
      return await withDeadline(TOKEN_DEADLINE_MS, (signal) => chains.token(asset, signal))
    } catch (error) {
      if (!(error instanceof ChainError)) throw error
      if (error.failure === 'notAToken') throw unsupportedToken(`is not a token on chain ${chainId}`, error)
      const text = `The ${ecosystemOf(chainId)} chain ${chainId} could not be read. Repeat the request.`
      throw new SwapError('INTERNAL', text, { details: { chainId, retryable: true }, cause: error })
    }
  }

const createIdentify =
  (keys: KeyStore, anonymousPerMinute: number): Engine['identify'] =>
  async (apiKey) => {
    if (apiKey === null) return { tier: 'anonymous', partnerId: null, feeBps: null, requestsPerMinute: anonymousPerMinute }
    const caller = await keys.find(apiKey)
    if (!caller) throw new SwapError('UNAUTHORIZED', 'The x-api-key is not known. Leave the header out to call anonymously.')
    return caller
  }

/** The dependencies of the venues and their guards. */
export type VenueGuardPorts = { readonly clock: Clock } & Pick<
  EnginePorts,
  'http' | 'chains' | 'observe' | 'breakers' | 'keepSample' | 'monotonic' | 'venues' | 'venuesEnabled'
>

const registeredVenues = (config: Config, ports: VenueGuardPorts, wellVenues: VenuePorts['wellVenues']): readonly Venue[] => {
  const { chains, clock, observe } = ports
  const http = boundAnswers(ports.http, config.venueAnswerBytes)
  return VENUE_DEFINITIONS.flatMap((definition) => {
    const venueConfig = config.venues[definition.id]
    const notice = createNotices(definition.id, observe, clock)
    return venueConfig ? [definition.create(venueConfig, { http, chains, clock, wellVenues, notice })] : []
  })
}

const createGuard =
  (config: Config, ports: VenueGuardPorts & { readonly breakers: BreakerState }) =>
  (venue: Venue, isEnabled: boolean): GuardedVenue => {
    const { clock, observe, breakers, keepSample = () => undefined, monotonic = () => performance.now() } = ports
    const { id, limits } = venue.profile
    const agreed = config.venueCallsPerMinute[id]
    const perSecond = limits?.requestsPerSecond
    const allowed: CallLimits = {
      // The limit agreed per minute may exceed the one published per second.
      perSecond: perSecond === undefined ? null : Math.max(perSecond, Math.ceil((agreed ?? 0) / 60)),
      perMinute: agreed ?? limits?.requestsPerMinute ?? null,
      missesPerMinute: limits?.missesPerMinute ?? null,
      statusPerMinute: limits?.statusPerMinute ?? null,
      statusMissesPerMinute: limits?.statusMissesPerMinute ?? null,
      coverStatus: limits?.coverStatus ?? false,
    }
    let reported: string | null = null
    const reportHealth = (): void => {
      const whole = answers.rejecting.find(({ isWhole }) => isWhole)
      const { trouble, failing } = guarded
      const troubled = trouble === 'failing' ? `failing at ${failing.join(', ')}` : trouble
      const reason = troubled ?? (whole ? `rejecting ${whole.check} at ${whole.call}` : null)
      if (reason === reported) return
      reported = reason
      observe({ event: 'venue.health', venue: id, healthy: reason === null, reason })
    }
    const breakerOf = (name: string, rests: string) =>
      createBreaker({ ...BREAKER, name, rests, state: breakers, onChange: reportHealth })
    const [breaker, statusBreaker] = [breakerOf(id, 'quote'), breakerOf(`${id}.track`, 'track')]
    const answers = createAnswerBook({ venue: id, now: monotonic, observe, keepSample, onChange: reportHealth })
    const budget = createCallBudget(allowed, { now: monotonic })
    const guarded = guard(venue, { isEnabled, breaker, statusBreaker, reportHealth, answers, budget, clock, monotonic })
    return guarded
  }

/** All venues, including disabled ones, which still track their earlier swaps. */
export const guardVenues = (config: Config, ports: VenueGuardPorts): ReadonlyMap<string, GuardedVenue> => {
  const enabledIds = ports.venues ? ports.venuesEnabled : config.venuesEnabled
  const guardOne = createGuard(config, { ...ports, breakers: ports.breakers ?? createMemoryBreakerState() })
  const guarded = new Map<string, GuardedVenue>()
  const wellVenues = () => [...guarded].flatMap(([id, { isEnabled, trouble }]) => (isEnabled && trouble === null ? [id] : []))
  const all = ports.venues ?? registeredVenues(config, ports, wellVenues)
  for (const venue of all) guarded.set(venue.profile.id, guardOne(venue, enabledIds?.includes(venue.profile.id) ?? true))
  return guarded
}

type SettlementParts = Required<Pick<EnginePorts, 'clock' | 'newId' | 'random'>> & {
  readonly clockReads: ClockReads
  readonly venues: ReadonlyMap<string, GuardedVenue>
  readonly tasks: readonly SettlementTask[]
}

const wireSettlement = (
  { partners: { settlement } }: Config,
  { store, solana, evidence, observe }: EnginePorts,
  { clockReads, ...rest }: SettlementParts,
): Settlement => {
  const parts = { ...rest, ...settlement, isClockRight: (waitMs = UNCOMPARED_MS) => clockReads.isRight(waitMs) }
  return createSettlement({
    ...parts,
    observe,
    queue: store.settlement,
    leases: store.leases,
    lookAt: createLookAt({ ...parts, store, solana, evidence }),
    passMsMax: Math.max(settlement.intervalMs, PASS_MS),
  })
}

/** Throws ConfigError for fee accounts that do not exist on their chain. */
const openVenues = async (config: Config, ports: EnginePorts & { readonly clock: Clock }) => {
  const { chains, observe } = ports
  const venues = guardVenues(config, ports)
  for (const venue of config.venuesWithoutKey)
    observe({ event: 'venue.off', venue, reason: `${venueKey(venue, 'API_KEY')} is not set` })
  for (const warning of config.venueWarnings) observe({ event: 'venue.noticed', ...warning })
  const missing = await missingFeeAccounts([...venues.values()], { chains, observe })
  if (missing.length > 0) throw new ConfigError(missing)
  return venues
}

type HealthParts = Pick<HealthWatchParts, 'outages' | 'reach' | 'now' | 'chainClock' | 'clockReads'> & {
  readonly venues: ReadonlyMap<string, GuardedVenue>
}

const wireHealth = (
  { venuesWithoutKey }: Config,
  { store, chains, observe, payments }: EnginePorts,
  { venues, ...parts }: HealthParts,
): HealthWatch =>
  createHealthWatch({
    ...parts,
    venues: [...venues.values()],
    venuesWithoutKey,
    store,
    askFacilitator: payments ? () => payments.facilitator.getSupported() : null,
    readChain: (chainId, signal) => (chainId === SOLANA ? chains.latestBlockhash(signal) : chains.feePrice(chainId, signal)),
    observe,
  })

/** Wires the domain. The configuration needs a quote token key and a webhook secret key. Throws ConfigError as `openVenues`. */
export const createEngine = async (config: Config, ports: EnginePorts): Promise<Engine> => {
  const {
    chains,
    solana,
    store,
    evidence,
    clock = systemClock,
    keys = createKeyStore(store, clock),
    newId = () => randomBytes(12).toString('base64url'),
    random = Math.random,
    loopWatch = createLoopWatch(),
    payments = null,
    postToTarget = createTargetPost(config.partners.webhooks),
    monotonic = () => performance.now(),
    outages = createOutages(),
  } = ports
  // Runs beside the rest of the start: calls before its end are served as well.
  void quickenKeccak()
  const observe = observeAll(ports.observe, outages.observe)
  const urls = ports.venues ? [] : config.venuesEnabled.flatMap((id) => config.venues[id]?.baseUrl ?? [])
  const reach = createVenueReach(ports.http, urls, monotonic)
  const venues = await openVenues(config, { ...ports, http: reach.http, clock, observe })
  const seal = createQuoteSeal(config.quote.tokenKeys, config.network)
  const { venuesOnTrust } = config
  // One venue that hangs leaves the other half to the swaps of others.
  const places = createVenuePlaces(Math.ceil(config.overload.executes / 2), observe)
  const shown: Pick<ChainEvidence, 'clock' | 'readHead'> = evidence === 'trustVenues' ? {} : evidence
  const { clock: chainClock = createChainClock(clock), readHead } = shown
  const candidates = config.network === 'simnet' ? [] : clockChains(config.rpcUrls)
  const clockReads = createClockReads({ chainClock, candidates, readHead, now: monotonic })
  const quoteOrder = createQuoteOrder({ venues, loopWatch, chains, seal, clock, chainClock, newId }, config)
  const executePorts = { venues, chainClock, clockReads, chains, solana, seal, store, clock, newId, venuesOnTrust, places }
  const executeQuote = overStore(createExecuteQuote(executePorts))
  const submitSignature = overStore(createSubmitSignature({ venues, chains, seal, store, places }))
  const submitTransaction = overStore(createSubmitTransaction({ chains, solana, seal, store }))
  const trackSwap = overStore(createTrackSwap({ venues, seal, store, solana, clock, evidence }))
  const partners = createPartnerCalls(config, { store, keys, post: postToTarget, clock, observe })
  const bitcoinCoverage = createBitcoinCoverage({ venues: [...venues.values()], clock })
  const paidParts = { ports: payments, store, holder: newId(), clock, observe }
  const paidCalls = createPaidCalls(paidParts)
  const retention = createRetention({ config: config.retention, store, clock, observe })
  const tasks = [...partners.tasks, createLeftCalls(paidParts), createForgetAnswers(paidParts), retention]
  const watch = wireHealth(config, { ...ports, observe }, { venues, outages, reach, now: monotonic, chainClock, clockReads })
  const bind = (request: RequestContext) => bindContext(request, observe)
  return {
    identify: overStore(createIdentify(keys, config.http.anonymousPerMinute)),
    venueIds: [...venues.keys()],
    quote: (order, request) => quoteOrder(order, bind(request)),
    execute: (asked, request) => executeQuote(asked, bind(request)),
    submitSignature: (asked, request) => submitSignature(asked, bind(request)),
    submitTransaction: (asked, request) => submitTransaction(asked, bind(request)),
    status: (asked, request) => trackSwap(asked, bind(request)),
    resolveToken: createResolveToken(chains),
    bitcoinCoverage: ({ chainId }, request) => bitcoinCoverage({ chainId, observe: bind(request).observe }),
    health: watch.report,
    watch,
    ...partners.calls,
    paidCalls: { demand: paidCalls.demand, serve: overStore(paidCalls.serve) },
    pins: createPinWatch(
      [...venues.values()].filter(({ isEnabled }) => isEnabled),
      observe,
      config.network === 'mainnet',
    ),
    settlement: wireSettlement(config, { ...ports, observe }, { venues, clock, clockReads, newId, random, tasks }),
  }
}
