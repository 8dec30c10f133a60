import { once } from 'node:events'
import { CommanderError } from 'commander'
import { ConfigError, type Environment } from '../../engine/config/config.ts'
import { SwapError } from '../../engine/errors.ts'
import { createConfirm } from './confirm.ts'
import { createProgram } from './createProgram.ts'
import { badUsage, EXIT_CODES, failed, OperatorError } from './operatorError.ts'
import { jsonOf, paint, printable, type Streamed, type Told } from './printing.ts'
import { withSession } from './session.ts'
import type { Tool } from './tool.ts'

/** The options of every command. */
type CommonOptions = { readonly json?: true; readonly yes?: true }

/** Writes at the pace of the reader. */
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

/** The error of a command line, for `--json`. */
const explainUsage = ({ message }: CommanderError): OperatorError => badUsage(message.replace(/^error: /, ''))

/** Runs one command. Returns the exit code. */
export const runOperator = async (args: readonly string[], env: Environment): Promise<number> => {
  let [isJson, hasFailed] = [args.includes('--json'), false]
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    // EPIPE: a reader such as `head` closed the pipe, which is no failure. A full disk is one.
    const isRead = error.code === 'EPIPE'
    const code = isRead
      ? EXIT_CODES[hasFailed ? 'failed' : 'ok']
      : tell(failed(`What was done could not be told: ${error.message}`), isJson)
    process.exit(code)
  })
  const tool: Tool = {
    run: async (command, work) => {
      const { json = false, yes = false } = command.optsWithGlobals<CommonOptions>()
      isJson = json
      await withSession(env, createConfirm(yes), async (session) => {
        const told = await work(session)
        hasFailed = 'isFailed' in told && told.isFailed === true
        await print(told, json)
      })
    },
    runApart: async (command, work) => {
      const { json = false } = command.optsWithGlobals<CommonOptions>()
      isJson = json
      const told = await work(env)
      hasFailed = told.isFailed === true
      await print(told, json)
    },
  }
  const program = createProgram(tool, (text) => void (isJson || process.stderr.write(text)))
  try {
    await program.parseAsync(args, { from: 'user' })
    return hasFailed ? EXIT_CODES.failed : EXIT_CODES.ok
  } catch (error) {
    if (!(error instanceof CommanderError)) return tell(explain(error), isJson)
    if (error.exitCode === 0) return EXIT_CODES.ok
    // Otherwise commander has printed the error or the help.
    return isJson ? tell(explainUsage(error), isJson) : EXIT_CODES.usage
  }
}
