import { createInterface } from 'node:readline/promises'
import type { Config, Environment } from '../../engine/config/config.ts'
import type { Clock } from '../../engine/core/clock.ts'
import { hasRecords } from '../../engine/store/inspectStore.ts'
import { openStore } from '../../engine/store/openStore.ts'
import type { Partner } from '../../engine/store/partners.ts'
import type { Store } from '../../engine/store/store.ts'
import { configOfRecords } from './configOfRecords.ts'
import type { Network } from './network.ts'
import { LOST_NETWORK, locate } from './offlineNetwork.ts'
import { badUsage, failed, notFound } from './operatorError.ts'

/** Requests confirmation of an irreversible action. */
type Confirm = (question: string) => Promise<void>

/** The records of the service, and the network that they are of. */
export type Session = {
  /** On the offline network with its addresses. */
  readonly config: Config
  /** The clock of the service: the offline network's is ahead of ours. */
  readonly clock: Clock
  readonly store: Store
  readonly confirm: Confirm
  /** Chains and venues, as the service reaches them. Throws if they cannot be found. */
  network(): Promise<Network>
}

/**
 * Resolves with `--yes`, or after a `y` at the terminal; else throws OperatorError. Without a terminal it throws at once and does
 * nothing.
 */
const createConfirm =
  (isAgreed: boolean): Confirm =>
  async (question) => {
    if (isAgreed) return
    if (!process.stdin.isTTY || !process.stderr.isTTY) throw badUsage(`${question} There is no terminal to ask on: add --yes.`)
    const terminal = createInterface({ input: process.stdin, output: process.stderr })
    try {
      // The question ends without an answer at the end of input, and by an interruption.
      const answer = await terminal.question(`${question} [y/N] `).catch(() => null)
      if (answer === null) process.stderr.write('\n')
      if (!/^y(es)?$/i.test(answer?.trim() ?? '')) throw failed('Nothing was done.')
    } finally {
      terminal.close()
    }
  }

const placeOf = ({ database, dataDir }: Config): string =>
  database.url === null
    ? `DATA_DIR ${dataDir}. Set NETWORK or DATA_DIR`
    : 'the database that DATABASE_URL names. Set DATABASE_URL'

/** Creates no records: a misspelt setting is no new service. */
const openRecords = async (config: Config, clock: Clock): Promise<Store> => {
  if (!(await hasRecords(config)))
    throw failed(`There are no records in ${placeOf(config)} as the service has it, or start it once.`)
  return openStore(config, clock)
}

/** Runs work beside the service, over its records, and closes everything that it opened. */
export const withSession = async <T>(env: Environment, isAgreed: boolean, work: (session: Session) => Promise<T>): Promise<T> => {
  const { config, clock, isLost } = await locate(await configOfRecords(env))
  const store = await openRecords(config, clock)
  let network: Network | null = null
  const connect = async (): Promise<Network> => {
    if (isLost) throw failed(LOST_NETWORK)
    // Most commands do not need these modules.
    const { createNetwork } = await import('./network.ts')
    network ??= createNetwork(config, { store, clock })
    return network
  }
  try {
    return await work({ config, clock, store, confirm: createConfirm(isAgreed), network: connect })
  } finally {
    await (network as Network | null)?.close()
    await store.close()
  }
}

export const partnerById = async ({ partners }: Pick<Store, 'partners'>, id: string): Promise<Partner> => {
  const partner = await partners.byId(id)
  if (partner === null) throw notFound(`There is no partner ${id}.`)
  return partner
}
