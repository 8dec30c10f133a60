/**
 * Kills the service while it is used, and compares the records with what clients, chains, venues and webhook targets saw:
 * scripts/kills/README.md. `npm run kills -- --seed 1 --kills 600`; `--stage replicas` runs one of three stages. Exits with 1 if anything
 * was lost or doubled.
 */
import { parseArgs } from 'node:util'
import { type KillResult, runKills } from './kills/runKills.ts'
import { STAGE_NAMES, type StageName } from './kills/stage.ts'

const PROBLEMS_MAX = 50
/** One kill in so many happens while a database is unavailable. */
const OUTAGE_ONE_IN = 12

const say = (line: string): void => void process.stdout.write(`${line}\n`)

const wholeNumber = (name: string, text: string): number => {
  if (!/^[0-9]{1,6}$/.test(text)) throw new RangeError(`--${name} takes a whole number`)
  return Number(text)
}

const report = (stage: StageName, { counts, problems }: KillResult): void => {
  say(stage)
  for (const [what, count] of Object.entries(counts)) say(`  ${what.padEnd(24)}${String(count).padStart(8)}`)
  for (const problem of problems.slice(0, PROBLEMS_MAX)) say(`  FAILED ${problem}`)
}

const main = async (): Promise<void> => {
  const { values } = parseArgs({
    options: {
      seed: { type: 'string', default: '1' },
      kills: { type: 'string', default: '600' },
      races: { type: 'string', default: '500' },
      stage: { type: 'string' },
    },
  })
  const stages = STAGE_NAMES.filter((name) => values.stage === undefined || name === values.stage)
  if (stages.length === 0) throw new RangeError(`--stage takes one of ${STAGE_NAMES.join(', ')}`)
  const kills = Math.ceil(wholeNumber('kills', values.kills) / stages.length)
  const races = wholeNumber('races', values.races)
  let problems = 0
  for (const stage of stages) {
    const onProgress = (done: number) => void (done % 10 === 0 && process.stderr.write(`${stage}: ${done} of ${kills}\n`))
    const replicated = {
      outages: stage === 'sqlite' ? 0 : Math.ceil(kills / OUTAGE_ONE_IN),
      races: stage === 'replicas' ? races : 0,
    }
    const result = await runKills({ stage, seed: values.seed, kills, ...replicated, onProgress })
    report(stage, result)
    problems += result.problems.length
  }
  say(problems === 0 ? 'Nothing was lost and nothing doubled.' : `${problems} problems.`)
  if (problems > 0) process.exitCode = 1
}

await main()
