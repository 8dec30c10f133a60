import { describe, expect, it } from 'vitest'
import { paymentsTo } from '../../../../engine/chains/seen.ts'
import { toAmount } from '../../../../engine/core/amount.ts'
import type { SwapState } from '../../../../engine/core/swapStatus.ts'
import type { SwapEvents } from '../../../../engine/venues/venue.ts'
import { VenueError } from '../../../../engine/venues/venueError.ts'
import { WALLETS } from '../../../support/anOrder.ts'
import { pair, TOKENS } from '../../../support/fakeChains.ts'
import { hashOf, movement } from '../../../support/fakeEvidence.ts'
import { createFakeVenue, declines, offers, statusOf } from '../../../support/fakeVenue.ts'
import { done, LEAST, PAID_IN } from '../../../support/moneyBench.ts'
import { START_AT } from '../../../support/testEngine.ts'
import { openScene, play, type Scene, type Step, type Swap, scenes } from './scenes.ts'

const MINUTE_MS = 60_000
const asksAbout = ({ venue }: Scene, { ref }: Swap) => venue.calls.track.filter((call) => call.ref === ref).length
const minutes = async (count: number, on: Scene, ...swaps: readonly Swap[]) => {
  for (let minute = 0; minute < count; minute += 1) {
    for (const swap of swaps) await swap.told()
    on.pass(MINUTE_MS)
  }
}

/** The deliveries of both swaps. The venue names that of the second for the first, which ends by it, and then for the second. */
const [OF_A, OF_B] = [hashOf(3), hashOf(4)]
const crossed: readonly Step[] = [
  [({ a, b }) => [a.deliver(), b.deliver()]],
  [({ a }) => a.says('success', done(OF_B)), { state: 'success', txHash: OF_B }],
  [({ b }) => b.says('success', done(OF_B))],
]
const TWO = { orders: [{}, { amount: PAID_IN + 1n }] }

describe('a delivery that the venue names for a swap while another swap has it [status-claim-reassigned]', () => {
  const ended = { endedAt: START_AT }
  scenes(
    'DEPOSIT',
    TWO,
  )({
    'reassign: the delivery moves once the venue names another for its holder, which then ends by its own': [
      ...crossed,
      [({ a }) => a.says('success', done(OF_A)), null, { state: 'success', txHash: OF_B }],
      [
        async ({ a }) =>
          expect([await a.kept(), await a.rows()]).toMatchObject([
            { ...ended, status: { state: 'processing', txHash: null, deliveredAmount: null } },
            `input ${PAID_IN}`,
          ]),
        { state: 'success', txHash: OF_A, kept: ended },
        { state: 'success', txHash: OF_B, rows: 'input, output' },
      ],
    ],
    ...Object.fromEntries(
      (['processing', 'failed', 'refunded'] as const).map((state) => [
        `reassign: the delivery moves when the venue reports ${state} of its holder`,
        [
          ...crossed,
          [({ a }: Scene) => a.says(state), null, { state: 'success', txHash: OF_B }],
          [null, state === 'processing' ? state : 'expired'],
        ],
      ]),
    ),
    ...Object.fromEntries(
      (['not_found', 'unknown'] as const).map((state) => [
        `reassign: the delivery stays when the venue reports ${state} of its holder`,
        [...crossed, [({ a }: Scene) => a.says(state), null, 'processing'], [null, { state: 'success', txHash: OF_B }]],
      ]),
    ),
    'reassign: the delivery stays when the venue fails to report its holder': [
      ...crossed,
      [
        ({ a, venue: { script } }) => {
          const { track } = script
          script.track = (call, signal) =>
            call.ref === a.ref ? Promise.reject(new VenueError('unavailable', 'down')) : track(call, signal)
        },
        null,
        'processing',
      ],
      [null, { state: 'success', txHash: OF_B }],
    ],
    'reassign: the delivery stays when the venue names it for both, and the venue is asked at growing intervals': [
      ...crossed,
      [(on) => minutes(60, on, on.b, on.a), { state: 'success', txHash: OF_B, rows: 'input, output' }, 'processing'],
      [
        (on) => {
          expect(asksAbout(on, on.a)).toBeGreaterThan(3)
          expect(asksAbout(on, on.a)).toBeLessThan(10)
        },
      ],
    ],
    'reassign: the venue is not asked about a holder whose payment would not be sufficient': [
      ...crossed,
      [({ venue }) => Object.assign(venue.script, { quote: offers(2_000_000n) })],
      [({ add }) => add()],
      [({ a }) => a.says('success', done(OF_A))],
      [({ c }) => c.says('success', OF_B), 'success', null, 'processing'],
      [(on) => expect(asksAbout(on, on.a)).toBe(1)],
    ],
  })
  const isNotAsked: readonly Step[] = [
    ...crossed,
    [({ a }) => a.says('success', done(OF_A)), null, 'processing'],
    [null, 'success'],
    [(on) => expect(asksAbout(on, on.a)).toBe(1)],
  ]
  const outputs: SwapEvents['outputs'] = async (_seen, { order }) =>
    order.inputAmount === PAID_IN ? [{ place: 'log:0', amount: LEAST }] : null
  const events = { inputs: async () => [], outputs, refunds: async () => null, named: async () => [] }
  scenes('DEPOSIT', { ...TWO, events })({
    'reassign: the delivery stays, without a call, when an event names its holder': isNotAsked,
  })
  scenes('DEPOSIT', { ...TWO, profile: { limits: { statusIntervalMs: MINUTE_MS } } })({
    'reassign: the venue is asked no more often than its profile permits': isNotAsked,
  })
})

describe('payouts of one transaction to one recipient', () => {
  /** Deposits of which each is promised so much, and one transaction that delivers all these amounts. */
  const batch = async (...amounts: readonly bigint[]) => {
    const scene = await openScene('DEPOSIT', { orders: [] })
    for (const [at, amount] of amounts.entries()) {
      scene.venue.script.quote = offers(amount, { slippage: { isFirm: true, guaranteedMin: toAmount(amount) } })
      await scene.add({ amount: PAID_IN + BigInt(at) })
    }
    const movements = amounts.map((amount, at) => movement(TOKENS.usdcArbitrum, WALLETS.evm, amount, { place: `log:${at}` }))
    return { scene, txHash: scene.a.deliver(0n, { movements }) }
  }

  it('reassign: a payment moves to the swap whose amount the venue reports', async () => {
    const { scene, txHash } = await batch(LEAST, 2n * LEAST)
    const [small, large] = [done(txHash), done(txHash, 2n * LEAST)]
    const isRight: Step = [null, { state: 'success', deliveredAmount: LEAST }, { state: 'success', deliveredAmount: 2n * LEAST }]
    await play(scene, [
      [({ a }) => a.says('success', large), { state: 'success', deliveredAmount: 2n * LEAST }],
      [({ b }) => b.says('success', large), null, 'processing'],
      [({ a, pass }) => [pass(30_000), a.says('success', small)], null, { state: 'success', deliveredAmount: 2n * LEAST }],
      isRight,
      isRight,
    ])
  })

  it('reassign: a payment is found with whichever of many swaps has it, and no other swap loses its own', async () => {
    const { scene, txHash } = await batch(...Array.from({ length: 8 }, () => LEAST))
    const states = async (swaps: readonly Swap[]) => {
      const told = []
      for (const swap of swaps) told.push((await swap.told()).state)
      return new Set(told)
    }
    for (const swap of scene.swaps) swap.says('success', done(txHash))
    expect(await states(scene.swaps.slice(0, 6))).toEqual(new Set(['success']))
    const honest = [...scene.swaps]
    scene.venue.script.quote = offers(LEAST)
    const thief = await scene.add({ amount: PAID_IN + 100n })
    thief.says('success', done(txHash))
    expect(await states([thief, ...honest.slice(6, 7)])).toEqual(new Set(['success']))
    thief.says('processing')
    await minutes(5, scene, ...honest.slice(7))
    expect(await states(honest)).toEqual(new Set(['success']))
    expect(await states([thief])).toEqual(new Set(['processing']))
  })
})

describe('a refund that names no order', () => {
  const REFUND = hashOf(3)
  const refunded = { state: 'refunded', txHash: REFUND } as const
  const held: readonly Step[] = [
    [({ b }) => b.giveBack(PAID_IN + 1n)],
    [({ b }) => b.says('processing')],
    [({ a }) => a.says('refunded'), refunded],
  ]
  scenes('DEPOSIT', { orders: [{ amount: PAID_IN + 1n }, { amount: PAID_IN + 1n }] })({
    'reassign: the refund moves when the venue reports processing of its holder': [
      ...held,
      [({ a, b }) => [a.says('processing'), b.says('refunded')], null, refunded],
      [null, 'processing'],
    ],
    'reassign: the refund moves when the venue reports a delivery of its holder': [
      ...held,
      [({ a, b }) => [a.says('success', done(a.deliver())), b.says('refunded')], null, refunded],
      [null, 'success'],
    ],
    'reassign: the refund moves to the swap that the venue names it for, when it names none for the holder': [
      ...held,
      [({ b }) => b.says('refunded', { paidBy: [REFUND] }), null, refunded],
      [null, 'expired'],
    ],
    'reassign: the refund stays when the venue reports the same of both swaps': [
      ...held,
      [({ b }) => b.says('refunded')],
      [(on) => minutes(30, on, on.a, on.b), refunded, 'expired'],
    ],
  })
  scenes('DEPOSIT', { orders: [{}, { from: pair(TOKENS.usdcArbitrum), to: pair(TOKENS.usdcEthereum) }] })({
    'reassign: the refund moves back when the venue named it as the delivery of another swap': [
      [({ a }) => a.giveBack()],
      [({ b }) => b.says('success', done(REFUND)), null, 'success'],
      [({ a, b }) => [b.says('processing'), a.says('refunded')], refunded, 'processing'],
    ],
  })
})

describe('a delivery that a swap of another venue has', () => {
  const open = async (events: SwapEvents | null, state: SwapState, isOwn: boolean) => {
    const other = createFakeVenue('other', { kind: 'DEPOSIT', now: () => START_AT })
    other.script.quote = declines('noLiquidity')
    const scene = await openScene('DEPOSIT', { events, change: { beside: [other] } })
    const { script } = scene.venue
    ;[script.quote, other.script.quote] = [other.script.quote, script.quote]
    const { a, b } = { a: scene.a, b: await scene.add() }
    const txHash = b.deliver()
    other.script.track = async () => statusOf('success', done(txHash))
    a.says('success', done(txHash))
    expect((await b.told()).state).toBe('success')
    other.script.track = async () => statusOf(state, state === 'success' ? done(isOwn ? b.deliver() : txHash) : {})
    return { moved: (await a.told()).state === 'success', left: (await b.told()).state }
  }
  /** As on Bitcoin, where anybody can write the note that names an order. */
  const byNotes: SwapEvents = {
    inputs: async () => null,
    outputs: async (seen, { order, binding }) => paymentsTo(seen, { asset: order.output, recipient: binding.recipient }),
    refunds: async () => null,
    named: async () => [],
  }
  it.each([
    ['stays', 'success by it', null, 'success', false, 'success'],
    ['stays', 'processing', null, 'processing', false, 'success'],
    ['moves', 'success by another delivery', null, 'success', true, 'success'],
    ['moves', 'failed', null, 'failed', false, 'expired'],
    ['moves', 'refunded', null, 'refunded', false, 'expired'],
    ['moves', 'expired', null, 'expired', false, 'expired'],
    ['moves', 'refunded, and an event names it', byNotes, 'refunded', false, 'expired'],
  ] as const)('reassign: the delivery %s when the other venue reports %s', async (does, _what, events, state, isOwn, left) => {
    expect(await open(events, state, isOwn)).toEqual({ moved: does === 'moves', left })
  })
})
