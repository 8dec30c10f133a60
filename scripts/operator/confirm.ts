import { createInterface } from 'node:readline/promises'
import { badUsage, failed } from './operatorError.ts'

/** Requests confirmation of an irreversible action. */
export type Confirm = (question: string) => Promise<void>

/**
 * Resolves with `--yes`, or after a `y` at the terminal; else throws OperatorError. Without a terminal it throws at once and does
 * nothing.
 */
export const createConfirm =
  (isAgreed: boolean): Confirm =>
  async (question) => {
    if (isAgreed) return
    if (!process.stdin.isTTY || !process.stderr.isTTY) throw badUsage(`${question} There is no terminal to ask on: add --yes.`)
    const terminal = createInterface({ input: process.stdin, output: process.stderr })
    try {
      // The question ends without an answer at the end of input, and by an interruption.
      const answer = await terminal.question(`${question} [y/N] `).catch(() => null)
      if (answer === null) process.stderr.write('\n')
      if (!/^y(es)?$/i.test(answer?.trim() ?? '')) throw failed('Nothing was done.')
    } finally {
      terminal.close()
    }
  }
