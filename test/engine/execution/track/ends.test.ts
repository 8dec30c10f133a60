import { describe, expect, it } from 'vitest'
import { hashOf } from '../../../support/fakeEvidence.ts'
import { fails } from '../../../support/fakeVenue.ts'
import { callPaying, done, LEAST, OVER_MS, PAID_IN } from '../../../support/moneyBench.ts'
import { START_AT } from '../../../support/testEngine.ts'
import { openScene, type Scene, type Step, scenes } from './scenes.ts'

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
const UNPAID = { isUnpaid: true } as const
const asksNobody = ({ venue }: Scene) => Object.assign(venue.script, { track: fails(new Error('must not be asked')) })
const readsOf = ({ chain }: Scene, which = 'transaction') => chain.reads.filter(({ method }) => method === which).length
const passes =
  (ms: number) =>
  ({ pass }: Scene) =>
    pass(ms)
const removes =
  (number: number) =>
  ({ chain }: Scene) =>
    chain.remove(hashOf(number))

describe('a second payment [status-extra-payment]', () => {
  const [FIRST, SECOND] = [hashOf(1), hashOf(2)]
  scenes(
    'TRANSACTION',
    UNPAID,
  )({
    'ends: a second payment of a payload is extra, and reported as open after the end': [
      [({ a }) => [a.pay(), a.pay()]],
      [({ a }) => a.says('success', done(a.deliver())), 'success'],
      [passes(1_000), { ref: SECOND, state: 'processing', txHash: null }],
      [null, { ref: SECOND, state: 'processing', kept: { endedAt: START_AT, ref: FIRST, status: { state: 'success' } } }],
      [null, { state: 'success', payments: [{ txHash: FIRST }, { kind: 'output' }, { kind: 'extra', txHash: SECOND }] }],
    ],
    'ends: a second payment of a payload becomes the input when a reorganization removes the first': [
      [({ a }) => [a.pay(), a.pay()], 'processing'],
      [removes(1), { ref: SECOND, state: 'processing', payments: [{ kind: 'input', txHash: SECOND }] }],
    ],
    'ends: a reorganization of the payment resets the swap until it is paid again, and a final payment is read once': [
      [({ a }) => a.pay(), 'processing'],
      [removes(1), { state: 'pending', rows: '' }],
      [({ a, chain }) => chain.put(callPaying(a, FIRST, { standing: 'final' })), 'processing'],
      [
        async (on) => {
          const before = on.chain.reads.length
          await on.a.told()
          expect(on.chain.reads.length).toBe(before)
        },
      ],
    ],
  })
  scenes(
    'DEPOSIT',
    UNPAID,
  )({
    'ends: a second payment to an address is extra, and searched for now and then after the end': [
      [({ a }) => a.pay(PAID_IN, { standing: 'final' })],
      [({ a }) => a.says('success', done(a.deliver(LEAST, { standing: 'final' }))), 'success'],
      [passes(MINUTE_MS)],
      [({ a }) => a.pay(PAID_IN + 1n, { height: 1_001 }), 'success'],
      [
        passes(MINUTE_MS),
        {
          state: 'success',
          rows: `input ${PAID_IN}, output ${LEAST}, extra ${PAID_IN + 1n}`,
          kept: { endedAt: START_AT, status: { state: 'success' } },
        },
      ],
      [
        async (on) => {
          const before = readsOf(on, 'search')
          for (let times = 0; times < 5; times += 1) await on.a.told()
          expect(readsOf(on, 'search')).toBe(before)
          expect(on.venue.calls.track).toHaveLength(1)
        },
      ],
    ],
  })
})

describe('a refund of dust that strangers sent to a deposit address', () => {
  const dusted: readonly Step[] = [
    [({ a }) => Array.from({ length: 8 }, (_none, at) => a.pay(600n, { height: 100 + at }))],
    [({ a }) => a.says('refunded', a.giveBack(3_900n, { height: 200 })), 'refunded'],
    [passes(MINUTE_MS)],
  ]
  const reopened: readonly Step[] = [
    ...dusted,
    [
      ({ a }) => a.pay(PAID_IN - 1n, { height: 300 }),
      { state: 'processing', kept: { endedAt: START_AT, status: { state: 'processing', txHash: null } } },
    ],
    // The venue still reports the refund of the dust.
    [null, 'expired'],
    [passes(MINUTE_MS)],
  ]
  scenes('DEPOSIT', { ...UNPAID, profile: { refundKeeps: () => ({ amount: 1_000n, bps: 0 }) } })({
    'ends: the real payment reopens the swap, which succeeds by its delivery': [
      ...reopened,
      [({ a }) => a.says('success', a.deliver()), { state: 'success', txHash: hashOf(11) }],
      [null, 'success'],
    ],
    'ends: the real payment reopens the swap, which is refunded by its own refund': [
      ...reopened,
      [({ a }) => a.says('refunded', a.giveBack(PAID_IN - 1_000n, { height: 400 })), { state: 'refunded', txHash: hashOf(11) }],
      [null, 'refunded'],
    ],
    'ends: a later payment that a refund would cost reopens nothing': [
      ...dusted,
      [({ a }) => a.pay(900n, { height: 300 }), 'refunded'],
      [passes(MINUTE_MS), 'refunded'],
      [passes(MINUTE_MS), { state: 'refunded', rows: `${Array(8).fill('input 600').join(', ')}, refund 3900, input 900` }],
    ],
  })
})

describe('the end of a swap [status-reorg-reopens]', () => {
  const paid: Step = [({ a }) => a.pay(PAID_IN, { standing: 'final' })]
  const delivered = (standing: 'confirmed' | 'final' = 'confirmed'): readonly Step[] => [
    paid,
    [({ a }) => a.says('success', done(a.deliver(LEAST, { standing }))), 'success'],
  ]
  const again: Step = [({ a }) => a.deliver(LEAST, { hash: hashOf(2) }), { state: 'success', kept: { endedAt: START_AT } }]
  const reads = (count: number): Step => [
    async (on) => {
      const before = readsOf(on)
      expect((await on.a.told()).state).toBe('success')
      expect(readsOf(on) - before).toBe(count)
    },
  ]
  scenes(
    'DEPOSIT',
    UNPAID,
  )({
    'ends: a reorganization of the delivery reopens the swap, and its end keeps the first time': [
      ...delivered(),
      [removes(2)],
      [
        passes(MINUTE_MS),
        { state: 'processing', deliveredAmount: null, txHash: null, rows: 'input', kept: { endedAt: START_AT } },
      ],
      [null, 'processing'],
      again,
    ],
    'ends: a reorganization reopens a swap that had failed unpaid long before': [
      [passes(OVER_MS + 1), 'failed'],
      [passes(3 * DAY_MS)],
      [({ a }) => a.pay()],
      [({ a }) => a.says('success', done(a.deliver())), 'success'],
      [removes(2), 'processing'],
    ],
    'ends: a refund that failed after all reopens the swap': [
      paid,
      [({ a }) => a.says('refunded', a.giveBack()), 'refunded'],
      [({ a }) => a.giveBack(PAID_IN, { hash: hashOf(2), isSuccess: false, movements: [] }), 'processing'],
      [null, 'expired'],
    ],
    'ends: an unreadable chain reopens nothing': [
      ...delivered(),
      [({ chain }) => Object.assign(chain, { isUnreadable: () => true }), 'success'],
    ],
    'ends: a node that has forgotten the delivery after days reopens nothing': [
      ...delivered(),
      [removes(2)],
      [passes(3 * DAY_MS), 'success'],
    ],
    'ends: the delivery is read again until it is final, and the venue is asked no more': [
      ...delivered(),
      [asksNobody],
      reads(1),
      reads(1),
      [({ a }) => a.deliver(LEAST, { hash: hashOf(2), standing: 'final' }), 'success'],
      reads(0),
    ],
    'ends: a delivery that was final at first is not read again': [...delivered('final'), reads(0)],
  })

  it.each([3_600_000, 3 * DAY_MS])(
    'ends: lists the payments as final when asked %d ms later [status-payments-listed]',
    async (ms) => {
      const { a, chain, pass } = await openScene('TRANSACTION')
      a.says('success', done(a.deliver()))
      expect((await a.told()).state).toBe('success')
      pass(ms)
      chain.put(callPaying(a, hashOf(1), { standing: 'final' }))
      a.deliver(LEAST, { hash: hashOf(2), standing: 'final' })
      await a.told()
      expect((await a.told()).payments).toMatchObject([
        { kind: 'input', isFinal: true },
        { kind: 'output', isFinal: true },
      ])
    },
  )
})
