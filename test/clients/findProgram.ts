import { execFileSync } from 'node:child_process'

/** The first of the programs that ends well with these arguments; null when none does. */
export const findProgram = (names: readonly string[], ...args: readonly string[]): string | null =>
  names.find((name) => {
    try {
      execFileSync(name, args, { stdio: 'ignore' })
      return true
    } catch {
      return false
    }
  }) ?? null
