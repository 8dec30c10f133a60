import { type Config, ConfigError, type Environment, parseConfig } from '../../engine/config/config.ts'
import { readRecords } from '../../engine/store/inspectStore.ts'

/** The settings for the place of the records only: invalid values of other settings are ignored. */
export const placeOf = (env: Environment, network: string | null = null): Config => {
  const { NETWORK, DATA_DIR, DATABASE_URL, DATABASE_URL_FILE } = env
  const place = { DATA_DIR, DATABASE_URL, DATABASE_URL_FILE }
  return parseConfig({ ...place, NETWORK: network ?? NETWORK, DATABASE_SINGLE_INSTANCE: 'true' })
}

const findPlace = (env: Environment): Config | null => {
  try {
    return placeOf(env)
  } catch (error) {
    if (error instanceof ConfigError) return null
    throw error
  }
}

/**
 * The configuration of the service whose records the environment names. The records determine the network, not `NETWORK`. Throws
 * ConfigError; rejects if the records cannot be read.
 */
export const configOfRecords = async (env: Environment): Promise<Config> => {
  const place = findPlace(env)
  const network = place && (await readRecords(place)).network
  return parseConfig(place === null || network === null ? env : { ...env, NETWORK: network, DATA_DIR: place.dataDir })
}

/** The same for a command that needs no records. Throws ConfigError. */
export const configWithoutRecords = async (env: Environment): Promise<Config> =>
  (await configOfRecords(env).catch(() => null)) ?? parseConfig(env)
