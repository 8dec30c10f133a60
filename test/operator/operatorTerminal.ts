import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Environment } from '../../engine/config/config.ts'

const OPERATOR = fileURLToPath(new URL('../../scripts/operator.ts', import.meta.url))

/** What is typed, once the screen shows that. */
export type Typed = { readonly after: RegExp; readonly keys: string }

/** `screen`: all that was written to the terminal, with its control characters. */
export type Shown = { readonly code: number | null; readonly screen: string }

const quoted = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`

/** The operator's tool as somebody at a terminal has it. */
export const operatorOnTerminal = (env: Environment, args: readonly string[], typed: Typed | null = null): Promise<Shown> =>
  new Promise((resolve, reject) => {
    const { PATH, HOME, TMPDIR } = process.env
    const command = [process.execPath, OPERATOR, ...args].map(quoted).join(' ')
    const child = spawn('script', ['-q', '-e', '-f', '-c', command, '/dev/null'], {
      env: { PATH, HOME, TERM: 'xterm', SHELL: '/bin/sh', ...(TMPDIR && { TMPDIR }), ...env },
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    let screen = ''
    let isTyped = false
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      screen += text
      if (typed === null || isTyped || !typed.after.test(screen)) return
      isTyped = true
      child.stdin.write(typed.keys)
    })
    child.once('error', reject)
    child.once('close', (code) => resolve({ code, screen }))
  })
