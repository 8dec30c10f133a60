import { readFileSync, writeFileSync } from 'node:fs'
import { allPairs, type Pair, pairName, tokenName } from './pairs.ts'
import type { Trial } from './runSweep.ts'
import { isExecuted, isQuoted } from './tally.ts'

/** By the token paid: a hexadecimal number with one bit for each token bought, the first of `tokens` being the lowest. */
type Masks = { readonly [from: string]: string }

/** What every venue once quoted and executed. */
export type Baseline = {
  readonly tokens: readonly string[]
  readonly venues: { readonly [id: string]: { readonly quoted: Masks; readonly executed: Masks } }
}

const FILE = new URL('baseline.json', import.meta.url)

export const readBaseline = (): Baseline => JSON.parse(readFileSync(FILE, 'utf8')) as Baseline

const masksOf = (trials: readonly Trial[], tokens: readonly string[]): Masks => {
  const byFrom = Map.groupBy(trials, ({ pair }) => tokenName(pair.from))
  const maskOf = (all: readonly Trial[]) =>
    all.reduce((mask, { pair }) => mask | (1n << BigInt(tokens.indexOf(tokenName(pair.to)))), 0n)
  return Object.fromEntries([...byFrom].map(([from, all]) => [from, maskOf(all).toString(16)]))
}

/** Makes what was reached today the least that is reached from now on. Of a whole sweep only. */
export const writeBaseline = (trials: readonly Trial[]): void => {
  const tokens = [...new Set(allPairs().map(({ from }) => tokenName(from)))]
  const venues = [...Map.groupBy(trials, ({ venue }) => venue)].map(([venue, all]) => [
    venue,
    { quoted: masksOf(all.filter(isQuoted), tokens), executed: masksOf(all.filter(isExecuted), tokens) },
  ])
  writeFileSync(FILE, `${JSON.stringify({ tokens, venues: Object.fromEntries(venues) }, null, 2)}\n`)
}

const has = (masks: Masks | undefined, { from, to }: Pair, tokens: readonly string[]): boolean => {
  const at = tokens.indexOf(tokenName(to))
  return at >= 0 && ((BigInt(`0x${masks?.[tokenName(from)] ?? '0'}`) >> BigInt(at)) & 1n) === 1n
}

/** Pairs that one venue no longer has to reach. A side left out stands for any token. */
export type Exception = {
  readonly venue: string
  readonly from?: string
  readonly to?: string
  readonly reason: string
}

const covers = ({ venue, from, to }: Exception, trial: Trial): boolean =>
  venue === trial.venue &&
  (from === undefined || from === tokenName(trial.pair.from)) &&
  (to === undefined || to === tokenName(trial.pair.to))

export type Comparison = {
  /** Was reached, is not, and nobody said why. */
  readonly lost: readonly string[]
  /** Was reached, is not, for a named reason. */
  readonly excused: readonly string[]
}

/** Holds the pairs that were tried against what each venue once reached with them. */
export const compare = (trials: readonly Trial[], { tokens, venues }: Baseline, exceptions: readonly Exception[]): Comparison => {
  const losses = trials.flatMap((trial) => {
    const then = venues[trial.venue]
    const name = `${trial.venue}: ${pairName(trial.pair)}`
    const exception = exceptions.find((one) => covers(one, trial))
    if (has(then?.quoted, trial.pair, tokens) && !isQuoted(trial)) return [{ exception, text: `${name}: no longer quoted` }]
    if (has(then?.executed, trial.pair, tokens) && !isExecuted(trial)) return [{ exception, text: `${name}: no longer executed` }]
    return []
  })
  return {
    lost: losses.flatMap(({ exception, text }) => (exception ? [] : [text])),
    excused: losses.flatMap(({ exception, text }) => (exception ? [`${text}: ${exception.reason}`] : [])),
  }
}

/**
 * What the baseline reached and a whole sweep did not even try, as the venue or the token is gone: a venue that is not asked
 * loses nothing otherwise.
 */
export const untriedOf = (trials: readonly Trial[], { tokens, venues }: Baseline): readonly string[] => {
  const isReached = ({ quoted }: Baseline['venues'][string], token: string, at: number) =>
    quoted[token] !== undefined || Object.values(quoted).some((mask) => ((BigInt(`0x${mask}`) >> BigInt(at)) & 1n) === 1n)
  return Object.entries(venues).flatMap(([venue, reached]) => {
    const tried = new Set(trials.filter((trial) => trial.venue === venue).map(({ pair }) => tokenName(pair.from)))
    if (tried.size === 0) return [`${venue}: not tried`]
    return tokens.flatMap((token, at) =>
      tried.has(token) || !isReached(reached, token, at) ? [] : [`${venue}: ${token}: not tried`],
    )
  })
}

/** How many of these pairs a venue quoted and executed then. */
export const countThen = ({ tokens, venues }: Baseline, venue: string, pairs: readonly Pair[]) => ({
  quoted: pairs.filter((pair) => has(venues[venue]?.quoted, pair, tokens)).length,
  executed: pairs.filter((pair) => has(venues[venue]?.executed, pair, tokens)).length,
})
