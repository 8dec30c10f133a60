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
import { A, type Act, all, B, each, openScene, passes, play, type Scene, type Story, type Swap, scenes } from './scenes.ts'

const MINUTE_MS = 60_000
const minutes = async (count: number, on: Scene, ...swaps: readonly Swap[]) => {
  for (let minute = 0; minute < count; minute += 1) {
    for (const swap of swaps) await swap.told()
    on.pass(MINUTE_MS)
  }
}

/** The deliveries of both swaps. The venue names that of the second for the first, which ends by it, and then for the second. */
const [OF_A, OF_B] = [hashOf(3), hashOf(4)]
const crossed: Story = [
  [A.deliver(), B.deliver(), A.says('success', done(OF_B)), { state: 'success', txHash: OF_B }],
  [B.says('success', done(OF_B))],
]
const isDownFor = ({ a, venue: { script } }: Scene): void => {
  const { track } = script
  script.track = (call, signal) =>
    call.ref === a.ref ? Promise.reject(new VenueError('unavailable', 'down')) : track(call, signal)
}
const TWO = { orders: [{}, { amount: PAID_IN + 1n }] }

describe('a delivery that the venue names for a swap while another swap has it [status-claim-reassigned]', () => {
  const ended = { endedAt: START_AT }
  scenes('reassign', { kind: 'DEPOSIT', ...TWO })({
    'the delivery moves once the venue names another for its holder, which then ends by its own': [
      [...crossed, A.says('success', done(OF_A)), all(null, { state: 'success', txHash: OF_B })],
      [
        async ({ a }) =>
          expect([await a.kept(), await a.rows()]).toMatchObject([
            { ...ended, status: { state: 'processing', txHash: null, deliveredAmount: null } },
            `input ${PAID_IN}`,
          ]),
        all({ state: 'success', txHash: OF_A, kept: ended }, { state: 'success', txHash: OF_B, rows: 'input, output' }),
      ],
    ],
    ...each(['processing', 'failed'], (state) => [
      `the delivery moves when the venue reports ${state} of its holder`,
      [...crossed, [A.says(state), all(null, { state: 'success', txHash: OF_B }), state === 'failed' ? 'expired' : state]],
    ]),
    ...each<readonly [string, Act]>(
      [
        ['reports unknown of its holder', A.says('unknown')],
        ['fails to report its holder', isDownFor],
        ['names it for both', (on) => minutes(60, on, on.b, on.a)],
      ],
      ([what, act]) => [
        `the delivery stays when the venue ${what}`,
        [...crossed, act, all(null, 'processing'), { state: 'success', txHash: OF_B }],
      ],
    ),
  })
  const outputs: SwapEvents['outputs'] = async (_seen, { order }) =>
    order.inputAmount === PAID_IN ? [{ place: 'log:0', amount: LEAST }] : null
  const events = { inputs: async () => [], outputs, refunds: async () => null, named: async () => [] }
  scenes('reassign', { kind: 'DEPOSIT', ...TWO, events })({
    'the delivery stays, without a call, when an event names its holder': [
      [...crossed, A.says('success', done(OF_A)), all(null, 'processing'), 'success'],
      [({ a, venue }) => expect(venue.calls.track.filter(({ ref }) => ref === a.ref)).toHaveLength(1)],
    ],
  })
})

describe('payouts of one transaction to one recipient', () => {
  /** Deposits of which each is promised so much, and one transaction that delivers all these amounts. */
  const batch = async (...amounts: readonly bigint[]) => {
    const scene = await openScene({ kind: 'DEPOSIT', orders: [] })
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
    const isRight: Story = [all({ state: 'success', deliveredAmount: LEAST }, { state: 'success', deliveredAmount: 2n * LEAST })]
    await play(scene, [
      [A.says('success', large), { state: 'success', deliveredAmount: 2n * LEAST }],
      [B.says('success', large), all(null, 'processing'), passes(30_000), A.says('success', small)],
      [all(null, { state: 'success', deliveredAmount: 2n * LEAST }), isRight, isRight],
    ])
  })

  it('reassign: a payment is found with whichever of many swaps has it, and no other swap loses its own', async () => {
    const { scene, txHash } = await batch(...Array<bigint>(6).fill(LEAST))
    const last = scene.swaps[5] as Swap
    scene.venue.script.quote = offers(LEAST)
    const thief = await scene.add({ amount: PAID_IN + 100n })
    scene.says('success', done(txHash))
    const first = Array<'success'>(5).fill('success')
    await play(scene, [all(...first, null, 'success'), all(...first, 'processing')])
    thief.says('processing')
    await minutes(5, scene, last)
    await play(scene, [all(...first, 'success', 'processing')])
  })
})

describe('a refund that names no order', () => {
  const REFUND = hashOf(3)
  const refunded = { state: 'refunded', txHash: REFUND } as const
  const held: Story = [B.giveBack(PAID_IN + 1n), B.says('processing'), A.says('refunded'), refunded]
  scenes('reassign', { kind: 'DEPOSIT', orders: [{ amount: PAID_IN + 1n }, { amount: PAID_IN + 1n }] })({
    'the refund moves when the venue reports processing of its holder': [
      [...held, A.says('processing'), B.says('refunded'), all(null, refunded), 'processing'],
    ],
    'the refund moves when the venue reports a delivery of its holder': [
      [...held, A.succeeds(), B.says('refunded'), all(null, refunded), 'success'],
    ],
    'the refund moves to the swap that the venue names it for, when it names none for the holder': [
      [...held, B.says('refunded', { paidBy: [REFUND] }), all(null, refunded), 'expired'],
    ],
    'the refund stays when the venue reports the same of both swaps': [
      [...held, B.says('refunded'), (on) => minutes(30, on, on.a, on.b), all(refunded, 'expired')],
    ],
  })
  scenes('reassign', { kind: 'DEPOSIT', orders: [{}, { from: pair(TOKENS.usdcArbitrum), to: pair(TOKENS.usdcEthereum) }] })({
    'the refund moves back when the venue named it as the delivery of another swap': [
      [A.giveBack(), B.says('success', done(REFUND)), all(null, 'success')],
      [B.says('processing'), A.says('refunded'), all(refunded, 'processing')],
    ],
  })
})

describe('a delivery that a swap of another venue has', () => {
  const open = async (events: SwapEvents | null, state: SwapState, isOwn: boolean) => {
    const other = createFakeVenue('other', { kind: 'DEPOSIT', now: () => START_AT })
    other.script.quote = declines('noLiquidity')
    const scene = await openScene({ kind: 'DEPOSIT', events, change: { beside: [other] } })
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
    ['moves', 'expired', null, 'expired', false, 'expired'],
    ['moves', 'refunded, and an event names it', byNotes, 'refunded', false, 'expired'],
  ] as const)('reassign: the delivery %s when the other venue reports %s', async (does, _what, events, state, isOwn, left) => {
    expect(await open(events, state, isOwn)).toEqual({ moved: does === 'moves', left })
  })
})
