import type { Server } from 'node:http'
import { parseConfig } from '../../../engine/config/config.ts'
import type { SharedCounts } from '../../../engine/core/sharedCounts.ts'
import { observeToLog } from '../../../engine/observe/jsonLog.ts'
import type { Store } from '../../../engine/store/store.ts'
import { createApp } from '../../../handlers/app.ts'
import { createRooms } from '../../../handlers/http/rooms.ts'
import { createServer } from '../../../handlers/http/server.ts'
import { chosenVenues, createBenchEngine, openBenchStore, type VenueChoice } from './benchEngine.ts'
import { createBenchSink } from './benchSink.ts'
import { stubQuotes } from './stubQuotes.ts'

export type BenchServerSettings = {
  readonly venues: VenueChoice
  /** Every quote is the same one, made beforehand: leaves the edge alone. */
  readonly isEngineStubbed?: boolean
  readonly sharedCounts?: SharedCounts
  readonly store?: Promise<Store>
}

/** The product without limits worth speaking of, to be loaded as much as it can bear. */
export const createBenchServer = async ({
  venues,
  isEngineStubbed = false,
  sharedCounts,
  store = openBenchStore(),
}: BenchServerSettings): Promise<Server> => {
  const sink = createBenchSink()
  const observe = observeToLog(sink)
  const engine = await createBenchEngine(chosenVenues(venues), sink, {}, store)
  const app = createApp(isEngineStubbed ? await stubQuotes(engine) : engine, {
    trustedProxies: [],
    keysPerAddressPerMinute: 1_000_000_000,
    ...(sharedCounts && { sharedCounts }),
    validateResponses: false,
    // As many as ask at once: what is refused would not be measured.
    rooms: createRooms({ ...parseConfig({}).overload, quotes: 1_024 }, { observe }),
    observe,
  })
  return createServer(app, { observe })
}
