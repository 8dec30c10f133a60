import { Command, CommanderError } from 'commander'
import { ConfigError, type Environment, parseConfig } from '../../engine/config/config.ts'
import { SwapError } from '../../engine/errors.ts'
import { addBalanceCommand } from './commands/balances.ts'
import { addDoctorCommand } from './commands/doctor.ts'
import { addKeyCommands } from './commands/keys.ts'
import { addPayoutCommands } from './commands/payouts.ts'
import { addSwapCommands } from './commands/swaps.ts'
import { addTokenKeyCommands } from './commands/tokenKeys.ts'
import { addWebhookCommands } from './commands/webhooks.ts'
import { createConfirm } from './confirm.ts'
import { EXIT_CODES, OperatorError } from './operatorError.ts'
import { jsonOf, paint, printable, type Told } from './printing.ts'
import { type Session, withSession } from './session.ts'

/** What every command takes. */
type CommonOptions = { readonly json?: true; readonly yes?: true }

/** How the commands reach the world: each is one piece of work over the records, which tells what came of it. */
export type Tool = {
  /** Over the records of the service. */
  run(command: Command, work: (session: Session) => Promise<Told>): Promise<void>
  /** Over the environment alone, whatever is wrong with it. */
  runApart(command: Command, work: (env: Environment) => Promise<Told>): Promise<void>
}

const print = ({ data, lines }: Told, isJson: boolean): void => {
  process.stdout.write(isJson ? `${jsonOf(data)}\n` : lines.map((line) => `${line}\n`).join(''))
}

const ABOUT = `Looks after a swap service: keys, swaps, balances and payouts, webhooks, token keys, and its health.
It takes the same environment as the service, and runs beside it.`

const AFTER = `
Exit codes: 0 done, 1 it failed, 2 it was asked wrongly, 3 there is no such thing.
With --json standard output is one JSON document, times in epoch ms and amounts in smallest units as text; an error is
one on standard error. By npm: npm run --silent operator -- keys list --json`

/** With both groups, since commander gives a command no options of its parents. */
const createProgram = (tool: Tool): Command => {
  const program = new Command('operator')
  program.description(ABOUT).addHelpText('after', AFTER).showHelpAfterError('(add --help for what it takes)')
  program.helpCommand(false).exitOverride()
  addKeyCommands(program, tool)
  addSwapCommands(program, tool)
  addBalanceCommand(program, tool)
  addPayoutCommands(program, tool)
  addWebhookCommands(program, tool)
  addTokenKeyCommands(program, tool)
  addDoctorCommand(program, tool)
  return program
}

/** Every command that does something takes these two. */
const addCommonOptions = (command: Command): void => {
  if (command.commands.length === 0)
    command.option('--json', 'print JSON').option('-y, --yes', 'do not ask, where the command would')
  for (const below of command.commands) addCommonOptions(below)
}

const explain = (error: unknown): OperatorError => {
  if (error instanceof OperatorError) return error
  if (error instanceof SwapError && error.code === 'NOT_FOUND') return new OperatorError('notFound', error.message)
  if (error instanceof ConfigError || error instanceof SwapError) return new OperatorError('failed', error.message)
  return new OperatorError('failed', error instanceof Error ? error.message : String(error))
}

const tell = ({ kind, message }: OperatorError, isJson: boolean): number => {
  const text = isJson ? jsonOf({ error: { kind, message } }) : `${paint('red', 'error:')} ${printable(message)}`
  process.stderr.write(`${text}\n`)
  return EXIT_CODES[kind]
}

/** Runs one command. Answers with the exit code. */
export const runOperator = async (args: readonly string[], env: Environment): Promise<number> => {
  // Whoever reads the first lines only, as `head`, has seen enough.
  process.stdout.on('error', () => process.exit(EXIT_CODES.ok))
  let [isJson, hasFailed] = [args.includes('--json'), false]
  const tool: Tool = {
    run: async (command, work) => {
      const { json = false, yes = false } = command.optsWithGlobals<CommonOptions>()
      isJson = json
      print(await withSession(parseConfig(env), createConfirm(yes), work), json)
    },
    runApart: async (command, work) => {
      const { json = false } = command.optsWithGlobals<CommonOptions>()
      isJson = json
      const told = await work(env)
      hasFailed = told.isFailed === true
      print(told, json)
    },
  }
  const program = createProgram(tool)
  addCommonOptions(program)
  try {
    await program.parseAsync(args, { from: 'user' })
    return hasFailed ? EXIT_CODES.failed : EXIT_CODES.ok
  } catch (error) {
    // Commander has said what was wrong, or what was asked for.
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT_CODES.ok : EXIT_CODES.usage
    return tell(explain(error), isJson)
  }
}
