import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { createChainEvidence } from '../engine/chains/chainEvidence.ts'
import { createChains } from '../engine/chains/createChains.ts'
import { createEndpointHealth } from '../engine/chains/endpoints/endpointHealth.ts'
import { createSearchCalls } from '../engine/chains/evm/searchCalls.ts'
import { createSolanaTransactions } from '../engine/chains/solana/solanaTransactions.ts'
import { type Config, ConfigError, type Environment, parseConfig } from '../engine/config/config.ts'
import { startSummary } from '../engine/config/startSummary.ts'
import type { ListedToken } from '../engine/core/asset.ts'
import { type Clock, systemClock } from '../engine/core/clock.ts'
import type { Secret } from '../engine/core/secret.ts'
import { createEngine } from '../engine/engine.ts'
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
import { fileIn, findIgnored, requireUsable } from '../engine/store/inspectStore.ts'
import { openStore } from '../engine/store/openStore.ts'
import type { Store } from '../engine/store/store.ts'
import { StoreError } from '../engine/store/storeError.ts'
import { loadOrCreateTokenKey } from '../engine/store/tokenKeyFile.ts'
import { loadTokenKeyRing } from '../engine/store/tokenKeyRing.ts'
import { VENUE_DEFINITIONS } from '../engine/venues/registry.ts'
import { createApp } from '../handlers/app.ts'
import { createRooms } from '../handlers/http/rooms.ts'
import { createServer } from '../handlers/http/server.ts'
import { createHandlers } from '../handlers/index.ts'
import { createDrain, type DrainOptions } from './drain.ts'
import { createExplainer } from './explainer.ts'
import { listen, StartError } from './listen.ts'
import { createLog, say } from './log.ts'
import { startMonitor } from './monitor.ts'
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

/** Runs work on the data folder. Throws StartError if it fails: the operator must fix the folder. */
const inDataDir = async <T>(dataDir: string, work: () => T | Promise<T>): Promise<T> => {
  try {
    return await work()
  } catch (error) {
    throw new StartError(`DATA_DIR ${dataDir} cannot be used: ${error instanceof Error ? error.message : String(error)}.`)
  }
}

/** Opens the records. Throws StartError if their place cannot be used: the operator must fix it. */
const openRecords = async (config: Config, clock: Clock, observe: Observe): Promise<Store> => {
  if (config.database.url === null) return inDataDir(config.dataDir, () => openStore(config, clock, observe))
  try {
    return await openStore(config, clock, observe)
  } catch (error) {
    if (error instanceof StoreError) throw new StartError(`DATABASE_URL cannot be used: ${error.message}.`)
    throw error
  }
}

const samplesFolder = ({ dataDir }: Config): string => join(dataDir, 'rejected')

/** An installation with a database may have no data folder. */
const hasSamples = ({ database, dataDir }: Config): boolean => database.url === null || existsSync(dataDir)

/** Problems that the operator should fix, although the service runs. */
export const warningsOf = (config: Config): readonly string[] => {
  const ignored = findIgnored(config)
  const unkept = hasSamples(config) ? [] : ['rejected answers of venues are not kept: there is no data folder']
  if (ignored === null) return [...config.warnings, ...unkept]
  return [...config.warnings, ...unkept, `${ignored} is ignored: records are in ${config.dataDir}. Move or delete it`]
}

/** All keys open quote tokens; the first one mints. */
const keysIn = (dataDir: string): readonly Secret[] => {
  const { minting, opening } = loadTokenKeyRing(dataDir)
  return [minting, ...opening.map(({ key }) => key)]
}

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

/**
 * Starts the service from an environment. Rejects with ConfigError or StartError if the operator must fix something, after it
 * closed everything that was started.
 */
export const serve = async (env: Environment, cluster: Cluster | null = null): Promise<Service> => {
  const closers: Closer[] = []
  const closeAll = async () => {
    const failures: unknown[] = []
    // A failure must not leave the others open: the last one stops the chains' nodes.
    for (const close of closers.splice(0).reverse()) await close().catch((error: unknown) => failures.push(error))
    if (failures.length > 0) throw new AggregateError(failures, failures.map(String).join('; '))
  }
  try {
    const parsed = parseConfig(env)
    const metrics = createMetrics({
      venues: VENUE_DEFINITIONS.map(({ id }) => id),
      operations: Object.keys(createHandlers(null)),
      network: parsed.network,
      health: () => lifecycle.state(),
    })
    const { sink, close: closeLog } = createLog(parsed.logLevel, metrics.observe)
    closers.push(closeLog)
    const network = createNetworkWatch()
    const observe = observeAll<AnyEvent>(
      observeToLog(sink),
      // Without a metrics port no client can read the metrics.
      ...(parsed.monitor.port === null ? [] : [metrics.observe]),
      ...(parsed.network === 'simnet' ? [network.observe] : []),
    )
    const lifecycle = createLifecycle(observe)
    const isReady = () => {
      const { ready, problems } = lifecycle.state()
      return { ready, reasons: problems }
    }
    // Starts before the slow steps, and closes after them.
    const explainer = createExplainer()
    const samples = () => newestSamples(samplesFolder(parsed))
    const monitor = await startMonitor(parsed.monitor, { isReady, metrics: metrics.page, explain: explainer.explain, samples })
    if (monitor) closers.push(() => monitor.close())
    const { simnet, places, clock, watcher } = await findNetwork(parsed, cluster)
    if (simnet) closers.push(() => simnet.close())
    network.follow(watcher)
    const located = places ? onSimnet(parsed, places) : parsed
    const { dataDir } = parsed
    if (parsed.database.url === null) await inDataDir(dataDir, () => requireUsable(fileIn(dataDir), parsed.network))
    const given = parsed.quote.tokenKeys
    const tokenKeys = given.length > 0 ? given : await inDataDir(dataDir, () => keysIn(dataDir))
    const { webhooks } = parsed.partners
    const secretKeys =
      webhooks.secretKeys.length > 0
        ? webhooks.secretKeys
        : [await inDataDir(dataDir, () => loadOrCreateTokenKey(dataDir, 'webhook-secret.key'))]
    const config: Config = {
      ...located,
      quote: { ...located.quote, tokenKeys },
      partners: { ...located.partners, webhooks: { ...webhooks, secretKeys } },
    }
    const { userAgent } = config
    const { quotes, executes, statuses } = config.overload
    // Admitted calls never wait for a connection: the wait would count as the venue's slowness.
    const plain = createHttpClient({ userAgent, connectionsMax: quotes + executes + statuses })
    const tracing = config.tracing.origins.length > 0 ? createTracing(config.tracing.origins) : null
    const http = tracing ? tracing.over(plain) : plain
    closers.push(() => http.close())
    const outages = createOutages()
    /** For the ports of the engine. The engine passes its own events to `outages` itself. */
    const observeParts = observeAll(observe, outages.observe)
    const health = createEndpointHealth({ clock, observe: observeParts })
    const store = await openRecords(config, clock, observeParts)
    closers.push(() => store.close())
    const tokens = { records: store.tokens, listed: await listTokens(config), observe }
    const chains = createChains({ rpcUrls: config.rpcUrls, clock, health, userAgent, tokens })
    closers.push(() => chains.close())
    const { rpcUrls, confirmations } = config
    const searchCalls = createSearchCalls()
    const evidence = createChainEvidence({ rpcUrls, confirmations, http, health, clock, searchCalls })
    const solana = createSolanaTransactions({ rpcUrls: config.rpcUrls, http, health })
    explainer.over(store)
    const shared = await findShared(config, cluster, observe)
    if (shared) closers.push(async () => shared.close())
    const payments = createPayments(config, { http, health, evidence, searchCalls, clock, observe: observeParts })
    const engine = await createEngine(config, {
      ...{ http, chains, solana, evidence, store, payments, clock, outages, observe },
      ...(shared && { breakers: shared.breakers }),
      ...(hasSamples(config) && {
        keepSample: createRejectedSamples(samplesFolder(config), { clock, observe }),
      }),
    })
    const rooms = createRooms(config.overload, { observe })
    metrics.watch({ ...config, records: store.operator, rooms: () => rooms.standing, healthWatch: engine.watch, clock })
    closers.push(proveLedger(store, observe))
    const headers: Record<string, string> = places ? { 'service-network': 'simnet' } : {}
    const app = createApp(engine, {
      trustedProxies: config.http.trustedProxies,
      publicUrl: config.http.publicUrl,
      keysPerAddressPerMinute: config.partners.requestsPerAddressPerMinute,
      sharedCounts: shared?.counts ?? null,
      validateResponses: config.network === 'simnet',
      rooms,
      headers,
      observe,
      ...(tracing && { tracing }),
    })
    const { trustedProxies, connectionsPerAddressMax } = config.http
    const server = createServer(app, { headers, observe, trustedProxies, limits: { connectionsPerAddressMax } })
    const drain = createDrain(server)
    const url = await listen(server, config.http, 'PORT')
    simnet?.servedAt(url)
    lifecycle.serving(engine.watch.problems)
    engine.watch.start(lifecycle.state)
    lifecycle.state()
    engine.settlement.start()
    engine.pins.start()
    let graceMs = 0
    closers.push(async () => {
      await Promise.all([drain({ graceMs }), engine.settlement.stop(), engine.pins.stop()])
      await engine.watch.stop()
    })
    const close: Service['close'] = (options) => {
      lifecycle.draining()
      lifecycle.state()
      graceMs = options?.graceMs ?? 0
      return closeAll()
    }
    const hasOperatorPage = monitor !== null && parsed.monitor.page
    const summary = startSummary(parsed)
    return { url, monitorUrl: monitor?.url ?? null, hasOperatorPage, simnet, summary, warnings: warningsOf(config), close }
  } catch (error) {
    await closeAll().catch(() => undefined)
    throw error
  }
}

/** Milliseconds during which answers carry `connection: close` after a stop signal. */
export const GRACE_MS = 1_000

/** The addresses of the pages for a browser. */
export const pagesOf = ({
  url,
  simnet,
  monitorUrl,
  hasOperatorPage,
}: Pick<Service, 'url' | 'simnet' | 'monitorUrl' | 'hasOperatorPage'>): readonly string[] => [
  `Documentation: ${url}/docs`,
  ...(simnet ? [`Offline network page: ${simnet.controlUrl}/`] : []),
  ...(hasOperatorPage ? [`Operator's page: ${monitorUrl}/`] : []),
]

const PARENT_CHECK_MS = 250

/** npm sends a signal only to its shell, which ends without forwarding it. The process detects only that its parent is gone. */
export const whenLeftByNpm = (parent: number, leave: () => void): void => {
  if (process.env['npm_lifecycle_event'] === undefined) return
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    leave()
  }, PARENT_CHECK_MS)
  timer.unref()
}

const main = async (): Promise<void> => {
  const parent = process.ppid
  const service = await serve(process.env)
  let isStopping = false
  const stop = () => {
    if (isStopping) return
    isStopping = true
    service.close({ graceMs: GRACE_MS }).then(
      () => process.exit(0),
      (error: unknown) => {
        say(`Stopped with an error: ${String(error)}`)
        process.exit(1)
      },
    )
  }
  // A repeated signal has no effect: the shutdown is bounded, and an abort would break work under way.
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
  whenLeftByNpm(parent, stop)
  // Printed last: a reader of the "Listening" line may stop the process at once.
  for (const line of service.summary) say(line)
  if (service.simnet) say(`Offline network control: ${service.simnet.controlUrl}`)
  for (const warning of service.warnings) say(`Warning: ${warning}.`)
  if (service.monitorUrl) say(`Monitoring on ${service.monitorUrl}`)
  for (const line of pagesOf(service)) say(line)
  say(`Listening on ${service.url}`)
}

/** A start below this number of open files may fail for it. Recommended: 1,024 or more. */
const OPEN_FILES_MIN = 256

/** The sentence for a start that failed for the limit of open files; null for another failure. SQLite reports no code for it. */
const fileLimitOf = (error: unknown): string | null => {
  if (!/EMFILE|unable to open database file/.test(String(error))) return null
  const { userLimits } = process.report.getReport() as { userLimits?: { open_files?: { soft: number | string } } }
  const soft = Number(userLimits?.open_files?.soft)
  const mend = 'raise the limit to 1024 or more (ulimit -n, or LimitNOFILE of systemd)'
  return soft < OPEN_FILES_MIN ? `This process may open ${soft} files, which is too few to start: ${mend}.` : null
}

/** Prints a sentence for the operator, or the stack of a defect, and exits with code 1. */
export const fail = (error: unknown): never => {
  const isExplained = error instanceof ConfigError || error instanceof StartError
  say(fileLimitOf(error) ?? (isExplained ? error.message : String(error instanceof Error ? error.stack : error)))
  process.exit(1)
}

/** Runs the service as a process: its output, its signals and its exit code. */
export const run = (): Promise<void> => main().catch(fail)

if (import.meta.main) await run()
