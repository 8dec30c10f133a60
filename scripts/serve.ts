import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createChainEvidence } from '../engine/chains/chainEvidence.ts'
import { createChains } from '../engine/chains/createChains.ts'
import { createEndpointHealth } from '../engine/chains/endpoints/endpointHealth.ts'
import { createSolanaTransactions } from '../engine/chains/solana/solanaTransactions.ts'
import { type Config, ConfigError, type Environment, parseConfig } from '../engine/config/config.ts'
import { type Clock, systemClock } from '../engine/core/clock.ts'
import type { Secret } from '../engine/core/secret.ts'
import { createEngine } from '../engine/engine.ts'
import { proveAtStart } from '../engine/ledger/proveAtStart.ts'
import { createHttpClient } from '../engine/net/undiciClient.ts'
import { observeToLog } from '../engine/observe/jsonLog.ts'
import type { Observe } from '../engine/observe/observe.ts'
import type { Simnet } from '../engine/simnet/simnet.ts'
import { openStore } from '../engine/store/openStore.ts'
import type { Store } from '../engine/store/store.ts'
import { StoreError } from '../engine/store/storeError.ts'
import { loadOrCreateTokenKey } from '../engine/store/tokenKeyFile.ts'
import { loadTokenKeyRing } from '../engine/store/tokenKeyRing.ts'
import { createApp } from '../handlers/app.ts'
import { createServer } from '../handlers/http/server.ts'
import { createDrain, type DrainOptions } from './drain.ts'
import { createLog, say } from './log.ts'
import { onSimnet } from './onSimnet.ts'
import { createPayments } from './payments.ts'

/** A running service. */
export type Service = {
  readonly url: string
  /** The offline network it runs on; null on mainnet. */
  readonly simnet: Simnet | null
  /**
   * Stops taking requests, lets those under way finish, and ends everything that was started. For `graceMs`, none by
   * default, clients are told before anything is closed.
   */
  close(options?: Partial<DrainOptions>): Promise<void>
}

/** Something the operator must mend; said in one line, without a stack. */
export class StartError extends Error {
  override readonly name = 'StartError'
}

type Closer = () => Promise<void>

const listen = (server: Server, { host, port }: Config['http']): Promise<string> =>
  new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const reason = error.code === 'EADDRINUSE' ? 'is in use; set PORT to another one' : `cannot be listened on (${error.code})`
      reject(new StartError(`Port ${port} on ${host} ${reason}.`))
    })
    server.listen(port, host, () => {
      const { address, family, port: bound } = server.address() as AddressInfo
      resolve(`http://${family === 'IPv6' ? `[${address}]` : address}:${bound}`)
    })
  })

/** Work on the data folder; what goes wrong there is the operator's to mend. */
const inDataDir = async <T>(dataDir: string, work: () => T | Promise<T>): Promise<T> => {
  try {
    return await work()
  } catch (error) {
    throw new StartError(`DATA_DIR ${dataDir} cannot be used: ${error instanceof Error ? error.message : String(error)}.`)
  }
}

/** The records; what is wrong with the place they are kept in is the operator's to mend. */
const openRecords = async (config: Config, clock: Clock): Promise<Store> => {
  if (config.database.url === null) return inDataDir(config.dataDir, () => openStore(config, clock))
  try {
    return await openStore(config, clock)
  } catch (error) {
    if (error instanceof StoreError) throw new StartError(`DATABASE_URL cannot be used: ${error.message}.`)
    throw error
  }
}

/** First mints, all open. */
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

/** Loaded only when it is used: a service on mainnet has no need of it. */
const startOfflineNetwork = async ({ simnet, venuesEnabled }: Config): Promise<Simnet> => {
  const { startSimnet } = await import('../engine/simnet/simnet.ts')
  return startSimnet({ ...simnet, venues: venuesEnabled }).catch(explainOffline)
}

/** Beside what is served. Closed before the store is. */
const proveLedger = (store: Store, observe: Observe): Closer => {
  const over = new AbortController()
  const proof = proveAtStart(store, observe, over.signal)
  return () => {
    over.abort()
    return proof
  }
}

/**
 * Starts the service from an environment. Rejects with ConfigError or StartError when the operator must mend something;
 * whatever was started by then is closed again.
 */
export const serve = async (env: Environment): Promise<Service> => {
  const closers: Closer[] = []
  const closeAll = async () => {
    const failures: unknown[] = []
    // One that fails must not keep the others open: the last of them ends the chains' nodes.
    for (const close of closers.splice(0).reverse()) await close().catch((error: unknown) => failures.push(error))
    if (failures.length > 0) throw new AggregateError(failures, failures.map(String).join('; '))
  }
  try {
    const parsed = parseConfig(env)
    const { sink, close: closeLog } = createLog(parsed.logLevel)
    closers.push(closeLog)
    const simnet = parsed.network === 'simnet' ? await startOfflineNetwork(parsed) : null
    if (simnet) closers.push(() => simnet.close())
    const clock: Clock = simnet?.clock ?? systemClock
    const located = simnet ? onSimnet(parsed, simnet) : parsed
    const { dataDir } = parsed
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
    const http = createHttpClient({ userAgent })
    closers.push(() => http.close())
    const observe = observeToLog(sink)
    const health = createEndpointHealth({ clock, observe })
    const chains = createChains({ rpcUrls: config.rpcUrls, clock, health, userAgent })
    closers.push(() => chains.close())
    const evidence = createChainEvidence({ rpcUrls: config.rpcUrls, confirmations: config.confirmations, http, health, clock })
    const solana = createSolanaTransactions({ rpcUrls: config.rpcUrls, http, health })
    const store = await openRecords(config, clock)
    closers.push(() => store.close())
    const payments = createPayments(config, { http, health, evidence, clock })
    const engine = await createEngine(config, { http, chains, solana, evidence, store, payments, clock, observe })
    closers.push(proveLedger(store, observe))
    const headers: Record<string, string> = simnet ? { 'service-network': 'simnet' } : {}
    const app = createApp(engine, {
      trustedProxies: config.http.trustedProxies,
      keysPerAddressPerMinute: config.partners.requestsPerAddressPerMinute,
      validateResponses: config.network === 'simnet',
      headers,
      observe,
    })
    const { trustedProxies, connectionsPerAddressMax } = config.http
    const server = createServer(app, { headers, observe, trustedProxies, limits: { connectionsPerAddressMax } })
    const drain = createDrain(server)
    const url = await listen(server, config.http)
    engine.settlement.start()
    let graceMs = 0
    closers.push(async () => {
      await Promise.all([drain({ graceMs }), engine.settlement.stop()])
    })
    const close: Service['close'] = (options) => {
      graceMs = options?.graceMs ?? 0
      return closeAll()
    }
    return { url, simnet, close }
  } catch (error) {
    await closeAll().catch(() => undefined)
    throw error
  }
}

const SIMNET_NOTICE = [
  'NETWORK=simnet: every venue, price and chain here is simulated. Nothing is worth anything; no real wallet is needed.',
  'Set NETWORK=mainnet to use the public hosts of the venues.',
]

/** Clients of a process that is asked to stop hear of it by their next answer. */
const GRACE_MS = 1_000

const PARENT_CHECK_MS = 250

/** npm hands a signal to the shell between, which ends of it and tells nobody: all that is seen is that our parent is gone. */
const whenLeftByNpm = (parent: number, leave: () => void): void => {
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
  process.once('SIGTERM', stop)
  process.once('SIGINT', stop)
  whenLeftByNpm(parent, stop)
  // Last: whoever has read that it listens may ask it to stop.
  if (service.simnet) for (const line of [...SIMNET_NOTICE, `Offline network control: ${service.simnet.controlUrl}`]) say(line)
  say(`Listening on ${service.url}`)
}

/** Runs the service as a process: its output, its signals and its exit code. */
export const run = (): Promise<void> =>
  main().catch((error: unknown) => {
    const isExplained = error instanceof ConfigError || error instanceof StartError
    say(isExplained ? error.message : String(error instanceof Error ? error.stack : error))
    process.exit(1)
  })

if (import.meta.main) await run()
