import type { Config } from '../../engine/config/config.ts'
import { type Clock, systemClock } from '../../engine/core/clock.ts'
import type { SimnetPlaces } from '../onSimnet.ts'

type Described = {
  readonly network: 'simnet'
  readonly now: number
  readonly chains: { readonly [chainId: string]: { readonly rpcUrl: string } }
  readonly venues: SimnetPlaces['venues']
  readonly facilitator: string
}

/** An offline network that runs in the process of the service, as this one sees it. */
export type OfflineNetwork = SimnetPlaces & {
  /** By how much its time is ahead of ours. */
  readonly aheadMs: number
}

export const LOST_NETWORK = 'The offline network does not answer: it runs with the service, at SIMNET_CONTROL_PORT.'

/** The clock of the service: that of the offline network, or ours. */
export const clockOf = (offline: OfflineNetwork | null): Clock =>
  offline === null ? systemClock : { now: () => Date.now() + offline.aheadMs }

const ASK_MS = 2_000

/** Finds it by its control port; null where none answers there. */
export const findOfflineNetwork = async ({ simnet }: Pick<Config, 'simnet'>): Promise<OfflineNetwork | null> => {
  const response = await fetch(`http://127.0.0.1:${simnet.controlPort}/`, { signal: AbortSignal.timeout(ASK_MS) }).catch(
    () => null,
  )
  if (!response?.ok) return null
  const described = (await response.json().catch(() => null)) as Partial<Described> | null
  // Anything may listen on a port.
  if (described?.network !== 'simnet') return null
  const { now, chains, venues, facilitator } = described as Described
  const rpcUrls = Object.fromEntries(Object.entries(chains).map(([chainId, { rpcUrl }]) => [chainId, rpcUrl]))
  return { venues, rpcUrls, facilitator: { url: facilitator }, aheadMs: now - Date.now() }
}
