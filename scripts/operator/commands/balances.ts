import type { Command } from 'commander'
import { readOwed } from '../owed.ts'
import type { Tool } from '../tool.ts'
import { owedLines } from './payouts.ts'

export const addBalanceCommand = (program: Command, { run }: Tool): void => {
  program
    .command('balances')
    .description('what partners earned, were paid and are owed, by ecosystem and token, in smallest units')
    .option('--partner <id>', 'of one')
    .option('--owed', 'only where something is owed')
    .action((options: { readonly partner?: string; readonly owed?: true }, command: Command) =>
      run(command, async (session) => {
        const all = await readOwed(session, options.partner ?? null)
        const balances = options.owed ? all.filter(({ owed }) => owed !== 0n) : all
        return { data: { balances }, lines: owedLines(balances) }
      }),
    )
}
