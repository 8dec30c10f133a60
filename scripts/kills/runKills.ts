import { setTimeout as sleep } from 'node:timers/promises'
import { createSimRandom } from '../../engine/simnet/kit/simRandom.ts'
import type { SimRandom } from '../../engine/simnet/kit/world.ts'
import { createClient } from './client.ts'
import { createDesk, type Desk, type Plan } from './desk.ts'
import { type Findings, judge } from './judge.ts'
import { createPartnerJobs, type PartnerJobs } from './partnerJobs.ts'
import { CLASS_NAMES, type ClassName, choosePoint } from './points.ts'
import { createTale, isEnd, type Partner, SWAP_KINDS, type SwapKind, type Tale } from './records.ts'
import { settleAll } from './settleAll.ts'
import { createStage, type DatabaseName, type Stage } from './stage.ts'
import { createSwapJobs, type SwapJobs } from './swapJobs.ts'

export type Run = {
  readonly seed: string
  readonly database: DatabaseName
  /** Of processes: the service, and the operator's tool. */
  readonly kills: number
  /** Of the database server; over PostgreSQL alone. */
  readonly serverKills: number
  /** Left out: all. */
  readonly classes?: readonly ClassName[]
  readonly onProgress?: (kills: number) => void
}

/** How often a class died at a named point, and by the clock. */
export type Tally = { readonly [name: string]: { point: number; time: number } }

export type Outcome = { readonly database: DatabaseName; readonly tally: Tally; readonly elapsedMs: number } & Findings

/** What nobody asks for: the job of the service does it, as soon as it has the lease of the one that died. */
const BY_THE_JOB: { readonly [name: string]: number } = { settle: 90_000, webhook: 90_000, accrue: 1_200_000 }

const KIND_OF: { readonly [name: string]: SwapKind } = {
  'execute DEPOSIT': 'deposit',
  'execute TRANSACTION': 'transaction',
  'execute SIGNATURE': 'signature',
  'submit-signature': 'signature',
  'submit-transaction': 'posted',
}

/** Another builds what a process that died was building once its reservation is over. */
const BUILD_LEASE_MS = 21_000
const LIFE_MS_MAX = 8_000
const JOB_MS_MAX = 3_500
const WORKERS = 4
const OPEN_MAX = 24
/** Of the swaps that were begun so many lives ago nobody waits for any more. */
const LIVES_REMEMBERED = 8
const LOOKS = 5
const PARTNERS_AT_FIRST = 3
const PARTNERS_USED = 12

type Means = {
  readonly stage: Stage
  readonly desk: Desk
  readonly tale: Tale
  readonly random: SimRandom
  readonly swaps: SwapJobs
  readonly partners: PartnerJobs
  lives: number
  isOver: boolean
}

const pick = <T>(all: readonly T[], random: SimRandom): T | null => all[random.integer(Math.max(all.length, 1))] ?? null

const usable = ({ tale }: Means): readonly Partner[] => tale.partners.filter(({ isSetUp }) => isSetUp).slice(-PARTNERS_USED)

/** One in eight has no key. */
const customer = (means: Means): Partner | null => (means.random.integer(8) === 0 ? null : pick(usable(means), means.random))

const openSwaps = ({ tale, lives }: Means) =>
  tale.swaps.filter(
    ({ isPaid, told, ref, bornIn }) => isPaid && ref !== null && !isEnd(told?.status) && bornIn > lives - LIVES_REMEMBERED,
  )

const lookAtSome = async (means: Means): Promise<void> => {
  const open = openSwaps(means)
  const some = Array.from({ length: LOOKS }, () => pick(open, means.random)).filter((swap) => swap !== null)
  await means.desk.step('status', () => Promise.all([...new Set(some)].map((swap) => means.swaps.status(swap))))
}

const doJob = async (means: Means, name: ClassName | null): Promise<void> => {
  const { swaps, partners, random, lives } = means
  const kind = name === null ? null : KIND_OF[name]
  if (kind) return swaps.swap(kind, customer(means), lives)
  if (name === 'signup') return partners.signUp()
  if (name === 'status') return lookAtSome(means)
  if (name === 'patch') {
    const partner = pick(usable(means), random)
    if (partner === null || random.integer(2) === 0) return partners.signUp()
    return partners.changeSettings(partner)
  }
  if (openSwaps(means).length > OPEN_MAX) return random.integer(4) === 0 ? lookAtSome(means) : sleep(50)
  return swaps.swap(pick(SWAP_KINDS, random) ?? 'deposit', customer(means), lives)
}

/** Uses the service as long as it is killed. */
const work = async (means: Means): Promise<void> => {
  while (!means.isOver) {
    const wanted = means.desk.takeWanted()
    try {
      await doJob(means, wanted)
    } catch (error) {
      means.tale.problems.push(error instanceof Error ? (error.stack ?? error.message) : String(error))
      await sleep(100)
    }
  }
}

/** Ends the life that is, at what was planned or by the clock. True where it was at a named point. */
const end = async ({ stage, desk }: Means, { name, death }: Plan): Promise<boolean> => {
  const life = stage.lives.current()
  if (life === null) return false
  const isByTheJob = name in BY_THE_JOB
  if (name === 'start') await Promise.race([life.ended, sleep(death.on === 'time' ? death.ms : 0)])
  else {
    const isUp = await life.url.then(
      () => true,
      () => false,
    )
    if (!isUp && !life.stderr().includes('Listening') && !isByTheJob)
      throw new Error(`the service did not start: ${life.stderr()}`)
    const limitMs = death.on === 'time' && isByTheJob ? death.ms : isByTheJob ? JOB_MS_MAX : LIFE_MS_MAX
    await Promise.race([life.ended, sleep(limitMs), ...(isByTheJob ? [] : [desk.over])])
  }
  const hasDied = life.isOver()
  life.kill()
  await life.ended
  return hasDied && death.on !== 'time'
}

const payOutSomebody = async (means: Means, { death }: Plan): Promise<boolean> => {
  for (const partner of usable(means)) if (await means.partners.payOut(partner, death)) return true
  return false
}

const killServer = async ({ stage, random }: Means): Promise<void> => {
  const { postgres } = stage
  if (postgres === null) return
  await stage.lives.listening()
  await sleep(random.integer(600))
  await postgres.crash()
  await postgres.restart()
}

/** The service as it is, or a next life of it that nobody means to end. */
const keepAlive = async ({ stage }: Means): Promise<void> => {
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

const killAll = async (means: Means, run: Run, tally: { [name: string]: { point: number; time: number } }): Promise<void> => {
  const { random } = means
  let [kills, serverKills] = [0, 0]
  const note = (name: string, isAtPoint: boolean) => {
    const { point, time } = tally[name] ?? { point: 0, time: 0 }
    tally[name] = { point: point + Number(isAtPoint), time: time + Number(!isAtPoint) }
  }
  let names: ClassName[] = []
  while (kills < run.kills) {
    if (names.length === 0) names = [...(run.classes ?? CLASS_NAMES)]
    const [name = 'settle'] = names.splice(random.integer(names.length), 1)
    const plan = { name, death: choosePoint(name, random) }
    if (name === 'payout') {
      await keepAlive(means)
      if (!(await payOutSomebody(means, plan))) continue
      note(name, plan.death.on !== 'time')
    } else {
      await begin(means, plan)
      if (serverKills * run.kills < run.serverKills * kills) {
        serverKills += 1
        await killServer(means)
        note('database server', false)
      }
      note(name, await end(means, plan))
    }
    kills += 1
    run.onProgress?.(kills)
  }
}

const startFirst = async (means: Means): Promise<void> => {
  means.stage.lives.start()
  await means.stage.lives.listening()
  for (let i = 0; i < PARTNERS_AT_FIRST; i += 1) await means.partners.signUp()
  means.stage.lives.current()?.kill()
  await means.stage.lives.current()?.ended
}

/** Kills the service as often as is asked for while it is used, lets all that was begun come to its end, and judges what is left. */
export const runKills = async (run: Run): Promise<Outcome> => {
  const startedAt = performance.now()
  const { database, seed } = run
  const stage = await createStage(database, `${seed}`)
  try {
    const { lives } = stage
    const tale = createTale()
    const random = createSimRandom(`${seed} ${database}`)
    const ports = { stage, ask: createClient(lives), desk: createDesk(lives), tale, random }
    const [swaps, partners] = [createSwapJobs(ports), createPartnerJobs(ports)]
    const means: Means = { stage, desk: ports.desk, tale, random, swaps, partners, lives: 0, isOver: false }
    await startFirst(means)
    const tally = {}
    const workers = Array.from({ length: WORKERS }, () => work(means))
    await killAll(means, run, tally)
    means.isOver = true
    await keepAlive(means)
    await Promise.all(workers)
    await settleAll({ stage, tale, swaps })
    return { database, tally, ...(await judge({ stage, tale, partners })), elapsedMs: performance.now() - startedAt }
  } finally {
    await stage.close()
  }
}
