import { Command } from 'commander'
import { addBalanceCommand } from './commands/balances.ts'
import { addCanaryCommand } from './commands/canary.ts'
import { addDoctorCommand } from './commands/doctor.ts'
import { addExplainCommand } from './commands/explain.ts'
import { addKeyCommands } from './commands/keys.ts'
import { addPaymentCommands } from './commands/payments.ts'
import { addPayoutCommands } from './commands/payouts.ts'
import { addRejectedCommand } from './commands/rejected.ts'
import { addSwapCommands } from './commands/swaps.ts'
import { addTokenKeyCommands } from './commands/tokenKeys.ts'
import { addWebhookCommands } from './commands/webhooks.ts'
import type { Tool } from './tool.ts'

const ABOUT = `Administers a swap service: API keys, swaps, balances, payouts, webhooks, token keys and health.
Run it with the environment of the service. The service may run at the same time.`

const AFTER = `
Exit codes: 0 done, 1 it failed, 2 wrong arguments, 3 not found.
With --json standard output is one JSON document, times in epoch ms and amounts in smallest units as text; an error is
one on standard error. By npm: npm run --silent operator -- keys list --json`

/** Every command that does something takes these two. */
const addCommonOptions = (command: Command): void => {
  if (command.commands.length === 0) command.option('--json', 'print JSON').option('-y, --yes', 'do not ask for confirmation')
  for (const below of command.commands) addCommonOptions(below)
}

/** Every command there is. `sayWrong` is given what commander has to say of a command line that is wrong. */
export const createProgram = (tool: Tool, sayWrong: (text: string) => void): Command => {
  const program = new Command('operator')
  program.description(ABOUT).addHelpText('after', AFTER).showHelpAfterError('(add --help for what it takes)')
  program.helpCommand(false).exitOverride().configureOutput({ writeErr: sayWrong })
  addKeyCommands(program, tool)
  addSwapCommands(program, tool)
  addExplainCommand(program, tool)
  addBalanceCommand(program, tool)
  addPayoutCommands(program, tool)
  addPaymentCommands(program, tool)
  addWebhookCommands(program, tool)
  addTokenKeyCommands(program, tool)
  addDoctorCommand(program, tool)
  addRejectedCommand(program, tool)
  addCanaryCommand(program, tool)
  addCommonOptions(program)
  return program
}
