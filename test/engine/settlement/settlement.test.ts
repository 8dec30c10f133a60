import { describe, expect, it } from 'vitest'
import { done, OVER_MS } from '../../support/moneyBench.ts'
import { makeFinal } from '../ledger/feeBench.ts'
import { delivered, HOUR, PARTNER, startSettlementBench } from './settlementBench.ts'

describe('settlement follows', () => {
  it.each([
    ['a swap that was executed with a key', {}, {}, {}, true],
    ['no swap without a key and a fee', { partnerId: null, feeBps: null }, {}, {}, false],
    ['no sandbox swap', {}, { sandbox: true }, {}, false],
    ['a swap without a key by which the operator earns', { partnerId: null, feeBps: null }, {}, { FEE_SCHEDULE: 'route' }, true],
  ] as const)('%s', async (_name, caller, order, env, isFollowed) => {
    const on = await startSettlementBench('DEPOSIT', {}, { caller: { tier: 'selfServe', partnerId: PARTNER, ...caller }, env })
    const queued = await on.queued(await on.execute(order))
    expect(queued).toEqual(isFollowed ? expect.objectContaining({ venue: 'toy', isPaid: false, dueAt: on.clock.at }) : null)
  })

  it('no swap that could not be stored', async () => {
    const on = await startSettlementBench()
    on.store.fails = (call) => call === 'swapKeys.claim'
    await expect(on.execute()).rejects.toThrow()
    on.store.fails = () => false
    expect(await on.store.settlement.lengths()).toEqual([])
  })

  it('a swap again when /status finds a later payment', async () => {
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
  it('ends a swap that no client polls, and notifies its partner once [settlement-ends-swaps]', async () => {
    const { on, swap } = await delivered()
    expect(await on.pass()).toMatchObject({ looked: 1, ended: 1, failed: 0, open: 1, isCut: false })
    expect(await on.stored(swap)).toBe('success')
    await on.pass()
    expect(await on.stateOf(swap)).toBe('success')
    expect(await on.told()).toEqual(['swap.settled'])
    expect(on.reported('settlement.pass')[0]).toMatchObject({ looked: 1, ended: 1, open: 1, oldestMs: 300_000 })
  })

  it('notifies the partner once when /status finds the end before it, or at the same time', async () => {
    const { on, swap } = await delivered()
    expect(await on.stateOf(swap)).toBe('success')
    await on.pass()
    expect(await on.told()).toEqual(['swap.settled'])
    const { on: other, swap: both } = await delivered()
    await Promise.all([other.pass(), other.status(both), other.status(both)])
    expect(await other.told()).toEqual(['swap.settled'])
  })

  it('notifies no partner about a swap without a key', async () => {
    const { on, swap } = await delivered({ caller: { partnerId: null, feeBps: null }, env: { FEE_SCHEDULE: 'route' } })
    await on.pass()
    expect([await on.stored(swap), await on.told()]).toEqual(['success', []])
  })

  it('removes a swap from the queue when its end is final', async () => {
    const on = await startSettlementBench('TRANSACTION')
    const swap = await on.execute()
    on.pay(swap)
    const hash = on.deliver(swap)
    on.says('success', done(hash))
    for (let i = 0; i < 2; i += 1) await on.pass()
    expect(await on.queued(swap)).not.toBeNull()
    await makeFinal(on, hash)
    await on.pass()
    expect(await on.queued(swap)).toBeNull()
    expect(await on.pass()).toMatchObject({ looked: 0, open: 0 })
  })

  it('reads a swap again whose end a reorganisation removed', async () => {
    const on = await startSettlementBench()
    const swap = await on.execute()
    on.pay(swap)
    const hash = on.deliver(swap)
    on.says('success', done(hash))
    await on.pass()
    on.chain.remove(hash)
    on.says('processing')
    await on.pass()
    expect([await on.stored(swap), await on.told()]).toEqual(['processing', ['swap.settled']])
    expect(await on.queued(swap)).toMatchObject({ isPaid: true })
  })

  it('reports a refund, and follows its swap for a day', async () => {
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

  it('fails a swap that was never paid, and settles it when a payment comes later', async () => {
    const on = await startSettlementBench()
    const swap = await on.execute()
    await on.pass(OVER_MS + 1)
    expect(await on.stored(swap)).toBe('failed')
    on.settle(swap)
    await on.pass()
    expect([await on.stored(swap), await on.told()]).toEqual(['success', ['swap.failed', 'swap.settled']])
  })
})

describe('the venue of a queued swap', () => {
  it('is not called while the chain shows no deposit, or cannot be read [settlement-ends-swaps]', async () => {
    const on = await startSettlementBench()
    const swap = await on.execute()
    await on.pass()
    expect(on.chain.reads.map(({ method }) => method)).toEqual(['untouchedUntil'])
    expect(await on.queued(swap)).toMatchObject({ looks: 1 })
    on.chain.isUnreadable = () => true
    expect(await on.pass()).toMatchObject({ looked: 1, failed: 0 })
    expect([on.venue.calls.track, await on.queued(swap)]).toEqual([[], expect.anything()])
  })

  it('is called once the chain shows the deposit, and the log names the swap and the pass', async () => {
    const on = await startSettlementBench()
    const swap = await on.execute()
    on.says('processing')
    on.pay(swap)
    await on.pass()
    expect(on.venue.calls.track).toHaveLength(1)
    const { status, quoteId, id, ref } = await on.kept(swap)
    const requestId = on.reported('settlement.pass')[0]?.requestId
    expect([status.state, requestId]).toEqual(['processing', expect.stringMatching(/^settlement-/)])
    const mark = { quoteId, swapId: id, ref, requestId }
    expect(on.reported('swap.tracked')).toMatchObject([{ ...mark, by: 'settlement', before: 'pending', state: 'processing' }])
    expect(on.called('track')).toMatchObject([mark])
  })

  it('is called about an order once it is signed', async () => {
    const on = await startSettlementBench('SIGNATURE')
    const swap = await on.execute()
    await on.pass()
    expect(on.venue.calls.track).toEqual([])
    await on.store.swaps.setPosting(swap.id)
    await on.pass()
    expect(on.venue.calls.track).toHaveLength(1)
  })
})

describe('an abandoned swap', () => {
  const WEEK = 168 * HOUR
  const paid = async () => {
    const on = await startSettlementBench()
    const swap = await on.execute()
    on.pay(swap)
    on.says('processing')
    return { on, swap }
  }

  it('keeps its state, and a later /status resumes it [settlement-ends-swaps]', async () => {
    const { on, swap } = await paid()
    expect(await on.pass(WEEK - HOUR)).toMatchObject({ abandoned: 0 })
    expect(await on.pass(HOUR)).toMatchObject({ abandoned: 1, looked: 1, open: 0 })
    expect([await on.stored(swap), await on.stateOf(swap)]).toEqual(['processing', 'processing'])
    expect(await on.queued(swap)).toMatchObject({ isPaid: true, dueAt: on.clock.at, since: on.clock.at })
    on.says('success', done(on.deliver(swap)))
    await on.pass()
    expect(await on.told()).toEqual(['swap.settled'])
  })

  it('is read once more before, so a delivery meanwhile is reported', async () => {
    const { on } = await delivered()
    expect(await on.pass(WEEK + HOUR)).toMatchObject({ looked: 1, ended: 1 })
    expect(await on.told()).toEqual(['swap.settled'])
  })

  it('is followed again when the clock was ahead and is set back', async () => {
    const { on } = await paid()
    expect(await on.pass(WEEK + HOUR)).toMatchObject({ abandoned: 1, open: 0 })
    expect(await on.pass(-WEEK)).toMatchObject({ abandoned: 0, looked: 1, open: 1 })
  })
})
