import type { Config, Environment } from '../../engine/config/config.ts'
import type { Clock } from '../../engine/core/clock.ts'
import { hasRecords } from '../../engine/store/inspectStore.ts'
import { openStore } from '../../engine/store/openStore.ts'
import type { Store } from '../../engine/store/store.ts'
import { onSimnet } from '../onSimnet.ts'
import { configOfRecords } from './configOfRecords.ts'
import type { Confirm } from './confirm.ts'
import type { Network } from './network.ts'
import { clockOf, findOfflineNetwork, LOST_NETWORK } from './offlineNetwork.ts'
import { failed } from './operatorError.ts'

/** What a command works with: the records of the service, and what they are about. */
export type Session = {
  /** On the offline network with the places of what runs there. */
  readonly config: Config
  /** That of the service: the offline network's runs ahead of ours. */
  readonly clock: Clock
  readonly store: Store
  readonly confirm: Confirm
  /** Chains and venues, as the service reaches them. Throws where they cannot be found. */
  network(): Promise<Network>
}

const placeOf = ({ database, dataDir }: Config): string =>
  database.url === null
    ? `DATA_DIR ${dataDir}. Set NETWORK or DATA_DIR`
    : 'the database that DATABASE_URL names. Set DATABASE_URL'

/** The records as they are; none are made: a typing mistake in a setting is no new service. */
const openRecords = async (config: Config, clock: Clock): Promise<Store> => {
  if (!(await hasRecords(config)))
    throw failed(`There are no records in ${placeOf(config)} as the service has it, or start it once.`)
  return openStore(config, clock)
}

/** Runs work beside the service, over its records, and closes what it opened. */
export const withSession = async <T>(env: Environment, confirm: Confirm, work: (session: Session) => Promise<T>): Promise<T> => {
  const parsed = await configOfRecords(env)
  const isOffline = parsed.network === 'simnet'
  const offline = isOffline ? await findOfflineNetwork(parsed) : null
  const clock = clockOf(offline)
  const store = await openRecords(parsed, clock)
  const config = offline === null ? parsed : onSimnet(parsed, offline)
  let network: Network | null = null
  const connect = async (): Promise<Network> => {
    if (isOffline && offline === null) throw failed(LOST_NETWORK)
    // Most commands need nothing of it.
    const { createNetwork } = await import('./network.ts')
    network ??= createNetwork(config, { store, clock })
    return network
  }
  try {
    return await work({ config, clock, store, confirm, network: connect })
  } finally {
    await (network as Network | null)?.close()
    await store.close()
  }
}
