import { describe, expect, it } from 'vitest'
import { nativeAsset } from '../../../../engine/core/asset.ts'
import type { UnfilledReader } from '../../../../engine/venues/venue.ts'
import { done, NO_HASH, OVER_MS, PAID_IN, sendsOn, startMoneyBench } from '../../../support/moneyBench.ts'
import { START_AT } from '../../../support/testEngine.ts'
import { closedAfterEach } from '../../../support/venueKit/benches.ts'

/** What is told, and when a swap has ended. */

const start = closedAfterEach(startMoneyBench)

const failed = { isSuccess: false } as const

describe('a transaction that failed [status-failed-needs-certainty]', () => {
  it('is told so for its ref, and the swap is paid by another', async () => {
    const bench = await start('TRANSACTION')
    const swap = await bench.execute()
    bench.says('success', done(bench.deliver(swap)))
    const [reverted, second] = [bench.pay(swap, PAID_IN, failed), bench.pay(swap)]
    expect(await bench.stateOf(swap, reverted)).toBe('failed')
    expect(bench.venue.calls.track).toEqual([])
    expect(await bench.kept(swap)).toMatchObject({ endedAt: null, ref: null, status: { state: 'pending' } })
    expect(await bench.stateOf(swap, second)).toBe('success')
    expect(await bench.kept(swap)).toMatchObject({ endedAt: START_AT, ref: second })
    expect(await bench.stateOf(swap, reverted)).toBe('failed')
    expect(await bench.stateOf(swap, second)).toBe('success')
  })

  it('ends the swap only once the deadline has passed, by our time and by the chain’s', async () => {
    const bench = await start('TRANSACTION')
    const swap = await bench.execute()
    const reverted = bench.pay(swap, PAID_IN, failed)
    bench.clock.at = START_AT + OVER_MS + 60_000
    bench.chain.confirmedAt = START_AT + OVER_MS
    expect(await bench.stateOf(swap, reverted)).toBe('failed')
    expect((await bench.kept(swap)).endedAt).toBeNull()
    bench.chain.confirmedAt += 1
    expect(await bench.stateOf(swap, reverted)).toBe('failed')
    expect(await bench.kept(swap)).toMatchObject({ endedAt: bench.clock.at, status: { state: 'failed' } })
  })

  it('that a stranger sent is none of the swap’s', async () => {
    const bench = await start('TRANSACTION')
    const swap = await bench.execute()
    const call = { from: swap.record.swap.order.sender, to: null, data: '0x' as const, value: 0n }
    expect(await bench.stateOf(swap, bench.pay(swap, PAID_IN, { ...failed, call }))).toBe('not_found')
  })
})

describe('a transaction that nobody ever saw [status-failed-needs-certainty]', () => {
  it('never failed, however late: nothing tells that it was sent, and another may have paid', async () => {
    const bench = await start('TRANSACTION')
    const swap = await bench.execute()
    for (const word of ['pending', 'not_found'] as const) {
      bench.says(word)
      bench.pass(OVER_MS + 1)
      expect(await bench.stateOf(swap, NO_HASH)).toBe(word)
    }
    for (const word of ['failed', 'refunded', 'expired', 'success'] as const) {
      bench.says(word)
      expect(['pending', 'processing']).toContain(await bench.stateOf(swap, NO_HASH))
    }
    expect(await bench.kept(swap)).toMatchObject({ ref: null, endedAt: null })
  })

  it('takes nothing from the one that paid, whose end is the only one', async () => {
    const bench = await start('TRANSACTION')
    const swap = await bench.execute()
    const paid = bench.pay(swap)
    bench.pass(OVER_MS + 1)
    expect(await bench.stateOf(swap, NO_HASH)).toBe('pending')
    bench.pass(60_000)
    bench.says('success', done(bench.deliver(swap)))
    expect(await bench.stateOf(swap, paid)).toBe('success')
    expect(await bench.kept(swap)).toMatchObject({ ref: paid, endedAt: bench.clock.at, status: { state: 'success' } })
    expect(await bench.stateOf(swap, NO_HASH)).toBe('processing')
  })
})

describe('a payment that the chain took back', () => {
  it('leaves its swap pending though its venue knows nothing of it any more, and failed after the deadline', async () => {
    const bench = await start('TRANSACTION')
    const swap = await bench.execute()
    const hash = bench.pay(swap)
    bench.says('processing')
    expect(await bench.stateOf(swap, hash)).toBe('processing')
    bench.chain.remove(hash)
    bench.says('pending')
    expect(await bench.stateOf(swap, hash)).toBe('pending')
    bench.says('not_found')
    expect(await bench.stateOf(swap, hash)).toBe('pending')
    expect(await bench.stateOf(swap, NO_HASH)).toBe('not_found')
    bench.pass(OVER_MS + 1)
    expect(await bench.stateOf(swap, hash)).toBe('failed')
    expect(await bench.kept(swap)).toMatchObject({ endedAt: bench.clock.at, status: { state: 'failed' } })
  })
})

describe('an order that is placed by a transaction', () => {
  it('has failed when its contract knows of none after its deadline, whatever its book says, and is paid if it was placed after all', async () => {
    let isUnfilled = false
    const bench = await start('TRANSACTION', { unfilled: { isUnfilled: async () => isUnfilled } })
    const swap = await bench.execute()
    const hash = bench.pay(swap)
    bench.says('processing')
    expect(await bench.stateOf(swap, hash)).toBe('processing')
    bench.chain.remove(hash)
    bench.says('expired')
    expect(await bench.stateOf(swap, hash)).toBe('pending')
    isUnfilled = true
    expect(await bench.stateOf(swap, hash)).toBe('pending')
    isUnfilled = false
    bench.pass(OVER_MS + 1)
    expect(await bench.stateOf(swap, hash)).toBe('pending')
    isUnfilled = true
    expect(await bench.stateOf(swap, hash)).toBe('failed')
    expect(await bench.kept(swap)).toMatchObject({ endedAt: bench.clock.at, status: { state: 'failed' } })
    const second = bench.pay(swap)
    bench.says('processing')
    expect(await bench.stateOf(swap, second)).toBe('processing')
  })
})

describe('a deposit', () => {
  it('that nobody pays is pending until its address’s life is over, whatever its venue says of it, and then failed', async () => {
    for (const state of ['pending', 'expired', 'failed', 'not_found', 'refunded'] as const) {
      const bench = await start('DEPOSIT')
      const swap = await bench.execute()
      bench.says(state)
      expect(await bench.stateOf(swap)).toBe('pending')
      bench.pass(OVER_MS + 1)
      expect(await bench.stateOf(swap)).toBe('failed')
      expect((await bench.kept(swap)).endedAt).toBe(bench.clock.at)
    }
  })

  it('whose address is in use has not failed: somebody paid something', async () => {
    const bench = await start('DEPOSIT')
    const swap = await bench.execute()
    bench.chain.inUse.add(swap.record.swap.binding.recipient)
    const { payload } = swap.record.swap.execution
    if (payload.executionType === 'DEPOSIT') bench.chain.inUse.add(payload.deposit.address)
    bench.pass(OVER_MS + 1)
    expect(await bench.stateOf(swap)).toBe('pending')
  })

  it('has not failed before its address’s life is over by our own time too', async () => {
    const bench = await start('DEPOSIT')
    const swap = await bench.execute()
    bench.chain.confirmedAt = START_AT + OVER_MS + 1
    bench.says('failed')
    expect(await bench.stateOf(swap)).toBe('pending')
  })

  it('is not paid by what its address got before, nor by its being in use where tokens are paid', async () => {
    const bench = await start('DEPOSIT')
    const swap = await bench.execute()
    const old = bench.pay(swap, PAID_IN, { at: START_AT - 6 * 60_000 })
    bench.says('success', { ...done(bench.deliver(swap)), paidBy: [old] })
    expect(await bench.stateOf(swap)).toBe('processing')
    bench.says('refunded', { txHash: bench.giveBack(swap), paidBy: [old] })
    expect(await bench.stateOf(swap)).toBe('pending')
    expect(await bench.payments(swap)).toEqual([])
  })

  it('that is paid late reopens the swap that had failed, and is told as what became of it [status-deposit-late-or-parts]', async () => {
    for (const [word, told] of [
      ['pending', 'processing'],
      ['processing', 'processing'],
      ['expired', 'expired'],
      ['success', 'success'],
    ] as const) {
      const bench = await start('DEPOSIT')
      const swap = await bench.execute()
      bench.pass(OVER_MS + 1)
      expect(await bench.stateOf(swap)).toBe('failed')
      const { endedAt } = await bench.kept(swap)
      bench.pass(60_000)
      bench.pay(swap)
      bench.says(word, word === 'success' ? done(bench.deliver(swap)) : {})
      expect(await bench.stateOf(swap)).toBe(told)
      expect(await bench.kept(swap)).toMatchObject({ status: { state: told }, endedAt })
    }
  })

  it('that is paid in parts is paid when they come to enough, and what comes then is extra [status-deposit-late-or-parts]', async () => {
    const bench = await start('DEPOSIT')
    const swap = await bench.execute()
    bench.says('processing')
    bench.pay(swap, 400_000n, { height: 1 })
    expect(await bench.stateOf(swap)).toBe('processing')
    bench.pay(swap, 600_000n, { height: 2 })
    bench.pay(swap, 100_000n, { height: 3 })
    await bench.status(swap)
    expect((await bench.payments(swap)).map(({ kind, amount }) => [kind, amount])).toEqual([
      ['input', 400_000n],
      ['input', 600_000n],
      ['extra', 100_000n],
    ])
  })

  it('in coins that a contract sent is seen by what it gained, and where that is forgotten by its being in use', async () => {
    for (const keepsState of [true, false]) {
      const bench = await start('DEPOSIT')
      const swap = await bench.execute({ from: [1, nativeAsset(1).address] })
      const { payload } = swap.record.swap.execution
      if (payload.executionType !== 'DEPOSIT') throw new TypeError('no deposit')
      const { address } = payload.deposit
      const paidBy = bench.pay(swap, 0n, sendsOn(address, 50))
      bench.chain.inUse.add(address)
      bench.chain.gain({ chainId: 1, height: 50, recipient: address }, PAID_IN)
      bench.chain.stateSince = keepsState ? 0 : 51
      bench.says('success', { ...done(bench.deliver(swap)), paidBy: [paidBy] })
      expect(await bench.stateOf(swap)).toBe('success')
      expect((await bench.payments(swap)).filter(({ kind }) => kind === 'input')).toHaveLength(keepsState ? 1 : 0)
    }
  })

  it('of which its venue names a transaction is looked for there, and not searched for', async () => {
    const bench = await start('DEPOSIT')
    const swap = await bench.execute()
    bench.says('processing', { paidBy: [bench.pay(swap)] })
    await bench.status(swap)
    expect(bench.chain.reads.map(({ method }) => method)).toEqual(['transaction'])
    expect(await bench.payments(swap)).toMatchObject([{ kind: 'input', amount: PAID_IN }])
  })
})

describe('a signed order [status-failed-needs-certainty]', () => {
  const signed = async (isUnfilled: UnfilledReader['isUnfilled']) => {
    const bench = await start('SIGNATURE', { unfilled: { isUnfilled } })
    const swap = await bench.execute()
    await bench.store.swaps.setPosting(swap.id)
    return { bench, swap }
  }

  it('fails when its deadline has passed and nothing of it was filled', async () => {
    let isUnfilled = false
    const { bench, swap } = await signed(async () => isUnfilled)
    for (const state of ['failed', 'expired', 'pending'] as const) {
      bench.says(state)
      expect(await bench.stateOf(swap)).toBe('pending')
    }
    bench.pass(OVER_MS + 1)
    expect(await bench.stateOf(swap)).toBe('pending')
    isUnfilled = true
    expect(await bench.stateOf(swap)).toBe('failed')
  })

  it('does not where its venue cannot tell from the chain', async () => {
    const bench = await start('SIGNATURE')
    const swap = await bench.execute()
    await bench.store.swaps.setPosting(swap.id)
    bench.says('failed')
    bench.pass(OVER_MS + 1)
    expect(await bench.stateOf(swap)).toBe('pending')
  })
})
