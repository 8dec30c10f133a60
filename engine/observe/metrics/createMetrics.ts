import { endpointUrls, type RpcUrls } from '../../chains/endpoints/chainEndpoints.ts'
import { CHAIN_IDS } from '../../core/chain.ts'
import type { Clock } from '../../core/clock.ts'
import { SERVICE_VERSION } from '../../core/serviceVersion.ts'
import type { HealthState } from '../../health/healthState.ts'
import type { HealthWatch } from '../../health/healthWatch.ts'
import type { AnyEvent } from '../observe.ts'
import { type Catalogue, createCatalogue } from './catalogue.ts'
import { countEvent } from './countEvents.ts'
import { GaugeFamily } from './families.ts'
import { type Names, OUTAGE, PROBLEM_NAMES } from './labels.ts'
import { createRecordGauges, type RecordReads } from './recordGauges.ts'

/** In the format of Prometheus. */
export type MetricsPage = { readonly contentType: string; readonly text: string }

/** Concurrent and waiting requests of one kind, and the limit of the former. */
type RoomStanding = { readonly room: string; readonly underWay: number; readonly waiting: number; readonly max: number }

/** Values that are known once the service is assembled. */
export type Installation = {
  /** Ids of the enabled venues. */
  readonly venuesEnabled: readonly string[]
  /** The operator's endpoints. */
  readonly rpcUrls: RpcUrls
  readonly records: RecordReads
  /** `DATA_DIR`. */
  readonly dataDir: string
  /** The current health of the venues and of the service's clock. */
  readonly healthWatch: Pick<HealthWatch, 'venues' | 'isClockCompared'>
  /** The current load of each kind of request. */
  readonly rooms: () => readonly RoomStanding[]
  /** The clock of the records. */
  readonly clock: Clock
}

export interface Metrics {
  /** Counts an event. Never throws. */
  observe(event: AnyEvent): void
  /** All metrics with their current values. */
  page(): Promise<MetricsPage>
  /** Also reports the parts of the service from now on. */
  watch(installation: Installation): void
}

export type MetricsOptions = Names & {
  readonly network: string
  /** By the current clock. */
  readonly health: () => HealthState
}

const buildInfo = (network: string): GaugeFamily => {
  const one = (name: string, value: string) => ({ name, values: new Set([value]) })
  const labels = [one('version', SERVICE_VERSION), one('node', process.version), one('network', network)]
  const info = new GaugeFamily('swap_build_info', 'What runs here: always 1.', labels)
  info.set(1, SERVICE_VERSION, process.version, network)
  return info
}

const tellRooms = (to: Catalogue, rooms: readonly RoomStanding[]): void => {
  for (const { room, underWay, waiting, max } of rooms) {
    to.underWay.set(underWay, room)
    to.waiting.set(waiting, room)
    to.roomMax.set(max, room)
  }
}

const tellHealth = (to: Catalogue, { ready, degraded, problems }: HealthState): void => {
  to.ready.set(ready ? 1 : 0)
  to.degraded.set(degraded ? 1 : 0)
  for (const problem of PROBLEM_NAMES) to.problems.set(problems.includes(problem) ? 1 : 0, problem)
}

const tellWatched = (to: Catalogue, healthWatch: Installation['healthWatch']): void => {
  to.clockCompared.set(healthWatch.isClockCompared() ? 1 : 0)
  for (const gauge of [to.venueRejecting, to.venueFailing]) gauge.clear()
  for (const { id, rejecting, failing = [] } of healthWatch.venues()) {
    for (const call of failing) to.venueFailing.set(1, id, call)
    for (const { call, chainId } of rejecting) to.venueRejecting.set(1, id, call, chainId === null ? 'all' : String(chainId))
  }
}

/** Every part counts as healthy until an event reports a failure. */
const tellParts = (to: Catalogue, venues: readonly string[], { venuesEnabled, rpcUrls }: Installation): void => {
  for (const venue of venues) to.venueEnabled.set(venuesEnabled.includes(venue) ? 1 : 0, venue)
  for (const venue of venuesEnabled) to.venueHealthy.set(1, venue)
  for (const chainId of CHAIN_IDS)
    for (const place of endpointUrls(rpcUrls, chainId).keys()) {
      to.endpointHealthy.set(1, String(chainId), String(place + 1))
      to.endpointLagging.set(0, String(chainId), String(place + 1))
      to.endpointContradicted.add(0, String(chainId), String(place + 1))
    }
}

/** Codes used in alerts. */
const ALERTED_CODES = ['INTERNAL', 'BUILD_FAILED', 'OVERLOADED', 'RATE_LIMITED', 'NO_LIQUIDITY', OUTAGE]

/** A series that appears with its first increase shows no increase, so alerts would miss it. */
const startAtZero = (to: Catalogue, { venues, operations }: Names): void => {
  for (const operation of operations) {
    for (const code of ALERTED_CODES) to.requestErrors.add(0, operation, code)
    for (const status of ['2xx', '4xx', '5xx']) to.requests.add(0, operation, status)
  }
  for (const limit of ['address', 'all']) to.connectionsRefused.add(0, limit)
  for (const venue of venues) to.payloadsRefused.add(0, venue)
  for (const peer of ['private', 'public']) to.proxyUntrusted.add(0, peer)
  for (const kind of ['read', 'write']) for (const outcome of ['answered', 'failed']) to.storeQueries.add(0, kind, outcome)
  for (const part of ['swap', 'pass', 'task']) to.settlementFailures.add(0, part)
  for (const outcome of ['accepted', 'refused', 'failed']) to.webhooks.add(0, outcome)
  for (const executable of ['true', 'false']) to.quotes.add(0, executable)
}

/** Counts events, the same as for the log, at any level. */
export const createMetrics = ({ venues, operations, network, health }: MetricsOptions): Metrics => {
  const catalogue = createCatalogue({ venues, operations })
  startAtZero(catalogue, { venues, operations })
  const families = [buildInfo(network), ...Object.values(catalogue)]
  /** Loaded at the first scrape: a service without scrapes needs no library. */
  const load = async () => (await import('./promRegistry.ts')).createPromRegistry(families)
  let loading: ReturnType<typeof load> | null = null
  let refresh: () => Promise<void> = async () => undefined
  let roomsNow: Installation['rooms'] = () => []
  let healthWatch: Installation['healthWatch'] | null = null
  return {
    observe: (event) => countEvent(catalogue, event),
    watch: (installation) => {
      tellParts(catalogue, venues, installation)
      roomsNow = installation.rooms
      healthWatch = installation.healthWatch
      refresh = createRecordGauges(catalogue, installation.records, installation)
    },
    page: async () => {
      loading ??= load()
      const registry = await loading
      await refresh()
      tellHealth(catalogue, health())
      tellRooms(catalogue, roomsNow())
      if (healthWatch) tellWatched(catalogue, healthWatch)
      return { contentType: registry.contentType, text: await registry.metrics() }
    },
  }
}
