import { once } from 'node:events'
import { CommanderError } from 'commander'
import { ConfigError, type Environment, parseConfig } from '../../engine/config/config.ts'
import { SwapError } from '../../engine/errors.ts'
import { createConfirm } from './confirm.ts'
import { createProgram } from './createProgram.ts'
import { EXIT_CODES, OperatorError } from './operatorError.ts'
import { jsonOf, paint, printable, type Streamed, type Told } from './printing.ts'
import { withSession } from './session.ts'
import type { Tool } from './tool.ts'

/** What every command takes. */
type CommonOptions = { readonly json?: true; readonly yes?: true }

/** Waits for whoever reads it. */
const write = async (text: string): Promise<void> => {
  if (!process.stdout.write(text)) await once(process.stdout, 'drain')
}

const print = async (told: Told | Streamed, isJson: boolean): Promise<void> => {
  if ('text' in told) for await (const piece of isJson ? told.json : told.text) await write(piece)
  else await write(isJson ? `${jsonOf(told.data)}\n` : told.lines.map((line) => `${line}\n`).join(''))
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
      await withSession(parseConfig(env), createConfirm(yes), async (session) => print(await work(session), json))
    },
    runApart: async (command, work) => {
      const { json = false } = command.optsWithGlobals<CommonOptions>()
      isJson = json
      const told = await work(env)
      hasFailed = told.isFailed === true
      await print(told, json)
    },
  }
  const program = createProgram(tool)
  try {
    await program.parseAsync(args, { from: 'user' })
    return hasFailed ? EXIT_CODES.failed : EXIT_CODES.ok
  } catch (error) {
    // Commander has said what was wrong, or what was asked for.
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT_CODES.ok : EXIT_CODES.usage
    return tell(explain(error), isJson)
  }
}
