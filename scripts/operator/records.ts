import { resolve } from 'node:path'
import { type Config, ConfigError } from '../../engine/config/config.ts'
import { BackupError } from '../../engine/store/backup/backupFile.ts'
import { StoreError } from '../../engine/store/storeError.ts'
import { say } from '../log.ts'
import { placeOf } from './configOfRecords.ts'

/**
 * Runs a command on the records that the environment names and the one file it is given; its line, and its exit code. `networkOf`:
 * of a command that takes the network from its file, as the default data folder depends on it.
 */
export const runOnRecords = async (
  name: string,
  work: (config: Config, file: string) => Promise<string>,
  networkOf: (file: string) => Promise<string | null> = async () => null,
): Promise<void> => {
  const [file, ...rest] = process.argv.slice(2)
  try {
    if (file === undefined || file.startsWith('-') || rest.length > 0) throw new BackupError(`Usage: npm run ${name} -- <file>`)
    say(await work(placeOf(process.env, await networkOf(file)), resolve(file)))
  } catch (error) {
    const isExplained = error instanceof BackupError || error instanceof StoreError || error instanceof ConfigError
    say(isExplained ? error.message : String(error instanceof Error ? error.stack : error))
    process.exitCode = 1
  }
}
