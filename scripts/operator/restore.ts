import { restore } from '../../engine/store/backup/backUp.ts'
import { runOnRecords } from './records.ts'

await runOnRecords('restore', async (config, file) => `Restored ${await restore(config, file)} swaps from ${file}`)
