import { setTimeout as sleep } from 'node:timers/promises'
import type { Plan } from './desk.ts'
import { CLASS_NAMES, type ClassName, choosePoint } from './points.ts'
import { type Means, usable } from './users.ts'

/** How often a class died at a named point, and by the clock. */
export type Tally = { readonly [name: string]: { readonly point: number; readonly time: number } }

export type Deaths = {
  /** Of processes: the service, and the operator's tool. */
  readonly kills: number
  /** Of the database server; over PostgreSQL alone. */
  readonly serverKills: number
  /** Left out: all. */
  readonly classes?: readonly ClassName[]
  readonly onProgress?: (kills: number) => void
}

/** What nobody asks for: the job of the service does it, once the lease of the one that died is over, and fees once all is final. */
const BY_THE_JOB: { readonly [name: string]: number } = { settle: 90_000, webhook: 90_000, accrue: 1_200_000 }

/** Another builds what a process that died was building once its reservation is over. */
const BUILD_LEASE_MS = 21_000
const LIFE_MS_MAX = 8_000
const JOB_MS_MAX = 3_500
const SERVER_MS_MAX = 600

/** The service as it is, or a next life of it that nobody means to end. */
export const keepAlive = async ({ stage }: Means): Promise<void> => {
  if (stage.lives.current()?.isOver() !== false) {
    await stage.advance(BUILD_LEASE_MS)
    stage.lives.start()
  }
  await stage.lives.listening()
}

const begin = async (means: Means, plan: Plan): Promise<void> => {
  const { stage, desk } = means
  means.lives += 1
  // One that was let live for the operator's tool.
  stage.lives.current()?.kill()
  await stage.lives.current()?.ended
  await stage.advance(BY_THE_JOB[plan.name] ?? BUILD_LEASE_MS)
  const isAtPoint = plan.name in BY_THE_JOB && plan.death.on !== 'time'
  stage.lives.start(isAtPoint ? { KILLS_DIE_AT: JSON.stringify(plan.death) } : {})
  desk.plan(plan)
}

/** Ends the life that is, at what was planned or by the clock. True where it was at a named point. */
const end = async ({ stage, desk }: Means, { name, death }: Plan): Promise<boolean> => {
  const life = stage.lives.current()
  if (life === null) return false
  if (name === 'start') await Promise.race([life.ended, sleep(death.on === 'time' ? death.ms : 0)])
  else {
    await Promise.race([life.url.catch(() => null), life.ended])
    const isByTheJob = name in BY_THE_JOB
    // The job's first pass may come to the point before the start has been told of.
    if (!isByTheJob && life.isOver() && !life.stderr().includes('Listening'))
      throw new Error(`the service did not start: ${life.stderr()}`)
    const jobMs = death.on === 'time' ? death.ms : JOB_MS_MAX
    await Promise.race([life.ended, ...(isByTheJob ? [sleep(jobMs)] : [sleep(LIFE_MS_MAX), desk.over])])
  }
  const isAtPoint = life.isOver() && death.on !== 'time'
  life.kill()
  await life.ended
  return isAtPoint
}

const payOutSomebody = async (means: Means, { death }: Plan): Promise<boolean> => {
  await keepAlive(means)
  for (const partner of usable(means)) if (await means.partners.payOut(partner, death)) return true
  // Nobody is owed anything yet.
  await means.stage.advance(BY_THE_JOB['accrue'] ?? 0)
  return false
}

const killServer = async ({ stage, random }: Means): Promise<void> => {
  const life = stage.lives.current()
  if (stage.postgres === null || life === null) return
  await Promise.race([life.url.catch(() => null), life.ended])
  await sleep(random.integer(SERVER_MS_MAX))
  await stage.postgres.crash()
  await stage.postgres.restart()
}

/** Has the service die again and again, of each class in turn. */
export const killAgainAndAgain = async (means: Means, deaths: Deaths): Promise<Tally> => {
  const tally: { [name: string]: { readonly point: number; readonly time: number } } = {}
  const note = (name: string, isAtPoint: boolean): void => {
    const { point, time } = tally[name] ?? { point: 0, time: 0 }
    tally[name] = { point: point + Number(isAtPoint), time: time + Number(!isAtPoint) }
  }
  let names: ClassName[] = []
  for (let [kills, serverKills] = [0, 0]; kills < deaths.kills; ) {
    if (names.length === 0) names = [...(deaths.classes ?? CLASS_NAMES)]
    const [name = 'settle'] = names.splice(means.random.integer(names.length), 1)
    const plan = { name, death: choosePoint(name, means.random) }
    if (name === 'payout') {
      if (!(await payOutSomebody(means, plan))) continue
      note(name, plan.death.on !== 'time')
    } else {
      await begin(means, plan)
      if (serverKills * deaths.kills < deaths.serverKills * (kills + 1)) {
        serverKills += 1
        await killServer(means)
        note('database server', false)
      }
      note(name, await end(means, plan))
    }
    kills += 1
    deaths.onProgress?.(kills)
  }
  return tally
}
