import { backUp } from '../../engine/store/backup/backUp.ts'
import { runOnRecords } from './records.ts'

await runOnRecords('backup', async (config, file) => `Backed up ${await backUp(config, file)} swaps into ${file}`)
