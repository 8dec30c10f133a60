import { expect, it } from 'vitest'
import { NATIVE } from '../../../engine/core/asset.ts'
import { VenueError } from '../../../engine/venues/venueError.ts'
import { hashOf, movement, seenTransaction } from '../../support/fakeEvidence.ts'
import { type FakeVenueOptions, fails } from '../../support/fakeVenue.ts'
import { callPaying, done, type Executed, LEAST, OTHER, OVER_MS, PAID_IN } from '../../support/moneyBench.ts'
import { log, TOY_EVENTS } from '../../support/toyEvents.ts'
import { delivered, HOUR, INTERVAL, PARTNER, paid, type SettlementBench, startBench } from './settlementBench.ts'

it.each([
  ['a swap that was executed with a key', {}, {}, {}, true],
  ['no swap without a key and a fee', { partnerId: null, feeBps: null }, {}, {}, false],
  ['no sandbox swap', {}, { sandbox: true }, {}, false],
  ['a swap without a key by which the operator earns', { partnerId: null, feeBps: null }, {}, { FEE_SCHEDULE: 'route' }, true],
] as const)('settlement follows %s', async (_name, caller, order, env, isFollowed) => {
  const on = await startBench('DEPOSIT', {}, { caller: { tier: 'selfServe', partnerId: PARTNER, ...caller }, env })
  const queued = await on.queued(await on.execute(order))
  expect(queued).toEqual(isFollowed ? expect.objectContaining({ venue: 'toy', isPaid: false, dueAt: on.clock.at }) : null)
})

it('settlement follows a swap again when /status finds a later payment', async () => {
  const { on, swap } = await paid()
  await on.store.settlement.remove(swap.id)
  await on.status(swap)
  expect(await on.queued(swap)).toMatchObject({ isPaid: true })
})

it('a pass ends a swap that no client polls, and notifies its partner once [settlement-ends-swaps]', async () => {
  const { on, swap } = await delivered()
  expect(await on.pass()).toMatchObject({ looked: 1, ended: 1, failed: 0, open: 1, isCut: false })
  expect(await on.stored(swap)).toBe('success')
  await on.pass()
  expect([await on.stateOf(swap), await on.told()]).toEqual(['success', ['swap.settled']])
  expect(on.reported('settlement.pass')[0]).toMatchObject({ looked: 1, ended: 1, open: 1, oldestMs: 300_000 })
})

it.each([
  ['delivered at the guaranteed minimum', LEAST, { event: 'swap.settled', deliveredOut: `${LEAST}`, slippageBps: 50 }],
  ['delivered a unit less than quoted', 999_999n, { event: 'swap.settled', deliveredOut: '999999', slippageBps: 1 }],
  ['delivered above the quote', 1_000_001n, { event: 'swap.settled', deliveredOut: '1000001', slippageBps: 0 }],
  ['refunded', null, { event: 'swap.refunded', deliveredOut: null, slippageBps: null }],
])('a pass reports a swap %s by the amount of the chain, and follows a refund for a day', async (_what, amount, event) => {
  const { on, swap } = await paid()
  if (amount === null) on.says('refunded', { txHash: on.giveBack(swap) })
  else on.says('success', { txHash: on.deliver(swap, amount) })
  await on.pass()
  const document = { requestId: swap.record.requestId, partnerId: PARTNER, venue: 'toy', ...event }
  expect(await on.feed()).toMatchObject([{ document }])
  await on.pass(2 * HOUR)
  expect(await on.queued(swap)).not.toBeNull()
  await on.pass(23 * HOUR)
  expect((await on.queued(swap)) === null).toBe(amount === null)
})

it('a pass removes a swap from the queue when its end is final, and keeps it longer than a day until then', async () => {
  const { on, swap, hash } = await delivered('TRANSACTION')
  await on.pass()
  on.chain.isUnreadable = () => true
  await on.pass(25 * HOUR)
  expect(await on.queued(swap)).not.toBeNull()
  on.chain.isUnreadable = () => false
  on.deliver(swap, LEAST, { hash, standing: 'final' })
  await on.pass(7 * HOUR)
  expect(await on.queued(swap)).toBeNull()
  expect(await on.pass()).toMatchObject({ looked: 0, open: 0 })
})

it('a pass reads a swap again whose end a reorganisation removed, and sends one webhook for both ends', async () => {
  const { on, swap, hash } = await delivered()
  await on.store.webhooks.set({ partnerId: PARTNER, url: 'https://hooks.example/', sealedSecret: 'sealed' })
  await on.pass()
  on.chain.remove(hash)
  on.says('processing')
  await on.pass()
  expect([await on.stored(swap), await on.told()]).toEqual(['processing', ['swap.settled']])
  expect(await on.queued(swap)).toMatchObject({ isPaid: true })
  on.succeeds(swap)
  await on.pass()
  expect((await on.feed()).map(({ event, delivery }) => [event, delivery !== 'none'])).toEqual([
    ['swap.settled', true],
    ['swap.settled', false],
  ])
})

it('a pass fails a swap that was never paid, and settles it when a payment comes later', async () => {
  const on = await startBench()
  const swap = await on.execute()
  await on.pass(OVER_MS + 1)
  expect(await on.stored(swap)).toBe('failed')
  on.pay(swap)
  on.succeeds(swap)
  await on.pass()
  expect([await on.stored(swap), await on.told()]).toEqual(['success', ['swap.failed', 'swap.settled']])
})

it('the venue of a queued swap is called only once the chain shows the deposit, and the log names the swap and the pass [settlement-ends-swaps]', async () => {
  const on = await startBench()
  const swap = await on.execute()
  await on.pass()
  on.chain.isUnreadable = () => true
  expect(await on.pass()).toMatchObject({ looked: 1, failed: 0 })
  expect([on.venue.calls.track, await on.queued(swap)]).toEqual([[], expect.anything()])
  on.chain.isUnreadable = () => false
  on.says('processing')
  on.pay(swap)
  await on.pass()
  const { status, quoteId, id: swapId, ref } = await on.kept(swap)
  expect(status.state).toBe('processing')
  const mark = { quoteId, swapId, ref, requestId: on.reported('settlement.pass')[2]?.requestId }
  expect(on.reported('swap.tracked')).toMatchObject([{ ...mark, by: 'settlement', before: 'pending', state: 'processing' }])
  expect(on.called('track')).toMatchObject([mark])
})

it('the venue of a queued swap is called about an order once it is signed, which is read as a paid swap', async () => {
  const on = await startBench('SIGNATURE')
  const swap = await on.execute()
  await on.pass()
  expect(on.venue.calls.track).toEqual([])
  on.chains.script.isValidContractSignature = async () => true
  await on.engine.submitSignature({ quoteToken: swap.quoteToken, signature: '0x12', approvalSignature: null }, on.context)
  expect(await on.queued(swap)).toMatchObject({ isPaid: true })
  await on.pass()
  expect(on.venue.calls.track).toHaveLength(1)
})

const WEEK = 168 * HOUR

it('an abandoned swap keeps its state, and a later /status resumes it [settlement-ends-swaps]', async () => {
  const { on, swap } = await paid()
  expect(await on.pass(WEEK - HOUR)).toMatchObject({ abandoned: 0 })
  expect(await on.pass(HOUR)).toMatchObject({ abandoned: 1, looked: 1, open: 0 })
  expect([await on.stored(swap), await on.stateOf(swap)]).toEqual(['processing', 'processing'])
  expect(await on.queued(swap)).toMatchObject({ isPaid: true, dueAt: on.clock.at, since: on.clock.at })
  on.succeeds(swap)
  await on.pass()
  expect(await on.told()).toEqual(['swap.settled'])
})

it('a swap is read once more before it is abandoned, so a delivery meanwhile is reported', async () => {
  const { on } = await delivered()
  expect(await on.pass(WEEK + HOUR)).toMatchObject({ looked: 1, ended: 1 })
  expect(await on.told()).toEqual(['swap.settled'])
})

it('a later payment of an ended swap is looked for at its deposit address for a day, and is extra without a second end [settlement-extra-payments]', async () => {
  const on = await startBench()
  const swap = await on.execute()
  on.pay(swap, PAID_IN, { standing: 'final' })
  on.says('success', done(on.deliver(swap, LEAST, { standing: 'final' })))
  await on.pass()
  await on.pass(2 * HOUR)
  on.pay(swap, PAID_IN + 1n, { height: 3_000 })
  await on.pass(20 * HOUR)
  expect((await on.payments(swap)).map(({ kind, amount }) => [kind, amount])).toContainEqual(['extra', PAID_IN + 1n])
  expect([await on.stored(swap), await on.told(), await on.queued(swap)]).toEqual([
    'success',
    ['swap.settled'],
    expect.anything(),
  ])
  await on.pass(7 * HOUR)
  expect(await on.queued(swap)).toBeNull()
})

it.each([
  ['is delivered', [HOUR / 2, HOUR / 4]],
  ['is a day old', [2 * HOUR, 2 * HOUR]],
])('an extra payment with its own order is followed until it %s, without a second event', async (until, passes) => {
  const on = await startBench('TRANSACTION', { events: TOY_EVENTS })
  const swap = await on.execute()
  const fill = (order: string) => on.deliver(swap, LEAST, { standing: 'final', logs: [log(0, 'filled', order, LEAST)] })
  on.says('processing')
  for (const id of ['order-7', 'order-9'])
    await on.status(swap, on.pay(swap, PAID_IN, { standing: 'final', logs: [log(4, 'paid', id, PAID_IN)] }))
  on.says('success', done(fill('order-7')))
  await on.pass()
  on.says('processing')
  await on.pass(23 * HOUR)
  expect(await on.queued(swap)).not.toBeNull()
  if (until === 'is delivered') on.says('success', done(fill('order-9')))
  for (const ms of passes) await on.pass(ms)
  expect([await on.queued(swap), await on.told()]).toEqual([null, ['swap.settled']])
})

const FROM_COINS = { from: [1, NATIVE] } as const

const startUnreported = async (wish: object = {}, options: FakeVenueOptions = {}, venueRef: string | null = null) => {
  const on = await startBench('TRANSACTION', options)
  on.venue.script.alter = (execution) => ({ ...execution, venueRef })
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

it('a transaction that no client reports is found on its chain, ends its swap and notifies the partner [settlement-unreported-payment]', async () => {
  const { on, swap } = await startUnreported()
  for (let i = 0; i < 2; i += 1) await on.pass()
  expect([readsOf(on, 'sentBy').length, on.venue.calls.track]).toEqual([2, []])
  const hash = on.pay(swap)
  on.succeeds(swap)
  expect(await on.pass()).toMatchObject({ looked: 1, ended: 1 })
  expect(await on.kept(swap)).toMatchObject({ ref: hash, status: { state: 'success' } })
  expect(await on.told()).toEqual(['swap.settled'])
})

it('a transaction that no client reports is distinguished from other transactions of its wallet, and goes to its own swap', async () => {
  const { on, swap: first, refOf } = await startUnreported()
  const second = await on.execute({ amount: 2n * PAID_IN })
  const strangers = [paysOther(on, first, 801, 900), paysOther(on, first, 802, 901)]
  const hash = on.pay(second)
  await on.pass()
  expect([await refOf(first), await refOf(second)]).toEqual([null, hash])
  expect(readsOf(on, 'transaction')).toEqual(expect.arrayContaining(strangers))
  expect(refsAsked(on)).toEqual([hash])
})

it('a transaction that no client reports is found behind 20 others, with eight reads a pass', async () => {
  const { on, swap, refOf } = await startUnreported()
  for (let number = 0; number < 20; number += 1) paysOther(on, swap, 900 + number, 100 + number)
  const hash = on.pay(swap, PAID_IN, { height: 300 })
  on.chain.reached = 1_000
  for (const ref of [null, null, hash]) {
    await on.pass()
    expect(await refOf()).toBe(ref)
  }
  expect(readsOf(on, 'transaction').length).toBeLessThanOrEqual(8 * 3)
})

it('a transaction that no client reports is found in a later pass when its chain was unreadable', async () => {
  const { on, swap, refOf } = await startUnreported()
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

it('a transaction in coins that no client reports is the successful one after a failed one', async () => {
  const { on, swap } = await startUnreported(FROM_COINS)
  on.chain.put(callPaying(swap, hashOf(700), { isSuccess: false, height: 500, at: on.clock.at }))
  const hash = on.pay(swap)
  on.succeeds(swap)
  await on.pass()
  expect(await on.kept(swap)).toMatchObject({ ref: hash, status: { state: 'success' } })
})

it('a transaction that no client reports is not searched for after its deadline, and its swap does not fail, since it may have been sent', async () => {
  const { on, swap } = await startUnreported()
  for (const ms of [OVER_MS + INTERVAL + 1, HOUR, HOUR]) await on.pass(ms)
  expect(readsOf(on, 'sentBy')).toHaveLength(1)
  expect([await on.stored(swap), await on.told()]).toEqual(['pending', []])
})

const unsearchable = async (events: FakeVenueOptions['events'] = null) => {
  const stage = await startUnreported(FROM_COINS, { events }, 'toy-request')
  const { sender } = stage.swap.record.swap.order
  stage.on.chain.withCode.add(sender)
  return { ...stage, sender }
}

it('an unreported transaction of a wallet that its chain cannot search is the one that the venue names once it answers, if the chain shows that it pays the order', async () => {
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

it('an unreported transaction of a wallet that its chain cannot search is the one that the venue names when the node has pruned the search', async () => {
  const { on, swap, sender, refOf } = await unsearchable()
  on.chain.withCode.delete(sender)
  const hash = on.pay(swap)
  on.chain.reached = null
  on.chain.sentBy = async () => ({ transactions: [], reached: null, at: null })
  on.says('processing', { paidBy: [hash] })
  await on.pass()
  expect(await refOf()).toBe(hash)
})
