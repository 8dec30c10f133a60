/**
 * Uses three replicas in turn, as separate processes over one PostgreSQL, one Redis and one offline network. Tests races of
 * executes for the same quotes, limits, and Redis and PostgreSQL being killed, paused and restarted.
 * `npm run replicas -- --seed 1 --executes 10000`; `--executes 0` omits the races. Exits with 1 if anything was lost or doubled.
 * A replica that is killed under load: `npm run kills -- --database postgresql --replicas 3`.
 */
import { parseArgs } from 'node:util'
import { createSimRandom } from '../engine/simnet/kit/simRandom.ts'
import { createStage } from './kills/stage.ts'
import { askBeyondLimit } from './replicas/limits.ts'
import { OUTAGES, sufferOutage } from './replicas/outages.ts'
import { raceExecutes } from './replicas/races.ts'

const REPLICAS = 3
const RACERS = 20
const LIMIT = 300

const say = (line: string) => process.stdout.write(`${line}\n`)

const startAll = async (seed: string, wish: { readonly [name: string]: string }) => {
  const stage = await createStage('postgresql', seed, { replicas: REPLICAS, wish })
  stage.lives.start()
  for (let i = 0; i < REPLICAS; i += 1) await stage.lives.listening()
  return stage
}

const main = async (): Promise<void> => {
  const { values } = parseArgs({
    options: {
      seed: { type: 'string', default: '1' },
      executes: { type: 'string', default: '10000' },
      'outage-ms': { type: 'string', default: '4000' },
    },
  })
  const problems: string[] = []
  const stage = await startAll(values.seed, {})
  try {
    const quotes = Math.ceil(Number(values.executes) / RACERS)
    if (quotes > 0) {
      const races = await raceExecutes(stage, quotes, RACERS)
      say(
        `${races.executes} executes of ${races.quotes} quotes: ${races.opened} addresses, ${Math.round(races.elapsedMs / 1_000)} s`,
      )
      problems.push(...races.problems)
    }
    const random = createSimRandom(`${values.seed} outages`)
    for (const outage of OUTAGES) {
      const result = await sufferOutage(stage, random, outage, {
        outageMs: Number(values['outage-ms']),
        afterMs: 3_000,
        clients: 12,
      })
      say(`${result.name}: p50 ${result.p50Ms} ms, max ${result.maxMs} ms, healed ${result.healedMs} ms after its end`)
      for (const [asked, answers] of Object.entries(result.answers)) say(`  ${asked.padEnd(14)} ${JSON.stringify(answers)}`)
      problems.push(...result.problems.map((what) => `${result.name}: ${what}`))
    }
  } finally {
    await stage.close()
  }
  const limited = await startAll(values.seed, { RATE_LIMIT_ANONYMOUS_PER_MINUTE: String(LIMIT) })
  try {
    const through = await askBeyondLimit(limited, LIMIT * 2)
    say(`limit of ${LIMIT}: ${through} of ${LIMIT * 2} requests got through`)
    if (through !== LIMIT) problems.push(`${through} requests got through a limit of ${LIMIT}`)
  } finally {
    await limited.close()
  }
  for (const problem of problems.slice(0, 50)) say(`FAILED ${problem}`)
  say(problems.length === 0 ? 'Nothing was lost and nothing doubled.' : `${problems.length} problems.`)
  if (problems.length > 0) process.exitCode = 1
}

await main()
