import { describe, expect, it } from 'vitest'
import { hashOf } from '../../../support/fakeEvidence.ts'
import { fails } from '../../../support/fakeVenue.ts'
import { callPaying, done, LEAST, OVER_MS, PAID_IN } from '../../../support/moneyBench.ts'
import { START_AT } from '../../../support/testEngine.ts'
import { A, chainHas, openScene, passes, removes, type Scene, type Story, scenes } from './scenes.ts'

const DAY_MS = 86_400_000
const asksNobody = ({ venue }: Scene) => Object.assign(venue.script, { track: fails(new Error('must not be asked')) })
const readsOf = ({ chain }: Scene, which = 'transaction') => chain.reads.filter(({ method }) => method === which).length

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
    'a reorganization of the payment resets the swap until it is paid again, and a final payment is read once': [
      [A.pay(), 'processing', removes(1), { state: 'pending', rows: '' }],
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
    'the real payment reopens the swap, which is refunded by its own refund': [
      [...reopened, A.refunds(PAID_IN - 1_000n, { height: 400 }), { state: 'refunded', txHash: hashOf(11) }, 'refunded'],
    ],
    'a later payment that a refund would cost reopens nothing': [
      [...dusted, A.pay(900n, { height: 300 }), 'refunded', passes(), 'refunded'],
      [passes(), { state: 'refunded', rows: `${Array(8).fill('input 600').join(', ')}, refund 3900, input 900` }],
    ],
  })
})

describe('the end of a swap [status-reorg-reopens]', () => {
  const paid: Story = [A.pay(PAID_IN, { standing: 'final' })]
  const delivered = (standing: 'confirmed' | 'final' = 'confirmed'): Story => [paid, A.succeeds(LEAST, { standing }), 'success']
  const again: Story = [A.deliver(LEAST, { hash: hashOf(2) }), { state: 'success', kept: { endedAt: START_AT } }]
  const reads = (count: number): Story => [
    async (on) => {
      const before = readsOf(on)
      expect((await on.a.told()).state).toBe('success')
      expect(readsOf(on) - before).toBe(count)
    },
  ]
  scenes('ends', { kind: 'DEPOSIT', isUnpaid: true })({
    'a reorganization of the delivery reopens the swap, and its end keeps the first time': [
      [...delivered(), removes(2)],
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
    'an unreadable chain reopens nothing': [...delivered(), chainHas({ isUnreadable: () => true }), 'success'],
    'a node that has forgotten the delivery after days reopens nothing': [
      [...delivered(), removes(2), passes(3 * DAY_MS), 'success'],
    ],
    'the delivery is read again until it is final, and the venue is asked no more': [
      [...delivered(), asksNobody, reads(1), reads(1)],
      [A.deliver(LEAST, { hash: hashOf(2), standing: 'final' }), 'success', reads(0)],
    ],
    'a delivery that was final at first is not read again': [...delivered('final'), reads(0)],
  })

  it.each([3_600_000, 3 * DAY_MS])(
    'ends: lists the payments as final when asked %d ms later [status-extra-payment]',
    async (ms) => {
      const { a, chain, pass } = await openScene({ kind: 'TRANSACTION' })
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
