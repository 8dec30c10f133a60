import { resolve } from 'node:path'
import { type Config, ConfigError } from '../../engine/config/config.ts'
import { backUp, restore } from '../../engine/store/backup/backUp.ts'
import { BackupError } from '../../engine/store/backup/backupFile.ts'
import { move } from '../../engine/store/backup/move.ts'
import { readFile } from '../../engine/store/inspectStore.ts'
import { StoreError } from '../../engine/store/storeError.ts'
import { say } from '../log.ts'
import { placeOf } from './configOfRecords.ts'

/**
 * `npm run backup`, `restore` and `move`: works on the records that the environment names and one file. Prints a line, and exits with
 * 1 on failure.
 */
type Work = (config: Config, file: string) => Promise<string>

const restoreFrom: Work = async (config, file) => {
  const swaps = await restore(config, file)
  const place = config.database.url === null ? config.dataDir : 'the database that DATABASE_URL names'
  return `Restored ${swaps} swaps of ${config.network} from ${file} into ${place}`
}

const moveFrom: Work = async (config, file) => {
  const { tables, ledger, isNew } = await move(config, file)
  const lines = [
    ...tables.map(({ table, rows }) => `${table}: ${rows}`),
    ...ledger.map(({ account, side, token, amount }) => `${account} ${side} ${amount} of ${token}`),
  ]
  const done = isNew ? 'Moved' : 'Moved before, and found again:'
  return `${lines.join('\n')}\n${done} all of this from ${file}: every row was read back, and is equal`
}

const COMMANDS: { readonly [name: string]: Work } = {
  backup: async (config, file) => `Backed up ${await backUp(config, file)} swaps into ${file}`,
  restore: restoreFrom,
  move: moveFrom,
}

/** The default data folder depends on the network of the file to restore. The restore itself reports a file that cannot be read. */
const networkOf = async (file: string): Promise<string | null> => (await readFile(file).catch(() => null))?.network ?? null

const [name = '', file, ...rest] = process.argv.slice(2)
try {
  const work = COMMANDS[name]
  if (work === undefined || file === undefined || file.startsWith('-') || rest.length > 0)
    throw new BackupError(`Usage: npm run ${name} -- <file>`)
  say(await work(placeOf(process.env, name === 'restore' ? await networkOf(file) : null), resolve(file)))
} catch (error) {
  const isExplained = error instanceof BackupError || error instanceof StoreError || error instanceof ConfigError
  say(isExplained ? error.message : String(error instanceof Error ? error.stack : error))
  process.exitCode = 1
}
