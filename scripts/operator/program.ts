import { once } from 'node:events'
import { Command, CommanderError } from 'commander'
import type { Environment } from '../../engine/config/config.ts'
import { SwapError } from '../../engine/errors.ts'
import { createAdd, type Tool } from './commandLine.ts'
import { addCanaryCommand } from './commands/canary.ts'
import { addDoctorCommands } from './commands/doctor.ts'
import { addKeyCommands } from './commands/keys.ts'
import { addPaymentCommands } from './commands/payments.ts'
import { addPayoutCommands } from './commands/payouts.ts'
import { addSwapCommands } from './commands/swaps.ts'
import { addTokenKeyCommands } from './commands/tokenKeys.ts'
import { addWebhookCommands } from './commands/webhooks.ts'
import { addExplainCommand } from './explain/explain.ts'
import { badUsage, EXIT_CODES, failed, OperatorError } from './operatorError.ts'
import { type Output, paint, printable, type Streamed, writeBigint } from './printing.ts'
import { withSession } from './session.ts'

const ABOUT = `Administers a swap service: API keys, swaps, balances, payouts, webhooks, token keys and health.
Run it with the environment of the service. The service may run at the same time.`

const AFTER = `
Exit codes: 0 done, 1 it failed, 2 wrong arguments, 3 not found.
With --json standard output is one JSON document, times in epoch ms and amounts in smallest units as text; an error is
one on standard error. By npm: npm run --silent operator -- keys list --json`

/** Adds the options of every command. */
const addCommonOptions = (command: Command): void => {
  if (command.commands.length === 0) command.option('--json', 'print JSON').option('-y, --yes', 'do not ask for confirmation')
  for (const below of command.commands) addCommonOptions(below)
}

/** Creates all commands. `onUsageError` receives the text of commander for a wrong command line. */
export const createProgram = (tool: Tool, onUsageError: (text: string) => void): Command => {
  const program = new Command('operator')
  program.description(ABOUT).addHelpText('after', AFTER).showHelpAfterError('(add --help for what it takes)')
  program.helpCommand(false).exitOverride().configureOutput({ writeErr: onUsageError })
  const add = createAdd(tool)
  addKeyCommands(program, add)
  addSwapCommands(program, add)
  addExplainCommand(program, add)
  addPayoutCommands(program, add)
  addPaymentCommands(program, add)
  addWebhookCommands(program, add)
  addTokenKeyCommands(program, add)
  addDoctorCommands(program, add)
  addCanaryCommand(program, add)
  addCommonOptions(program)
  return program
}

/** Writes at the pace of the reader. */
const write = async (text: string): Promise<void> => {
  if (!process.stdout.write(text)) await once(process.stdout, 'drain')
}

const jsonOf = (data: object): string => `${JSON.stringify(data, writeBigint, 2)}\n`

const print = async (output: Output | Streamed, isJson: boolean): Promise<void> => {
  if ('text' in output) for await (const piece of isJson ? output.json : output.text) await write(piece)
  else await write(isJson ? jsonOf(output.data) : output.lines.map((line) => `${line}\n`).join(''))
}

const toOperatorError = (error: unknown): OperatorError => {
  if (error instanceof OperatorError) return error
  if (error instanceof SwapError && error.code === 'NOT_FOUND') return new OperatorError('notFound', error.message)
  return failed(error instanceof Error ? error.message : String(error))
}

/** Prints the error and returns the exit code. */
const report = ({ kind, message }: OperatorError, isJson: boolean): number => {
  process.stderr.write(isJson ? jsonOf({ error: { kind, message } }) : `${paint('red', 'error:')} ${printable(message)}\n`)
  return EXIT_CODES[kind]
}

/** Runs one command. Returns the exit code. */
export const runOperator = async (args: readonly string[], env: Environment): Promise<number> => {
  let [isJson, hasFailed] = [args.includes('--json'), false]
  const codeOfResult = () => EXIT_CODES[hasFailed ? 'failed' : 'ok']
  process.stdout.on('error', ({ code, message }: NodeJS.ErrnoException) => {
    // EPIPE: a reader such as `head` closed the pipe, which is no failure. A full disk is one.
    process.exit(code === 'EPIPE' ? codeOfResult() : report(failed(`The result could not be printed: ${message}`), isJson))
  })
  const printResult = async (output: Output | Streamed): Promise<void> => {
    hasFailed = 'isFailed' in output && output.isFailed === true
    await print(output, isJson)
  }
  const optionsOf = (command: Command) => {
    const { json = false, yes = false } = command.optsWithGlobals<{ readonly json?: true; readonly yes?: true }>()
    isJson = json
    return { yes }
  }
  const tool: Tool = {
    run: (command, work) => withSession(env, optionsOf(command).yes, async (session) => printResult(await work(session))),
    runApart: async (command, work) => {
      optionsOf(command)
      await printResult(await work(env))
    },
  }
  const program = createProgram(tool, (text) => void (isJson || process.stderr.write(text)))
  try {
    await program.parseAsync(args, { from: 'user' })
    return codeOfResult()
  } catch (error) {
    if (!(error instanceof CommanderError)) return report(toOperatorError(error), isJson)
    if (error.exitCode === 0) return EXIT_CODES.ok
    // Otherwise commander has printed the error or the help.
    return isJson ? report(badUsage(error.message.replace(/^error: /, '')), isJson) : EXIT_CODES.usage
  }
}
