import { parentPort, workerData } from 'node:worker_threads'
import { type Attack, attacksOn, attackText } from './regexAttacks.ts'

/**
 * A worker that times regular expressions over hostile texts that grow, and tells of each whether the time grows faster
 * than the text. Whoever started it ends it when it hangs.
 */

export type Pattern = { readonly source: string; readonly flags: string }
export type Verdict = { readonly pattern: Pattern; readonly problem: string | null }
export type TimerOptions = { readonly patterns: readonly Pattern[]; readonly lengthMax: number }

/**
 * A few characters more at first: what doubles with each must show before it hangs, also where the clock of a thread ticks
 * in 4 ms, and shorter texts take none or one. A cube takes such a tick at 512 characters, and half a minute at 4,096.
 */
const LENGTHS = [16, 20, 24, 26, 28, 64, 256, 512, 1_024, 4_096, 16_384, 65_536]
/** Below it the clock tells nothing. */
const READABLE_MS = 0.03
/** How much faster than the text the time may grow between two lengths. Twice as much text would take a square four times as long. */
const SLACK = 2.2
/** Of this thread alone: what else the machine does must not count. */
const cpuMs = (): number => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}

/** What takes so long is measured well enough at once. */
const LONG_MS = 50

/** The best of so many times. */
const runMs = ({ source, flags }: Pattern, text: string, times: number): number => {
  const expression = new RegExp(source, flags)
  let best = Infinity
  for (let i = 0; i < times; i += 1) {
    const startedAt = cpuMs()
    if (flags.includes('g')) text.replace(expression, '')
    else expression.exec(text)
    best = Math.min(best, cpuMs() - startedAt)
    if (best > LONG_MS) return best
  }
  return best
}

/** As one piece, which what is put together is not until it is read. */
const flat = (text: string): string => Buffer.from(text, 'utf16le').toString('utf16le')

const measure = (pattern: Pattern, attack: Attack): { readonly problem: string | null; readonly ms: number } => {
  let last = { text: '', ms: 0 }
  for (const length of LENGTHS) {
    const text = flat(attackText(attack, length))
    const growth = text.length / last.text.length
    let ms = runMs(pattern, text, 3)
    const isTooSlow = () => last.ms > READABLE_MS && ms / last.ms > growth * SLACK
    // Again before it is said: caches and the compiler have their moods.
    for (let round = 0; round < 3 && isTooSlow(); round += 1) {
      last = { ...last, ms: Math.max(last.ms, runMs(pattern, last.text, 8)) }
      ms = Math.min(ms, runMs(pattern, text, 4))
    }
    if (isTooSlow()) {
      const times = `${(ms / last.ms).toFixed(1)} times as long for ${growth.toFixed(1)} times the text`
      return { problem: `${times}, ${describe(attack)}`, ms }
    }
    last = { text, ms }
  }
  return { problem: null, ms: last.ms }
}

const describe = ({ before, repeated, after }: Attack): string =>
  `${JSON.stringify(before)} and then ${JSON.stringify(repeated)} over and over before ${JSON.stringify(after)}`

const judge = (pattern: Pattern, lengthMax: number): string | null => {
  let worst: { readonly attack: Attack; readonly ms: number } | null = null
  for (const attack of attacksOn(pattern.source, pattern.flags)) {
    const { problem, ms } = measure(pattern, attack)
    if (problem !== null) return problem
    if (!worst || ms > worst.ms) worst = { attack, ms }
  }
  if (!worst) return 'no hostile text could be made for it'
  const { attack, ms: before } = worst
  const text = flat(attackText(attack, lengthMax))
  const growth = lengthMax / (LENGTHS.at(-1) ?? lengthMax)
  const ms = runMs(pattern, text, before > READABLE_MS ? 3 : 1)
  if (before <= READABLE_MS || ms / before <= growth * SLACK) return null
  // Megabytes and their matches fall out of the processor's caches, so compare with a text that does too.
  const quarter = flat(attackText(attack, lengthMax / 4))
  let times = Infinity
  for (let round = 0; round < 3 && times > 4 * SLACK; round += 1) {
    const quarterMs = runMs(pattern, quarter, 3)
    times = Math.min(times, runMs(pattern, text, 3) / quarterMs)
  }
  return times > 4 * SLACK ? `${times.toFixed(1)} times as long for 4 times the text, ${describe(attack)}` : null
}

const { patterns, lengthMax } = workerData as TimerOptions
for (const pattern of patterns) {
  let problem: string | null
  try {
    problem = judge(pattern, lengthMax)
  } catch (error) {
    problem = String(error)
  }
  parentPort?.postMessage({ pattern, problem } satisfies Verdict)
}
