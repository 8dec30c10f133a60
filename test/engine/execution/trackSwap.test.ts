import { expect, it } from 'vitest'
import { wordless } from '../../../engine/core/swapStatus.ts'
import { VenueError } from '../../../engine/venues/venueError.ts'
import { WALLETS } from '../../support/anOrder.ts'
import { hashOf } from '../../support/fakeEvidence.ts'
import { createFakeVenue, fails, statusOf } from '../../support/fakeVenue.ts'
import { isWrite } from '../../support/memoryStore.ts'
import { done, LEAST, NO_HASH, OTHER, startMoneyBench } from '../../support/moneyBench.ts'
import { createTestEngine, refusalOf } from '../../support/testEngine.ts'
import { openScene, type Scene, scenes } from './track/scenes.ts'

const OUT_OF_REACH = fails(new VenueError('unavailable', 'down'))
const delivers = ({ a }: Scene) => a.says('success', done(a.deliver()))
const executeFor = ({ engine, context, a }: Scene, destinationAddress: string) =>
  engine.execute({ quoteToken: a.quoteToken, destinationAddress, refundAddress: null }, context)

it('status: long after the quote expired returns the whole answer, logs one event, and asks the venue with the executed swap [status-end-stays]', async () => {
  const scene = await openScene({ kind: 'DEPOSIT' })
  const { a, venue, reported, pass } = scene
  pass(30 * 86_400_000)
  delivers(scene)
  const status = { venue: 'toy', state: 'success', venueStatus: 'TOY_SUCCESS' }
  const payments = ['input', 'output'].map((kind) => expect.objectContaining({ kind }))
  const money = { deliveredAmount: LEAST, txHash: hashOf(2) }
  expect(await a.told()).toEqual({ ...status, ...money, isTracked: true, payments })
  const { ref } = a
  const event = { requestId: 'req-1', swapId: 1, ref, by: 'status', before: 'pending', ...status, payments }
  expect(reported('swap.tracked')).toMatchObject([event])
  const executed = { binding: { recipient: WALLETS.evm }, execution: { venueRef: ref } }
  expect(venue.calls.track).toMatchObject([{ ref, executed }])
})

it('status: is unknown and untracked for a venue without a tracker, and for one that this instance lacks [status-untracked-unknown]', async () => {
  const { a, store } = await openScene({ kind: 'DEPOSIT', tracker: null })
  const untracked = { venue: 'toy', isTracked: false, ...wordless('unknown'), payments: [] }
  expect(await a.told()).toEqual(untracked)
  const other = await createTestEngine({ venues: [createFakeVenue('other')], store })
  expect(await other.engine.status(a, other.context)).toEqual(untracked)
})

it('status: the ref of a deposit is its address in any spelling, although the venue has another name for it', async () => {
  const scene = await openScene({ kind: 'DEPOSIT', isUnpaid: true, orders: [] })
  scene.venue.script.alter = (execution) => ({ ...execution, venueRef: 'channel-17' })
  const a = await scene.add()
  for (const ref of [a.ref, a.ref.toLowerCase()]) expect((await a.told(ref)).state).toBe('pending')
  const asked = { ref: a.ref, executed: { execution: { venueRef: 'channel-17' } } }
  expect(scene.venue.calls.track).toMatchObject([asked, asked])
})

it('status: the ref of an order is exactly what was returned, and each order of a quote is followed', async () => {
  const scene = await openScene({ kind: 'SIGNATURE', isUnpaid: true, orders: [] })
  const refs = [`0x${'Ab'.repeat(32)}`, 'another'] as const
  const builds = (venueRef: string) => Object.assign(scene.venue.script, { alter: (built: object) => ({ ...built, venueRef }) })
  builds(refs[0])
  const a = await scene.add()
  builds(refs[1])
  await executeFor(scene, OTHER)
  for (const ref of refs) expect((await a.told(ref)).state).toBe('pending')
  expect((await a.told(`${a.ref}00`)).state).toBe('not_found')
  expect(scene.venue.calls.track.map(({ ref }) => ref)).toEqual(refs)
})

it('status: the ref of a transaction is its hash in any spelling, and the venue is asked for each execution that it may pay', async () => {
  const scene = await openScene({ kind: 'TRANSACTION', isUnpaid: true })
  const { a, venue } = scene
  await executeFor(scene, OTHER)
  for (const waiting of [WALLETS.evm, OTHER]) {
    venue.script.track = async ({ executed }) => statusOf(executed?.binding.recipient === waiting ? 'pending' : 'not_found')
    expect((await a.told(NO_HASH.toUpperCase().replace('0X', '0x'))).state).toBe('pending')
  }
  expect(new Set(venue.calls.track.map(({ ref }) => ref))).toEqual(new Set([NO_HASH]))
})

it('status: a named transaction that no chain shows is listed with the time of its first request', async () => {
  const { a, pass, clock, store } = await openScene({ kind: 'TRANSACTION', isUnpaid: true })
  pass(10_000)
  const first = clock.at
  for (const ref of [NO_HASH, hashOf(999_998)]) {
    expect((await a.told(ref)).state).toBe('pending')
    expect(await a.kept()).toMatchObject({ namedTx: NO_HASH })
    pass(60_000)
  }
  expect((await store.operator.backlog(clock.at)).oldestUnseenAt).toBe(first)
})

it.each(['success', 'refunded'] as const)('status: %s survives a restart, without a call [status-end-stays]', async (state) => {
  const scene = await openScene({ kind: 'DEPOSIT' })
  const { a, chain, venue } = scene
  if (state === 'success') delivers(scene)
  else a.says(state, a.giveBack())
  const first = await a.told()
  expect(first).toMatchObject({ state, txHash: hashOf(2) })
  a.says('processing')
  const restarted = await startMoneyBench('DEPOSIT', {}, { from: scene, chain })
  expect([await a.told(), await restarted.status(a)]).toEqual([first, first])
  expect([venue.calls.track.length, restarted.venue.calls.track.length]).toEqual([1, 0])
})

it('status: an end is not undone by an older answer that arrives later [status-end-stays]', async () => {
  const scene = await openScene({ kind: 'DEPOSIT' })
  const { a, venue } = scene
  const { track } = venue.script
  const { promise, resolve } = Promise.withResolvers<ReturnType<typeof statusOf>>()
  venue.script.track = () => promise
  const slow = a.told()
  while (venue.calls.track.length === 0) await new Promise((next) => setImmediate(next))
  venue.script.track = track
  delivers(scene)
  expect((await a.told()).state).toBe('success')
  resolve(statusOf('processing'))
  expect((await slow).state).toBe('success')
})

const cannotStore = ({ store }: Scene) => Object.assign(store, { fails: (call: string) => call === 'swaps.setStatus' })
const isRefused = async (on: Scene) => {
  cannotStore(on)
  expect((await refusalOf(on.a.told(), 'INTERNAL')).details).toEqual({ retryable: true })
  on.store.fails = () => false
}
const PARTNER = { change: { caller: { tier: 'selfServe', partnerId: 'p1' } } } as const
scenes('status', { kind: 'DEPOSIT', ...PARTNER })({
  'withholds the end of the swap of a partner until it is stored [status-end-stays]': [
    [delivers, isRefused, { state: 'success', kept: { status: { state: 'success' } } }],
  ],
})
const later = { state: 'processing', venueStatus: 'TOY_FILLING' } as const
scenes('status', { kind: 'TRANSACTION', ...PARTNER })({
  'withholds the first status of the transaction of a partner until it is stored, and no later one': [
    [isRefused, 'processing', cannotStore, ({ a }) => a.says(later.state, later), later],
  ],
})

it('status: a venue out of reach leaves the last status of the swap, and its failed call is logged [status-venue-down-last-state]', async () => {
  const { a, pass, venue, called } = await openScene({ kind: 'TRANSACTION' })
  const seen = await a.told()
  expect(seen.state).toBe('processing')
  pass(1)
  venue.script.track = OUT_OF_REACH
  expect(await a.told()).toEqual(seen)
  const failure = { requestId: 'req-1', venue: 'toy', outcome: 'failure', kind: 'unavailable', reason: 'down' }
  expect(called('track')).toMatchObject([{ outcome: 'answer' }, failure])
  await refusalOf(a.told(NO_HASH), 'INTERNAL')
})

it.each([
  ['badResponse', new TypeError('adapter bug')],
  ['noLiquidity', new VenueError('noLiquidity', 'no')],
  ['badRequest', new VenueError('badRequest', 'no', { party: 'recipient' })],
])('status: is a retryable INTERNAL with the kind %s when no status is known [status-venue-down-last-state]', async (...row) => {
  const [kind, error] = row
  const { a, venue } = await openScene({ kind: 'DEPOSIT', isUnpaid: true })
  venue.script.track = fails(error)
  expect((await refusalOf(a.told(), 'INTERNAL')).details).toEqual({ venue: 'toy', kind, retryable: true })
})

it('status: a DEPOSIT without a record ends nothing, and a TRANSACTION without one is not_found without a venue call [status-without-record]', async () => {
  const { a, store, says, venue } = await openScene({ kind: 'DEPOSIT' })
  await store.forget()
  for (const state of ['success', 'refunded', 'failed'] as const) {
    says(state, done(a.deliver()))
    expect(await a.told()).toMatchObject({ state: 'processing', venueStatus: `TOY_${state.toUpperCase()}`, txHash: null })
  }
  expect(venue.calls.track[0]).toMatchObject({ ref: a.ref, executed: null })
  venue.script.track = OUT_OF_REACH
  await refusalOf(a.told(), 'INTERNAL')
  const call = await openScene({ kind: 'TRANSACTION' })
  await call.store.forget()
  expect(await call.a.told()).toMatchObject({ isTracked: true, ...wordless('not_found'), payments: [] })
  expect(call.venue.calls.track).toEqual([])
})

it('status: is returned although the store cannot record it', async () => {
  const { a, store, reported } = await openScene({ kind: 'SIGNATURE' })
  store.fails = isWrite
  a.says('processing')
  expect((await a.told()).state).toBe('processing')
  expect(reported('store.failed')).toMatchObject([{ requestId: 'req-1', reason: expect.stringContaining('swaps.setStatus') }])
})
