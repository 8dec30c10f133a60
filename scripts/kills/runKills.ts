import { setTimeout as sleep } from 'node:timers/promises'
import { createSimRandom } from '../../engine/simnet/kit/simRandom.ts'
import { mapAtOnce } from '../mapAtOnce.ts'
import { createClient } from './client.ts'
import type { Journal } from './journal.ts'
import { judge } from './judge.ts'
import { payOut, signUp } from './partners.ts'
import { AIM_NAMES, AIMS, type AimName, chooseDeath, type Death } from './points.ts'
import { isOver } from './processes.ts'
import { createStage, LIMIT, type Stage, type StageName } from './stage.ts'
import { race } from './swaps.ts'
import { activePartners, settleAll, type Users, useService } from './users.ts'

export type KillWish = {
  readonly stage: StageName
  readonly seed: string
  readonly kills: number
  /** How often a database is killed, paused or restarted; none over SQLite. */
  readonly outages: number
  /** Quotes that many execute at once, before the first kill. */
  readonly races: number
  readonly onProgress?: (kills: number) => void
}

export type KillResult = {
  /** `killed: <aim>` counts deaths at a point; `killed by the clock` all others. */
  readonly counts: { readonly [what: string]: number }
  /** Empty, or the service lost or doubled something. */
  readonly problems: readonly string[]
}

const PARTNERS_AT_FIRST = 3
const AT_ONCE = 8
const LIFE_MS_MAX = 6_000
const OUTAGE_MS = 2_000
const OUTAGES = ['killed', 'paused', 'restarted'] as const

const many = (times: number, work: () => Promise<unknown>) => mapAtOnce(AT_ONCE, Array.from({ length: times }), work)

/** One address asks all replicas for more than the limit. */
const checkLimit = async ({ processes }: Stage, { problems }: Journal): Promise<void> => {
  let passed = 0
  await many(2 * LIMIT, async () => {
    const { url } = await processes.listening()
    const { status } = await fetch(`${url}/api/v1/chains`, { headers: { 'x-forwarded-for': '203.0.113.9' } })
    if (status === 200) passed += 1
  })
  if (passed !== LIMIT) problems.push(`${passed} requests passed a limit of ${LIMIT}`)
}

/** Makes a database of the stage unavailable for a while. Without Redis requests are still answered, beside the deaths. */
const sufferOutage = async ({ stage, client, journal }: Users, nth: number): Promise<void> => {
  const servers = [stage.postgres, stage.redis].filter((one) => one !== null)
  const server = servers[nth % servers.length]
  const kind = OUTAGES[Math.floor(nth / servers.length) % OUTAGES.length]
  if (!server) return
  const answered = client.answered()
  if (kind === 'paused') server.pause()
  else await server.crash()
  if (kind === 'restarted') await server.restart()
  await sleep(OUTAGE_MS)
  if (server === stage.redis && client.answered() === answered)
    journal.problems.push(`Redis was ${kind}: no request was answered`)
  if (kind === 'paused') server.resume()
  else if (kind === 'killed') await server.restart()
}

/** Replaces the current process by one that dies as planned. True when it died at a point. */
const killOnce = async (users: Users, name: AimName, death: Death, outage: number | null): Promise<boolean> => {
  const { processes, advance } = users.stage
  const last = processes.current()
  last?.child.kill('SIGKILL')
  await last?.ended
  await advance(AIMS[name].dueMs)
  users.aim = name
  const program = processes.start(death.on === 'time' ? null : death)
  if (name !== 'start') await Promise.race([program.url.catch(() => null), program.ended])
  if (outage !== null) await sufferOutage(users, outage)
  await Promise.race([program.ended, sleep(death.on === 'time' ? death.ms : LIFE_MS_MAX)])
  const isAtPoint = isOver(program)
  program.child.kill('SIGKILL')
  const { signal } = await program.ended
  if (signal !== 'SIGKILL') throw new Error(`the service ended by itself: ${program.stderr()}`)
  return isAtPoint
}

const keepAlive = async ({ stage: { processes, advance } }: Users): Promise<void> => {
  const current = processes.current()
  if (current === null || isOver(current)) {
    await advance(AIMS.start.dueMs)
    processes.start()
  }
  await processes.listening()
}

/** Kills the operator's tool while it records a payout. Null when nothing is owed yet. */
const killTool = async (users: Users, death: Death): Promise<boolean | null> => {
  await keepAlive(users)
  for (const partner of activePartners(users)) {
    const wasKilled = await payOut(users, partner, death)
    if (wasKilled !== null) return wasKilled
  }
  await users.stage.advance(AIMS.payout.dueMs)
  return null
}

const killAll = async (users: Users, { kills, outages, onProgress }: KillWish) => {
  const { random } = users
  const deaths: { [what: string]: number } = {}
  let names: AimName[] = []
  let suffered = 0
  while (users.kills < kills) {
    if (names.length === 0) names = [...AIM_NAMES]
    const [name = 'settle'] = names.splice(random.integer(names.length), 1)
    const death = chooseDeath(name, random)
    // A service that starts needs its database.
    const canSuffer = name !== 'payout' && name !== 'start'
    const isOutageDue = canSuffer && suffered * kills < outages * (users.kills + 1)
    const isAtPoint =
      name === 'payout' ? await killTool(users, death) : await killOnce(users, name, death, isOutageDue ? suffered : null)
    if (isAtPoint === null) continue
    if (isOutageDue) suffered += 1
    const what = isAtPoint && death.on !== 'time' ? `killed: ${name}` : 'killed by the clock'
    deaths[what] = (deaths[what] ?? 0) + 1
    users.kills += 1
    onProgress?.(users.kills)
  }
  return { ...deaths, outages: suffered }
}

/** Kills the service while it is used, lets everything that began come to its end, and judges the records. */
export const runKills = async (wish: KillWish): Promise<KillResult> => {
  const stage = await createStage(wish.stage, wish.seed)
  try {
    const journal: Journal = { partners: [], swaps: [], problems: [], repeats: 0, requotes: 0 }
    const random = createSimRandom(`${wish.seed} ${wish.stage}`)
    const users: Users = { stage, client: createClient(stage), journal, random, aim: null, kills: 0, isOver: false }
    stage.processes.start()
    for (let i = 0; i < stage.replicas; i += 1) await stage.processes.listening()
    await checkLimit(stage, journal)
    await many(wish.races, () => race(users))
    for (let i = 0; i < PARTNERS_AT_FIRST; i += 1) await signUp(users)
    const used = useService(users)
    const deaths = await killAll(users, wish)
    users.isOver = true
    await keepAlive(users)
    await used
    await settleAll(users)
    const { counts, problems } = await judge(users)
    if (problems.length > 0) process.stderr.write(`${wish.stage}: the records are in ${stage.keepRecords()}\n`)
    return { counts: { ...deaths, ...counts }, problems }
  } finally {
    await stage.close()
  }
}
