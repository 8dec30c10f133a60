import { afterEach, describe, expect, it } from 'vitest'
import { nativeAsset } from '../../../../engine/core/asset.ts'
import { WALLETS } from '../../../support/anOrder.ts'
import { pair, TOKENS } from '../../../support/fakeChains.ts'
import { movement } from '../../../support/fakeEvidence.ts'
import { type FakeVenueOptions, TOY_CONTRACT } from '../../../support/fakeVenue.ts'
import { LEAST, type MoneyBench, NO_HASH, OVER_MS, PAID_IN, startMoneyBench } from '../../../support/moneyBench.ts'
import { TOY_EVENTS } from '../../../support/toyEvents.ts'

/** A swap within one chain whose transaction takes the input and pays the output: the chain alone tells of it. */

const { usdcEthereum: USDC, usdtEthereum: USDT } = TOKENS
const SWAP = { from: pair(USDC), to: pair(USDT) }

const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

const start = async (options: FakeVenueOptions = { tracker: null }): Promise<MoneyBench> => {
  const bench = await startMoneyBench('TRANSACTION', options)
  closers.push(() => bench.close())
  return bench
}

const taken = movement(USDC, TOY_CONTRACT, PAID_IN, { from: WALLETS.evm, place: 'log:0' })
const paid = (amount: bigint, place = 'log:1') => movement(USDT, WALLETS.evm, amount, { from: TOY_CONTRACT, place })

describe('a swap that one transaction makes [status-single-transaction]', () => {
  it('ends in success by its own transaction, without a word of its venue', async () => {
    const bench = await start({})
    const swap = await bench.execute(SWAP)
    const hash = bench.pay(swap, PAID_IN, { movements: [taken, paid(LEAST)] })
    expect(await bench.status(swap, hash)).toMatchObject({
      state: 'success',
      txHash: hash,
      deliveredAmount: LEAST,
      isTracked: true,
    })
    expect(bench.venue.calls.track).toEqual([])
  })

  it('is followed where its venue has no tracker, and pending until its transaction is there', async () => {
    const bench = await start()
    const swap = await bench.execute(SWAP)
    expect(await bench.status(swap, NO_HASH)).toMatchObject({ state: 'pending', isTracked: true })
    const hash = bench.pay(swap, PAID_IN, { movements: [taken, paid(LEAST)] })
    expect(await bench.stateOf(swap, hash)).toBe('success')
  })

  it('is no success where the recipient got less than was guaranteed, or another did', async () => {
    const bench = await start()
    for (const movements of [
      [taken, paid(LEAST - 1n)],
      [taken, movement(USDT, TOY_CONTRACT, LEAST, { from: TOY_CONTRACT, place: 'log:1' })],
      [taken],
    ]) {
      const swap = await bench.execute(SWAP)
      const hash = bench.pay(swap, PAID_IN, { movements })
      expect(await bench.stateOf(swap, hash)).toBe('processing')
    }
  })

  it('has two payouts where one transaction makes it twice, each one swap\u2019s', async () => {
    const bench = await start()
    const [one, other] = [await bench.execute(SWAP), await bench.execute(SWAP)]
    const twice = [taken, paid(LEAST), { ...taken, place: 'log:2' }, paid(LEAST, 'log:3')]
    const hash = bench.pay(one, PAID_IN, { movements: twice })
    expect([await bench.stateOf(one, hash), await bench.stateOf(other, hash)]).toEqual(['success', 'success'])
    const third = await bench.execute(SWAP)
    expect(await bench.stateOf(third, hash)).not.toBe('success')
  })

  it('has failed where its transaction reverted, for good once its deadline has passed', async () => {
    const bench = await start()
    const swap = await bench.execute(SWAP)
    const hash = bench.pay(swap, PAID_IN, { isSuccess: false })
    expect(await bench.stateOf(swap, hash)).toBe('failed')
    expect((await bench.kept(swap)).status.state).toBe('pending')
    bench.pass(OVER_MS + 1)
    expect(await bench.stateOf(swap, hash)).toBe('failed')
    expect((await bench.kept(swap)).status.state).toBe('failed')
  })

  it('has not failed by a block that a reorganisation may still take away', async () => {
    const bench = await start()
    const swap = await bench.execute(SWAP)
    const hash = bench.pay(swap, PAID_IN, { isSuccess: false, standing: 'fresh' })
    expect(await bench.stateOf(swap, hash)).toBe('pending')
    bench.pay(swap, PAID_IN, { hash, isSuccess: false })
    expect(await bench.stateOf(swap, hash)).toBe('failed')
  })

  it('is recognised by the call where the contracts tell only of what they pay', async () => {
    const bench = await start({ events: { ...TOY_EVENTS, inputs: async () => null, outputs: async () => null } })
    const swap = await bench.execute({ ...SWAP, from: pair(nativeAsset(1)) })
    const hash = bench.pay(swap, PAID_IN, {
      movements: [movement(nativeAsset(1), TOY_CONTRACT, PAID_IN, { from: WALLETS.evm, place: 'value' }), paid(LEAST)],
    })
    expect(await bench.stateOf(swap, hash)).toBe('success')
  })
})
