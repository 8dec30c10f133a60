import cluster from 'node:cluster'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { type Config, parseConfig } from '../engine/config/config.ts'
import { startSummary } from '../engine/config/startSummary.ts'
import type { SimClock } from '../engine/simnet/kit/world.ts'
import { createSharedState } from './cluster/sharedState.ts'
import { createWorkers, type Workers } from './cluster/workers.ts'
import { warningsOf } from './dataFolder.ts'
import { StartError } from './listen.ts'
import { createRelay, say } from './log.ts'
import { startOfflineNetwork } from './serve.ts'
import { announce, fail, whenLeftByNpm } from './serviceProcess.ts'

/**
 * Runs the service in several processes on one port: `npm run cluster -- 4`. On SIGTERM and SIGINT all finish the work under way.
 * SIGHUP replaces one after the other. A process that dies is started again.
 */
const WORKERS_MAX = 64

const readCount = (args: readonly string[]): number => {
  const [text = String(availableParallelism()), ...others] = args
  const count = /^[0-9]{1,2}$/.test(text) ? Number(text) : 0
  if (others.length > 0 || count < 1 || count > WORKERS_MAX)
    throw new StartError(`Usage: npm run cluster -- <processes from 1 to ${WORKERS_MAX}>`)
  return count
}

/** Each process has its own port. */
const monitorPortOf = ({ monitor: { port } }: Config, number: number): string =>
  port === null ? 'off' : String(port === 0 ? 0 : port + number)

/** A simulated clock that reports each jump. */
const createClock = (onJump: (aheadMs: number) => void): SimClock & { aheadMs(): number } => {
  let aheadMs = 0
  return {
    now: () => Date.now() + aheadMs,
    aheadMs: () => aheadMs,
    advance: (ms) => {
      aheadMs += ms
      onJump(aheadMs)
    },
  }
}

const stopOnSignals = (parent: number, workers: Workers, closeRest: () => Promise<unknown>): void => {
  let isStopping = false
  const stop = async (): Promise<void> => {
    if (isStopping) return
    isStopping = true
    const isWell = await workers.stop()
    await closeRest()
    process.exit(isWell ? 0 : 1)
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
  process.on('SIGHUP', () => void workers.renew())
  whenLeftByNpm(parent, () => void stop())
}

const main = async (): Promise<void> => {
  const parent = process.ppid
  const count = readCount(process.argv.slice(2))
  const config = parseConfig(process.env)
  const clock = createClock((ms) => workers.send({ kind: 'ahead', ms }))
  const simnet = config.network === 'simnet' ? await startOfflineNetwork(config, { clock }) : null
  const relay = createRelay()
  const closeRest = async () => {
    await simnet?.close()
    await relay.close()
  }
  const shared = createSharedState()
  cluster.setupPrimary({ exec: fileURLToPath(new URL('./clusterWorker.ts', import.meta.url)), args: [], silent: true })
  const places = simnet && { venues: simnet.venues, rpcUrls: simnet.rpcUrls, facilitator: { url: simnet.facilitator.url } }
  const workers = createWorkers({
    count,
    task: () => ({ network: places && { places, aheadMs: clock.aheadMs() } }),
    environmentOf: (number) => ({ METRICS_PORT: monitorPortOf(config, number) }),
    answer: async ({ id, question }) => ({ kind: 'reply', id, reply: await shared(question) }),
    watch: (event) => simnet?.watch(event),
    writeLine: relay.write,
    say,
  })
  stopOnSignals(parent, workers, closeRest)
  try {
    const { url, monitorUrls } = await workers.start()
    simnet?.servedAt(url)
    const hasOperatorPage = monitorUrls.length > 0 && config.monitor.page
    const [summary, warnings] = [startSummary(config), warningsOf(config)]
    announce({ url, simnet, hasOperatorPage, summary, warnings, monitorUrls, note: ` (${count} processes)` })
  } catch {
    // The worker has already printed the reason.
    await workers.stop()
    await closeRest()
    process.exit(1)
  }
}

await main().catch(fail)
