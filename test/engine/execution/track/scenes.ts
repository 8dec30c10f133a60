import { expect, it } from 'vitest'
import type { SeenTransaction } from '../../../../engine/chains/seen.ts'
import type { ExecutionType } from '../../../../engine/core/offer.ts'
import type { SwapState, VenueWord } from '../../../../engine/core/swapStatus.ts'
import type { TransactionId } from '../../../../engine/core/transactionId.ts'
import type { OrderWish } from '../../../support/anOrder.ts'
import { type FakeEvidence, hashOf } from '../../../support/fakeEvidence.ts'
import { type FakeVenueOptions, statusOf } from '../../../support/fakeVenue.ts'
import { type Executed, type MoneyBench, OVER_MS, startMoneyBench } from '../../../support/moneyBench.ts'
import { closedAfterEach } from '../../../support/venueKit/benches.ts'

type Money = [amount?: bigint, wish?: Partial<SeenTransaction>]

/** An executed swap, and the money that the chains show of it. The bench counts its transactions: the first has `hashOf(1)`. */
export const swapOf = (bench: MoneyBench, executed: Executed) => {
  const swap = {
    /** What a caller asks by. A TRANSACTION is asked about by its first payment. */
    ...executed,
    pay: (...[amount = executed.record.swap.order.inputAmount, wish]: Money): TransactionId => {
      const hash = bench.pay(executed, amount, wish)
      if (swap.ref === '') swap.ref = hash
      return hash
    },
    deliver: (...given: Money): TransactionId => bench.deliver(executed, ...given),
    giveBack: (...given: Money): TransactionId => bench.giveBack(executed, ...given),
    /** What the venue reports of it from here on; a string is the `txHash`. */
    says: (state: SwapState, rest: string | Partial<Omit<VenueWord, 'state'>> = {}): void =>
      bench.saysOf(executed, { ...statusOf(state), ...(typeof rest === 'string' ? { txHash: rest } : rest) }),
    /** The venue reports a delivery, or a refund, that the chain shows. */
    succeeds: (...given: Money): void => swap.says('success', swap.deliver(...given)),
    refunds: (...given: Money): void => swap.says('refunded', swap.giveBack(...given)),
    told: (ref?: string) => bench.status(swap, ref),
    kept: () => bench.kept(executed),
    /** `<kind> <amount>` of each recorded payment, in the order of recording. */
    rows: async () => (await bench.payments(executed)).map(({ kind, amount }) => `${kind} ${amount}`).join(', '),
  }
  return swap
}
export type Swap = ReturnType<typeof swapOf>

export type Scene = MoneyBench & {
  /** The swaps; the first three also by name. */
  readonly swaps: Swap[]
  readonly a: Swap
  readonly b: Swap
  readonly c: Swap
  /** Executes one more. */
  add(wish?: Partial<OrderWish>): Promise<Swap>
}

type Given = FakeVenueOptions & {
  readonly kind: ExecutionType
  /** One swap each; left out: one ordinary swap. */
  readonly orders?: readonly Partial<OrderWish>[]
  /** Left out: each swap is paid what it asks for; an order is signed and posted. */
  readonly isUnpaid?: true
  readonly change?: Parameters<typeof startMoneyBench>[2]
}

const start = closedAfterEach(startMoneyBench)

export const openScene = async ({ kind, orders = [{}], isUnpaid, change, ...options }: Given): Promise<Scene> => {
  const bench = await start(kind, options, change)
  const swaps: Swap[] = []
  const add: Scene['add'] = async (wish) => {
    const swap = swapOf(bench, await bench.execute(wish))
    swaps.push(swap)
    if (!isUnpaid && kind === 'SIGNATURE') await bench.store.swaps.setPosting(swap.id)
    else if (!isUnpaid) swap.pay()
    return swap
  }
  for (const wish of orders) await add(wish)
  const at = (index: number) => ({ get: () => swaps[index] })
  return Object.defineProperties({ ...bench, swaps, add } as Scene, { a: at(0), b: at(1), c: at(2) })
}

/** Something that happens in a scene. */
export type Act = (scene: Scene) => unknown
/** What /status returns: a state, or fields. `rows` without amounts compares the kinds alone; `kept`: fields of the record. */
type Told =
  | SwapState
  | { readonly ref?: string; readonly rows?: string; readonly kept?: object; readonly [field: string]: unknown }
/** What it returns of one swap after the other; null asks nothing of one. */
type AllTold = { readonly all: readonly (Told | null)[] }
export const all = (...told: AllTold['all']): AllTold => ({ all: told })

/** What happens and what is told then, in this order. */
export type Story = readonly (Act | Told | AllTold | Story)[]

const MOVES = ['pay', 'deliver', 'giveBack', 'says', 'succeeds', 'refunds'] as const
type Move = (typeof MOVES)[number]
type Acts = { readonly [M in Move]: (...given: Parameters<Swap[M]>) => (scene: Scene) => ReturnType<Swap[M]> }

/** The moves of one swap of a scene, as acts. */
const actsOf = (at: number) => {
  const act =
    (move: Move) =>
    (...given: readonly never[]) =>
    ({ swaps }: Scene) =>
      ((swaps[at] as Swap)[move] as (...given: readonly never[]) => unknown)(...given)
  return Object.fromEntries(MOVES.map((move) => [move, act(move)])) as unknown as Acts
}
export const [A, B] = [actsOf(0), actsOf(1)]
export const passes =
  (ms = 60_000): Act =>
  ({ pass }) =>
    pass(ms)
/** Past the deadline of every payload. */
export const isOver = passes(OVER_MS + 1)
/** What the chains show from here on. */
export const chains = {
  have:
    (rest: Partial<FakeEvidence>): Act =>
    ({ chain }) =>
      Object.assign(chain, rest),
  remove:
    (number: number): Act =>
    ({ chain }) =>
      chain.remove(hashOf(number)),
  areUnreadable: (which: FakeEvidence['isUnreadable'] = () => true): Act => chains.have({ isUnreadable: which }),
  areReadable: (): Act => chains.have({ isUnreadable: () => false }),
}

const check = async (swap: Swap, due: Told): Promise<void> => {
  const { ref, rows, kept, ...told } = typeof due === 'string' ? { state: due } : due
  expect(await swap.told(ref)).toMatchObject(told)
  const recorded = await swap.rows()
  if (rows !== undefined) expect(/\d/.test(rows) ? recorded : recorded.replaceAll(/ \d+/g, '')).toBe(rows)
  if (kept) expect(await swap.kept()).toMatchObject(kept)
}

export const play = async (scene: Scene, story: Story): Promise<void> => {
  const steps = story.flat(9 as 1) as readonly (Act | Told | AllTold)[]
  for (const [index, step] of steps.entries()) {
    if (typeof step === 'function') await step(scene)
    else
      for (const [at, due] of (typeof step === 'object' && 'all' in step ? (step as AllTold).all : [step]).entries())
        if (due !== null)
          await check(scene.swaps[at] as Swap, due).catch((cause: Error) => {
            throw Object.assign(cause, { message: `part ${index + 1} of the story, swap ${at}: ${cause.message}` })
          })
  }
}

/** The first step of a story whose scene differs from those of its group. */
export const given = (change: Partial<Given>) => ({ given: change })

/** One test for each title, each in a scene of its own. */
export const scenes =
  (about: string, ofAll: Given) =>
  (stories: { readonly [title: string]: Story }): void => {
    for (const [title, story] of Object.entries(stories)) {
      const [first, ...rest] = story.flat(9 as 1)
      const own = typeof first === 'object' && 'given' in first ? (first.given as Partial<Given>) : null
      it(`${about}: ${title}`, async () => play(await openScene({ ...ofAll, ...own }), own ? rest : story))
    }
  }

/** A story for each value. */
export const each = <const V>(values: readonly V[], storyOf: (value: V) => readonly [title: string, story: Story]) =>
  Object.fromEntries(values.map(storyOf))
