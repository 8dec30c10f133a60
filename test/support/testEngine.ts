import { type Environment, parseConfig } from '../../engine/config/config.ts'
import type { Caller, RequestContext } from '../../engine/core/caller.ts'
import { createEngine, type Engine, type EnginePorts } from '../../engine/engine.ts'
import { type ErrorCode, SwapError } from '../../engine/errors.ts'
import type { HttpClient } from '../../engine/net/httpClient.ts'
import type { EngineEvent, VenueCall } from '../../engine/observe/observe.ts'
import type { Venue } from '../../engine/venues/venue.ts'
import { createFakeChains, type FakeChains } from './fakeChains.ts'
import { createFakeSolana, type FakeSolana } from './fakeSolana.ts'
import { createMemoryStore, type MemoryStore } from './memoryStore.ts'

export const TOKEN_KEY = 'a'.repeat(64)
export const START_AT = Date.UTC(2026, 10, 20)

/** Time that only moves when told to. */
export type TestClock = { at: number; now(): number }

export const createTestClock = (): TestClock => {
  const clock: TestClock = { at: START_AT, now: () => clock.at }
  return clock
}

export const ANYBODY: Caller = { tier: 'anonymous', partnerId: null, feeBps: null, requestsPerMinute: 30 }

export type TestEngine = {
  readonly engine: Engine
  readonly clock: TestClock
  readonly chains: FakeChains
  readonly solana: FakeSolana
  readonly store: MemoryStore
  /** Everything the engine reported, in order. */
  readonly events: EngineEvent[]
  /** The events of one kind. */
  reported<E extends EngineEvent['event']>(event: E): Extract<EngineEvent, { event: E }>[]
  /** How the venues' calls of one kind ended. */
  called(call: VenueCall): Extract<EngineEvent, { event: 'venue.call' }>[]
  readonly context: RequestContext
  close(): Promise<void>
}

export type TestEngineOptions = {
  /** Left out: the registered ones. */
  readonly venues?: readonly Venue[]
  /** What the registered ones are answered; left out: nothing. */
  readonly http?: HttpClient['send']
  /** All of them when left out. */
  readonly venuesEnabled?: EnginePorts['venuesEnabled']
  readonly chains?: FakeChains
  readonly solana?: FakeSolana
  readonly clock?: TestClock
  /** Left out: `clock`. */
  readonly monotonic?: () => number
  /** That of another process, to share; left out: one of its own. */
  readonly store?: MemoryStore
  readonly env?: Environment
  readonly caller?: Partial<Caller>
  readonly keys?: EnginePorts['keys']
  readonly loopWatch?: EnginePorts['loopWatch']
  readonly postToTarget?: EnginePorts['postToTarget']
  readonly keepSample?: EnginePorts['keepSample']
  /** Left out: the venues' word is all there is. */
  readonly evidence?: EnginePorts['evidence']
}

const noHttp: HttpClient['send'] = () => Promise.reject(new Error('toy venues need no network'))

/** The real engine over toy venues, chains and records in memory, and a clock that stands still. */
export const createTestEngine = async (options: TestEngineOptions): Promise<TestEngine> => {
  const {
    venues,
    http = noHttp,
    chains = createFakeChains(),
    solana = createFakeSolana(),
    clock = createTestClock(),
    keys,
    evidence = 'trustVenues',
  } = options
  const config = parseConfig({
    QUOTE_TOKEN_KEYS: TOKEN_KEY,
    WEBHOOK_SECRET_KEYS: TOKEN_KEY,
    OVERLOAD_EXECUTES_MAX: '1000',
    ...options.env,
  })
  const store = options.store ?? createMemoryStore(clock)
  const events: EngineEvent[] = []
  const engine = await createEngine(config, {
    http: { send: http, close: async () => undefined },
    chains,
    solana,
    store,
    evidence,
    clock,
    monotonic: options.monotonic ?? clock.now,
    observe: (event) => events.push(event),
    ...(venues ? { venues } : {}),
    ...(options.venuesEnabled ? { venuesEnabled: options.venuesEnabled } : {}),
    ...(keys ? { keys } : {}),
    ...(options.loopWatch ? { loopWatch: options.loopWatch } : {}),
    ...(options.postToTarget ? { postToTarget: options.postToTarget } : {}),
    ...(options.keepSample ? { keepSample: options.keepSample } : {}),
  })
  return {
    engine,
    clock,
    chains,
    solana,
    store,
    events,
    reported: <E extends EngineEvent['event']>(event: E) =>
      events.filter((one): one is Extract<EngineEvent, { event: E }> => one.event === event),
    called: (call) => events.filter((one) => one.event === 'venue.call').filter((one) => one.call === call),
    context: {
      requestId: 'req-1',
      caller: { ...ANYBODY, ...options.caller },
      client: 'client-1',
      signal: new AbortController().signal,
    },
    close: () => store.close(),
  }
}

/** The SwapError a call ends with; fails the test when it succeeds, or ends with anything else. */
export const refusalOf = async (call: Promise<unknown>, code?: ErrorCode): Promise<SwapError> => {
  const outcome: unknown = await call.then(
    (value) => ({ value }),
    (error: unknown) => error,
  )
  if (!(outcome instanceof SwapError)) throw new Error(`expected a refusal, got ${describe(outcome)}`, { cause: outcome })
  if (code !== undefined && outcome.code !== code) throw new Error(`expected ${code}, got ${outcome.code}: ${outcome.message}`)
  return outcome
}

const describe = (outcome: unknown): string =>
  outcome instanceof Error
    ? `${outcome.name}: ${outcome.message}`
    : JSON.stringify(outcome, (_key, value) => (typeof value === 'bigint' ? `${value}n` : value))
