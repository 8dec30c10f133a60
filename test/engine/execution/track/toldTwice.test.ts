import { afterEach, describe, expect, it } from 'vitest'
import { paymentsTo } from '../../../../engine/chains/seen.ts'
import { toAmount } from '../../../../engine/core/amount.ts'
import type { SwapEvents } from '../../../../engine/venues/venue.ts'
import { VenueError } from '../../../../engine/venues/venueError.ts'
import { pair, TOKENS } from '../../../support/fakeChains.ts'
import { movement } from '../../../support/fakeEvidence.ts'
import { createFakeVenue, declines, type FakeVenueOptions, offers, statusOf } from '../../../support/fakeVenue.ts'
import { done, type Executed, LEAST, type MoneyBench, PAID_IN, startMoneyBench } from '../../../support/moneyBench.ts'
import { START_AT } from '../../../support/testEngine.ts'

/** Two swaps of a venue that names no order when it pays, to one recipient in one token: which payout is whose, its word alone tells. */

const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

/** Two deposits that were paid and delivered. The first was told the second's delivery, and has ended by it. */
const crossed = async (options: FakeVenueOptions = {}) => {
  const bench = await startMoneyBench('DEPOSIT', options)
  closers.push(() => bench.close())
  const [first, second] = [await bench.execute(), await bench.execute({ amount: PAID_IN + 1n })] as const
  for (const swap of [first, second]) bench.pay(swap, swap.record.swap.order.inputAmount)
  const [ofFirst, ofSecond] = [bench.deliver(first), bench.deliver(second)] as const
  bench.saysOf(first, statusOf('success', done(ofSecond)))
  expect(await bench.status(first)).toMatchObject({ state: 'success', txHash: ofSecond })
  bench.saysOf(second, statusOf('success', done(ofSecond)))
  return { bench, first, second, ofFirst, ofSecond }
}

/** How often the venue was asked about a swap. */
const asksAbout = ({ venue }: MoneyBench, { ref }: Executed) => venue.calls.track.filter((call) => call.ref === ref).length

const outputsOf = async (bench: MoneyBench, swap: Executed) =>
  (await bench.payments(swap)).filter(({ kind }) => kind === 'output').map(({ txHash }) => txHash)

describe('a payout that the venue names for a swap and another of its swaps holds [status-claim-reassigned]', () => {
  it('goes to the swap that it is of once the venue names another for the holder, which then ends by its own', async () => {
    const { bench, first, second, ofFirst, ofSecond } = await crossed()
    const { endedAt } = await bench.kept(first)
    bench.saysOf(first, statusOf('success', done(ofFirst)))
    expect(await bench.status(second)).toMatchObject({ state: 'success', txHash: ofSecond })
    expect(await bench.kept(first)).toMatchObject({
      status: { state: 'processing', txHash: null, deliveredAmount: null },
      endedAt,
    })
    expect(await outputsOf(bench, first)).toEqual([])
    expect(await bench.status(first)).toMatchObject({ state: 'success', txHash: ofFirst })
    expect(await bench.status(second)).toMatchObject({ state: 'success', txHash: ofSecond })
    expect([await outputsOf(bench, first), await outputsOf(bench, second)]).toEqual([[ofFirst], [ofSecond]])
  })

  it.each(['processing', 'failed', 'refunded'] as const)(
    'does so where the venue says %s of the holder by now',
    async (state) => {
      const { bench, first, second, ofSecond } = await crossed()
      bench.saysOf(first, statusOf(state))
      expect(await bench.status(second)).toMatchObject({ state: 'success', txHash: ofSecond })
      expect((await bench.kept(first)).status.state).toBe('processing')
    },
  )

  it('stays the holder’s where the venue names it for both, and nothing goes back and forth', async () => {
    const { bench, first, second, ofSecond } = await crossed()
    for (let minute = 0; minute < 60; minute += 1) {
      for (const swap of [second, first]) await bench.status(swap)
      bench.pass(60_000)
    }
    expect(await bench.stateOf(second)).toBe('processing')
    expect(await bench.status(first)).toMatchObject({ state: 'success', txHash: ofSecond })
    expect(await outputsOf(bench, first)).toEqual([ofSecond])
    // Once for itself, and then at growing distances.
    expect(asksAbout(bench, first)).toBeGreaterThan(3)
    expect(asksAbout(bench, first)).toBeLessThan(10)
  })

  it.each([
    ['knows nothing of the holder', async () => statusOf('not_found')],
    ['has no word for it', async () => statusOf('unknown')],
    ['is out of reach', async () => Promise.reject(new VenueError('unavailable', 'no answer'))],
  ] as const)('stays the holder’s where the venue %s', async (_why, track) => {
    const { bench, first, second, ofSecond } = await crossed()
    const { track: honest } = bench.venue.script
    bench.venue.script.track = (call, signal) => (call.ref === first.ref ? track() : honest(call, signal))
    expect(await bench.stateOf(second)).toBe('processing')
    expect(await bench.status(first)).toMatchObject({ state: 'success', txHash: ofSecond })
  })

  it('stays the holder’s where an event names the order it is of, and the venue is not asked', async () => {
    const outputs: SwapEvents['outputs'] = async (_seen, { order }) =>
      order.inputAmount === PAID_IN ? [{ place: 'log:0', amount: LEAST }] : null
    const events = { inputs: async () => [], outputs, refunds: async () => null, named: async () => [] }
    const { bench, first, second, ofFirst } = await crossed({ events })
    bench.saysOf(first, statusOf('success', done(ofFirst)))
    expect(await bench.stateOf(second)).toBe('processing')
    expect(await bench.stateOf(first)).toBe('success')
    expect(asksAbout(bench, first)).toBe(1)
  })

  it('is asked about no sooner than the venue wants', async () => {
    const { bench, first, second, ofFirst } = await crossed({ profile: { limits: { statusIntervalMs: 60_000 } } })
    bench.saysOf(first, statusOf('success', done(ofFirst)))
    expect(await bench.stateOf(second)).toBe('processing')
    expect(await bench.stateOf(first)).toBe('success')
    expect(asksAbout(bench, first)).toBe(1)
  })

  it('is not asked about where it would not be enough', async () => {
    const { bench, first, ofFirst, ofSecond } = await crossed()
    bench.venue.script.quote = offers(2_000_000n)
    const large = await bench.execute()
    bench.pay(large)
    bench.saysOf(first, statusOf('success', done(ofFirst)))
    bench.saysOf(large, statusOf('success', { txHash: ofSecond }))
    expect(await bench.stateOf(large)).toBe('processing')
    expect(await bench.stateOf(first)).toBe('success')
    expect(asksAbout(bench, first)).toBe(1)
  })
})

describe('of the payouts of one transaction to one recipient', () => {
  /** Deposits that were paid, of which each is promised what it is, and one transaction that delivers all these. */
  const batch = async (...amounts: readonly bigint[]) => {
    const bench = await startMoneyBench('DEPOSIT')
    closers.push(() => bench.close())
    const swaps: Executed[] = []
    for (const amount of amounts) {
      bench.venue.script.quote = offers(amount, { slippage: { isFirm: true, guaranteedMin: toAmount(amount) } })
      const swap = await bench.execute({ amount: PAID_IN + BigInt(swaps.length) })
      bench.pay(swap, swap.record.swap.order.inputAmount)
      swaps.push(swap)
    }
    const first = swaps[0] as Executed
    const { order, binding } = first.record.swap
    const movements = amounts.map((amount, index) => movement(order.output, binding.recipient, amount, { place: `log:${index}` }))
    const txHash = bench.deliver(first, 0n, { movements })
    const told = (index: number, amount = amounts[index] ?? 0n) => {
      const swap = swaps[index] as Executed
      bench.saysOf(swap, statusOf('success', done(txHash, amount)))
      return bench.status(swap)
    }
    return { bench, swaps, told, txHash }
  }

  it('one goes to the swap that the venue tells that amount of, where it told it of the other before', async () => {
    const { bench, swaps, told, txHash } = await batch(LEAST, 2n * LEAST)
    expect(await told(0, 2n * LEAST)).toMatchObject({ state: 'success', deliveredAmount: 2n * LEAST })
    expect(await told(1)).toMatchObject({ state: 'processing' })
    bench.pass(30_000)
    bench.saysOf(swaps[0] as Executed, statusOf('success', done(txHash)))
    expect(await told(1)).toMatchObject({ state: 'success', deliveredAmount: 2n * LEAST })
    expect(await told(0)).toMatchObject({ state: 'success', deliveredAmount: LEAST })
    expect(await told(1)).toMatchObject({ state: 'success', deliveredAmount: 2n * LEAST })
  })

  it('one is found with whichever of many it is, and nobody else loses theirs', async () => {
    const { bench, told, txHash } = await batch(...Array.from({ length: 8 }, () => LEAST))
    bench.venue.script.quote = offers(LEAST)
    for (let index = 0; index < 6; index += 1) expect(await told(index)).toMatchObject({ state: 'success' })
    const thief = await bench.execute({ amount: PAID_IN + 100n })
    bench.pay(thief, PAID_IN + 100n)
    bench.saysOf(thief, statusOf('success', done(txHash)))
    expect(await bench.stateOf(thief)).toBe('success')
    expect(await told(6)).toMatchObject({ state: 'success' })
    bench.saysOf(thief, statusOf('processing'))
    for (let minute = 0; minute < 5; minute += 1) {
      await told(7)
      bench.pass(60_000)
    }
    expect(await told(7)).toMatchObject({ state: 'success' })
    for (let index = 0; index < 8; index += 1) expect(await told(index)).toMatchObject({ state: 'success' })
    expect(await bench.stateOf(thief)).toBe('processing')
  })
})

describe('a refund that no event names', () => {
  /** Two deposits of one refund address, of which the second came back. */
  const returned = async () => {
    const bench = await startMoneyBench('DEPOSIT')
    closers.push(() => bench.close())
    const [first, second] = [await bench.execute(), await bench.execute({ amount: PAID_IN + 1n })] as const
    for (const swap of [first, second]) bench.pay(swap, PAID_IN + 1n)
    const refund = bench.giveBack(second, PAID_IN + 1n)
    return { bench, first, second, refund }
  }

  it.each(['processing', 'success'] as const)(
    'goes to the swap that misses it once the venue says %s of the one that holds it',
    async (state) => {
      const { bench, first, second, refund } = await returned()
      bench.saysOf(first, statusOf('refunded'))
      bench.saysOf(second, statusOf('processing'))
      expect(await bench.status(first)).toMatchObject({ state: 'refunded', txHash: refund })
      const delivery = bench.deliver(first)
      bench.saysOf(first, statusOf(state, state === 'success' ? done(delivery) : {}))
      bench.saysOf(second, statusOf('refunded'))
      expect(await bench.status(second)).toMatchObject({ state: 'refunded', txHash: refund })
      expect(await bench.stateOf(first)).toBe(state)
    },
  )

  it('goes to the swap that the venue names it for, where it names none for the holder', async () => {
    const { bench, first, second, refund } = await returned()
    bench.says('refunded')
    expect(await bench.status(first)).toMatchObject({ state: 'refunded', txHash: refund })
    bench.saysOf(second, { ...statusOf('refunded'), paidBy: [refund] })
    expect(await bench.status(second)).toMatchObject({ state: 'refunded', txHash: refund })
    expect(await bench.stateOf(first)).toBe('expired')
  })

  it('stays the holder’s where the venue says the same of both', async () => {
    const { bench, first, second, refund } = await returned()
    bench.says('refunded')
    for (let minute = 0; minute < 30; minute += 1) {
      for (const swap of [first, second]) await bench.status(swap)
      bench.pass(60_000)
    }
    expect(await bench.status(first)).toMatchObject({ state: 'refunded', txHash: refund })
    expect(await bench.stateOf(second)).toBe('expired')
  })

  it('goes back to the swap it is of where the venue named it as the delivery of another', async () => {
    const bench = await startMoneyBench('DEPOSIT')
    closers.push(() => bench.close())
    const owed = await bench.execute()
    bench.pay(owed)
    const refund = bench.giveBack(owed)
    const [to, from] = [pair(TOKENS.usdcEthereum), pair(TOKENS.usdcArbitrum)]
    const liars = await bench.execute({ from, to })
    bench.pay(liars)
    bench.saysOf(liars, statusOf('success', done(refund)))
    expect(await bench.stateOf(liars)).toBe('success')
    bench.saysOf(liars, statusOf('processing'))
    bench.saysOf(owed, statusOf('refunded'))
    expect(await bench.status(owed)).toMatchObject({ state: 'refunded', txHash: refund })
    expect(await bench.stateOf(liars)).toBe('processing')
  })
})

/** A swap of a venue that was told the payout of another venue's. */
const acrossVenues = async (options: FakeVenueOptions = {}) => {
  const other = createFakeVenue('other', { kind: 'DEPOSIT', now: () => START_AT })
  other.script.quote = declines('noLiquidity')
  const bench = await startMoneyBench('DEPOSIT', options, { beside: [other] })
  closers.push(() => bench.close())
  const named = await bench.execute()
  const { quote } = bench.venue.script
  Object.assign(bench.venue.script, { quote: other.script.quote })
  Object.assign(other.script, { quote })
  const holder = await bench.execute()
  for (const swap of [named, holder]) bench.pay(swap)
  const txHash = bench.deliver(holder)
  other.script.track = async () => statusOf('success', done(txHash))
  bench.says('success', done(txHash))
  expect(await bench.stateOf(holder)).toBe('success')
  return { bench, other, named, holder, txHash }
}

it.each(['success', 'processing'] as const)(
  'a payout that a swap of another venue holds stays that swap’s where its venue says %s',
  async (state) => {
    const { bench, other, named, holder, txHash } = await acrossVenues()
    other.script.track = async () => statusOf(state, state === 'success' ? done(txHash) : {})
    expect(await bench.stateOf(named)).toBe('processing')
    expect(await bench.stateOf(holder)).toBe('success')
  },
)

it.each(['success', 'failed', 'refunded', 'expired'] as const)(
  'a payout that a swap of another venue holds is free where its venue says that it ended otherwise, by %s',
  async (state) => {
    const { bench, other, named, holder, txHash } = await acrossVenues()
    const own = bench.deliver(holder)
    other.script.track = async () => statusOf(state, state === 'success' ? done(own) : {})
    expect(await bench.status(named)).toMatchObject({ state: 'success', txHash })
    expect(await bench.stateOf(holder)).toBe(state === 'success' ? 'success' : 'expired')
  },
)

/** As in bitcoin, where a note names an order, and anybody may write one: what it pays is kept from no other venue. */
const byNotes: SwapEvents = {
  inputs: async () => null,
  outputs: async (seen, { order, binding }) => paymentsTo(seen, { asset: order.output, recipient: binding.recipient }),
  refunds: async () => null,
  named: async () => [],
}

it('a delivery that names its order is free, too, once the venue of the swap that holds it says that it ended otherwise', async () => {
  const { bench, other, named, holder, txHash } = await acrossVenues({ events: byNotes })
  other.script.track = async () => statusOf('refunded')
  expect(await bench.status(named)).toMatchObject({ state: 'success', txHash })
  expect(await bench.stateOf(holder)).toBe('expired')
})
