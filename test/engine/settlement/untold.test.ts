import { afterEach, describe, expect, it } from 'vitest'
import { NATIVE } from '../../../engine/core/asset.ts'
import { VenueError } from '../../../engine/venues/venueError.ts'
import { hashOf, movement, seenTransaction } from '../../support/fakeEvidence.ts'
import type { FakeVenueOptions } from '../../support/fakeVenue.ts'
import { callPaying, done, OTHER, OVER_MS, PAID_IN } from '../../support/moneyBench.ts'
import { log, TOY_EVENTS } from '../../support/toyEvents.ts'
import { closeBenches, HOUR, INTERVAL, type SettlementBench, startSettlementBench } from './settlementBench.ts'

afterEach(closeBenches)

const FROM_COINS = { from: [1, NATIVE] } as const

const searched = ({ chain }: SettlementBench) => chain.reads.filter(({ method }) => method === 'sentBy').length
const looked = ({ chain }: SettlementBench) => chain.reads.filter(({ method }) => method === 'transaction').map(({ of }) => of)

/** Something else that the sender of a swap pays of the same token. */
const pays = (on: SettlementBench, swap: Awaited<ReturnType<SettlementBench['execute']>>, number: number, height: number) => {
  const { input, sender } = swap.record.swap.order
  const call = { from: sender, to: OTHER, data: '0x', value: 0n } as const
  const movements = [movement(input, OTHER, PAID_IN, { from: sender })]
  const hash = hashOf(number)
  on.chain.put(seenTransaction({ chainId: 1, hash, height, at: on.clock.at, call, movements }))
  return hash
}

describe('a transaction that its wallet tells nobody of', () => {
  it.each([
    ['a token', {}],
    ['coins', FROM_COINS],
  ])(
    'is found on its chain where it pays %s: the swap ends, and its partner is told [settlement-unreported-payment]',
    async (_what, wish) => {
      const on = await startSettlementBench('TRANSACTION')
      const swap = await on.execute(wish)
      await on.pass()
      const hash = on.pay(swap)
      on.says('success', done(on.deliver(swap)))
      expect(await on.pass()).toMatchObject({ looked: 1, ended: 1 })
      expect(await on.kept(swap)).toMatchObject({ ref: hash, status: { state: 'success' } })
      expect(await on.told()).toEqual(['swap.settled'])
    },
  )

  it('costs its venue no ask before it is found', async () => {
    const on = await startSettlementBench('TRANSACTION')
    await on.execute()
    await on.pass()
    await on.pass()
    expect([searched(on), on.venue.calls.track]).toEqual([2, []])
  })

  it('is none of the others that its wallet sent, and goes to no other swap', async () => {
    const on = await startSettlementBench('TRANSACTION')
    const [first, second] = [await on.execute(), await on.execute({ amount: 2n * PAID_IN })]
    const strangers = [pays(on, first, 801, 900), pays(on, first, 802, 901)]
    const hash = on.pay(second)
    on.says('processing')
    await on.pass()
    expect([(await on.kept(first)).ref, (await on.kept(second)).ref]).toEqual([null, hash])
    expect(looked(on)).toEqual(expect.arrayContaining(strangers))
    expect(on.venue.calls.track.map(({ ref }) => ref)).toEqual([hash])
  })

  it('is looked for eight at a time, and behind those', async () => {
    const on = await startSettlementBench('TRANSACTION')
    const swap = await on.execute()
    for (let number = 0; number < 20; number += 1) pays(on, swap, 900 + number, 100 + number)
    const hash = on.pay(swap, PAID_IN, { height: 300 })
    on.chain.reached = 1_000
    on.says('processing')
    const refs: (string | null)[] = []
    for (let pass = 0; pass < 3; pass += 1) {
      await on.pass()
      refs.push((await on.kept(swap)).ref)
    }
    expect(refs).toEqual([null, null, hash])
    expect(looked(on).length).toBeLessThanOrEqual(8 * 3)
  })

  it('is found by the next look where its chain could not be read', async () => {
    const on = await startSettlementBench('TRANSACTION')
    const swap = await on.execute()
    const hash = on.pay(swap)
    on.chain.reached = 5_000
    on.says('processing')
    on.chain.isUnreadable = ({ method, of }) => method === 'transaction' && of === hash
    await on.pass()
    expect((await on.kept(swap)).ref).toBeNull()
    on.chain.isUnreadable = ({ method }) => method === 'sentBy'
    await on.pass()
    on.chain.isUnreadable = () => false
    await on.pass()
    expect((await on.kept(swap)).ref).toBe(hash)
  })

  it('is the one that succeeded, where others failed before', async () => {
    const on = await startSettlementBench('TRANSACTION')
    const swap = await on.execute(FROM_COINS)
    on.chain.put(callPaying(swap, hashOf(700), { isSuccess: false, height: 500, at: on.clock.at }))
    const hash = on.pay(swap)
    on.says('success', done(on.deliver(swap)))
    await on.pass()
    expect(await on.kept(swap)).toMatchObject({ ref: hash, status: { state: 'success' } })
    expect(await on.told()).toEqual(['swap.settled'])
  })

  it('was told, while its venue was out of reach: it is what the chain showed', async () => {
    const on = await startSettlementBench('TRANSACTION')
    const swap = await on.execute()
    const hash = on.pay(swap)
    on.venue.script.track = () => Promise.reject(new Error('down'))
    expect(await on.stateOf(swap, hash)).toBe('processing')
    expect((await on.kept(swap)).ref).toBe(hash)
    await on.pass()
    expect(searched(on)).toBe(0)
  })

  describe('where its chain cannot tell,', () => {
    const start = async (events: FakeVenueOptions['events'] = null) => {
      const on = await startSettlementBench('TRANSACTION', { events })
      on.venue.script.alter = (execution) => ({ ...execution, venueRef: 'toy-request' })
      return { on, swap: await on.execute(FROM_COINS) }
    }

    it('is the one that the venue names for its own order, if the chain shows it to be', async () => {
      const { on, swap } = await start(TOY_EVENTS)
      const { sender } = swap.record.swap.order
      on.chain.withCode.add(sender)
      // A bundle that a contract wallet pays by.
      const call = { from: OTHER, to: sender, data: '0x', value: 0n } as const
      const hash = on.pay(swap, PAID_IN, { call, movements: [], logs: [log(4, 'paid', 'order-7', PAID_IN)] })
      const stranger = hashOf(660)
      on.chain.put(seenTransaction({ chainId: 1, hash: stranger, at: on.clock.at, call }))
      on.says('processing', { paidBy: [stranger] })
      await on.pass()
      expect((await on.kept(swap)).ref).toBeNull()
      on.says('processing', { paidBy: [stranger, hash] })
      await on.pass()
      expect((await on.kept(swap)).ref).toBe(hash)
      expect(on.venue.calls.track.map(({ ref }) => ref)).toEqual(['toy-request', 'toy-request', hash])
    })

    it('is that one too where the node no longer keeps what it was asked', async () => {
      const { on, swap } = await start()
      const hash = on.pay(swap)
      on.chain.reached = null
      on.chain.sentBy = async () => ({ transactions: [], reached: null, at: null })
      on.says('processing', { paidBy: [hash] })
      await on.pass()
      expect((await on.kept(swap)).ref).toBe(hash)
    })

    it('is asked about further and further apart', async () => {
      const { on, swap } = await start()
      on.chain.withCode.add(swap.record.swap.order.sender)
      on.says('pending')
      for (let pass = 0; pass < 24; pass += 1) await on.pass(30_000)
      expect(on.venue.calls.track.length).toBeLessThanOrEqual(6)
      expect(on.venue.calls.track.length).toBeGreaterThan(1)
    })

    it('stays open where the venue is in trouble too', async () => {
      const { on, swap } = await start()
      on.chain.withCode.add(swap.record.swap.order.sender)
      on.venue.script.track = () => Promise.reject(new VenueError('unavailable', 'down'))
      expect(await on.pass()).toMatchObject({ looked: 1, failed: 0 })
      expect((await on.kept(swap)).status.state).toBe('pending')
    })
  })

  it('is not waited for once it can no longer land, and the swap is no failure: nobody knows that it was sent', async () => {
    const on = await startSettlementBench('TRANSACTION')
    const swap = await on.execute()
    await on.pass(OVER_MS + INTERVAL + 1)
    await on.pass(HOUR)
    await on.pass(HOUR)
    expect(searched(on)).toBe(1)
    expect((await on.kept(swap)).status.state).toBe('pending')
    expect(await on.told()).toEqual([])
  })
})
