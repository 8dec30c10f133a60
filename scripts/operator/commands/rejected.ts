import { join } from 'node:path'
import type { Command } from 'commander'
import type { Environment } from '../../../engine/config/config.ts'
import { readRejectedSamples } from '../../../engine/observe/rejectedSamples.ts'
import type { Add } from '../commandLine.ts'
import { configWithoutRecords } from '../configOfRecords.ts'
import { type Output, printable, tableOf } from '../printing.ts'

const rejected = async (env: Environment, check: string | undefined): Promise<Output> => {
  const { dataDir } = await configWithoutRecords(env)
  const all = await readRejectedSamples(join(dataDir, 'rejected'), Date.now())
  const samples = all.filter((sample) => check === undefined || sample.check === check)
  const whole = samples.flatMap((sample) => JSON.stringify(sample, null, 2).split('\n').map(printable))
  const isTable = check === undefined || samples.length === 0
  const lines = isTable ? tableOf(samples, ['at', 'check', 'call', 'found'], 'No rejected answer is stored.') : whole
  return { data: { samples }, lines }
}

export const addRejectedCommand = (program: Command, { apart }: Add): void => {
  const what = 'answers of venues that a check of the service rejected: the last three of each check, for 14 days'
  const command = apart(program, 'rejected', what, rejected)
  command.argument('[check]', 'print the samples of this check whole, such as relay.router')
}
