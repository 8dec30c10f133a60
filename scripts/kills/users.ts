import { setTimeout as sleep } from 'node:timers/promises'
import { isEnd, type Partner, type Run, SWAP_KINDS, type Swap } from './journal.ts'
import { changeSettings, signUp } from './partners.ts'
import type { AimName } from './points.ts'
import { readStatus, swap } from './swaps.ts'

export type Users = Run & {
  /** What the current process is to die of. */
  aim: AimName | null
  kills: number
  isOver: boolean
}

const WORKERS = 4
/** While so many paid swaps have not ended, few others begin. */
const OPEN_MAX = 24
/** Older swaps that have not ended wait for the end of the run. */
const RECENT = 80
const READS = 5
/** Only the last partners swap, so that each has several swaps. */
const PARTNERS_USED = 12
const IDLE_MS = 50
const SUBMITTED = ['signature', 'posted'] as const

const pick = <T>(all: readonly T[], { random }: Run): T | null => all[random.integer(Math.max(all.length, 1))] ?? null

export const activePartners = ({ journal }: Run): readonly Partner[] =>
  journal.partners.filter(({ isSetUp }) => isSetUp).slice(-PARTNERS_USED)

const openSwaps = ({ journal }: Run): readonly Swap[] =>
  journal.swaps.slice(-RECENT).filter(({ isPaid, reported, ref }) => isPaid && ref !== null && !isEnd(reported?.status))

const readSome = async (users: Users, open: readonly Swap[]): Promise<void> => {
  const some = Array.from({ length: READS }, () => pick(open, users)).filter((one) => one !== null)
  await Promise.all([...new Set(some)].map((one) => readStatus(users, one)))
}

/** Every other job serves the aim. */
const doJob = async (users: Users): Promise<void> => {
  const { random } = users
  const aim = random.integer(2) === 0 ? users.aim : null
  const partner = pick(activePartners(users), users)
  if (aim === 'partner') return partner === null || random.integer(2) === 0 ? signUp(users) : changeSettings(users, partner)
  const open = openSwaps(users)
  if (aim === 'status' || random.integer(4) === 0) return readSome(users, open)
  const isWanted = aim === 'execute' || aim === 'submit'
  if (!isWanted && open.length > OPEN_MAX) return void (await sleep(IDLE_MS))
  const kind = pick(aim === 'submit' ? SUBMITTED : SWAP_KINDS, users) ?? 'deposit'
  // One in eight has no key.
  await swap(users, kind, random.integer(8) === 0 ? null : partner)
}

const work = async (users: Users): Promise<void> => {
  while (!users.isOver) {
    try {
      await doJob(users)
    } catch (error) {
      users.journal.problems.push(error instanceof Error ? (error.stack ?? error.message) : String(error))
      await sleep(IDLE_MS)
    }
  }
}

/** Uses the service until the run is over. Each worker ends what it has begun. */
export const useService = async (users: Users): Promise<void> => {
  await Promise.all(Array.from({ length: WORKERS }, () => work(users)))
}

/** Time for every order and refund to end, and to become final. */
const STEP_MS = 1_200_000
const ROUNDS_MAX = 30
const PASS_MS = 1_500
const PASSES_MAX = 40
/** Rounds in a row that found nothing to do. */
const QUIET_ROUNDS = 2

const isToEnd = ({ isPaid, intent, reported }: Swap): boolean => isPaid && intent !== 'never' && !isEnd(reported?.status)

/** Moves time until all swaps have ended, their fees are booked and their events are delivered. */
export const settleAll = async (run: Run): Promise<void> => {
  const { stage, journal } = run
  const records = await stage.openRecords()
  /** Waits until the settlement job has done everything that was due. */
  const isSettled = async (dueBy: number): Promise<boolean> => {
    for (let pass = 0; pass < PASSES_MAX; pass += 1) {
      await sleep(PASS_MS)
      if ((await records.operator.backlog(dueBy)).looks.due === 0) return true
    }
    return false
  }
  try {
    for (let round = 0, quiet = 0; round < ROUNDS_MAX && quiet < QUIET_ROUNDS; round += 1) {
      await stage.advance(STEP_MS)
      const now = stage.now()
      // The job does not follow swaps without a partner: a status request does, when they are final.
      for (const one of journal.swaps) if (isToEnd(one) || (one.partner === null && one.isPaid)) await readStatus(run, one)
      const isDone = await isSettled(now)
      const { deliveries } = await records.operator.backlog(0)
      quiet = isDone && deliveries.due === 0 && !journal.swaps.some(isToEnd) ? quiet + 1 : 0
    }
  } finally {
    await records.close()
  }
}
