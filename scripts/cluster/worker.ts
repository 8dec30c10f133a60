import { shareBy } from '../../engine/shared/openShared.ts'
import type { Watcher } from '../networkWatch.ts'
import { type Cluster, serve } from '../serve.ts'
import { fail, stopService } from '../serviceProcess.ts'
import { type FromWorker, type ToWorker, WORKER_VARIABLE, type WorkerTask } from './messages.ts'
import { createPrimaryClient } from './primaryClient.ts'

const send = (message: FromWorker, onSent: () => void = () => undefined): void => {
  // The primary process may have ended.
  if (process.connected) process.send?.(message, undefined, undefined, onSent)
}

/** The maximum number of events that the primary process has not received yet. Further events are dropped. */
const WATCHED_MAX = 200

/** Forwards events to the process that runs the offline network, for its page. */
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

/** The offline network's clock, which follows messages of the primary process. */
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
      const { counts, standings } = createPrimaryClient(send, onMessage)
      return shareBy(
        counts,
        standings,
        (client) => client,
        () => undefined,
      )
    },
  }
}

/** Ends on the message `stop`, or when the primary process has died. Signals to the whole group are for the primary process. */
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
