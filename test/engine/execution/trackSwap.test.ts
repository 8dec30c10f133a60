import { afterEach, describe, expect, it } from 'vitest'
import type { ExecutionType } from '../../../engine/core/offer.ts'
import { wordless } from '../../../engine/core/swapStatus.ts'
import { VenueError } from '../../../engine/venues/venueError.ts'
import { WALLETS } from '../../support/anOrder.ts'
import { pair, TOKENS } from '../../support/fakeChains.ts'
import { hashOf } from '../../support/fakeEvidence.ts'
import { addressFor, createFakeVenue, fails, hangs, ignoresSignal, statusOf } from '../../support/fakeVenue.ts'
import { isWrite } from '../../support/memoryStore.ts'
import { done, LEAST, NO_HASH, OTHER, startMoneyBench } from '../../support/moneyBench.ts'
import { advance, fakeTime, realTime } from '../../support/raceTime.ts'
import { createTestEngine, refusalOf } from '../../support/testEngine.ts'
import { openScene, type Scene, scenes } from './track/scenes.ts'

const OUT_OF_REACH = fails(new VenueError('unavailable', 'down'))
const NOTHING = { venue: 'toy', isTracked: true, ...wordless('not_found'), payments: [] }
const delivers = ({ a }: Scene) => a.says('success', done(a.deliver()))
const recipientsOf = ({ venue }: Scene) => venue.calls.track.map(({ executed }) => executed?.binding.recipient)
const executeFor = ({ engine, context, a }: Scene, destinationAddress: string) =>
  engine.execute({ quoteToken: a.quoteToken, destinationAddress, refundAddress: null }, context)

afterEach(realTime)

describe('status', () => {
  it('status: returns the whole answer, logs one event, and asks the venue with the executed swap', async () => {
    const scene = await openScene({ kind: 'DEPOSIT' })
    const { a, venue, reported } = scene
    delivers(scene)
    const status = { venue: 'toy', state: 'success', venueStatus: 'TOY_SUCCESS' }
    const payments = ['input', 'output'].map((kind) => expect.objectContaining({ kind }))
    const money = { deliveredAmount: LEAST, txHash: hashOf(2) }
    expect(await a.told()).toEqual({ ...status, ...money, isTracked: true, payments })
    expect(reported('swap.tracked')).toEqual([
      {
        event: 'swap.tracked',
        requestId: 'req-1',
        quoteId: expect.stringMatching(/^[\w-]{16}$/),
        swapId: 1,
        ref: a.ref,
        by: 'status',
        before: 'pending',
        ...status,
        payments,
      },
    ])
    const executed = { binding: { recipient: WALLETS.evm }, execution: { venueRef: a.ref } }
    expect(venue.calls.track).toMatchObject([{ ref: a.ref, executed }])
  })

  it('status: omits the payments from its event while the store cannot list them', async () => {
    const { a, store, reported } = await openScene({ kind: 'DEPOSIT' })
    a.says('processing')
    let [lists, listsMax] = [0, Number.POSITIVE_INFINITY]
    store.fails = (call) => call === 'payments.ofSwap' && ++lists > listsMax
    await a.told()
    lists = 0
    expect((await a.told()).payments).toHaveLength(1)
    ;[lists, listsMax] = [0, lists - 1]
    expect(await a.told()).toMatchObject({ state: 'processing', payments: [] })
    expect(reported('swap.tracked').map((event) => 'payments' in event)).toEqual([true, true, false])
  })

  it('status: rejects an altered token and a ref of no or over 512 characters without a venue call', async () => {
    const { a, status, venue } = await openScene({ kind: 'DEPOSIT' })
    await refusalOf(status({ ...a, quoteToken: 'none' }), 'QUOTE_INVALID')
    for (const ref of ['', 'x'.repeat(513)]) await refusalOf(a.told(ref), 'INVALID_REQUEST')
    expect(venue.calls.track).toEqual([])
  })

  it('status: is not_found for every other ref without a venue call', async () => {
    const { a, venue } = await openScene({ kind: 'DEPOSIT' })
    for (const ref of [addressFor('evm', 'stranger'), NO_HASH, 'nonsense', 'x'.repeat(512)])
      expect(await a.told(ref)).toEqual(NOTHING)
    expect(venue.calls.track).toEqual([])
  })

  scenes('status', { kind: 'DEPOSIT' })({
    'works long after the quote expired [status-end-stays]': [
      [(on) => [on.pass(30 * 86_400_000), delivers(on)], 'success'],
    ],
  })

  it('status: is unknown and untracked for a venue without a tracker, and for one that this instance lacks [status-untracked-unknown]', async () => {
    const scene = await openScene({ kind: 'DEPOSIT', tracker: null })
    const untracked = { venue: 'toy', isTracked: false, ...wordless('unknown'), payments: [] }
    expect(await scene.a.told()).toEqual(untracked)
    const other = await createTestEngine({ venues: [createFakeVenue('other')], store: scene.store })
    expect(await other.engine.status(scene.a, other.context)).toEqual(untracked)
  })

  it.each<readonly [ExecutionType, string, string | null, (ref: string) => string]>([
    ['DEPOSIT', 'an EVM address in lower case', null, (ref) => ref.toLowerCase()],
    ['DEPOSIT', 'the returned address, although the venue knows another name', 'channel-17', (ref) => ref],
    ['SIGNATURE', 'the order of the venue exactly as returned', `0x${'Ab'.repeat(32)}`, (ref) => ref],
  ])('status: follows a %s by %s', async (kind, _what, venueRef, spelled) => {
    const scene = await openScene({ kind, isUnpaid: true, orders: [] })
    if (venueRef) scene.venue.script.alter = (execution) => ({ ...execution, venueRef })
    const a = await scene.add()
    expect((await a.told(spelled(a.ref))).state).toBe('pending')
    expect(scene.venue.calls.track).toMatchObject([{ ref: a.ref, executed: { execution: { venueRef: venueRef ?? a.ref } } }])
    if (kind !== 'SIGNATURE') return
    scene.venue.script.alter = (execution) => ({ ...execution, venueRef: 'another' })
    await executeFor(scene, OTHER)
    for (const [ref, state] of [
      [a.ref, 'pending'],
      ['another', 'pending'],
      [`${a.ref}00`, 'not_found'],
    ] as const)
      expect((await a.told(ref)).state).toBe(state)
    expect(scene.venue.calls.track.map(({ ref }) => ref)).toEqual([a.ref, a.ref, 'another'])
  })

  it.each([
    ['an EVM hash in upper case', {}, NO_HASH.toUpperCase().replace('0X', '0x'), NO_HASH],
    ['a Solana signature', { from: pair(TOKENS.usdcSolana), recipient: WALLETS.evm }, hashOf(7, -2), hashOf(7, -2)],
  ])('status: asks about a TRANSACTION by %s', async (_what, wish, ref, asked) => {
    const { a, venue } = await openScene({ kind: 'TRANSACTION', isUnpaid: true, orders: [wish] })
    expect((await a.told(ref)).state).toBe('pending')
    expect(venue.calls.track).toMatchObject([{ ref: asked }])
  })

  it('status: a transaction belongs to the execution of the quote that it pays, and the venue is asked about that one', async () => {
    const scene = await openScene({ kind: 'TRANSACTION', isUnpaid: true })
    const { a, venue } = scene
    await executeFor(scene, OTHER)
    a.says('processing')
    a.pay()
    expect((await a.told()).state).toBe('processing')
    expect((await a.told()).state).toBe('processing')
    expect(new Set(recipientsOf(scene))).toEqual(new Set([WALLETS.evm]))
    venue.script.track = OUT_OF_REACH
    expect((await a.told()).state).toBe('processing')
  })

  it('status: reports the execution of the quote that its venue waits for, not the one that it does not know', async () => {
    const scene = await openScene({ kind: 'TRANSACTION', isUnpaid: true })
    const { a, venue } = scene
    await executeFor(scene, OTHER)
    for (const waiting of [WALLETS.evm, OTHER]) {
      venue.script.track = async ({ executed }) => statusOf(executed?.binding.recipient === waiting ? 'pending' : 'not_found')
      expect((await a.told(NO_HASH)).state).toBe('pending')
    }
  })
})

describe('a terminal status [status-end-stays]', () => {
  it.each(['success', 'refunded'] as const)(
    'status: %s stays after a restart, and the venue is not asked again',
    async (state) => {
      const scene = await openScene({ kind: 'DEPOSIT' })
      const { a, chain, venue } = scene
      if (state === 'success') delivers(scene)
      else a.says(state, a.giveBack())
      const first = await a.told()
      expect(first).toMatchObject({ state, txHash: hashOf(2) })
      a.says('processing')
      expect(await a.told()).toEqual(first)
      expect(venue.calls.track).toHaveLength(1)
      const restarted = await startMoneyBench('DEPOSIT', {}, { from: scene, chain })
      expect(await restarted.status(a)).toEqual(first)
      expect(restarted.venue.calls.track).toEqual([])
    },
  )

  it('status: an older answer that arrives later does not undo the end', async () => {
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
    expect((await a.told()).state).toBe('success')
  })
})

describe('a venue out of reach', () => {
  it('status: returns the last status, and logs the failed call [status-venue-down-last-state]', async () => {
    const { a, venue, called } = await openScene({ kind: 'DEPOSIT' })
    a.says('processing', { txHash: NO_HASH })
    const seen = await a.told()
    venue.script.track = OUT_OF_REACH
    expect(await a.told()).toEqual(seen)
    const failure = {
      event: 'venue.call',
      requestId: 'req-1',
      venue: 'toy',
      outcome: 'failure',
      kind: 'unavailable',
      reason: 'down',
    }
    expect(called('track')).toMatchObject([{ outcome: 'answer' }, failure])
  })

  it('status: is INTERNAL for another transaction than the recognised one', async () => {
    const { a, pass, venue } = await openScene({ kind: 'TRANSACTION' })
    expect((await a.told()).state).toBe('processing')
    pass(1)
    venue.script.track = OUT_OF_REACH
    await refusalOf(a.told(NO_HASH), 'INTERNAL')
  })

  it.each([
    ['badResponse', new TypeError('adapter bug')],
    ['noLiquidity', new VenueError('noLiquidity', 'no')],
    ['unsupportedPair', new VenueError('unsupportedPair', 'no')],
    ['badRequest', new VenueError('badRequest', 'no')],
    ['badRequest', new VenueError('badRequest', 'no', { party: 'recipient' })],
  ])(
    'status: is a retryable INTERNAL with the kind %s when no status is known [status-venue-down-last-state]',
    async (kind, error) => {
      const { a, venue } = await openScene({ kind: 'DEPOSIT', isUnpaid: true })
      venue.script.track = fails(error)
      expect((await refusalOf(a.told(), 'INTERNAL')).details).toEqual({ venue: 'toy', kind, retryable: true })
    },
  )

  it.each([
    ['hangs', hangs],
    ['ignores its signal', ignoresSignal],
  ])('status: gives up after eight seconds when the venue %s', async (_what, behaviour) => {
    const { a, venue } = await openScene({ kind: 'DEPOSIT', isUnpaid: true })
    venue.script.track = behaviour
    fakeTime()
    const call = refusalOf(a.told(), 'INTERNAL')
    while (venue.calls.track.length === 0) await new Promise((resolve) => setImmediate(resolve))
    await advance(8_000)
    expect((await call).details).toMatchObject({ kind: 'timeout' })
  })
})

describe('the records', () => {
  it('status: a DEPOSIT without a record ends nothing, and is asked about without an executed swap [status-without-record]', async () => {
    const { a, store, says, venue } = await openScene({ kind: 'DEPOSIT' })
    await store.forget()
    for (const state of ['success', 'refunded', 'failed'] as const) {
      says(state, done(a.deliver()))
      expect(await a.told()).toMatchObject({ state: 'processing', venueStatus: `TOY_${state.toUpperCase()}`, txHash: null })
    }
    expect(venue.calls.track[0]).toMatchObject({ ref: a.ref, executed: null })
    venue.script.track = OUT_OF_REACH
    await refusalOf(a.told(), 'INTERNAL')
  })

  it('status: a TRANSACTION without a record is not_found without a venue call', async () => {
    const { a, store, venue } = await openScene({ kind: 'TRANSACTION' })
    await store.forget()
    expect(await a.told()).toEqual(NOTHING)
    expect(venue.calls.track).toEqual([])
  })

  it('status: is returned although the store cannot record it', async () => {
    const { a, store, reported } = await openScene({ kind: 'SIGNATURE' })
    store.fails = isWrite
    a.says('processing')
    expect((await a.told()).state).toBe('processing')
    expect(reported('store.failed')).toMatchObject([{ requestId: 'req-1', reason: expect.stringContaining('swaps.setStatus') }])
  })

  const PARTNER = { change: { caller: { tier: 'selfServe', partnerId: 'p1' } } } as const
  const cannotStore = ({ store }: Scene) => Object.assign(store, { fails: (call: string) => call === 'swaps.setStatus' })
  const isRefused = async (on: Scene) => {
    cannotStore(on)
    expect((await refusalOf(on.a.told(), 'INTERNAL')).details).toEqual({ retryable: true })
    on.store.fails = () => false
  }
  scenes('status', { kind: 'DEPOSIT', ...PARTNER })({
    'withholds the end of the swap of a partner until it is stored [status-end-stays]': [
      [delivers, isRefused, { state: 'success', kept: { status: { state: 'success' } } }],
    ],
  })
  scenes('status', { kind: 'TRANSACTION', ...PARTNER })({
    'withholds the first status of the transaction of a partner until it is stored, and no later one': [
      [isRefused, 'processing'],
      [
        (on) => [cannotStore(on), on.a.says('processing', { venueStatus: 'TOY_FILLING' })],
        { state: 'processing', venueStatus: 'TOY_FILLING' },
      ],
    ],
  })
})
