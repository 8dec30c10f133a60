import { expect } from 'vitest'
import { nativeAsset } from '../../../../engine/core/asset.ts'
import { isTerminal } from '../../../../engine/core/swapStatus.ts'
import { VenueError } from '../../../../engine/venues/venueError.ts'
import { WALLETS } from '../../../support/anOrder.ts'
import { hashOf } from '../../../support/fakeEvidence.ts'
import { fails } from '../../../support/fakeVenue.ts'
import { done, LEAST, NO_HASH, OVER_MS, sendsOn } from '../../../support/moneyBench.ts'
import { START_AT } from '../../../support/testEngine.ts'
import {
  A,
  type Act,
  chainHas,
  each,
  isOver,
  isReadable,
  isUnreadable,
  passes,
  removes,
  type Scene,
  type Story,
  scenes,
} from './scenes.ts'

const DAY_MS = 86_400_000
const without = (method: string) => isUnreadable((read) => read.method === method)
const ends =
  (state: 'success' | 'refunded' | 'failed' | 'expired', rest = {}) =>
  ({ a }: Scene) =>
    a.says(state, { ...done(state === 'success' ? a.deliver() : a.giveBack()), ...rest })
const isOpen: Act = async ({ a, reported }) => {
  expect([isTerminal((await a.told()).state), (await a.kept()).endedAt]).toEqual([false, null])
  expect(reported('chain.unread')).not.toEqual([])
}
for (const kind of ['DEPOSIT', 'TRANSACTION'] as const)
  scenes(`unreadable ${kind}`, { kind })(
    each(['success', 'refunded', 'failed'], (state) => [
      `is open although the venue reports ${state}, and ends once the chain can be read [status-unreadable-ends-nothing]`,
      [ends(state), isOver, isUnreadable(), isOpen, isReadable, state === 'success' ? state : 'refunded'],
    ]),
  )

const fakeHashes = Array.from({ length: 9 }, (_none, at) => hashOf(900 + at))
const hidesThePayment = ({ chain }: Scene): void => {
  const { search } = chain
  const fakes = { hashes: fakeHashes, isWhole: true }
  chain.search = async () => fakes
  chain.searchByTwo = async (query, signal) => ({ lists: [await search(query, signal), fakes], isWhole: false })
}
const TO_COINS = { orders: [{ to: [42161, nativeAsset(42161).address] }] } as const
const canStore =
  (isAble: boolean): Act =>
  ({ store }) =>
    Object.assign(store, { fails: (call: string) => !isAble && call === 'swaps.byId' })
scenes('a deposit', { kind: 'DEPOSIT' })({
  'is found although one endpoint hides it behind payments that never were': [hidesThePayment, A.says('failed'), 'expired'],
})
scenes('a delivery in coins', { kind: 'DEPOSIT', ...TO_COINS })({
  'that was recorded is enough on a node that has forgotten the balance, although its status could not be stored': [
    [({ chain }) => chain.gain({ chainId: 42161, height: 50, recipient: WALLETS.evm }, LEAST)],
    [({ a }) => a.says('success', done(a.deliver(0n, sendsOn(WALLETS.evm, 50)))), canStore(false), ({ a }) => a.told()],
    [canStore(true), chainHas({ stateSince: 1_000 }), 'success'],
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
scenes('an unpaid deposit', { kind: 'DEPOSIT', isUnpaid: true })({
  ...each(['search', 'untouchedUntil', 'confirmedTime'], (method) => [
    `is pending without ${method}`,
    [failing, without(method), 'pending', isReadable, 'failed'],
  ]),
  'is failed although one endpoint names many payments that never were': [
    [failing, chainHas({ search: async () => ({ hashes: fakeHashes, isWhole: false }) }), 'failed'],
  ],
  'is pending by a node that has not passed the deadline': [
    [failing, chainHas({ addressesAt: START_AT + OVER_MS }), 'pending'],
    [chainHas({ addressesAt: START_AT + OVER_MS + 1 }), 'failed'],
  ],
  'is not failed by a node that forgot the payment, when the venue reports success': forgotten('success'),
  'is not failed by a node that forgot the payment, when the venue reports refunded': forgotten('refunded'),
  'in parts is not refunded by one part while another part cannot be read': [
    [A.pay(400_000n), A.pay(600_000n)],
    [({ a }) => a.says('refunded', { txHash: a.giveBack(400_000n), paidBy: [hashOf(1), hashOf(2)] })],
    [isUnreadable(({ of }) => of === hashOf(2)), 'pending', isReadable, 'expired'],
  ],
})

const forgets = (state: 'success' | 'expired', endedAt: number | null): Story => [
  [({ a }) => a.says(state, done(a.deliver())), state, removes(1), removes(2)],
  [passes(DAY_MS), { state, kept: { endedAt }, rows: state === 'success' ? 'input, output' : 'input' }],
]
scenes('a transaction', { kind: 'TRANSACTION' })({
  'that a reorganization removed is pending without the time of the chain': [
    ['processing', removes(1), isOver, without('confirmedTime'), 'pending', isReadable, 'failed'],
  ],
  'is recognised only once the code of its sender is known': [without('hasCode'), 'pending', isReadable, 'processing'],
  'keeps a delivery older than a day that the node forgot': forgets('success', START_AT),
  'keeps a payment older than a day that the node forgot': forgets('expired', null),
})

const isDown: Act = ({ venue }) => Object.assign(venue.script, { track: fails(new VenueError('unavailable', 'down')) })
const status = { state: 'processing', venueStatus: null, deliveredAmount: null, txHash: null } as const
const isPaid: Story = [isDown, A.pay(), { ...status, payments: [{ txHash: hashOf(1) }], kept: { status } }]
scenes('a deposit', { kind: 'DEPOSIT', isUnpaid: true })({ 'that is paid is processing while its venue is down': isPaid })
scenes('a transaction', { kind: 'TRANSACTION', isUnpaid: true })({
  'that pays is processing while its venue is down': isPaid,
  'that was recognised, then removed by a reorganization, fails no swap once the node may have forgotten it': [
    [A.pay(), A.says('processing'), 'processing', removes(1), A.says('not_found'), 'processing'],
    [passes(OVER_MS + DAY_MS), { state: 'processing', kept: { endedAt: null } }],
  ],
  'that the node may have forgotten fails no swap': [
    [A.says('not_found'), passes(OVER_MS + DAY_MS), { ref: NO_HASH, state: 'not_found', kept: { endedAt: null } }],
  ],
})
