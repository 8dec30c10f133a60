import { shareBy } from '../../engine/shared/openShared.ts'
import type { Watcher } from '../networkWatch.ts'
import { type Cluster, serve } from '../serve.ts'
import { fail, stopService } from '../serviceProcess.ts'
import { askPrimary } from './askPrimary.ts'
import { type FromWorker, type ToWorker, WORKER_VARIABLE, type WorkerTask } from './messages.ts'

const send = (message: FromWorker, onSent: () => void = () => undefined): void => {
  // The other end may be gone, which is told by itself.
  if (process.connected) process.send?.(message, undefined, undefined, onSent)
}

/** So many not yet taken, the rest is not told: a page can do without, and the memory of this process cannot. */
const WATCHED_MAX = 200

/** Hands on what the offline network's page shows to the process that runs it. */
const watchFromHere = (): Watcher => {
  let underWay = 0
  return {
    watch: (event) => {
      if (underWay >= WATCHED_MAX || !process.connected) return
      underWay += 1
      send({ kind: 'watched', event }, () => {
        underWay -= 1
      })
    },
  }
}

const onMessage = (take: (message: ToWorker) => void): void => void process.on('message', take)

/** The offline network's time, as the process that runs it tells it. */
const followClock = (aheadMs: number) => {
  let ahead = aheadMs
  onMessage((message) => {
    if (message.kind === 'ahead') ahead = message.ms
  })
  return { now: () => Date.now() + ahead }
}

const readTask = (): Cluster => {
  const { network } = JSON.parse(process.env[WORKER_VARIABLE] ?? '{"network":null}') as WorkerTask
  return {
    network: network && { places: network.places, clock: followClock(network.aheadMs), watcher: watchFromHere() },
    share: () => {
      const { counts, standings } = askPrimary(send, onMessage)
      return shareBy(
        counts,
        standings,
        (client) => client,
        () => undefined,
      )
    },
  }
}

/** Ends when it is told to, or when whoever started it has died. Signals to the whole group are for that one. */
const main = async (): Promise<void> => {
  const stopped = Promise.withResolvers<void>()
  onMessage((message) => {
    if (message.kind === 'stop') stopped.resolve()
  })
  process.once('disconnect', () => stopped.resolve())
  process.on('SIGTERM', () => stopped.resolve())
  process.on('SIGINT', () => undefined)
  const service = await serve(process.env, readTask())
  send({ kind: 'listening', url: service.url, monitorUrl: service.monitorUrl })
  await stopped.promise
  await stopService(service)
}

export const runWorker = (): Promise<void> => main().catch(fail)
