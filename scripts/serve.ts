import { createChainEvidence } from '../engine/chains/chainEvidence.ts'
import { createChains } from '../engine/chains/createChains.ts'
import { createEndpointHealth } from '../engine/chains/endpoints/endpointHealth.ts'
import { createSearchCalls } from '../engine/chains/evm/searchCalls.ts'
import { createSolanaTransactions } from '../engine/chains/solana/solanaTransactions.ts'
import { type Config, type Environment, parseConfig } from '../engine/config/config.ts'
import { startSummary } from '../engine/config/startSummary.ts'
import type { ListedToken } from '../engine/core/asset.ts'
import { type Clock, systemClock } from '../engine/core/clock.ts'
import { createEngine, type Engine } from '../engine/engine.ts'
import { createLifecycle } from '../engine/health/lifecycle.ts'
import { createOutages } from '../engine/health/outages.ts'
import { proveAtStart } from '../engine/ledger/proveAtStart.ts'
import { createTracing } from '../engine/net/tracing.ts'
import { createHttpClient } from '../engine/net/undiciClient.ts'
import { observeToLog } from '../engine/observe/jsonLog.ts'
import { createMetrics } from '../engine/observe/metrics/createMetrics.ts'
import type { AnyEvent, Observe } from '../engine/observe/observe.ts'
import { observeAll } from '../engine/observe/observeAll.ts'
import { createRejectedSamples, newestSamples } from '../engine/observe/rejectedSamples.ts'
import { openShared, type Shared } from '../engine/shared/openShared.ts'
import type { Simnet, SimnetOptions } from '../engine/simnet/simnet.ts'
import type { Store } from '../engine/store/store.ts'
import { VENUE_DEFINITIONS } from '../engine/venues/registry.ts'
import { createApp } from '../handlers/app.ts'
import { createRooms } from '../handlers/http/rooms.ts'
import { createServer } from '../handlers/http/server.ts'
import { createHandlers } from '../handlers/index.ts'
import { createMonitorServer, type MonitorPorts } from '../handlers/monitor/monitorServer.ts'
import type { OperatorPort } from '../handlers/monitor/operatorPage.ts'
import { openRecords, samplesFolderOf, warningsOf, withKeys } from './dataFolder.ts'
import { createDrain, type DrainOptions } from './drain.ts'
import { createExplainer } from './explainer.ts'
import { listen, StartError } from './listen.ts'
import { createLog } from './log.ts'
import { createNetworkWatch, type Watcher } from './networkWatch.ts'
import { onSimnet, type SimnetPlaces } from './onSimnet.ts'
import { createPayments } from './payments.ts'

/** A running service. */
export type Service = {
  readonly url: string
  /** The URL of liveness, readiness and metrics; null if METRICS_PORT is off. */
  readonly monitorUrl: string | null
  /** True if that URL serves a page for a browser. */
  readonly hasOperatorPage: boolean
  /** The offline network it runs on; null on mainnet. */
  readonly simnet: Simnet | null
  /** The network, and the features that are on and off. */
  readonly summary: readonly string[]
  /** Problems that the operator should fix, although the service runs. */
  readonly warnings: readonly string[]
  /**
   * Rejects new requests, lets those under way finish, and closes everything that the start opened. During `graceMs` (default 0)
   * answers carry `connection: close` before anything is closed.
   */
  close(options?: Partial<DrainOptions>): Promise<void>
}

type Closer = () => Promise<void>

const explainOffline = (error: unknown): never => {
  if (error instanceof Error && error.name === 'PortInUseError')
    throw new StartError(`${error.message}. Set SIMNET_CONTROL_PORT to another one.`)
  if (error instanceof Error && error.name === 'MissingPackagesError')
    throw new StartError(`${error.message}; or set NETWORK=mainnet.`)
  throw error
}

/** Imports the offline network only when it is used: mainnet does not need it. */
export const startOfflineNetwork = async (
  { simnet, venuesEnabled }: Config,
  options: Pick<SimnetOptions, 'clock'> = {},
): Promise<Simnet> => {
  const { startSimnet } = await import('../engine/simnet/simnet.ts')
  return startSimnet({ ...simnet, ...options, venues: venuesEnabled }).catch(explainOffline)
}

/** The dependencies that the primary process gives to each worker. */
export type Cluster = {
  /** The offline network, which runs in another process; null on mainnet. */
  readonly network: { readonly places: SimnetPlaces; readonly clock: Clock; readonly watcher: Watcher } | null
  /** Without Redis. */
  share(): Promise<Shared>
}

/** The offline network of this process, or of another. */
const findNetwork = async (config: Config, cluster: Cluster | null) => {
  if (config.network === 'mainnet') return { simnet: null, places: null, clock: systemClock, watcher: null }
  if (cluster?.network) return { simnet: null, ...cluster.network }
  const simnet = await startOfflineNetwork(config)
  return { simnet, places: simnet, clock: simnet.clock, watcher: simnet }
}

/** The tokens that are known without a read of their chain. */
const listTokens = async ({ network }: Config): Promise<readonly ListedToken[]> => {
  const offline = network === 'simnet' ? (await import('../engine/simnet/kit/tokens.ts')).createTokens().all : []
  return [...offline, ...VENUE_DEFINITIONS.flatMap(({ tokens = [] }) => tokens)]
}

/** The state shared with other processes; null without any. */
const findShared = async ({ redis, quote }: Config, cluster: Cluster | null, observe: Observe): Promise<Shared | null> => {
  const [key] = quote.tokenKeys
  const { url, keyPrefix } = redis
  if (url !== null && key !== undefined) return openShared({ url, keyPrefix, key, observe })
  return cluster === null ? null : cluster.share()
}

/** Proves the ledger while the service runs. The returned closer stops the proof, before the store closes. */
const proveLedger = (store: Store, observe: Observe): Closer => {
  const over = new AbortController()
  const proof = proveAtStart(store, observe, over.signal)
  return () => {
    over.abort()
    return proof
  }
}

/** Closes in the reverse order. */
const createClosers = () => {
  const closers: Closer[] = []
  const close = async (): Promise<void> => {
    const failures: unknown[] = []
    // A failure must not leave the others open: the last one stops the chains' nodes.
    for (const closeOne of closers.splice(0).reverse()) await closeOne().catch((error: unknown) => failures.push(error))
    if (failures.length > 0) throw new AggregateError(failures, failures.map(String).join('; '))
  }
  return { add: (closer: Closer): void => void closers.push(closer), close }
}

type Closers = ReturnType<typeof createClosers>

type MonitorParts = Omit<MonitorPorts, 'operator'> & Omit<OperatorPort, 'host'>

/** Starts the monitoring port. Returns the URL; null if METRICS_PORT is off. Throws StartError. */
const startMonitor = async ({ monitor }: Config, parts: MonitorParts, closers: Closers): Promise<string | null> => {
  const { host, port, page } = monitor
  const { explain, samples, ...ports } = parts
  if (port === null) return null
  const server = createMonitorServer({ ...ports, operator: page ? { host, explain, samples } : null })
  // A worker and its replacement share a port for a while, unless each picks its own (port 0).
  const url = await listen(server, { host, port }, 'METRICS_PORT', port === 0)
  closers.add(async () => {
    const closed = new Promise((resolve) => server.close(resolve))
    server.closeAllConnections()
    await closed
  })
  return url
}

/** The log, the metrics and the monitoring port. They start before the slow steps, and close after them. */
const startObserving = async (config: Config, closers: Closers) => {
  const metrics = createMetrics({
    venues: VENUE_DEFINITIONS.map(({ id }) => id),
    operations: Object.keys(createHandlers(null)),
    network: config.network,
    health: () => lifecycle.state(),
  })
  const { sink, close: closeLog } = createLog(config.logLevel, metrics.observe)
  closers.add(closeLog)
  const network = createNetworkWatch()
  const observe = observeAll<AnyEvent>(
    observeToLog(sink),
    // Without a metrics port no client can read the metrics.
    ...(config.monitor.port === null ? [] : [metrics.observe]),
    ...(config.network === 'simnet' ? [network.observe] : []),
  )
  const lifecycle = createLifecycle(observe)
  const isReady = () => {
    const { ready, problems } = lifecycle.state()
    return { ready, reasons: problems }
  }
  const { explain, over: explainOver } = createExplainer()
  const samples = async () => {
    const folder = samplesFolderOf(config)
    return folder === null ? [] : newestSamples(folder)
  }
  const monitorUrl = await startMonitor(config, { isReady, metrics: metrics.page, explain, samples }, closers)
  return { metrics, observe, network, lifecycle, explainOver, monitorUrl }
}

type Located = { readonly config: Config; readonly clock: Clock; readonly cluster: Cluster | null; readonly observe: Observe }

/** Outbound HTTP, the records, the chains and the state shared with other processes. */
const openPorts = async ({ config, clock, cluster, observe }: Located, closers: Closers) => {
  const { userAgent, rpcUrls, confirmations } = config
  const { quotes, executes, statuses } = config.overload
  // Admitted calls never wait for a connection: the wait would count as the venue's slowness.
  const plain = createHttpClient({ userAgent, connectionsMax: quotes + executes + statuses })
  const tracing = config.tracing.origins.length > 0 ? createTracing(config.tracing.origins) : null
  const http = tracing ? tracing.over(plain) : plain
  closers.add(() => http.close())
  const outages = createOutages()
  /** The engine passes its own events to `outages` itself. */
  const observeParts = observeAll(observe, outages.observe)
  const health = createEndpointHealth({ clock, observe: observeParts })
  const store = await openRecords(config, clock, observeParts)
  closers.add(() => store.close())
  const tokens = { records: store.tokens, listed: await listTokens(config), observe }
  const chains = createChains({ rpcUrls, clock, health, userAgent, tokens })
  closers.add(() => chains.close())
  const searchCalls = createSearchCalls()
  const evidence = createChainEvidence({ rpcUrls, confirmations, http, health, clock, searchCalls })
  const solana = createSolanaTransactions({ rpcUrls, http, health })
  const shared = await findShared(config, cluster, observe)
  if (shared) closers.add(async () => shared.close())
  const payments = createPayments(config, { http, health, evidence, searchCalls, clock, observe: observeParts })
  return { http, tracing, outages, store, chains, evidence, solana, shared, payments }
}

type Serving = Awaited<ReturnType<typeof openPorts>> & {
  readonly config: Config
  readonly engine: Engine
  readonly observe: (event: AnyEvent) => void
}

/** The HTTP server, which does not listen yet. */
const createHttpServer = ({ config, engine, observe, shared, tracing }: Serving, isOffline: boolean) => {
  const { trustedProxies, publicUrl, connectionsPerAddressMax } = config.http
  const rooms = createRooms(config.overload, { observe })
  const headers: Record<string, string> = isOffline ? { 'service-network': 'simnet' } : {}
  const app = createApp(engine, {
    trustedProxies,
    publicUrl,
    keysPerAddressPerMinute: config.partners.requestsPerAddressPerMinute,
    sharedCounts: shared?.counts ?? null,
    validateResponses: config.network === 'simnet',
    rooms,
    headers,
    observe,
    ...(tracing && { tracing }),
  })
  return { rooms, server: createServer(app, { headers, observe, trustedProxies, limits: { connectionsPerAddressMax } }) }
}

const start = async (parsed: Config, cluster: Cluster | null, closers: Closers): Promise<Service> => {
  const { metrics, observe, network, lifecycle, explainOver, monitorUrl } = await startObserving(parsed, closers)
  const { simnet, places, clock, watcher } = await findNetwork(parsed, cluster)
  if (simnet) closers.add(() => simnet.close())
  network.follow(watcher)
  const config = await withKeys(places ? onSimnet(parsed, places) : parsed)
  const ports = await openPorts({ config, clock, cluster, observe }, closers)
  const { store, shared } = ports
  explainOver(store)
  const samplesFolder = samplesFolderOf(config)
  const engine = await createEngine(config, {
    ...{ ...ports, clock, observe },
    ...(shared && { breakers: shared.breakers }),
    ...(samplesFolder !== null && { keepSample: createRejectedSamples(samplesFolder, { clock, observe }) }),
  })
  const { rooms, server } = createHttpServer({ ...ports, config, engine, observe }, places !== null)
  metrics.watch({ ...config, records: store.operator, rooms: () => rooms.standing, healthWatch: engine.watch, clock })
  closers.add(proveLedger(store, observe))
  const drain = createDrain(server)
  const url = await listen(server, config.http, 'PORT')
  simnet?.servedAt(url)
  lifecycle.serving(engine.watch.problems)
  engine.watch.start(lifecycle.state)
  lifecycle.state()
  engine.settlement.start()
  engine.pins.start()
  let graceMs = 0
  closers.add(async () => {
    await Promise.all([drain({ graceMs }), engine.settlement.stop(), engine.pins.stop()])
    await engine.watch.stop()
  })
  const close: Service['close'] = (options) => {
    lifecycle.draining()
    lifecycle.state()
    graceMs = options?.graceMs ?? 0
    return closers.close()
  }
  const hasOperatorPage = monitorUrl !== null && parsed.monitor.page
  const summary = startSummary(parsed)
  return { url, monitorUrl, hasOperatorPage, simnet, summary, warnings: warningsOf(config), close }
}

/**
 * Starts the service from an environment. Rejects with ConfigError or StartError if the operator must fix something, after it
 * closed everything that was started.
 */
export const serve = async (env: Environment, cluster: Cluster | null = null): Promise<Service> => {
  const closers = createClosers()
  try {
    return await start(parseConfig(env), cluster, closers)
  } catch (error) {
    await closers.close().catch(() => undefined)
    throw error
  }
}
