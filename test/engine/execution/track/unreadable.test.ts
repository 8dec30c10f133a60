import { describe, expect, it } from 'vitest'
import { nativeAsset } from '../../../../engine/core/asset.ts'
import { isTerminal } from '../../../../engine/core/swapStatus.ts'
import { VenueError } from '../../../../engine/venues/venueError.ts'
import { WALLETS } from '../../../support/anOrder.ts'
import { hashOf } from '../../../support/fakeEvidence.ts'
import { fails } from '../../../support/fakeVenue.ts'
import { done, LEAST, NO_HASH, OVER_MS, sendsOn } from '../../../support/moneyBench.ts'
import { refusalOf, START_AT } from '../../../support/testEngine.ts'
import {
  A,
  type Act,
  chainHas,
  each,
  isOver,
  isReadable,
  isUnreadable,
  openScene,
  passes,
  removes,
  type Scene,
  type Story,
  scenes,
} from './scenes.ts'

const DAY_MS = 86_400_000
const without = (method: string) => isUnreadable((read) => read.method === method)
const isDown = ({ venue }: Scene) => Object.assign(venue.script, { track: fails(new VenueError('unavailable', 'down')) })
const ends =
  (state: 'success' | 'refunded' | 'failed' | 'expired', rest = {}) =>
  ({ a }: Scene) =>
    a.says(state, { ...done(state === 'success' ? a.deliver() : a.giveBack()), ...rest })
const fakeHashes = Array.from({ length: 9 }, (_none, at) => hashOf(900 + at))

describe('a chain that cannot be read [status-unreadable-ends-nothing]', () => {
  const isOpen: Act = async ({ a, reported }) => {
    expect([isTerminal((await a.told()).state), (await a.kept()).endedAt]).toEqual([false, null])
    expect(reported('chain.unread')).not.toEqual([])
  }
  for (const kind of ['DEPOSIT', 'TRANSACTION'] as const)
    scenes('unreadable', { kind })(
      each(['success', 'refunded', 'failed'], (state) => [
        `a ${kind} of which the venue reports ${state} is open, and ends once the chain can be read`,
        [ends(state), isOver, isUnreadable(), isOpen, isReadable, state === 'success' ? state : 'refunded'],
      ]),
    )
  scenes('unreadable', { kind: 'DEPOSIT' })({
    'a deposit is found that one endpoint hides behind payments that never were': [
      ({ a, chain }: Scene) => {
        const { search } = chain
        const fakes = { hashes: fakeHashes, isWhole: true }
        chain.search = async () => fakes
        chain.searchByTwo = async (query, signal) => ({ lists: [await search(query, signal), fakes], isWhole: false })
        a.says('failed')
      },
      'expired',
    ],
  })
  const failing: Story = [A.says('failed'), passes(OVER_MS + 1)]
  /** The venue names the payment and reports an end, and the node has forgotten that payment. */
  const forgotten = (state: 'success' | 'refunded'): Story => [
    async (on) => {
      const paidBy = on.a.pay()
      const seen = await on.chain.transaction({ chainId: 1, hash: paidBy }, new AbortController().signal)
      if (seen === null) throw new Error('nothing was paid')
      ends(state, { paidBy: [paidBy] })(on)
      on.chain.remove(paidBy)
      on.pass(OVER_MS + 1)
      expect(isTerminal((await on.a.told()).state)).toBe(false)
      on.chain.put(seen)
    },
    state,
  ]
  scenes('unreadable', { kind: 'DEPOSIT', isUnpaid: true })({
    ...each(['search', 'untouchedUntil', 'confirmedTime'], (method) => [
      `an unpaid deposit is pending without ${method}`,
      [failing, without(method), 'pending', isReadable, 'failed'],
    ]),
    'an unpaid deposit is failed although one endpoint names many payments that never were': [
      [failing, chainHas({ search: async () => ({ hashes: fakeHashes, isWhole: false }) }), 'failed'],
    ],
    'an unpaid deposit is pending by a node that has not passed the deadline': [
      [failing, chainHas({ addressesAt: START_AT + OVER_MS }), 'pending'],
      [chainHas({ addressesAt: START_AT + OVER_MS + 1 }), 'failed'],
    ],
    'a deposit that a venue reports as success is not failed by a node that forgot the payment': forgotten('success'),
    'a deposit that a venue reports as refunded is not failed by a node that forgot the payment': forgotten('refunded'),
    'a refund of one part is not enough while another part cannot be read': [
      [A.pay(400_000n), A.pay(600_000n)],
      [A.says('refunded', { txHash: A.giveBack(400_000n), paidBy: [hashOf(1), hashOf(2)] })],
      [isUnreadable(({ of }) => of === hashOf(2)), 'pending', isReadable, 'expired'],
    ],
  })
  scenes('unreadable', { kind: 'TRANSACTION' })({
    'a transaction that a reorganization removed is pending without the time of the chain': [
      ['processing', removes(1), isOver, without('confirmedTime'), 'pending', isReadable, 'failed'],
    ],
    'a call is recognised only once the code of its sender is known': [[without('hasCode'), 'pending', isReadable, 'processing']],
  })
})

describe('a venue that does not answer [status-unreadable-ends-nothing]', () => {
  const seen = { state: 'processing', venueStatus: null, deliveredAmount: null, txHash: null } as const
  it.each(['DEPOSIT', 'TRANSACTION'] as const)(
    'unreadable: a paid %s is processing, and an unpaid one INTERNAL',
    async (kind) => {
      const scene = await openScene({ kind, isUnpaid: true })
      const { a } = scene
      isDown(scene)
      const { details, isOutage } = await refusalOf(a.told(kind === 'DEPOSIT' ? a.ref : NO_HASH), 'INTERNAL')
      expect([details, isOutage]).toEqual([{ venue: 'toy', kind: 'unavailable', retryable: true }, true])
      a.pay()
      expect(await a.told()).toMatchObject({ ...seen, payments: [{ txHash: hashOf(1) }] })
      expect((await a.kept()).status).toEqual(seen)
    },
  )
  scenes('unreadable', { kind: 'DEPOSIT', isUnpaid: true })({
    'a deposit is pending, as reported before, until the chain shows its payment': [
      ['pending', (on) => [on.pass(1), isDown(on)], 'pending', A.pay(), 'processing'],
    ],
  })
})

describe('what was recorded once', () => {
  const cannotKeep = ({ store }: Scene) => Object.assign(store, { fails: (call: string) => call === 'swaps.byId' })
  const canKeep = ({ store }: Scene) => Object.assign(store, { fails: () => false })
  scenes('unreadable', { kind: 'DEPOSIT' })({
    'a recorded delivery needs no second read, although its status could not be stored': [
      [ends('success'), cannotKeep],
      [
        async (on) => {
          expect((await on.a.told()).state).toBe('success')
          canKeep(on)
          expect((await on.a.kept()).status.state).toBe('pending')
        },
      ],
      [isUnreadable(), { state: 'success', txHash: hashOf(2), kept: { status: { state: 'success' } } }],
    ],
  })
  const TO_COINS = { orders: [{ to: [42161, nativeAsset(42161).address] }] } as const
  const sent = ({ a }: Scene) => a.says('success', done(a.deliver(0n, sendsOn(WALLETS.evm, 50))))
  scenes('unreadable', { kind: 'DEPOSIT', ...TO_COINS })({
    'a recorded delivery in coins is enough on a node that has forgotten the balance': [
      [({ chain }) => chain.gain({ chainId: 42161, height: 50, recipient: WALLETS.evm }, LEAST)],
      [(on) => [sent(on), cannotKeep(on)], ({ a }) => a.told()],
      [(on) => [canKeep(on), Object.assign(on.chain, { stateSince: 1_000 })], 'success'],
    ],
  })
  const forgets = (state: 'success' | 'expired', endedAt: number | null): Story => [
    [({ a }) => a.says(state, done(a.deliver())), state, removes(1), removes(2)],
    [passes(DAY_MS), { state, kept: { endedAt }, rows: state === 'success' ? 'input, output' : 'input' }],
  ]
  scenes('unreadable', { kind: 'TRANSACTION' })({
    'a delivery older than a day is not dropped by a node that forgot it': forgets('success', START_AT),
    'a payment older than a day is not dropped by a node that forgot it': forgets('expired', null),
  })
  scenes('unreadable', { kind: 'TRANSACTION', isUnpaid: true })({
    'a recognised transaction that a reorganization removed fails no swap once the node may have forgotten it': [
      [A.pay(), A.says('processing'), 'processing', removes(1), A.says('not_found'), 'processing'],
      [passes(OVER_MS + DAY_MS), { state: 'processing', kept: { endedAt: null } }],
    ],
    'a transaction that the node may have forgotten fails no swap': [
      [A.says('not_found'), passes(OVER_MS + DAY_MS), { ref: NO_HASH, state: 'not_found', kept: { endedAt: null } }],
    ],
  })
})
