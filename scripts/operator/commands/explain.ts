import type { Command } from 'commander'
import { explain } from '../explain/explain.ts'
import type { Tool } from '../tool.ts'

const EXAMPLES = `
The log is what the service writes to its standard output, kept by whatever runs it. Ids that begin with - come last, after --.
Examples:
  operator explain 1042
  operator explain 0x5c50... --log /var/log/swap/*.log /var/log/swap/*.gz
  journalctl -u swap -o cat | operator explain Jm8nZkqjW2rT5u0x --log -`

export const addExplainCommand = (program: Command, { run }: Tool): void => {
  program
    .command('explain')
    .description('explain the choice of the venue and the course of the swap, from the records and the log')
    .argument('<id>', 'id of a request or quote; ref, transaction or number of a swap')
    .option('--log <files...>', 'log files in any order, also rotated and .gz files; - for standard input')
    .addHelpText('after', EXAMPLES)
    .action((id: string, options: { log?: readonly string[] }, command: Command) =>
      run(command, (session) => explain(session, id, options)),
    )
}
