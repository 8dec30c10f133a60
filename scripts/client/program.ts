import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import manifest from '../../package.json' with { type: 'json' }

export type Program = {
  readonly child: ChildProcess
  /** Where it listens. Rejects with its standard error when it ends before. */
  readonly url: Promise<string>
  readonly ended: Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }>
  stdout(): string
  stderr(): string
}

export type ProgramOptions = {
  /** The whole environment, apart from PATH, HOME and TMPDIR. */
  readonly env: { readonly [name: string]: string | undefined }
  /** Options of Node. */
  readonly flags?: readonly string[]
  readonly args?: readonly string[]
  /** Whether it has a channel to this process. */
  readonly hasChannel?: boolean
}

/** The flags of Node in `npm start`. */
export const SERVICE_FLAGS = manifest.scripts.start.split(' ').filter((word) => word.startsWith('--'))

const TEXT_MAX = 20_000

const textOf = (stream: ChildProcess['stdout']): (() => string) => {
  let text = ''
  stream?.setEncoding('utf8').on('data', (chunk: string) => {
    text = `${text}${chunk}`.slice(-TEXT_MAX)
  })
  return () => text
}

/** Starts a TypeScript file of this project in a process of its own, which ends with this one. */
export const startProgram = (file: URL, { env, flags = [], args = [], hasChannel = false }: ProgramOptions): Program => {
  const { PATH, HOME, TMPDIR } = process.env
  const child = spawn(process.execPath, [...flags, fileURLToPath(file), ...args], {
    env: { PATH, HOME, ...(TMPDIR && { TMPDIR }), ...env },
    stdio: ['ignore', 'pipe', 'pipe', ...(hasChannel ? (['ipc'] as const) : [])],
  })
  const [stdout, stderr] = [textOf(child.stdout), textOf(child.stderr)]
  const endWithThis = () => void child.kill('SIGKILL')
  process.once('exit', endWithThis)
  const ended: Program['ended'] = new Promise((resolve) => {
    child.once('close', (code, signal) => {
      process.off('exit', endWithThis)
      resolve({ code, signal })
    })
  })
  const url = new Promise<string>((resolve, reject) => {
    child.stderr?.on('data', () => {
      const line = /^Listening on (http:\/\/\S+)$/m.exec(stderr())
      if (line?.[1]) resolve(line[1])
    })
    void ended.then(() => reject(new Error(`it ended before it listened: ${stderr()}`)))
  })
  url.catch(() => undefined)
  return { child, url, ended, stdout, stderr }
}
