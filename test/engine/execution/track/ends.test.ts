import { describe, expect, it } from 'vitest'
import { fails, statusOf } from '../../../support/fakeVenue.ts'
import { callPaying, done, LEAST, type MoneyBench, OVER_MS, PAID_IN, startMoneyBench } from '../../../support/moneyBench.ts'
import { closedAfterEach } from '../../../support/venueKit/benches.ts'

/** An end is an end: what comes after it, and what the chain takes back. */

const start = closedAfterEach(startMoneyBench)

describe('a second payment [status-extra-payment]', () => {
  it('of the same payload is no second end: it is kept as extra, and told as open', async () => {
    const bench = await start('TRANSACTION')
    const swap = await bench.execute()
    const [first, second] = [bench.pay(swap), bench.pay(swap)]
    bench.says('success', done(bench.deliver(swap)))
    expect(await bench.stateOf(swap, first)).toBe('success')
    const ended = await bench.kept(swap)
    bench.pass(1_000)
    for (let i = 0; i < 2; i += 1) expect(await bench.status(swap, second)).toMatchObject({ state: 'processing', txHash: null })
    expect(await bench.kept(swap)).toEqual(ended)
    expect((await bench.payments(swap)).map(({ kind, txHash }) => [kind, txHash]).filter(([kind]) => kind !== 'output')).toEqual([
      ['input', first],
      ['extra', second],
    ])
    expect(await bench.stateOf(swap, first)).toBe('success')
  })

  it('of the same address is no second end: it is kept as extra, though the swap has ended, and can be seen', async () => {
    const bench = await start('DEPOSIT')
    const swap = await bench.execute()
    bench.pay(swap, PAID_IN, { standing: 'final' })
    bench.says('success', done(bench.deliver(swap, LEAST, { standing: 'final' })))
    expect(await bench.stateOf(swap)).toBe('success')
    const { endedAt, status } = await bench.kept(swap)
    bench.pass(60_000)
    bench.pay(swap, PAID_IN + 1n, { height: 1_001 })
    await bench.status(swap)
    bench.pass(60_000)
    const told = await bench.status(swap)
    expect(told.state).toBe('success')
    expect(told.payments.map(({ kind, amount }) => [kind, amount])).toEqual([
      ['input', PAID_IN],
      ['output', LEAST],
      ['extra', PAID_IN + 1n],
    ])
    expect(await bench.kept(swap)).toMatchObject({ endedAt, status })
    const searches = () => bench.chain.reads.filter(({ method }) => method === 'search').length
    const before = searches()
    for (let i = 0; i < 5; i += 1) await bench.status(swap)
    expect(searches()).toBe(before)
    expect(bench.venue.calls.track).toHaveLength(1)
  })

  it('becomes the payment where the chain takes the first one back', async () => {
    const bench = await start('TRANSACTION')
    const swap = await bench.execute()
    const [first, second] = [bench.pay(swap), bench.pay(swap)]
    await bench.status(swap, first)
    bench.chain.remove(first)
    expect(await bench.stateOf(swap, second)).toBe('processing')
    expect((await bench.payments(swap)).map(({ kind, txHash }) => [kind, txHash])).toEqual([['input', second]])
  })
})

describe('a deposit address that others had sent dust to, all of which came back,', () => {
  const KEEPS = { amount: 1_000n, bps: 0 }
  const dusted = async () => {
    const bench = await start('DEPOSIT', { profile: { refundKeeps: () => KEEPS } })
    const swap = await bench.execute()
    for (let i = 0; i < 8; i += 1) bench.pay(swap, 600n, { height: 100 + i })
    bench.says('refunded', { txHash: bench.giveBack(swap, 3_900n, { height: 200 }) })
    expect(await bench.stateOf(swap)).toBe('refunded')
    bench.pass(60_000)
    return { bench, swap }
  }

  it('is paid when its payment comes at last, whose end is then the swap’s', async () => {
    for (const end of ['success', 'refunded'] as const) {
      const { bench, swap } = await dusted()
      const { endedAt } = await bench.kept(swap)
      bench.pay(swap, PAID_IN - 1n, { height: 300 })
      expect(await bench.stateOf(swap)).toBe('processing')
      expect(await bench.kept(swap)).toMatchObject({ endedAt, status: { state: 'processing', txHash: null } })
      // Its venue still tells of the dust.
      expect(await bench.stateOf(swap)).toBe('expired')
      bench.pass(60_000)
      const txHash = end === 'success' ? bench.deliver(swap) : bench.giveBack(swap, PAID_IN - 1_000n, { height: 400 })
      bench.says(end, { txHash })
      expect(await bench.status(swap)).toMatchObject({ state: end, txHash })
      expect(await bench.stateOf(swap)).toBe(end)
    }
  })

  it('has ended for good as far as what comes is no more than what a refund costs', async () => {
    const { bench, swap } = await dusted()
    bench.pay(swap, 900n, { height: 300 })
    for (let i = 0; i < 3; i += 1) {
      expect(await bench.stateOf(swap)).toBe('refunded')
      bench.pass(60_000)
    }
    expect((await bench.payments(swap)).map(({ amount }) => amount)).toContain(900n)
  })
})

describe('an end', () => {
  const ended = async (standing: 'confirmed' | 'final' = 'confirmed') => {
    const bench = await start('DEPOSIT')
    const swap = await bench.execute()
    bench.pay(swap, PAID_IN, { standing: 'final' })
    const txHash = bench.deliver(swap, LEAST, { standing })
    bench.says('success', done(txHash))
    expect(await bench.stateOf(swap)).toBe('success')
    return { bench, swap, txHash }
  }
  const readsOf = ({ chain }: MoneyBench) => chain.reads.filter(({ method }) => method === 'transaction').length

  it('is taken back with a payout that vanished, and its time stays [status-reorg-reopens]', async () => {
    const { bench, swap, txHash } = await ended()
    const { endedAt } = await bench.kept(swap)
    const seen = bench.deliver(swap, LEAST, { hash: txHash })
    bench.chain.remove(seen)
    bench.pass(60_000)
    expect(await bench.status(swap)).toMatchObject({ state: 'processing', deliveredAmount: null, txHash: null })
    expect(await bench.kept(swap)).toMatchObject({ status: { state: 'processing' }, endedAt })
    expect((await bench.payments(swap)).map(({ kind }) => kind)).toEqual(['input'])
    expect(await bench.stateOf(swap)).toBe('processing')
    bench.deliver(swap, LEAST, { hash: txHash })
    expect(await bench.stateOf(swap)).toBe('success')
    expect(await bench.kept(swap)).toMatchObject({ status: { state: 'success' }, endedAt })
  })

  it('is taken back though the swap had ended long before, for want of a payment', async () => {
    const bench = await start('DEPOSIT')
    const swap = await bench.execute()
    bench.pass(OVER_MS + 1)
    expect(await bench.stateOf(swap)).toBe('failed')
    bench.pass(3 * 86_400_000)
    bench.pay(swap)
    const txHash = bench.deliver(swap)
    bench.says('success', done(txHash))
    expect(await bench.stateOf(swap)).toBe('success')
    bench.chain.remove(txHash)
    expect(await bench.stateOf(swap)).toBe('processing')
  })

  it('is taken back with a refund that failed after all [status-reorg-reopens]', async () => {
    const bench = await start('DEPOSIT')
    const swap = await bench.execute()
    bench.pay(swap, PAID_IN, { standing: 'final' })
    const txHash = bench.giveBack(swap)
    bench.says('refunded', { txHash })
    expect(await bench.stateOf(swap)).toBe('refunded')
    bench.giveBack(swap, PAID_IN, { hash: txHash, isSuccess: false, movements: [] })
    expect(await bench.stateOf(swap)).toBe('processing')
    expect(await bench.stateOf(swap)).toBe('expired')
  })

  it('is not taken back by what cannot be read', async () => {
    const { bench, swap } = await ended()
    bench.chain.isUnreadable = () => true
    expect(await bench.stateOf(swap)).toBe('success')
  })

  it('is read again until its payout is final, and then no more; its venue is not asked', async () => {
    const { bench, swap, txHash } = await ended()
    bench.venue.script.track = fails(new Error('must not be asked'))
    for (let i = 0; i < 2; i += 1) {
      const before = readsOf(bench)
      expect(await bench.stateOf(swap)).toBe('success')
      expect(readsOf(bench) - before).toBe(1)
    }
    bench.deliver(swap, LEAST, { hash: txHash, standing: 'final' })
    await bench.status(swap)
    const before = readsOf(bench)
    for (let i = 0; i < 3; i += 1) expect(await bench.stateOf(swap)).toBe('success')
    expect(readsOf(bench)).toBe(before)
    const other = await ended('final')
    const then = readsOf(other.bench)
    expect(await other.bench.stateOf(other.swap)).toBe('success')
    expect(readsOf(other.bench)).toBe(then)
  })

  it('tells all its payments as final once they are, paid in and out, and however late somebody asks [status-extra-payment]', async () => {
    for (const ageMs of [3_600_000, 3 * 86_400_000]) {
      const bench = await start('TRANSACTION')
      const swap = await bench.execute()
      const hash = bench.pay(swap)
      const txHash = bench.deliver(swap, LEAST, { standing: 'confirmed' })
      bench.says('success', done(txHash))
      expect(await bench.stateOf(swap, hash)).toBe('success')
      bench.pass(ageMs)
      bench.chain.put(callPaying(swap, hash, { standing: 'final' }))
      bench.deliver(swap, LEAST, { hash: txHash, standing: 'final' })
      expect(await bench.stateOf(swap, hash)).toBe('success')
      expect((await bench.payments(swap)).map(({ kind, isFinal }) => [kind, isFinal])).toEqual([
        ['input', true],
        ['output', true],
      ])
    }
  })

  it('is not taken back by a node that has forgotten its payout', async () => {
    const { bench, swap, txHash } = await ended()
    bench.pass(3 * 86_400_000)
    bench.chain.remove(txHash)
    expect(await bench.stateOf(swap)).toBe('success')
  })

  it('is what a restarted service tells', async () => {
    const { bench, swap } = await ended('final')
    const again = await startMoneyBench('DEPOSIT', {}, { from: bench, chain: bench.chain })
    again.venue.script.track = fails(new Error('must not be asked'))
    expect(await again.status(swap)).toMatchObject({ state: 'success', deliveredAmount: LEAST })
  })
})

it('a payment that the chain takes back before anything is final puts the swap back to what its venue says', async () => {
  const bench = await start('TRANSACTION')
  const swap = await bench.execute()
  const hash = bench.pay(swap)
  expect(await bench.stateOf(swap, hash)).toBe('processing')
  bench.chain.remove(hash)
  bench.saysOf(swap, statusOf('pending'))
  expect(await bench.stateOf(swap, hash)).toBe('pending')
  expect(await bench.payments(swap)).toEqual([])
  bench.chain.put(callPaying(swap, hash, { standing: 'final' }))
  expect(await bench.stateOf(swap, hash)).toBe('processing')
  const reads = bench.chain.reads.length
  await bench.status(swap, hash)
  expect(bench.chain.reads.length).toBe(reads)
})
