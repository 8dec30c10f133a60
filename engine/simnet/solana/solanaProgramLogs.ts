import type { SolanaStep } from './solanaCharges.ts'

const INVOKED = /^Program (\S+) invoke \[1\]$/
const FAILED = /^Program \S+ failed: (.*)$/

/** Logs by top-level call; a line of a program cannot look like the one that starts a call. */
const callsOf = (logs: readonly string[]): readonly (readonly string[])[] => {
  const calls: string[][] = []
  for (const line of logs) {
    if (INVOKED.test(line) || calls.length === 0) calls.push([])
    calls.at(-1)?.push(line)
  }
  return calls
}

const asCall = (lines: readonly string[], program: string, said: string): readonly string[] => {
  const reason = lines.map((line) => FAILED.exec(line)?.[1]).find((text) => text !== undefined)
  return [
    `Program ${program} invoke [1]`,
    said,
    ...lines.map((line) => line.replace(/ invoke \[1\]$/, ' invoke [2]')),
    reason === undefined ? `Program ${program} success` : `Program ${program} failed: ${reason}`,
  ]
}

const shownAs = (lines: readonly string[], { shown, instruction }: SolanaStep): readonly string[] => {
  switch (shown.as) {
    case 'itself':
      return lines
    case 'nothing':
      return []
    case 'call':
      return asCall(lines, shown.program, `Program log: ${shown.line}`)
    case 'program': {
      const [first = '', ...rest] = lines.map((line) => line.replace(instruction.programId, shown.program))
      return [first, `Program log: ${shown.line}`, ...rest]
    }
  }
}

/** The logs of a transaction that was run as these steps, as its own instructions would have left them. */
export const solanaProgramLogs = (logs: readonly string[], steps: readonly SolanaStep[]): readonly string[] => {
  let next = 0
  return callsOf(logs).flatMap((lines) => {
    const program = INVOKED.exec(lines[0] ?? '')?.[1]
    // Not every step leaves a line: those that verify signatures do not.
    const at = steps.findIndex(({ instruction }, index) => index >= next && instruction.programId === program)
    const step = steps[at]
    if (!step) return lines
    next = at + 1
    return shownAs(lines, step)
  })
}
