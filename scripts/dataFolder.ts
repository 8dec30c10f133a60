import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../engine/config/config.ts'
import type { Clock } from '../engine/core/clock.ts'
import type { Secret } from '../engine/core/secret.ts'
import type { Observe } from '../engine/observe/observe.ts'
import { fileIn, findIgnored, requireUsable } from '../engine/store/inspectStore.ts'
import { openStore } from '../engine/store/openStore.ts'
import type { Store } from '../engine/store/store.ts'
import { StoreError } from '../engine/store/storeError.ts'
import { loadOrCreateTokenKey } from '../engine/store/tokenKeyFile.ts'
import { loadTokenKeyRing } from '../engine/store/tokenKeyRing.ts'
import { StartError } from './listen.ts'

/** Runs work on the data folder. Throws StartError if it fails: the operator must fix the folder. */
const inDataDir = async <T>(dataDir: string, work: () => T | Promise<T>): Promise<T> => {
  try {
    return await work()
  } catch (error) {
    throw new StartError(`DATA_DIR ${dataDir} cannot be used: ${error instanceof Error ? error.message : String(error)}.`)
  }
}

/** Opens the records. Throws StartError if their place cannot be used: the operator must fix it. */
export const openRecords = async (config: Config, clock: Clock, observe: Observe): Promise<Store> => {
  if (config.database.url === null) return inDataDir(config.dataDir, () => openStore(config, clock, observe))
  try {
    return await openStore(config, clock, observe)
  } catch (error) {
    if (error instanceof StoreError) throw new StartError(`DATABASE_URL cannot be used: ${error.message}.`)
    throw error
  }
}

/** All keys open quote tokens; the first one mints. */
const keysIn = (dataDir: string): readonly Secret[] => {
  const { minting, opening } = loadTokenKeyRing(dataDir)
  return [minting, ...opening.map(({ key }) => key)]
}

/** Adds the keys of the data folder, and creates missing ones. Throws StartError if the folder or the records cannot be used. */
export const withKeys = async (config: Config): Promise<Config> => {
  const { dataDir, network, database, quote, partners } = config
  if (database.url === null) await inDataDir(dataDir, () => requireUsable(fileIn(dataDir), network))
  const given = quote.tokenKeys
  const tokenKeys = given.length > 0 ? given : await inDataDir(dataDir, () => keysIn(dataDir))
  const { webhooks } = partners
  const webhookKeys = async () => [await inDataDir(dataDir, () => loadOrCreateTokenKey(dataDir, 'webhook-secret.key'))]
  const secretKeys = webhooks.secretKeys.length > 0 ? webhooks.secretKeys : await webhookKeys()
  return { ...config, quote: { ...quote, tokenKeys }, partners: { ...partners, webhooks: { ...webhooks, secretKeys } } }
}

/** The folder of rejected answers; null without a data folder, which is optional beside a database. */
export const samplesFolderOf = ({ database, dataDir }: Config): string | null =>
  database.url === null || existsSync(dataDir) ? join(dataDir, 'rejected') : null

/** Problems that the operator should fix, although the service runs. */
export const warningsOf = (config: Config): readonly string[] => {
  const ignored = findIgnored(config)
  return [
    ...config.warnings,
    ...(samplesFolderOf(config) === null ? ['rejected answers of venues are not kept: there is no data folder'] : []),
    ...(ignored === null ? [] : [`${ignored} is ignored: records are in ${config.dataDir}. Move or delete it`]),
  ]
}
