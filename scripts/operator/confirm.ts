import { createInterface } from 'node:readline/promises'
import { badUsage, failed } from './operatorError.ts'

/** Asks before something that cannot be undone. */
export type Confirm = (question: string) => Promise<void>

/**
 * Goes on where `--yes` was given, or somebody at the terminal says so; else throws. Without a terminal nobody is asked, and
 * nothing is done.
 */
export const createConfirm =
  (isAgreed: boolean): Confirm =>
  async (question) => {
    if (isAgreed) return
    if (!process.stdin.isTTY || !process.stderr.isTTY) throw badUsage(`${question} There is no terminal to ask on: add --yes.`)
    const terminal = createInterface({ input: process.stdin, output: process.stderr })
    try {
      // It ends without an answer at the end of what is typed, and by an interruption.
      const answer = await terminal.question(`${question} [y/N] `).catch(() => null)
      if (answer === null) process.stderr.write('\n')
      if (!/^y(es)?$/i.test(answer?.trim() ?? '')) throw failed('Nothing was done.')
    } finally {
      terminal.close()
    }
  }
