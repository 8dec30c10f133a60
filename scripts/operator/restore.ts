import { restore } from '../../engine/store/backup/backUp.ts'
import { readFile } from '../../engine/store/inspectStore.ts'
import { runOnRecords } from './records.ts'

/** Null if the file cannot be read: the restore itself reports the error. */
const networkOf = async (file: string): Promise<string | null> => (await readFile(file).catch(() => null))?.network ?? null

await runOnRecords(
  'restore',
  async (config, file) => {
    const swaps = await restore(config, file)
    const place = config.database.url === null ? config.dataDir : 'the database that DATABASE_URL names'
    return `Restored ${swaps} swaps of ${config.network} from ${file} into ${place}`
  },
  networkOf,
)
