import type { Config } from '../../engine/config/config.ts'
import { type Clock, systemClock } from '../../engine/core/clock.ts'
import { onSimnet, type SimnetPlaces } from '../onSimnet.ts'

type Described = {
  readonly network: 'simnet'
  readonly now: number
  readonly chains: { readonly [chainId: string]: { readonly rpcUrl: string } }
  readonly venues: SimnetPlaces['venues']
  readonly facilitator: string
}

export const LOST_NETWORK = 'The offline network does not answer: it runs with the service, at SIMNET_CONTROL_PORT.'

const DEADLINE_MS = 2_000

/** The answer of the control port; null if no offline network answers there. */
const describe = async ({ simnet }: Config): Promise<Described | null> => {
  const signal = AbortSignal.timeout(DEADLINE_MS)
  const response = await fetch(`http://127.0.0.1:${simnet.controlPort}/`, { signal }).catch(() => null)
  const described = response?.ok ? ((await response.json().catch(() => null)) as Described | null) : null
  // Any program may listen on a port.
  return described?.network === 'simnet' ? described : null
}

type Located = { readonly config: Config; readonly clock: Clock; readonly isLost: boolean }

/**
 * Finds the offline network that runs in the process of the service. Returns the configuration with its addresses, and its clock.
 * `isLost`: it does not answer. On mainnet the configuration stays as it is.
 */
export const locate = async (config: Config): Promise<Located> => {
  const found = config.network === 'simnet' ? await describe(config) : null
  if (found === null) return { config, clock: systemClock, isLost: config.network === 'simnet' }
  const { now, chains, venues, facilitator } = found
  const aheadMs = now - Date.now()
  const rpcUrls = Object.fromEntries(Object.entries(chains).map(([chainId, { rpcUrl }]) => [chainId, rpcUrl]))
  const places = { venues, rpcUrls, facilitator: { url: facilitator } }
  return { config: onSimnet(config, places), clock: { now: () => Date.now() + aheadMs }, isLost: false }
}
