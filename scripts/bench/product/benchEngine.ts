import { type Config, parseConfig } from '../../../engine/config/config.ts'
import { systemClock } from '../../../engine/core/clock.ts'
import { createEngine, type Engine } from '../../../engine/engine.ts'
import { createHttpClient } from '../../../engine/net/undiciClient.ts'
import { type LogSink, observeToLog } from '../../../engine/observe/jsonLog.ts'
import { openSqliteStore } from '../../../engine/store/sqliteStore.ts'
import type { Store } from '../../../engine/store/store.ts'
import type { Venue } from '../../../engine/venues/venue.ts'
import { createInstantVenues, createLoopbackVenues } from './benchVenues.ts'
import { instantPayments } from './instantPayments.ts'
import { createMemoryChains, memorySolana } from './memoryChains.ts'
import { TOKEN_KEY } from './sample.ts'

/** `instant`: so many venues in the process. `loopback`: one at each of these origins. */
export type VenueChoice = { readonly instant: number } | { readonly loopback: readonly string[] }

export const chosenVenues = (choice: VenueChoice): readonly Venue[] =>
  'instant' in choice ? createInstantVenues(choice.instant) : createLoopbackVenues(choice.loopback, createHttpClient())

/** The configuration of a default installation with a key of its own and no limit worth speaking of. */
const benchConfig = (rules: Partial<Config['quote']>): Config => {
  const config = parseConfig({ QUOTE_TOKEN_KEYS: TOKEN_KEY, WEBHOOK_SECRET_KEYS: TOKEN_KEY })
  const http = { ...config.http, anonymousPerMinute: Number.MAX_SAFE_INTEGER }
  return { ...config, http, quote: { ...config.quote, ...rules } }
}

export const openBenchStore = (): Promise<Store> => openSqliteStore({ file: ':memory:', network: 'simnet' }, systemClock)

/** The real engine, with chains and a store that cost as little as can be. */
export const createBenchEngine = async (
  venues: readonly Venue[],
  sink: LogSink,
  rules: Partial<Config['quote']> = {},
  store: Promise<Store> = openBenchStore(),
): Promise<Engine> =>
  createEngine(benchConfig(rules), {
    http: createHttpClient(),
    chains: createMemoryChains(),
    solana: memorySolana,
    store: await store,
    evidence: 'trustVenues',
    observe: observeToLog(sink),
    venues,
    payments: instantPayments,
  })
