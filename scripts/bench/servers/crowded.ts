import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { Json } from '../../../engine/core/json.ts'
import { createHttpClient } from '../../../engine/net/undiciClient.ts'
import { observeToLog } from '../../../engine/observe/jsonLog.ts'
import { createApp } from '../../../handlers/app.ts'
import { createRooms, type RoomsBounds } from '../../../handlers/http/rooms.ts'
import { createServer } from '../../../handlers/http/server.ts'
import { createBenchEngine } from '../product/benchEngine.ts'
import { createBenchSink } from '../product/benchSink.ts'
import { createLoopbackVenues } from '../product/benchVenues.ts'
import { numberOf } from '../product/numberedQuotes.ts'
import { drawnLatencyMs, RACE_DEADLINE_MS } from './latency.ts'
import { serveParent, settingsOf } from './parent.ts'

/** The product over venues with drawn latencies, to be asked by a crowd. */
export type CrowdedSettings = { readonly origins: readonly string[]; readonly bounds: RoomsBounds }

/** What the process went through since it was asked last. */
export type Strain = { readonly loopP99Ms: number; readonly residentMostBytes: number }

const RESIDENT_LOOK_MS = 50

const watchStrain = (): (() => Strain) => {
  const loop = monitorEventLoopDelay({ resolution: 1 })
  let most = 0
  const look = () => {
    most = Math.max(most, process.memoryUsage.rss())
  }
  loop.enable()
  setInterval(look, RESIDENT_LOOK_MS).unref()
  return () => {
    look()
    const strain = { loopP99Ms: loop.percentile(99) / 1e6, residentMostBytes: most }
    loop.reset()
    most = 0
    return strain
  }
}

const main = async (): Promise<void> => {
  const { origins, bounds } = settingsOf<CrowdedSettings>()
  const sink = createBenchSink()
  const observe = observeToLog(sink)
  const venues = createLoopbackVenues(origins, createHttpClient(), (venue, order) => drawnLatencyMs(numberOf(order), venue))
  const deadlines = { deadlineMs: RACE_DEADLINE_MS, softDeadlineMs: RACE_DEADLINE_MS }
  const app = createApp(await createBenchEngine(venues, sink, deadlines), {
    trustedProxies: [],
    keysPerAddressPerMinute: 0,
    validateResponses: false,
    rooms: createRooms(bounds, { observe }),
    observe,
  })
  const server = createServer(app, { observe, limits: { connectionsPerAddressMax: Number.POSITIVE_INFINITY } })
  const strain = watchStrain()
  serveParent(server, async (): Promise<Json> => strain())
}

await main()
