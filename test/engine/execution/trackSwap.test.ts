import { afterEach, describe, expect, it } from 'vitest'
import { toAmount } from '../../../engine/core/amount.ts'
import type { TrackedSwap } from '../../../engine/core/answers.ts'
import type { Caller } from '../../../engine/core/caller.ts'
import { type SwapState, type SwapStatus, wordless } from '../../../engine/core/swapStatus.ts'
import { VenueError } from '../../../engine/venues/venueError.ts'
import { anOrder, type OrderWish, WALLETS } from '../../support/anOrder.ts'
import { pair, TOKENS } from '../../support/fakeChains.ts'
import {
  addressFor,
  createFakeVenue,
  type FakeVenue,
  type FakeVenueOptions,
  fails,
  hangs,
  ignoresSignal,
  statusOf,
} from '../../support/fakeVenue.ts'
import { isWrite } from '../../support/memoryStore.ts'
import { advance, fakeTime, realTime } from '../../support/raceTime.ts'
import { ANYBODY, createTestEngine, refusalOf, START_AT, type TestEngine } from '../../support/testEngine.ts'

const ORDER = { from: pair(TOKENS.usdcEthereum), to: pair(TOKENS.usdcArbitrum), amount: 1_000_000n } satisfies OrderWish
const GUARANTEED = 995_000n
const HASH = `0x${'ab'.repeat(32)}`
const OTHER_HASH = `0x${'cd'.repeat(32)}`
const now = () => START_AT

const closers: (() => Promise<void>)[] = []

afterEach(async () => {
  realTime()
  for (const close of closers.splice(0)) await close()
})

type Bench = { readonly engine: TestEngine; readonly venue: FakeVenue; readonly quoteToken: string; readonly ref: string }

/** An executed swap of a toy venue, its `ref` as a client would use it. */
const bench = async (
  kind: 'TRANSACTION' | 'DEPOSIT' = 'DEPOSIT',
  wish: Partial<OrderWish> = {},
  options: FakeVenueOptions = {},
  caller: Caller = ANYBODY,
): Promise<Bench> => {
  const venue = createFakeVenue('toy', { kind, now, ...options })
  const engine = await createTestEngine({ venues: [venue] })
  closers.push(() => engine.close())
  const context = { ...engine.context, caller }
  const { quoteToken } = await engine.engine.quote(anOrder({ ...ORDER, ...wish }), context)
  const { statusRef } = await engine.engine.execute({ quoteToken, destinationAddress: null, refundAddress: null }, context)
  return { engine, venue, quoteToken, ref: statusRef ?? HASH }
}

const PARTNER: Caller = { tier: 'selfServe', partnerId: 'p1', feeBps: null, requestsPerMinute: 120 }

/** The same, executed with a key: somebody is to be told how it ends. */
const partnersBench = (kind: 'TRANSACTION' | 'DEPOSIT'): Promise<Bench> => bench(kind, {}, {}, PARTNER)

const status = ({ engine, quoteToken, ref }: Bench, other: string = ref): Promise<TrackedSwap> =>
  engine.engine.status({ quoteToken, ref: other }, engine.context)

const stateOf = async (on: Bench, ref?: string): Promise<SwapState> => (await status(on, ref)).state

const says = (venue: FakeVenue, told: SwapStatus): void => {
  venue.script.track = async () => told
}

const delivered = (amount: bigint): SwapStatus => statusOf('success', { deliveredAmount: toAmount(amount), txHash: OTHER_HASH })

describe('status', () => {
  it('passes on what the venue says, in our words and in its own', async () => {
    const on = await bench()
    says(on.venue, delivered(999_000n))
    expect(await status(on)).toEqual({
      venue: 'toy',
      isTracked: true,
      state: 'success',
      venueStatus: 'TOY_SUCCESS',
      deliveredAmount: 999_000n,
      txHash: OTHER_HASH,
      payments: [],
    })
    expect(on.engine.reported('swap.tracked')).toEqual([
      {
        event: 'swap.tracked',
        requestId: 'req-1',
        quoteId: expect.stringMatching(/^[\w-]{16}$/),
        swapId: 1,
        ref: on.ref,
        by: 'status',
        venue: 'toy',
        before: 'pending',
        state: 'success',
        venueStatus: 'TOY_SUCCESS',
        payments: [],
      },
    ])
  })

  it('tells nothing of its payments while what is kept of them cannot be read: that is not to have none', async () => {
    const on = await bench()
    says(on.venue, statusOf('processing'))
    on.engine.store.fails = (call) => call === 'payments.ofSwap'
    expect(await status(on)).toMatchObject({ state: 'processing', payments: [] })
    const [told] = on.engine.reported('swap.tracked')
    expect(told).toMatchObject({ by: 'status', state: 'processing' })
    expect(told).not.toHaveProperty('payments')
  })

  it('asks the venue about the ref with the swap as executed', async () => {
    const on = await bench()
    await status(on)
    expect(on.venue.calls.track).toHaveLength(1)
    expect(on.venue.calls.track[0]).toMatchObject({
      ref: on.ref,
      executed: { binding: { recipient: WALLETS.evm }, execution: { venueRef: on.ref } },
    })
  })

  it('refuses a token that is none', async () => {
    const on = await bench()
    await refusalOf(status({ ...on, quoteToken: 'none' }), 'QUOTE_INVALID')
  })

  it('works with a quote that has long expired [status-end-stays]', async () => {
    const on = await bench()
    on.engine.clock.at += 30 * 86_400_000
    says(on.venue, delivered(1_000_000n))
    expect(await stateOf(on)).toBe('success')
  })

  it('takes an EVM deposit address in any spelling', async () => {
    const on = await bench()
    says(on.venue, statusOf('processing'))
    expect(await stateOf(on, on.ref.toLowerCase())).toBe('processing')
    expect(on.venue.calls.track[0]?.ref).toBe(on.ref)
  })

  it.each(['', 'x'.repeat(513)])('refuses a ref that nothing goes by, without asking the venue', async (ref) => {
    const on = await bench()
    await expect(status(on, ref)).rejects.toMatchObject({ code: 'INVALID_REQUEST' })
    expect(on.venue.calls.track).toEqual([])
  })

  it('is not_found for a deposit address that is none of ours, without asking the venue', async () => {
    const on = await bench()
    says(on.venue, delivered(1_000_000n))
    for (const ref of [addressFor('evm', 'stranger'), HASH, 'nonsense', 'x'.repeat(512)])
      expect(await status(on, ref)).toEqual({
        venue: 'toy',
        isTracked: true,
        state: 'not_found',
        venueStatus: null,
        deliveredAmount: null,
        txHash: null,
        payments: [],
      })
    expect(on.venue.calls.track).toEqual([])
  })

  it('is not_found for the deposit address of another quote', async () => {
    const on = await bench()
    const other = await bench()
    expect(await stateOf(on, addressFor('evm', 'toy deposit 7'))).toBe('not_found')
    expect(other.ref).toBe(on.ref)
  })

  it('is unknown, and untracked, for a venue without a tracker, and for one switched off since [status-untracked-unknown]', async () => {
    const on = await bench('DEPOSIT', {}, { tracker: null })
    const untracked = { venue: 'toy', isTracked: false, ...wordless('unknown'), payments: [] }
    expect(await status(on)).toEqual(untracked)
    const without = await createTestEngine({ venues: [createFakeVenue('other')], store: on.engine.store })
    expect(await status({ ...on, engine: without })).toEqual(untracked)
  })

  it('follows a deposit whose venue knows it by another name, by the address that was handed out', async () => {
    const venue = createFakeVenue('toy', { kind: 'DEPOSIT', now })
    venue.script.alter = (execution) => ({ ...execution, venueRef: 'channel-17' })
    const engine = await createTestEngine({ venues: [venue] })
    closers.push(() => engine.close())
    const { quoteToken } = await engine.engine.quote(anOrder(ORDER), engine.context)
    const { statusRef } = await engine.engine.execute(
      { quoteToken, destinationAddress: null, refundAddress: null },
      engine.context,
    )
    expect(await stateOf({ engine, venue, quoteToken, ref: statusRef ?? '' })).toBe('pending')
    expect(venue.calls.track[0]).toMatchObject({ ref: statusRef, executed: { execution: { venueRef: 'channel-17' } } })
  })
})

describe('a terminal state [status-end-stays]', () => {
  it.each(['success', 'refunded', 'failed'] as const)('%s is final: the venue is not asked again', async (state) => {
    const on = await bench()
    says(on.venue, statusOf(state))
    const first = await status(on)
    says(on.venue, statusOf('processing'))
    expect(await status(on)).toEqual(first)
    expect(on.venue.calls.track).toHaveLength(1)
  })

  it('expired is not one: the refund is still to come', async () => {
    const on = await bench()
    says(on.venue, statusOf('expired'))
    expect(await stateOf(on)).toBe('expired')
    says(on.venue, statusOf('refunded'))
    expect(await stateOf(on)).toBe('refunded')
  })

  it('survives a restart', async () => {
    const on = await bench()
    says(on.venue, delivered(1_000_000n))
    const first = await status(on)
    const venue = createFakeVenue('toy', { kind: 'DEPOSIT', now })
    const restarted = await createTestEngine({ venues: [venue], store: on.engine.store })
    expect(await status({ ...on, engine: restarted })).toEqual(first)
    expect(venue.calls.track).toEqual([])
  })

  it('is not undone by an older answer that was under way', async () => {
    const on = await bench()
    let answerSlowly = (_told: SwapStatus): void => undefined
    on.venue.script.track = () =>
      new Promise((resolve) => {
        answerSlowly = resolve
      })
    const slow = status(on)
    while (on.venue.calls.track.length === 0) await new Promise((resolve) => setImmediate(resolve))
    says(on.venue, delivered(1_000_000n))
    expect(await stateOf(on)).toBe('success')
    answerSlowly(statusOf('processing'))
    expect((await slow).state).toBe('success')
    says(on.venue, statusOf('pending'))
    expect(await stateOf(on)).toBe('success')
  })
})

describe('a venue out of reach', () => {
  it('leaves the last known state [status-venue-down-last-state]', async () => {
    const on = await bench()
    says(on.venue, statusOf('processing', { txHash: HASH }))
    const seen = await status(on)
    on.venue.script.track = fails(new VenueError('unavailable', 'down'))
    expect(await status(on)).toEqual(seen)
    expect(on.engine.called('track')).toMatchObject([
      { outcome: 'answer' },
      { event: 'venue.call', requestId: 'req-1', venue: 'toy', outcome: 'failure', kind: 'unavailable', reason: 'down' },
    ])
  })

  it('leaves a pending that was told, of which the venue had no word of its own', async () => {
    const on = await bench('TRANSACTION')
    says(on.venue, statusOf('pending', { venueStatus: null }))
    on.engine.clock.at += 1
    const seen = await status(on)
    on.venue.script.track = fails(new VenueError('unavailable', 'down'))
    expect(await status(on)).toEqual(seen)
  })

  it('is INTERNAL for another transaction than the one that was recognised', async () => {
    const on = await bench('TRANSACTION')
    says(on.venue, statusOf('processing'))
    on.engine.clock.at += 1
    await status(on)
    on.venue.script.track = fails(new VenueError('unavailable', 'down'))
    await refusalOf(status(on, OTHER_HASH), 'INTERNAL')
  })

  it('is INTERNAL, to be tried again, when nothing is known yet [status-venue-down-last-state]', async () => {
    const on = await bench()
    on.venue.script.track = fails(new TypeError('adapter bug'))
    expect((await refusalOf(status(on), 'INTERNAL')).details).toEqual({ venue: 'toy', kind: 'badResponse', retryable: true })
  })

  it.each([
    ['noLiquidity', {}],
    ['unsupportedPair', {}],
    ['badRequest', {}],
    ['badRequest', { party: 'recipient' }],
  ] as const)('is no verdict on the quote or the request, whatever it says: %s %o', async (kind, options) => {
    const on = await bench()
    on.venue.script.track = fails(new VenueError(kind, 'their words', options))
    expect((await refusalOf(status(on), 'INTERNAL')).details).toEqual({ venue: 'toy', kind, retryable: true })
  })

  it.each([
    ['hangs', hangs],
    ['ignores its signal', ignoresSignal],
  ])('is given up after eight seconds when it %s [status-venue-down-last-state]', async (_what, behaviour) => {
    const on = await bench()
    on.venue.script.track = behaviour
    fakeTime()
    const call = refusalOf(status(on), 'INTERNAL')
    while (on.venue.calls.track.length === 0) await new Promise((resolve) => setImmediate(resolve))
    await advance(8_000)
    expect((await call).details).toMatchObject({ kind: 'timeout' })
  })
})

describe('a venue that forgets', () => {
  it.each(['processing', 'expired'] as const)('cannot make a swap seen as %s unknown again', async (state) => {
    const on = await bench()
    says(on.venue, statusOf(state, { txHash: HASH }))
    const seen = await status(on)
    says(on.venue, statusOf('not_found', { venueStatus: null }))
    expect(await status(on)).toEqual(seen)
    says(on.venue, statusOf('unknown', { venueStatus: 'TOY_NEW_WORD' }))
    expect(await status(on)).toEqual({ ...seen, venueStatus: 'TOY_NEW_WORD' })
  })

  it('may take a swap back to pending: chains reorganise', async () => {
    const on = await bench()
    says(on.venue, statusOf('processing'))
    await status(on)
    says(on.venue, statusOf('pending'))
    expect(await stateOf(on)).toBe('pending')
  })

  it('leaves what was handed out pending when it never knew the swap, and is believed once it does', async () => {
    const on = await bench()
    says(on.venue, statusOf('not_found'))
    expect(await stateOf(on)).toBe('pending')
    says(on.venue, statusOf('unknown'))
    expect(await stateOf(on)).toBe('unknown')
    says(on.venue, statusOf('processing'))
    expect(await stateOf(on)).toBe('processing')
  })
})

describe('a short delivery', () => {
  it("stays open with the venue's own words beside it, until the guarantee is met", async () => {
    const on = await bench()
    says(on.venue, delivered(GUARANTEED - 1n))
    expect(await status(on)).toMatchObject({ state: 'processing', venueStatus: 'TOY_SUCCESS', deliveredAmount: GUARANTEED - 1n })
    says(on.venue, delivered(GUARANTEED))
    expect(await stateOf(on)).toBe('success')
  })

  it('is not suspected when the venue tells no amount', async () => {
    const on = await bench('DEPOSIT')
    says(on.venue, statusOf('success', { deliveredAmount: null }))
    expect(await stateOf(on)).toBe('success')
  })

  it('is doubted even when our own record is gone', async () => {
    const on = await bench()
    await on.engine.store.forget()
    says(on.venue, delivered(1n))
    expect(await stateOf(on)).toBe('processing')
  })
})

describe('a lost database [status-without-record]', () => {
  it('leaves the question to the venue, which is told that nothing is known, and ends nothing by its word', async () => {
    const on = await bench()
    await on.engine.store.forget()
    for (const state of ['success', 'refunded', 'failed'] as const) {
      says(on.venue, statusOf(state, { txHash: HASH }))
      expect(await status(on)).toMatchObject({ state: 'processing', venueStatus: `TOY_${state.toUpperCase()}`, txHash: null })
    }
    expect(on.venue.calls.track[0]).toMatchObject({ ref: on.ref, executed: null })
    on.venue.script.track = fails(new VenueError('unavailable', 'down'))
    await refusalOf(status(on), 'INTERNAL')
  })

  it('makes a TRANSACTION not_found, and its venue is not asked: nobody knows what was handed out', async () => {
    const on = await bench('TRANSACTION')
    await on.engine.store.forget()
    says(on.venue, delivered(1_000_000n))
    expect(await stateOf(on)).toBe('not_found')
    expect(on.venue.calls.track).toEqual([])
  })

  it('that cannot be written does not hide the answer', async () => {
    const on = await bench()
    on.engine.store.fails = isWrite
    says(on.venue, statusOf('processing'))
    expect(await stateOf(on)).toBe('processing')
    expect(on.engine.reported('store.failed')).toMatchObject([
      { requestId: 'req-1', reason: expect.stringContaining('swaps.setStatus') },
    ])
  })

  it("hides the end of a partner's swap until it can be: whoever was told it asks no more, and nobody would be told or paid [status-end-stays]", async () => {
    const on = await partnersBench('DEPOSIT')
    says(on.venue, delivered(1_000_000n))
    on.engine.store.fails = isWrite
    expect((await refusalOf(status(on), 'INTERNAL')).details).toEqual({ retryable: true })
    on.engine.store.fails = () => false
    expect(await stateOf(on)).toBe('success')
    expect(await on.engine.store.swaps.byId(1)).toMatchObject({ status: { state: 'success' } })
  })

  it("refuses the first word on the hash of a partner's TRANSACTION, which nobody else tells; what is known of it already is told", async () => {
    const on = await partnersBench('TRANSACTION')
    says(on.venue, statusOf('processing'))
    on.engine.store.fails = isWrite
    expect((await refusalOf(status(on), 'INTERNAL')).details).toEqual({ retryable: true })
    on.engine.store.fails = () => false
    expect(await stateOf(on)).toBe('processing')
    on.engine.store.fails = isWrite
    says(on.venue, { ...statusOf('processing'), venueStatus: 'TOY_FILLING' })
    expect(await status(on)).toMatchObject({ state: 'processing', venueStatus: 'TOY_FILLING' })
  })
})

describe('a TRANSACTION', () => {
  it('is known by the hash the wallet got, in any spelling', async () => {
    const on = await bench('TRANSACTION')
    says(on.venue, statusOf('processing'))
    expect(await stateOf(on, HASH.toUpperCase().replace('0X', '0x'))).toBe('processing')
    expect(on.venue.calls.track[0]?.ref).toBe(HASH)
  })

  it('on Solana is known by its signature, which is left as it is', async () => {
    const on = await bench('TRANSACTION', { from: pair(TOKENS.usdcSolana), recipient: WALLETS.evm })
    const signature = '5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW'
    says(on.venue, statusOf('pending'))
    expect(await stateOf(on, signature)).toBe('pending')
    expect(on.venue.calls.track[0]?.ref).toBe(signature)
  })

  it('of another swap is not_found when the venue says so', async () => {
    const on = await bench('TRANSACTION')
    says(on.venue, statusOf('not_found'))
    expect(await stateOf(on)).toBe('not_found')
  })

  it("sent twice: the second is the venue's to tell, and does not change what is known of the first", async () => {
    const on = await bench('TRANSACTION')
    on.venue.script.track = async ({ ref }) => (ref === HASH ? delivered(1_000_000n) : statusOf('refunded'))
    expect(await stateOf(on, HASH)).toBe('success')
    expect(await stateOf(on, OTHER_HASH)).toBe('refunded')
    expect(await stateOf(on, HASH)).toBe('success')
    expect(on.venue.calls.track.map(({ ref }) => ref)).toEqual([HASH, OTHER_HASH])
  })

  it('that is unknown to the venue says nothing of one that was recognised', async () => {
    const on = await bench('TRANSACTION')
    on.venue.script.track = async ({ ref }) => (ref === HASH ? statusOf('processing') : statusOf('not_found'))
    expect(await stateOf(on, HASH)).toBe('processing')
    expect(await stateOf(on, OTHER_HASH)).toBe('not_found')
    on.venue.script.track = fails(new VenueError('unavailable', 'down'))
    expect(await stateOf(on, HASH)).toBe('processing')
    await refusalOf(status(on, OTHER_HASH), 'INTERNAL')
  })

  it('is not bound to a hash the venue has not recognised', async () => {
    const on = await bench('TRANSACTION')
    says(on.venue, statusOf('pending'))
    await status(on, OTHER_HASH)
    says(on.venue, delivered(1_000_000n))
    expect(await stateOf(on, HASH)).toBe('success')
    on.venue.script.track = fails(new VenueError('unavailable', 'down'))
    expect(await stateOf(on, HASH)).toBe('success')
  })

  it('of a quote executed for two recipients is found with whichever it belongs to', async () => {
    const on = await bench('TRANSACTION')
    await on.engine.engine.execute(
      { quoteToken: on.quoteToken, destinationAddress: WALLETS.evmOther, refundAddress: null },
      on.engine.context,
    )
    on.venue.script.track = async ({ executed }) =>
      executed?.binding.recipient === WALLETS.evm ? delivered(1_000_000n) : statusOf('not_found')
    expect(await stateOf(on, HASH)).toBe('success')
    expect(on.venue.calls.track.map(({ executed }) => executed?.binding.recipient)).toEqual([WALLETS.evmOther, WALLETS.evm])
  })

  it('of a quote executed for two recipients is followed where it was seen, though the venue waits for the other', async () => {
    const on = await bench('TRANSACTION')
    const { engine, venue, quoteToken } = on
    const given = { quoteToken, destinationAddress: WALLETS.evmOther, refundAddress: null }
    await engine.engine.execute(given, engine.context)
    venue.script.track = async ({ executed }) =>
      statusOf(executed?.binding.recipient === WALLETS.evmOther ? 'pending' : 'processing')
    expect(await stateOf(on)).toBe('processing')
    expect(venue.calls.track.map(({ executed }) => executed?.binding.recipient)).toEqual([WALLETS.evmOther, WALLETS.evm])
  })

  it('of a quote executed for two recipients is, once recognised, asked about under that one only', async () => {
    const on = await bench('TRANSACTION')
    const request = { quoteToken: on.quoteToken, destinationAddress: WALLETS.evmOther, refundAddress: null }
    await on.engine.engine.execute(request, on.engine.context)
    on.venue.script.track = async ({ executed }) =>
      executed?.binding.recipient === WALLETS.evm ? statusOf('processing') : statusOf('not_found')
    const seen = await status(on)
    const asked = on.venue.calls.track.length
    expect(await status(on)).toEqual(seen)
    expect(on.venue.calls.track.slice(asked).map(({ executed }) => executed?.binding.recipient)).toEqual([WALLETS.evm])
    on.venue.script.track = fails(new VenueError('unavailable', 'down'))
    expect(await status(on)).toEqual(seen)
  })
})

describe('a SIGNATURE', () => {
  it('is followed by the statusRef exactly as the venue gave it', async () => {
    const venue = createFakeVenue('toy', { kind: 'SIGNATURE', now })
    const mixed = `0x${'Ab'.repeat(32)}`
    venue.script.alter = (execution) => ({ ...execution, venueRef: mixed })
    const engine = await createTestEngine({ venues: [venue] })
    closers.push(() => engine.close())
    const { quoteToken } = await engine.engine.quote(anOrder(ORDER), engine.context)
    await engine.engine.execute({ quoteToken, destinationAddress: null, refundAddress: null }, engine.context)
    const on = { engine, venue, quoteToken, ref: mixed }
    expect(await stateOf(on)).toBe('pending')
    expect(venue.calls.track[0]?.ref).toBe(mixed)
    venue.script.alter = (execution) => ({ ...execution, venueRef: 'another' })
    const request = { quoteToken, destinationAddress: WALLETS.evmOther, refundAddress: null }
    await engine.engine.execute(request, engine.context)
    expect(await stateOf(on)).toBe('pending')
    expect(await stateOf(on, 'another')).toBe('pending')
    expect(venue.calls.track.map(({ ref }) => ref)).toEqual([mixed, mixed, 'another'])
    expect(await stateOf(on, `${mixed}00`)).toBe('not_found')
  })
})
