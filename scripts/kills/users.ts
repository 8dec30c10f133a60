import { setTimeout as sleep } from 'node:timers/promises'
import type { SimRandom } from '../../engine/simnet/kit/world.ts'
import type { Desk } from './desk.ts'
import type { PartnerJobs } from './partnerJobs.ts'
import type { ClassName } from './points.ts'
import { isEnd, type Partner, SWAP_KINDS, type SwapKind, type Tale } from './records.ts'
import type { Stage } from './stage.ts'
import type { SwapJobs } from './swapJobs.ts'

/** All that a run works with. */
export type Means = {
  readonly stage: Stage
  readonly desk: Desk
  readonly tale: Tale
  readonly random: SimRandom
  readonly swaps: SwapJobs
  readonly partners: PartnerJobs
  /** How many lives there were. */
  lives: number
  isOver: boolean
}

const WORKERS = 4
/** While so many swaps are paid and have not ended, no others are begun but those that are wanted. */
const OPEN_MAX = 24
/** Of the swaps that were begun so many lives ago nobody waits for any more. */
const LIVES_REMEMBERED = 8
const LOOKS = 5
const PARTNERS_USED = 12
const IDLE_MS = 50
const TROUBLE_MS = 100

const KIND_OF: { readonly [name: string]: SwapKind } = {
  'execute DEPOSIT': 'deposit',
  'execute TRANSACTION': 'transaction',
  'execute SIGNATURE': 'signature',
  'submit-signature': 'signature',
  'submit-transaction': 'posted',
}

const pick = <T>(all: readonly T[], random: SimRandom): T | null => all[random.integer(Math.max(all.length, 1))] ?? null

/** Of all partners the last ones, so that each has several swaps. */
export const usable = ({ tale }: Means): readonly Partner[] =>
  tale.partners.filter(({ isSetUp }) => isSetUp).slice(-PARTNERS_USED)

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

const doJob = async (means: Means, name: ClassName | null): Promise<unknown> => {
  const { swaps, partners, random, lives } = means
  const kind = name === null ? undefined : KIND_OF[name]
  if (kind) return swaps.swap(kind, customer(means), lives)
  if (name === 'signup') return partners.signUp()
  if (name === 'status') return lookAtSome(means)
  if (name === 'patch') {
    const partner = pick(usable(means), random)
    return partner === null || random.integer(2) === 0 ? partners.signUp() : partners.changeSettings(partner)
  }
  if (openSwaps(means).length > OPEN_MAX) return random.integer(4) === 0 ? lookAtSome(means) : sleep(IDLE_MS)
  return swaps.swap(pick(SWAP_KINDS, random) ?? 'deposit', customer(means), lives)
}

const work = async (means: Means): Promise<void> => {
  while (!means.isOver) {
    try {
      await doJob(means, means.desk.takeWanted())
    } catch (error) {
      means.tale.problems.push(error instanceof Error ? (error.stack ?? error.message) : String(error))
      await sleep(TROUBLE_MS)
    }
  }
}

/** Use the service until the run is over, what is wanted first; each then ends what it had begun. */
export const useService = async (means: Means): Promise<void> => {
  await Promise.all(Array.from({ length: WORKERS }, () => work(means)))
}
