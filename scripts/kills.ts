/**
 * Kills the service in use, at named points and by the clock: scripts/kills/README.md. Compares the remaining records with the
 * answers, the chains, the venues and the webhook targets. `npm run kills -- --seed 1 --kills 500` uses both databases, and
 * `--database sqlite` one. `--replicas 3` kills one of several that share them. Exits with 1 if anything was lost or doubled.
 */
import { parseArgs } from 'node:util'
import { CLASS_NAMES } from './kills/points.ts'
import { type Outcome, runKills } from './kills/runKills.ts'
import type { DatabaseName } from './kills/stage.ts'

const say = (line: string) => process.stdout.write(`${line}\n`)

const DATABASES: readonly DatabaseName[] = ['sqlite', 'postgresql']
const PROBLEMS_MAX = 50

const table = (outcomes: readonly Outcome[]): readonly string[] => {
  const names = [...new Set(outcomes.flatMap(({ tally }) => Object.keys(tally)))].toSorted()
  const cell = (text: string | number) => String(text).padStart(14)
  const head = outcomes.map(({ database }) => `${cell(`${database} point`)}${cell('time')}`).join('')
  const rows = names.map((name) => {
    const cells = outcomes.map(({ tally }) => `${cell(tally[name]?.point ?? 0)}${cell(tally[name]?.time ?? 0)}`)
    return `${name.padEnd(22)}${cells.join('')}`
  })
  const sums = outcomes.map(({ tally }) => {
    const all = Object.values(tally)
    return `${cell(all.reduce((sum, { point }) => sum + point, 0))}${cell(all.reduce((sum, { time }) => sum + time, 0))}`
  })
  return [`${'killed at'.padEnd(22)}${head}`, ...rows, `${'all'.padEnd(22)}${sums.join('')}`]
}

const counts = (outcomes: readonly Outcome[]): readonly string[] => {
  const names = [...new Set(outcomes.flatMap((outcome) => Object.keys(outcome.counts)))].toSorted()
  return names.map(
    (name) => `${name.padEnd(32)}${outcomes.map((outcome) => String(outcome.counts[name] ?? 0).padStart(14)).join('')}`,
  )
}

const wholeNumber = (name: string, text: string): number => {
  if (!/^[0-9]{1,6}$/.test(text)) throw new RangeError(`--${name} takes a whole number`)
  return Number(text)
}

const main = async (): Promise<void> => {
  const { values } = parseArgs({
    options: {
      seed: { type: 'string', default: '1' },
      kills: { type: 'string', default: '500' },
      'server-kills': { type: 'string', default: '20' },
      database: { type: 'string' },
      replicas: { type: 'string', default: '1' },
      class: { type: 'string', multiple: true },
    },
  })
  const chosen = values.database === undefined ? DATABASES : DATABASES.filter((name) => name === values.database)
  if (chosen.length === 0) throw new RangeError(`--database takes one of ${DATABASES.join(', ')}`)
  const classes = CLASS_NAMES.filter((name) => values.class?.includes(name) ?? true)
  if (values.class && classes.length !== values.class.length) throw new RangeError(`--class takes ${CLASS_NAMES.join(', ')}`)
  const kills = Math.ceil(wholeNumber('kills', values.kills) / chosen.length)
  const serverKills = wholeNumber('server-kills', values['server-kills'])
  const replicas = wholeNumber('replicas', values.replicas)
  const outcomes: Outcome[] = []
  for (const database of chosen) {
    const onProgress = (done: number) => {
      if (done % 10 === 0) process.stderr.write(`${database}: ${done} of ${kills}\n`)
    }
    const ofServer = database === 'postgresql' ? serverKills : 0
    outcomes.push(await runKills({ seed: values.seed, database, replicas, kills, serverKills: ofServer, classes, onProgress }))
  }
  for (const line of [...table(outcomes), '', ...counts(outcomes)]) say(line)
  for (const { database, elapsedMs } of outcomes) say(`${database}: ${Math.round(elapsedMs / 1_000)} s`)
  const problems = outcomes.flatMap(({ database, problems }) => problems.map((what) => `${database}: ${what}`))
  for (const problem of problems.slice(0, PROBLEMS_MAX)) say(`FAILED ${problem}`)
  say(problems.length === 0 ? 'Nothing was lost and nothing doubled.' : `${problems.length} problems.`)
  if (problems.length > 0) process.exitCode = 1
}

await main()
