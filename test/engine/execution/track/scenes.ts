import { expect, it } from 'vitest'
import type { TrackedSwap } from '../../../../engine/core/answers.ts'
import type { ExecutionType } from '../../../../engine/core/offer.ts'
import type { SwapState, SwapStatus, VenueWord } from '../../../../engine/core/swapStatus.ts'
import type { TransactionId } from '../../../../engine/core/transactionId.ts'
import type { SwapRecord } from '../../../../engine/store/swaps.ts'
import type { OrderWish } from '../../../support/anOrder.ts'
import { type FakeVenueOptions, statusOf } from '../../../support/fakeVenue.ts'
import { type Executed, type MoneyBench, startMoneyBench } from '../../../support/moneyBench.ts'
import { closedAfterEach } from '../../../support/venueKit/benches.ts'

type SeenWish = Parameters<MoneyBench['pay']>[2]

/** An executed swap, and the money that the chains show of it. The bench counts its transactions: the first has `hashOf(1)`. */
export type Swap = Omit<Executed, 'ref'> & {
  /** What a caller asks by. A TRANSACTION is asked about by its first payment. */
  ref: string
  pay(amount?: bigint, wish?: SeenWish): TransactionId
  deliver(amount?: bigint, wish?: SeenWish): TransactionId
  giveBack(amount?: bigint, wish?: SeenWish): TransactionId
  /** What the venue reports of it from here on; a string is the `txHash`. */
  says(state: SwapState, rest?: string | Partial<Omit<VenueWord, 'state'>>): void
  told(ref?: string): Promise<TrackedSwap>
  kept(): Promise<SwapRecord>
  /** `<kind> <amount>` of each recorded payment, in the order of recording. */
  rows(): Promise<string>
}

export type Scene = MoneyBench & {
  /** The swaps, also by name. */
  readonly swaps: Swap[]
  readonly a: Swap
  readonly b: Swap
  readonly c: Swap
  /** Executes one more. */
  add(wish?: Partial<OrderWish>): Promise<Swap>
}

export type Given = FakeVenueOptions & {
  /** One swap each; left out: one ordinary swap. */
  readonly orders?: readonly Partial<OrderWish>[]
  /** Left out: each swap is paid what it asks for; an order is signed and posted. */
  readonly isUnpaid?: true
  readonly change?: Parameters<typeof startMoneyBench>[2]
}

const start = closedAfterEach(startMoneyBench)

export const swapOf = (bench: MoneyBench, executed: Executed): Swap => {
  const swap: Swap = {
    ...executed,
    pay: (amount = executed.record.swap.order.inputAmount, wish = {}) => {
      const hash = bench.pay(executed, amount, wish)
      if (swap.ref === '') swap.ref = hash
      return hash
    },
    deliver: (...given) => bench.deliver(executed, ...given),
    giveBack: (...given) => bench.giveBack(executed, ...given),
    says: (state, rest = {}) =>
      bench.saysOf(executed, { ...statusOf(state), ...(typeof rest === 'string' ? { txHash: rest } : rest) }),
    told: (ref) => bench.status(swap, ref),
    kept: () => bench.kept(executed),
    rows: async () => (await bench.payments(executed)).map(({ kind, amount }) => `${kind} ${amount}`).join(', '),
  }
  return swap
}

export const openScene = async (
  kind: ExecutionType,
  { orders = [{}], isUnpaid, change, ...options }: Given = {},
): Promise<Scene> => {
  const bench = await start(kind, options, change)
  const swaps: Swap[] = []
  const scene: Scene = {
    ...bench,
    swaps,
    get a() {
      return swaps[0] as Swap
    },
    get b() {
      return swaps[1] as Swap
    },
    get c() {
      return swaps[2] as Swap
    },
    add: async (wish) => {
      const swap = swapOf(bench, await bench.execute(wish))
      swaps.push(swap)
      if (isUnpaid) return swap
      if (kind === 'SIGNATURE') await bench.store.swaps.setPosting(swap.id)
      else swap.pay()
      return swap
    },
  }
  for (const wish of orders) await scene.add(wish)
  return scene
}

/** A state, or fields of the status; `rows` without amounts compares the kinds alone. */
type Told =
  | SwapState
  | (Partial<Omit<SwapStatus, 'deliveredAmount'>> & {
      readonly deliveredAmount?: bigint | null
      readonly payments?: readonly object[]
      readonly isTracked?: boolean
      readonly ref?: string
      readonly rows?: string
      readonly kept?: object
    })

/** What happens, and what /status returns then, of one swap after the other; null asks nothing of one. */
export type Step = readonly [happens: ((scene: Scene) => unknown) | null, ...told: readonly (Told | null)[]]

const check = async (swap: Swap, due: Told): Promise<void> => {
  const { ref, rows, kept, ...told } = typeof due === 'string' ? { state: due } : due
  expect(await swap.told(ref)).toMatchObject(told)
  const recorded = await swap.rows()
  if (rows !== undefined) expect(/\d/.test(rows) ? recorded : recorded.replaceAll(/ \d+/g, '')).toBe(rows)
  if (kept) expect(await swap.kept()).toMatchObject(kept)
}

export const play = async (scene: Scene, steps: readonly Step[]): Promise<void> => {
  for (const [index, [happens, ...told]] of steps.entries()) {
    await happens?.(scene)
    for (const [at, due] of told.entries()) {
      const swap = scene.swaps[at]
      if (swap === undefined) throw new RangeError(`no swap ${at}`)
      if (due !== null)
        await check(swap, due).catch((cause: Error) => {
          throw Object.assign(cause, { message: `step ${index + 1}, swap ${at}: ${cause.message}` })
        })
    }
  }
}

/** One test for each title, each in a scene of its own. */
export const scenes =
  (kind: ExecutionType, given: Given = {}) =>
  (stories: { readonly [title: string]: readonly Step[] }): void => {
    for (const [title, steps] of Object.entries(stories)) it(title, async () => play(await openScene(kind, given), steps))
  }
