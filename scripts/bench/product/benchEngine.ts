import { parseConfig } from '../../../engine/config.ts'
import { createEngine, type Engine } from '../../../engine/engine.ts'
import { createHttpClient } from '../../../engine/net/undiciClient.ts'
import { type LogSink, observeToLog } from '../../../engine/observe/jsonLog.ts'
import { openDatabase } from '../../../engine/store/database.ts'
import { createInstantVenues, createLoopbackVenues } from './benchVenues.ts'
import { createMemoryChains } from './memoryChains.ts'

/** `instant`: so many venues in the process. `loopback`: one at each of these origins. */
export type VenueChoice = { readonly instant: number } | { readonly loopback: readonly string[] }

export const TOKEN_KEY = 'b7'.repeat(32)

/** The configuration of a default installation with a key of its own and no limit worth speaking of. */
export const benchConfig = () => {
  const config = parseConfig({ QUOTE_TOKEN_KEYS: TOKEN_KEY })
  return { ...config, http: { ...config.http, anonymousPerMinute: Number.MAX_SAFE_INTEGER } }
}

/** The real engine, with venues and chains that cost as little as can be. */
export const createBenchEngine = async (choice: VenueChoice, sink: LogSink): Promise<Engine> => {
  const http = createHttpClient()
  const venues = 'instant' in choice ? createInstantVenues(choice.instant) : createLoopbackVenues(choice.loopback, http)
  const ports = { http, chains: createMemoryChains(), database: await openDatabase(':memory:'), observe: observeToLog(sink), venues }
  return createEngine(benchConfig(), ports)
}
