import { randomBytes } from 'node:crypto'
import type { ChainEvidence } from './chains/chainEvidence.ts'
import { ChainError, type Chains } from './chains/chains.ts'
import type { SolanaTransactions } from './chains/solana/solanaTransactions.ts'
import { type Config, ConfigError } from './config/config.ts'
import { venueKey } from './config/venues.ts'
import type { BuiltSwap, Health, Quote, TrackedSwap } from './core/answers.ts'
import { parseAsset, type Token } from './core/asset.ts'
import type { Caller, RequestContext } from './core/caller.ts'
import { type ChainId, ecosystemOf } from './core/chain.ts'
import { type Clock, systemClock } from './core/clock.ts'
import type { Hex } from './core/execution.ts'
import type { Order } from './core/order.ts'
import type { PaidCalls } from './core/paidCall.ts'
import type { ChangedSettings, PartnerAccount, SettingsChange, SignedUp, Signup } from './core/partnerAccount.ts'
import type { FeedPage, WebhookTest } from './core/partnerFeed.ts'
import { SwapError } from './errors.ts'
import { createSubmitTransaction } from './execution/broadcast/submitTransaction.ts'
import { createExecuteQuote } from './execution/build/executeQuote.ts'
import { createSubmitSignature } from './execution/submit/submitSignature.ts'
import { createTrackSwap } from './execution/track/trackSwap.ts'
import { createChangeSettings } from './keys/changeSettings.ts'
import { createKeyStore, type KeyStore } from './keys/keyStore.ts'
import { createReadAccount } from './keys/readAccount.ts'
import { createSignUp } from './keys/signUp.ts'
import { createBreaker } from './net/breaker.ts'
import { type BreakerState, createMemoryBreakerState } from './net/breakerState.ts'
import { type CallLimits, createCallBudget } from './net/callBudget.ts'
import { withDeadline } from './net/deadline.ts'
import type { HttpClient } from './net/httpClient.ts'
import { createLoopWatch, type LoopWatch } from './net/loopWatch.ts'
import { createTargetPost, type TargetPost } from './net/targetPost.ts'
import { bindContext } from './observe/callContext.ts'
import { createNotices } from './observe/notices.ts'
import type { Observe } from './observe/observe.ts'
import { createQuoteOrder } from './quoting/quoteOrder.ts'
import { createQuoteSeal } from './quoting/seal.ts'
import { createLookAt } from './settlement/lookAt.ts'
import { createSettlement, type Settlement, type SettlementTask } from './settlement/settlementJob.ts'
import type { Store } from './store/store.ts'
import { StoreError } from './store/storeError.ts'
import { type BitcoinCoverage, createBitcoinCoverage } from './venues/bitcoinCoverage.ts'
import { type GuardedVenue, guard } from './venues/guard.ts'
import { missingFeeAccounts } from './venues/missingFeeAccounts.ts'
import { VENUE_DEFINITIONS } from './venues/registry.ts'
import type { Venue, VenuePorts } from './venues/venue.ts'
import { createWebhookSecrets } from './webhooks/webhookSecrets.ts'
import { createWebhooks } from './webhooks/webhooks.ts'
import { createLeftCalls } from './x402/leftCalls.ts'
import { createPaidCalls } from './x402/paidCalls.ts'
import type { PaymentPorts } from './x402/paymentPorts.ts'

/** The product, without its HTTP edge. Every call throws SwapError only; anything else is a defect of ours. */
export interface Engine {
  /** The caller behind an x-api-key. UNAUTHORIZED when the key is unknown; null is an anonymous caller. */
  identify(apiKey: string | null): Promise<Caller>
  /** Ids that `excludeVenues` may name: of all venues, those that are switched off included. */
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
  signUp(signup: Signup): Promise<SignedUp>
  /** Of the caller's own settings, all of it or nothing. UNAUTHORIZED for an anonymous one. */
  changeSettings(change: SettingsChange, context: RequestContext): Promise<ChangedSettings>
  account(context: RequestContext): Promise<PartnerAccount>
  /** What the caller was told beyond a place in its feed, oldest first. UNAUTHORIZED for an anonymous one. */
  partnerFeed(page: { afterPlace: number; limit: number }, context: RequestContext): Promise<FeedPage>
  /** Sends the caller's webhook a signed test, and tells what became of it. NOT_FOUND where it has none. */
  testWebhook(context: RequestContext): Promise<WebhookTest>
  /** Gives calls against payments. */
  readonly paidCalls: PaidCalls
  /** Follows the open swaps of partners. Whoever starts it stops it. */
  readonly settlement: Settlement
}

/** What the engine works with. Whoever creates a port closes it. */
export type EnginePorts = {
  readonly http: HttpClient
  readonly chains: Chains
  readonly solana: SolanaTransactions
  /** `trustVenues`: the venues' word on how a swap ended is not held against the chains. For tests and benchmarks. */
  readonly evidence: ChainEvidence | 'trustVenues'
  readonly store: Store
  readonly observe: Observe
  readonly clock?: Clock
  readonly keys?: KeyStore
  readonly newId?: () => string
  /** How calls are paid; null where they are not. */
  readonly payments?: PaymentPorts | null
  /** Posts webhooks; over the Internet by default. */
  readonly postToTarget?: TargetPost
  /** In [0, 1). */
  readonly random?: () => number
  /** Where the venues' breakers keep what they know; in this process by default. */
  readonly breakers?: BreakerState
  readonly loopWatch?: LoopWatch
  /** Replaces the registered venues: tests and benchmarks bring their own. */
  readonly venues?: readonly Venue[]
  /** Of those, the ones that are quoted and executed; all when left out. The others' swaps are followed all the same. */
  readonly venuesEnabled?: readonly string[]
}

const BREAKER = { failuresMax: 5, cutsMax: 8, openMs: 15_000 } as const
const TOKEN_DEADLINE_MS = 5_000
/** The least that a pass over the open swaps may take. */
const PASS_MS = 60_000

const unsupportedToken = (chainId: ChainId, cause?: unknown): SwapError =>
  new SwapError('UNSUPPORTED_TOKEN', 'Not a token: address.', {
    details: { fields: [{ path: 'address', reason: `is not a token on chain ${chainId}` }] },
    cause,
  })

const createResolveToken =
  (chains: Chains): Engine['resolveToken'] =>
  async ({ chainId, address }) => {
    const asset = parseAsset(chainId, address)
    if (!asset) throw unsupportedToken(chainId)
    try {
      return await withDeadline(TOKEN_DEADLINE_MS, (signal) => chains.token(asset, signal))
    } catch (error) {
      if (!(error instanceof ChainError)) throw error
      if (error.failure === 'notAToken') throw unsupportedToken(chainId, error)
      const text = `The ${ecosystemOf(chainId)} chain ${chainId} could not be read. Try again.`
      throw new SwapError('INTERNAL', text, { details: { chainId, retryable: true }, cause: error })
    }
  }

/** A store in trouble is ours to mend. What was under way is safe to repeat, and must be repeated as it was. */
const overStore =
  <Asked extends readonly unknown[], Told>(call: (...asked: Asked) => Promise<Told>): ((...asked: Asked) => Promise<Told>) =>
  async (...asked) => {
    try {
      return await call(...asked)
    } catch (error) {
      if (!(error instanceof StoreError)) throw error
      const text = 'The service cannot reach its own records now. Repeat the same request: that is always safe.'
      throw new SwapError('INTERNAL', text, { details: { retryable: true }, cause: error })
    }
  }

/** Whose call it is, where it must be somebody's. */
const partnerOf = ({ caller: { partnerId } }: RequestContext): string => {
  if (partnerId === null) throw new SwapError('UNAUTHORIZED', 'This operation needs an x-api-key.')
  return partnerId
}

const createIdentify =
  (keys: KeyStore, anonymousPerMinute: number): Engine['identify'] =>
  async (apiKey) => {
    if (apiKey === null) return { tier: 'anonymous', partnerId: null, feeBps: null, requestsPerMinute: anonymousPerMinute }
    const caller = await keys.find(apiKey)
    if (!caller) throw new SwapError('UNAUTHORIZED', 'The x-api-key is not known. Leave the header out to call anonymously.')
    return caller
  }

/** A venue that is off for want of a key is told of, and is no trouble of the service's: nobody counts on it. */
const createHealth =
  (all: readonly GuardedVenue[], store: Store, { venuesWithoutKey }: Config): Engine['health'] =>
  async () => {
    const enabled = all.filter(({ isEnabled }) => isEnabled)
    const keyless = all.filter(({ profile }) => venuesWithoutKey.includes(profile.id))
    const venues = [
      ...enabled.map(({ profile: { id, name }, trouble }) => ({ id, name, trouble, off: null })),
      ...keyless.map(({ profile: { id, name } }) => ({ id, name, trouble: null, off: 'keyMissing' as const })),
    ]
    const isStoreHealthy = await store.probe().then(
      () => true,
      () => false,
    )
    return { isDegraded: !isStoreHealthy || enabled.some(({ trouble }) => trouble !== null), venues }
  }

const registeredVenues = (
  config: Config,
  ports: EnginePorts & { readonly clock: Clock },
  wellVenues: VenuePorts['wellVenues'],
): readonly Venue[] => {
  const { http, chains, clock, observe } = ports
  return VENUE_DEFINITIONS.flatMap((definition) => {
    const venueConfig = config.venues[definition.id]
    const notice = createNotices(definition.id, observe, clock)
    return venueConfig ? [definition.create(venueConfig, { http, chains, clock, wellVenues, notice })] : []
  })
}

const createGuard =
  (config: Config, { clock, observe, breakers = createMemoryBreakerState() }: EnginePorts & { readonly clock: Clock }) =>
  (venue: Venue, isEnabled: boolean): GuardedVenue => {
    const { id, limits } = venue.profile
    const agreed = config.venueCallsPerMinute[id]
    const perSecond = limits?.requestsPerSecond
    const allowed: CallLimits = {
      // What was agreed on by the minute may be more than is published by the second.
      perSecond: perSecond === undefined ? null : Math.max(perSecond, Math.ceil((agreed ?? 0) / 60)),
      perMinute: agreed ?? limits?.requestsPerMinute ?? null,
      missesPerMinute: limits?.missesPerMinute ?? null,
      statusPerMinute: limits?.statusPerMinute ?? null,
      statusMissesPerMinute: limits?.statusMissesPerMinute ?? null,
      coverStatus: limits?.coverStatus ?? false,
    }
    const breaker = createBreaker({
      ...BREAKER,
      name: id,
      state: breakers,
      onChange: (reason) => observe({ event: 'venue.health', venue: id, healthy: reason === null, reason }),
    })
    return guard(venue, { isEnabled, breaker, budget: createCallBudget(allowed, clock), clock })
  }

/** All venues: those that are switched off too, for the swaps they were given. */
export const guardVenues = (
  config: Config,
  ports: EnginePorts & { readonly clock: Clock },
): ReadonlyMap<string, GuardedVenue> => {
  const enabledIds = ports.venues ? ports.venuesEnabled : config.venuesEnabled
  const guardOne = createGuard(config, ports)
  const guarded = new Map<string, GuardedVenue>()
  const wellVenues = () => [...guarded].flatMap(([id, { isEnabled, trouble }]) => (isEnabled && trouble === null ? [id] : []))
  const all = ports.venues ?? registeredVenues(config, ports, wellVenues)
  for (const venue of all) guarded.set(venue.profile.id, guardOne(venue, enabledIds?.includes(venue.profile.id) ?? true))
  return guarded
}

type SettlementParts = Required<Pick<EnginePorts, 'clock' | 'newId' | 'random'>> & {
  readonly venues: ReadonlyMap<string, GuardedVenue>
  readonly tasks: readonly SettlementTask[]
}

const wireSettlement = (
  { partners: { settlement } }: Config,
  { store, solana, evidence, observe }: EnginePorts,
  parts: SettlementParts,
): Settlement =>
  createSettlement({
    ...parts,
    ...settlement,
    observe,
    queue: store.settlement,
    leases: store.leases,
    lookAt: createLookAt({ ...parts, ...settlement, store, solana, evidence }),
    passMsMax: Math.max(settlement.intervalMs, PASS_MS),
  })

/** Wires the domain. The configuration must hold at least one quote token key and one webhook secret key. Throws ConfigError for what a chain shows to be wrong with it. */
export const createEngine = async (config: Config, ports: EnginePorts): Promise<Engine> => {
  const {
    chains,
    solana,
    store,
    evidence,
    observe,
    clock = systemClock,
    keys = createKeyStore(store, clock),
    newId = () => randomBytes(12).toString('base64url'),
    random = Math.random,
    loopWatch = createLoopWatch(),
    payments = null,
    postToTarget = createTargetPost(config.partners.webhooks),
  } = ports
  const venues = guardVenues(config, { ...ports, clock })
  for (const venue of config.venuesWithoutKey)
    observe({ event: 'venue.off', venue, reason: `${venueKey(venue, 'API_KEY')} is not set` })
  const missing = await missingFeeAccounts([...venues.values()], { chains, observe })
  if (missing.length > 0) throw new ConfigError(missing)
  const seal = await createQuoteSeal(config.quote.tokenKeys)
  const quoteOrder = createQuoteOrder({ venues, loopWatch, chains, seal, clock, newId }, config)
  const { venuesOnTrust } = config
  const executeQuote = overStore(createExecuteQuote({ venues, chains, solana, seal, store, clock, newId, venuesOnTrust }))
  const submitSignature = overStore(createSubmitSignature({ venues, chains, seal, store }))
  const submitTransaction = overStore(createSubmitTransaction({ chains, solana, seal, store }))
  const trackSwap = overStore(createTrackSwap({ venues, seal, store, solana, clock, evidence }))
  const { requestsPerAddressPerMinute, payoutAddressHoldMs } = config.partners
  const webhookSecrets = createWebhookSecrets(config.partners.webhooks.secretKeys)
  const signUp = overStore(createSignUp(store))
  const changeSettings = overStore(createChangeSettings({ store, keys, webhookSecrets, clock, payoutAddressHoldMs }))
  const readAccount = overStore(createReadAccount({ store, clock, requestsPerAddressPerMinute }))
  const { userAgent } = config
  const webhooks = createWebhooks({ store, secrets: webhookSecrets, post: postToTarget, userAgent, clock, observe })
  const [feed, testWebhook] = [overStore(webhooks.feed), overStore(webhooks.test)]
  const bitcoinCoverage = createBitcoinCoverage({ venues: [...venues.values()], clock })
  const paidParts = { ports: payments, store, holder: newId(), clock }
  const paidCalls = createPaidCalls(paidParts)
  const tasks = [...webhooks.tasks, createLeftCalls(paidParts)]
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
    health: createHealth([...venues.values()], store, config),
    signUp,
    changeSettings: async (change, request) =>
      changeSettings(change, { partnerId: partnerOf(request), requestId: request.requestId }),
    account: async (request) => readAccount(partnerOf(request)),
    partnerFeed: async (page, request) => feed(partnerOf(request), page),
    testWebhook: async (request) => testWebhook(partnerOf(request), request.requestId),
    paidCalls: { demand: paidCalls.demand, serve: overStore(paidCalls.serve) },
    settlement: wireSettlement(config, ports, { venues, clock, newId, random, tasks }),
  }
}
