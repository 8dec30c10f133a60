import { describe, expect, it } from 'vitest'
import { NATIVE } from '../../../engine/core/asset.ts'
import { VenueError } from '../../../engine/venues/venueError.ts'
import { hashOf, movement, seenTransaction } from '../../support/fakeEvidence.ts'
import { type FakeVenueOptions, fails } from '../../support/fakeVenue.ts'
import { callPaying, type Executed, OTHER, OVER_MS, PAID_IN } from '../../support/moneyBench.ts'
import { log, TOY_EVENTS } from '../../support/toyEvents.ts'
import { HOUR, INTERVAL, type SettlementBench, startSettlementBench } from './settlementBench.ts'

const FROM_COINS = { from: [1, NATIVE] } as const

const start = async (wish: object = {}, options: FakeVenueOptions = {}) => {
  const on = await startSettlementBench('TRANSACTION', options)
  const swap = await on.execute(wish)
  on.says('processing')
  const refOf = async (one: Executed = swap) => (await on.kept(one)).ref
  return { on, swap, refOf }
}

const readsOf = ({ chain }: SettlementBench, method: string) =>
  chain.reads.filter((read) => read.method === method).map(({ of }) => of)
const refsAsked = ({ venue }: SettlementBench) => venue.calls.track.map(({ ref }) => ref)

/** Another payment of the swap's sender, in the same token. */
const paysOther = (on: SettlementBench, swap: Executed, number: number, height: number) => {
  const { input, sender } = swap.record.swap.order
  const call = { from: sender, to: OTHER, data: '0x', value: 0n } as const
  const movements = [movement(input, OTHER, PAID_IN, { from: sender })]
  on.chain.put(seenTransaction({ chainId: 1, hash: hashOf(number), height, at: on.clock.at, call, movements }))
  return hashOf(number)
}

describe('a transaction that no client reports', () => {
  it('is found on its chain, ends its swap and notifies the partner [settlement-unreported-payment]', async () => {
    const { on, swap } = await start()
    for (let i = 0; i < 2; i += 1) await on.pass()
    expect([readsOf(on, 'sentBy').length, on.venue.calls.track]).toEqual([2, []])
    const hash = on.pay(swap)
    on.succeeds(swap)
    expect(await on.pass()).toMatchObject({ looked: 1, ended: 1 })
    expect(await on.kept(swap)).toMatchObject({ ref: hash, status: { state: 'success' } })
    expect(await on.told()).toEqual(['swap.settled'])
  })

  it('is distinguished from other transactions of its wallet, and goes to its own swap', async () => {
    const { on, swap: first, refOf } = await start()
    const second = await on.execute({ amount: 2n * PAID_IN })
    const strangers = [paysOther(on, first, 801, 900), paysOther(on, first, 802, 901)]
    const hash = on.pay(second)
    await on.pass()
    expect([await refOf(first), await refOf(second)]).toEqual([null, hash])
    expect(readsOf(on, 'transaction')).toEqual(expect.arrayContaining(strangers))
    expect(refsAsked(on)).toEqual([hash])
  })

  it('is found behind 20 others, with eight reads a pass', async () => {
    const { on, swap, refOf } = await start()
    for (let number = 0; number < 20; number += 1) paysOther(on, swap, 900 + number, 100 + number)
    const hash = on.pay(swap, PAID_IN, { height: 300 })
    on.chain.reached = 1_000
    for (const ref of [null, null, hash]) {
      await on.pass()
      expect(await refOf()).toBe(ref)
    }
    expect(readsOf(on, 'transaction').length).toBeLessThanOrEqual(8 * 3)
  })

  it('is found in a later pass when its chain was unreadable', async () => {
    const { on, swap, refOf } = await start()
    const hash = on.pay(swap)
    on.chain.reached = 5_000
    on.chain.isUnreadable = ({ method, of }) => method === 'transaction' && of === hash
    await on.pass()
    expect(await refOf()).toBeNull()
    on.chain.isUnreadable = ({ method }) => method === 'sentBy'
    await on.pass()
    on.chain.isUnreadable = () => false
    await on.pass()
    expect(await refOf()).toBe(hash)
  })

  it('in coins is the successful one after a failed one', async () => {
    const { on, swap } = await start(FROM_COINS)
    on.chain.put(callPaying(swap, hashOf(700), { isSuccess: false, height: 500, at: on.clock.at }))
    const hash = on.pay(swap)
    on.succeeds(swap)
    await on.pass()
    expect(await on.kept(swap)).toMatchObject({ ref: hash, status: { state: 'success' } })
  })

  it('is not searched for after its deadline, and its swap does not fail, since it may have been sent', async () => {
    const { on, swap } = await start()
    for (const ms of [OVER_MS + INTERVAL + 1, HOUR, HOUR]) await on.pass(ms)
    expect(readsOf(on, 'sentBy')).toHaveLength(1)
    expect([await on.stored(swap), await on.told()]).toEqual(['pending', []])
  })
})

describe('an unreported transaction of a wallet that its chain cannot search', () => {
  const unsearchable = async (events: FakeVenueOptions['events'] = null) => {
    const on = await startSettlementBench('TRANSACTION', { events })
    on.venue.script.alter = (execution) => ({ ...execution, venueRef: 'toy-request' })
    const swap = await on.execute(FROM_COINS)
    const { sender } = swap.record.swap.order
    on.chain.withCode.add(sender)
    return { on, swap, sender, refOf: async () => (await on.kept(swap)).ref }
  }

  it('is the one that the venue names once it answers, if the chain shows that it pays the order', async () => {
    const { on, swap, sender, refOf } = await unsearchable(TOY_EVENTS)
    const { track } = on.venue.script
    on.venue.script.track = fails(new VenueError('unavailable', 'down'))
    expect([await on.pass(), await on.stored(swap)]).toMatchObject([{ looked: 1, failed: 0 }, 'pending'])
    on.venue.script.track = track
    // A contract wallet pays by a bundle.
    const call = { from: OTHER, to: sender, data: '0x', value: 0n } as const
    const hash = on.pay(swap, PAID_IN, { call, movements: [], logs: [log(4, 'paid', 'order-7', PAID_IN)] })
    const stranger = hashOf(660)
    on.chain.put(seenTransaction({ chainId: 1, hash: stranger, at: on.clock.at, call }))
    for (const [paidBy, ref] of [
      [[stranger], null],
      [[stranger, hash], hash],
    ] as const) {
      on.says('processing', { paidBy })
      await on.pass()
      expect(await refOf()).toBe(ref)
    }
    expect(refsAsked(on)).toEqual(['toy-request', 'toy-request', 'toy-request', hash])
  })

  it('is the one that the venue names when the node has pruned the search', async () => {
    const { on, swap, sender, refOf } = await unsearchable()
    on.chain.withCode.delete(sender)
    const hash = on.pay(swap)
    on.chain.reached = null
    on.chain.sentBy = async () => ({ transactions: [], reached: null, at: null })
    on.says('processing', { paidBy: [hash] })
    await on.pass()
    expect(await refOf()).toBe(hash)
  })
})
