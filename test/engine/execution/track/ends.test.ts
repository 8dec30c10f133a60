import { describe, expect } from 'vitest'
import type { Hex } from '../../../../engine/core/execution.ts'
import type { VenueWord } from '../../../../engine/core/swapStatus.ts'
import type { SwapEvents } from '../../../../engine/venues/venue.ts'
import { WALLETS } from '../../../support/anOrder.ts'
import { TOKENS } from '../../../support/fakeChains.ts'
import { hashOf, movement } from '../../../support/fakeEvidence.ts'
import { statusOf, TOY_CONTRACT } from '../../../support/fakeVenue.ts'
import { callOf, done, LEAST, OTHER, OVER_MS, PAID_IN } from '../../../support/moneyBench.ts'
import { START_AT } from '../../../support/testEngine.ts'
import { log, TOY_EVENTS } from '../../../support/toyEvents.ts'
import { A, all, chainHas, each, passes, removes, type Scene, type Story, type Swap, scenes, swapOf } from './scenes.ts'

const DAY_MS = 86_400_000

describe('a second payment [status-extra-payment]', () => {
  const [FIRST, SECOND] = [hashOf(1), hashOf(2)]
  scenes('ends', { kind: 'TRANSACTION', isUnpaid: true })({
    'a second payment of a payload is extra, and reported as open after the end': [
      [A.pay(), A.pay(), A.succeeds(), 'success', passes(1_000), { ref: SECOND, state: 'processing', txHash: null }],
      [{ ref: SECOND, state: 'processing', kept: { endedAt: START_AT, ref: FIRST, status: { state: 'success' } } }],
      [{ state: 'success', payments: [{ txHash: FIRST }, { kind: 'output' }, { kind: 'extra', txHash: SECOND }] }],
    ],
    'a second payment of a payload becomes the input when a reorganization removes the first': [
      [A.pay(), A.pay(), 'processing'],
      [removes(1), { ref: SECOND, state: 'processing', payments: [{ kind: 'input', txHash: SECOND }] }],
    ],
  })
  scenes('ends', { kind: 'DEPOSIT', isUnpaid: true })({
    'a second payment to an address is extra, and searched for now and then after the end': [
      [A.pay(PAID_IN, { standing: 'final' }), A.succeeds(LEAST, { standing: 'final' }), 'success'],
      [passes(), A.pay(PAID_IN + 1n, { height: 1_001 }), 'success'],
      [
        passes(),
        {
          state: 'success',
          rows: `input ${PAID_IN}, output ${LEAST}, extra ${PAID_IN + 1n}`,
          kept: { endedAt: START_AT, status: { state: 'success' } },
        },
      ],
      [({ venue }) => expect(venue.calls.track).toHaveLength(1)],
    ],
  })
})

describe('a refund of dust that strangers sent to a deposit address', () => {
  const dusted: Story = [
    [({ a }) => Array.from({ length: 8 }, (_none, at) => a.pay(600n, { height: 100 + at }))],
    [A.refunds(3_900n, { height: 200 }), 'refunded', passes()],
  ]
  const reopened: Story = [
    ...dusted,
    [
      A.pay(PAID_IN - 1n, { height: 300 }),
      { state: 'processing', kept: { endedAt: START_AT, status: { state: 'processing', txHash: null } } },
    ],
    ['expired', passes()],
  ]
  scenes('ends', { kind: 'DEPOSIT', isUnpaid: true, profile: { refundKeeps: () => ({ amount: 1_000n, bps: 0 }) } })({
    'the real payment reopens the swap, which succeeds by its delivery': [
      [...reopened, A.succeeds(), { state: 'success', txHash: hashOf(11) }, 'success'],
    ],
    'a later payment that a refund would cost reopens nothing': [
      [...dusted, A.pay(900n, { height: 300 }), 'refunded', passes(), 'refunded'],
      [passes(), { state: 'refunded', rows: `${Array(8).fill('input 600').join(', ')}, refund 3900, input 900` }],
    ],
  })
})

describe('the end of a swap [status-reorg-reopens]', () => {
  const paid: Story = [A.pay(PAID_IN, { standing: 'final' })]
  const delivered: Story = [paid, A.succeeds(), 'success']
  const again: Story = [A.deliver(LEAST, { hash: hashOf(2) }), { state: 'success', kept: { endedAt: START_AT } }]
  scenes('ends', { kind: 'DEPOSIT', isUnpaid: true })({
    'a reorganization of the delivery reopens the swap, and its end keeps the first time': [
      [...delivered, removes(2)],
      [passes(), { state: 'processing', deliveredAmount: null, txHash: null, rows: 'input', kept: { endedAt: START_AT } }],
      ['processing', again],
    ],
    'a reorganization reopens a swap that had failed unpaid long before': [
      [passes(OVER_MS + 1), 'failed', passes(3 * DAY_MS), A.pay(), A.succeeds(), 'success', removes(2), 'processing'],
    ],
    'a refund that failed after all reopens the swap': [
      [paid, A.refunds(), 'refunded'],
      [A.giveBack(PAID_IN, { hash: hashOf(2), isSuccess: false, movements: [] }), 'processing', 'expired'],
    ],
    'an unreadable chain reopens nothing': [...delivered, chainHas({ isUnreadable: () => true }), 'success'],
    'a node that has forgotten the delivery after days reopens nothing': [
      [...delivered, removes(2), passes(3 * DAY_MS), 'success'],
    ],
  })

  scenes('ends', { kind: 'TRANSACTION' })(
    each([3_600_000, 3 * DAY_MS], (ms) => [
      `lists the payments as final when asked ${ms} ms after the end [status-extra-payment]`,
      [
        [A.succeeds(), 'success', passes(ms), A.pay(PAID_IN, { hash: hashOf(1), standing: 'final' })],
        [A.deliver(LEAST, { hash: hashOf(2), standing: 'final' }), 'success'],
        {
          payments: [
            { kind: 'input', isFinal: true },
            { kind: 'output', isFinal: true },
          ],
        },
      ],
    ]),
  )
})

const bare = (hex: string): string => hex.slice(2).toLowerCase()

/** One transaction of a contract wallet that makes the calls of these swaps. All are asked about by it. */
const batch = ({ chain }: Scene, ...swaps: readonly [Swap, ...Swap[]]): void => {
  chain.withCode.add(WALLETS.evm)
  const data: Hex = `0x6a761202${swaps.map((swap) => bare(callOf(swap).to ?? '0x') + bare(callOf(swap).data)).join('ff'.repeat(32))}`
  const movements = swaps.map((_swap, at) =>
    movement(TOKENS.usdcEthereum, TOY_CONTRACT, PAID_IN, { from: WALLETS.evm, place: `log:${at}` }),
  )
  const ref = swaps[0].pay(PAID_IN, { call: { from: OTHER, to: OTHER, data, value: 0n }, movements })
  for (const swap of swaps) Object.assign(swap, { ref })
}
/** Executes the quote of the first swap for another recipient, and pays both executions by one transaction. */
const both = async (scene: Scene): Promise<void> => {
  const { engine, context, a, store } = scene
  const { quoteToken } = a
  await engine.execute({ quoteToken, destinationAddress: OTHER, refundAddress: null }, context)
  const record = (await store.kept()).at(-1)
  if (record === undefined) throw new Error('nothing was stored')
  const b = swapOf(scene, { quoteToken, ref: '', id: record.id, record })
  scene.swaps.push(b)
  batch(scene, a, b)
}
const succeeds = (swap: Swap) => swap.says('success', done(swap.deliver()))

describe('one transaction that pays two executions of one quote [status-batch-furthest-behind]', () => {
  const HASH = hashOf(1)
  const inputs = [
    { kind: 'input', txHash: HASH },
    { kind: 'input', txHash: HASH },
  ]
  const recorded = { rows: 'input', kept: { ref: HASH, status: { state: 'processing' } } } as const
  const behind = (late: 'a' | 'b', early: 'a' | 'b'): Story => [
    [both, (on) => [succeeds(on[early]), on[late].says('processing')], 'processing'],
    [async (on) => expect(await on[early].kept()).toMatchObject({ status: { state: 'success' } })],
    [(on) => succeeds(on[late]), all({ state: 'success', rows: 'input, output' }, { rows: 'input, output' })],
    [async ({ a }) => expect((await a.told()).payments).toHaveLength(4)],
  ]
  scenes('batch', { kind: 'TRANSACTION', isUnpaid: true })({
    'the transaction is the payment of both executions, each of its own': [
      [both, ({ says }) => says('processing'), all({ state: 'processing', payments: inputs, ...recorded }, recorded)],
    ],
    'reports the first execution while it is behind': behind('a', 'b'),
    'reports the second execution while it is behind': behind('b', 'a'),
    'reports refunded when one of both executions was refunded': [
      [both, ({ a, b }) => [succeeds(a), b.says('refunded', b.giveBack())], { state: 'refunded', txHash: hashOf(3) }],
    ],
  })
})

describe('one payload twice in one transaction', () => {
  scenes('extra', { kind: 'TRANSACTION', isUnpaid: true, orders: [{}, { recipient: OTHER }] })({
    'the same call twice in one transaction is input and extra, and no payment of another swap': [
      (on) => [batch(on, on.a, on.a, on.b), on.says('processing')],
      all({ state: 'processing', rows: 'input, extra' }, { rows: 'input' }),
    ],
  })
  scenes('extra', { kind: 'TRANSACTION', isUnpaid: true, events: TOY_EVENTS })({
    'the same payload twice in one transaction has two orders, and the second ends nothing': [
      ({ a }) => {
        a.pay(PAID_IN, { logs: [log(4, 'paid', 'order-7', PAID_IN), log(9, 'paid', 'order-8', PAID_IN)] })
        a.says('success', a.deliver(0n, { logs: [log(1, 'filled', 'order-8', LEAST)] }))
      },
      {
        state: 'processing',
        payments: [
          { kind: 'input', orderId: 'order-7' },
          { kind: 'extra', orderId: 'order-8' },
        ],
      },
    ],
  })
})

describe('an extra payment, asked about by its own transaction [status-batch-furthest-behind]', () => {
  const [FIRST, SECOND, OF_FIRST, OF_SECOND] = [hashOf(1), hashOf(2), hashOf(3), hashOf(4)]
  /** What the venue reports of each transaction; of others it reports `processing`. */
  const reports = (words: { readonly [hash: string]: VenueWord }) => (scene: Scene) => {
    scene.venue.script.track = async ({ ref }) => words[ref] ?? statusOf('processing')
  }
  const succeeded = (txHash: string) => statusOf('success', done(txHash))
  const refunded = (txHash: string) => statusOf('refunded', { txHash })
  const first = (state: 'processing' | 'success' | 'expired', rest = {}) => ({ ref: FIRST, state, ...rest })
  const second = (state: 'processing' | 'success' | 'refunded', rest = {}) => ({ ref: SECOND, state, ...rest })
  const paidTwice = (...ids: readonly string[]): Story => [
    [reports({})],
    [
      ...ids.map(
        (id, at): Story => [
          A.pay(PAID_IN, { logs: [log(4, 'paid', id, PAID_IN)] }),
          at === 0 ? first('processing') : second('processing'),
        ],
      ),
    ],
  ]
  const twice = paidTwice('order-7', 'order-9')
  const fill = ({ a }: Scene, id: string) => a.deliver(LEAST, { logs: [log(0, 'filled', id, LEAST)] })
  const fillBoth: Story = [(on) => [fill(on, 'order-7'), fill(on, 'order-9')]]
  const back = (id: string, amount = PAID_IN) => A.giveBack(0n, { logs: [log(1, 'returned', id, amount)] })
  scenes('extra', { kind: 'TRANSACTION', isUnpaid: true, events: TOY_EVENTS })({
    'succeeds by the delivery of its own order, and ends nothing of the swap': [
      [...twice, fillBoth],
      [reports({ [SECOND]: succeeded(OF_SECOND) }), second('success', { txHash: OF_SECOND, deliveredAmount: LEAST })],
      [first('processing'), second('success', { kept: { ref: FIRST, endedAt: null, status: { state: 'processing' } } })],
      [
        reports({ [FIRST]: succeeded(OF_FIRST), [SECOND]: succeeded(OF_SECOND) }),
        first('success', {
          txHash: OF_FIRST,
          rows: 'input, extra, output, output',
          payments: [FIRST, SECOND, OF_SECOND, OF_FIRST].map((txHash) => ({ txHash })),
        }),
      ],
    ],
    'is refunded by the event of its own order, in full': [
      [...twice, back('order-7'), reports({ [SECOND]: refunded(hashOf(3)) }), second('processing')],
      [back('order-9', PAID_IN - 1n), reports({ [SECOND]: refunded(hashOf(4)) }), second('processing'), A.giveBack()],
      [reports({ [SECOND]: refunded(hashOf(5)) }), second('processing'), back('order-9')],
      [reports({ [SECOND]: refunded(hashOf(6)) }), second('refunded', { txHash: hashOf(6) })],
      [reports({ [FIRST]: refunded(hashOf(6)) }), first('expired')],
    ],
    'stays open for a delivery of the order of the swap, or of no order': [
      [...twice, (on) => [fill(on, 'order-7'), on.a.deliver()]],
      [reports({ [SECOND]: succeeded(hashOf(3)) }), second('processing')],
      [reports({ [SECOND]: succeeded(hashOf(4)) }), second('processing', { rows: 'input, extra' })],
    ],
    'stays open when both payments have one order': [
      [...paidTwice('order-7', 'order-7'), (on) => fill(on, 'order-7')],
      [reports({ [SECOND]: succeeded(hashOf(3)) }), second('processing')],
    ],
    'a reorganization of its delivery takes nothing from the end of the swap': [
      [...twice, fillBoth, reports({ [FIRST]: succeeded(OF_FIRST), [SECOND]: succeeded(OF_SECOND) }), second('success')],
      [first('success'), removes(4), first('success'), second('processing'), first('success')],
    ],
  })
  const events: SwapEvents = { ...TOY_EVENTS, outputs: async () => null, refunds: async () => null }
  scenes('extra', { kind: 'TRANSACTION', isUnpaid: true, events })({
    'stays open on a route where the contracts name no order': [
      [...twice, (on) => fill(on, 'order-9'), reports({ [SECOND]: succeeded(hashOf(3)) }), second('processing')],
    ],
  })
})
