import { afterEach, describe, expect, it } from 'vitest'
import { done, OVER_MS } from '../../support/moneyBench.ts'
import { closeBenches, HOUR, PARTNER, startSettlementBench } from './settlementBench.ts'

afterEach(closeBenches)

describe('what is looked after', () => {
  it('a swap that was executed with a key, from the moment it is stored', async () => {
    const on = await startSettlementBench()
    const swap = await on.execute()
    expect(await on.queued(swap)).toMatchObject({ venue: 'toy', isPaid: false, dueAt: on.clock.at })
  })

  it.each([
    ['nobody’s, without a fee, is not', { partnerId: null, feeBps: null }, {}, {}, false],
    ['a sandbox swap is not', {}, { sandbox: true }, {}, false],
    ['one that the operator earns by is, without a key', { partnerId: null, feeBps: null }, {}, { FEE_SCHEDULE: 'route' }, true],
  ] as const)('%s', async (_name, caller, order, env, isLookedAfter) => {
    const on = await startSettlementBench('DEPOSIT', {}, { caller, env })
    const swap = await on.execute(order)
    expect((await on.queued(swap)) !== null).toBe(isLookedAfter)
  })

  it('nothing of a swap that could not be stored', async () => {
    const on = await startSettlementBench()
    on.store.fails = (call) => call === 'swapKeys.claim'
    await expect(on.execute()).rejects.toThrow()
    on.store.fails = () => false
    expect(await on.store.settlement.lengths()).toEqual([])
  })

  it('what another payment finds long after, too', async () => {
    const on = await startSettlementBench()
    const swap = await on.execute()
    await on.store.settlement.remove(swap.id)
    on.says('processing')
    on.pay(swap)
    await on.status(swap)
    expect(await on.queued(swap)).toMatchObject({ isPaid: true })
  })
})

describe('a pass', () => {
  it('ends a swap that nobody asks for, and tells its partner once [settlement-ends-swaps]', async () => {
    const on = await startSettlementBench()
    const swap = await on.execute()
    on.pay(swap)
    on.says('success', done(on.deliver(swap)))
    expect(await on.pass()).toMatchObject({ looked: 1, ended: 1, failed: 0, open: 1, isCut: false })
    expect((await on.kept(swap)).status.state).toBe('success')
    await on.pass()
    expect(await on.told()).toEqual(['swap.settled'])
    expect(on.reported('settlement.pass')[0]).toMatchObject({ looked: 1, ended: 1, open: 1, oldestMs: 300_000 })
  })

  it('lets a swap go when its end is final, and not before', async () => {
    const on = await startSettlementBench('TRANSACTION')
    const swap = await on.execute()
    on.pay(swap)
    const hash = on.deliver(swap)
    on.says('success', done(hash))
    await on.pass()
    await on.pass()
    expect(await on.queued(swap)).not.toBeNull()
    const seen = await on.chain.transaction({ chainId: swap.record.swap.order.output.chainId, hash }, on.context.signal)
    if (seen) on.chain.put({ ...seen, standing: 'final' })
    await on.pass()
    expect(await on.queued(swap)).toBeNull()
    expect(await on.pass()).toMatchObject({ looked: 0, open: 0 })
  })

  it('goes on with what /status found: the same end, once', async () => {
    const on = await startSettlementBench()
    const swap = await on.execute()
    on.pay(swap)
    on.says('success', done(on.deliver(swap)))
    expect(await on.stateOf(swap)).toBe('success')
    await on.pass()
    expect(await on.stateOf(swap)).toBe('success')
    expect(await on.told()).toEqual(['swap.settled'])
  })

  it('ends a swap once, when /status looks at the same moment', async () => {
    const on = await startSettlementBench()
    const swap = await on.execute()
    on.pay(swap)
    on.says('success', done(on.deliver(swap)))
    await Promise.all([on.pass(), on.status(swap), on.status(swap)])
    expect(await on.told()).toEqual(['swap.settled'])
  })

  it('looks again at an end that the chain took back', async () => {
    const on = await startSettlementBench()
    const swap = await on.execute()
    on.pay(swap)
    const hash = on.deliver(swap)
    on.says('success', done(hash))
    await on.pass()
    on.chain.remove(hash)
    on.says('processing')
    await on.pass()
    expect((await on.kept(swap)).status.state).toBe('processing')
    expect(await on.queued(swap)).toMatchObject({ isPaid: true })
    expect(await on.told()).toEqual(['swap.settled'])
  })

  it('tells of a refund, and lets it go when nothing more can become of it', async () => {
    const on = await startSettlementBench()
    const swap = await on.execute()
    on.pay(swap)
    on.says('refunded', { txHash: on.giveBack(swap) })
    await on.pass()
    expect(await on.told()).toEqual(['swap.refunded'])
    await on.pass(2 * HOUR)
    expect(await on.queued(swap)).not.toBeNull()
    await on.pass(23 * HOUR)
    expect(await on.queued(swap)).toBeNull()
  })

  it('ends what was never paid, and finds the payment that comes after all', async () => {
    const on = await startSettlementBench()
    const swap = await on.execute()
    await on.pass(OVER_MS + 1)
    expect((await on.kept(swap)).status.state).toBe('failed')
    on.pay(swap)
    on.says('success', done(on.deliver(swap)))
    await on.pass()
    expect((await on.kept(swap)).status.state).toBe('success')
    expect(await on.told()).toEqual(['swap.failed', 'swap.settled'])
  })

  it('asks for the request of its own', async () => {
    const on = await startSettlementBench()
    const swap = await on.execute()
    on.pay(swap)
    on.says('processing')
    await on.pass()
    const { requestId } = on.called('track')[0] ?? {}
    expect(requestId).toMatch(/^settlement-/)
    expect(on.reported('settlement.pass')[0]?.requestId).toBe(requestId)
  })
})

describe('an unpaid deposit address', () => {
  it('is read on its chain, and its venue is not asked [settlement-ends-swaps]', async () => {
    const on = await startSettlementBench()
    const swap = await on.execute()
    await on.pass()
    expect(on.chain.reads.map(({ method }) => method)).toEqual(['untouchedUntil'])
    expect(on.venue.calls.track).toEqual([])
    expect(await on.queued(swap)).toMatchObject({ looks: 1 })
  })

  it('is asked about as soon as its chain shows it in use', async () => {
    const on = await startSettlementBench()
    const swap = await on.execute()
    on.says('processing')
    on.pay(swap)
    await on.pass()
    expect(on.venue.calls.track).toHaveLength(1)
    const kept = await on.kept(swap)
    expect(kept.status.state).toBe('processing')
    // Whatever is logged of a look tells which swap it was at.
    const mark = { quoteId: kept.quoteId, swapId: kept.id, ref: kept.ref, requestId: expect.any(String) }
    expect(on.reported('swap.tracked')).toMatchObject([{ ...mark, by: 'settlement', before: 'pending', state: 'processing' }])
    expect(on.reported('venue.call').filter(({ call }) => call === 'track')).toMatchObject([mark])
  })

  it('is not asked about while its chain cannot be read', async () => {
    const on = await startSettlementBench()
    const swap = await on.execute()
    on.chain.isUnreadable = () => true
    expect(await on.pass()).toMatchObject({ looked: 1, failed: 0 })
    expect(on.venue.calls.track).toEqual([])
    expect(await on.queued(swap)).not.toBeNull()
  })
})

describe('an order', () => {
  it('that is not signed is no question for its venue; signed it is first in line', async () => {
    const on = await startSettlementBench('SIGNATURE')
    const swap = await on.execute()
    await on.pass()
    expect(on.venue.calls.track).toEqual([])
    await on.store.swaps.setPosting(swap.id)
    await on.pass()
    expect(on.venue.calls.track).toHaveLength(1)
  })
})

describe('abandoning', () => {
  const WEEK = 168 * HOUR

  it('is a mark in the queue: the swap is what it was, and a later /status takes it off [settlement-ends-swaps]', async () => {
    const on = await startSettlementBench()
    const swap = await on.execute()
    on.pay(swap)
    on.says('processing')
    await on.pass()
    expect(await on.pass(WEEK)).toMatchObject({ abandoned: 1, looked: 1, open: 0 })
    expect((await on.kept(swap)).status.state).toBe('processing')
    expect(await on.stateOf(swap)).toBe('processing')
    expect(await on.queued(swap)).toMatchObject({ isPaid: true, dueAt: on.clock.at, since: on.clock.at })
    on.says('success', done(on.deliver(swap)))
    await on.pass()
    expect(await on.told()).toEqual(['swap.settled'])
  })

  it('comes after a last look, however long nobody looked: what was delivered meanwhile is told', async () => {
    const on = await startSettlementBench()
    const swap = await on.execute()
    on.pay(swap)
    on.says('success', done(on.deliver(swap)))
    expect(await on.pass(WEEK + HOUR)).toMatchObject({ looked: 1, ended: 1 })
    expect(await on.told()).toEqual(['swap.settled'])
  })

  it('by a clock that was ahead is taken back when the clock is', async () => {
    const on = await startSettlementBench()
    const swap = await on.execute()
    on.pay(swap)
    on.says('processing')
    expect(await on.pass(WEEK + HOUR)).toMatchObject({ abandoned: 1, open: 0 })
    expect(await on.pass(-WEEK)).toMatchObject({ abandoned: 0, looked: 1, open: 1 })
  })

  it('is not for what is younger', async () => {
    const on = await startSettlementBench()
    await on.execute()
    expect(await on.pass(WEEK - HOUR)).toMatchObject({ abandoned: 0 })
  })
})

it('a swap without a key is nobody’s to be told of', async () => {
  const on = await startSettlementBench(
    'DEPOSIT',
    {},
    { caller: { partnerId: null, feeBps: null }, env: { FEE_SCHEDULE: 'route' } },
  )
  const swap = await on.execute()
  on.pay(swap)
  on.says('success', done(on.deliver(swap)))
  await on.pass()
  expect((await on.kept(swap)).status.state).toBe('success')
  expect(await on.store.partnerEvents.ofPartner(PARTNER, { afterPlace: 0, limit: 9 })).toEqual([])
})
