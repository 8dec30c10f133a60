import { join } from 'node:path'
import type { Command } from 'commander'
import { parseConfig } from '../../../engine/config/config.ts'
import { readRejectedSamples } from '../../../engine/observe/rejectedSamples.ts'
import { configOfRecords } from '../configOfRecords.ts'
import { listOf, printable, tableOf, timeOf } from '../printing.ts'
import type { Tool } from '../tool.ts'

const NONE = 'No rejected answer is kept.'

export const addRejectedCommand = (program: Command, { runApart }: Tool): void => {
  program
    .command('rejected')
    .description('answers of venues that a check of the service rejected: the last three of each check, for 14 days')
    .argument('[check]', 'print the samples of this check whole, such as relay.router')
    .action((check: string | undefined, _options: object, command: Command) =>
      runApart(command, async (env) => {
        const { dataDir } = (await configOfRecords(env).catch(() => null)) ?? parseConfig(env)
        const all = await readRejectedSamples(join(dataDir, 'rejected'), Date.now())
        const samples = all.filter((sample) => check === undefined || sample.check === check)
        const rows = samples.map((one) => [timeOf(one.at), one.check, one.call, one.found])
        const whole = samples.flatMap((sample) => JSON.stringify(sample, null, 2).split('\n').map(printable))
        const lines = check === undefined ? tableOf(['TIME', 'CHECK', 'CALL', 'FOUND'], rows) : ['', ...whole]
        return { data: { samples }, lines: listOf(lines, NONE) }
      }),
    )
}
