import { afterEach, describe, expect, it } from 'vitest'
import type { SwapEvents } from '../../../../engine/venues/venue.ts'
import { VenueError } from '../../../../engine/venues/venueError.ts'
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

describe('a payout that the venue names for a swap and another of its swaps holds', () => {
  it('goes to the swap that it is of once the venue names another for the holder, which then ends by its own', async () => {
    const { bench, first, second, ofFirst, ofSecond } = await crossed()
    const { endedAt } = bench.kept(first)
    bench.saysOf(first, statusOf('success', done(ofFirst)))
    expect(await bench.status(second)).toMatchObject({ state: 'success', txHash: ofSecond })
    expect(bench.kept(first)).toMatchObject({ status: { state: 'processing', txHash: null, deliveredAmount: null }, endedAt })
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
      expect(bench.kept(first).status.state).toBe('processing')
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

it('a payout that a swap of another venue holds stays that swap’s, and its venue is not asked', async () => {
  const other = createFakeVenue('other', { kind: 'DEPOSIT', now: () => START_AT })
  other.script.quote = declines('noLiquidity')
  const bench = await startMoneyBench('DEPOSIT', {}, { beside: [other] })
  closers.push(() => bench.close())
  const liars = await bench.execute()
  const { quote } = bench.venue.script
  Object.assign(bench.venue.script, { quote: other.script.quote })
  Object.assign(other.script, { quote })
  const holder = await bench.execute()
  for (const swap of [liars, holder]) bench.pay(swap)
  const txHash = bench.deliver(holder)
  other.script.track = async () => statusOf('success', done(txHash))
  bench.says('success', done(txHash))
  expect(await bench.stateOf(holder)).toBe('success')
  other.script.track = async () => statusOf('processing')
  expect(await bench.stateOf(liars)).toBe('processing')
  expect(await bench.stateOf(holder)).toBe('success')
  expect(other.calls.track).toHaveLength(1)
})
