import { monitorEventLoopDelay } from 'node:perf_hooks'
import { createHttpClient } from '../../../engine/net/undiciClient.ts'
import { createApp } from '../../../handlers/app.ts'
import { createRooms, type RoomsBounds } from '../../../handlers/http/rooms.ts'
import { createServer } from '../../../handlers/http/server.ts'
import { createBenchEngine, observe } from '../engine.ts'
import { drawnLatencyMs, numberOf, RACE_DEADLINE_MS, VENUES } from '../sample.ts'
import { createInstantVenues, createLoopbackVenues } from '../venues.ts'
import { serveParent, settingsOf } from './parent.ts'

/** The product over venues in the process, or over loopback venues at these origins. */
export type ProductSettings = {
  readonly venues: 'instant' | readonly string[]
  /** Whether loopback venues answer after a drawn latency instead of at once. */
  readonly isSlow: boolean
  readonly bounds: RoomsBounds
}

/** The strain since the last question. */
export type Strain = { readonly loopP99Ms: number; readonly residentMostBytes: number }

const RESIDENT_READ_MS = 50

const watchStrain = (): (() => Strain) => {
  const loop = monitorEventLoopDelay({ resolution: 1 })
  let most = 0
  const read = () => {
    most = Math.max(most, process.memoryUsage.rss())
  }
  loop.enable()
  setInterval(read, RESIDENT_READ_MS).unref()
  return () => {
    read()
    const strain = { loopP99Ms: loop.percentile(99) / 1e6, residentMostBytes: most }
    loop.reset()
    most = 0
    return strain
  }
}

const { venues, isSlow, bounds } = settingsOf<ProductSettings>()
const latencyOf = (venue: number, order: Parameters<typeof numberOf>[0]) => (isSlow ? drawnLatencyMs(numberOf(order), venue) : 0)
const deadlines = isSlow ? { deadlineMs: RACE_DEADLINE_MS, softDeadlineMs: RACE_DEADLINE_MS } : {}
const engine = await createBenchEngine(
  venues === 'instant' ? createInstantVenues(VENUES) : createLoopbackVenues(venues, createHttpClient(), latencyOf),
  deadlines,
)
const app = createApp(engine, {
  trustedProxies: [],
  keysPerAddressPerMinute: 0,
  validateResponses: false,
  rooms: createRooms(bounds, { observe }),
  observe,
})
const strain = watchStrain()
const server = createServer(app, { observe, limits: { connectionsPerAddressMax: Number.POSITIVE_INFINITY } })
await serveParent(server, async () => strain())
