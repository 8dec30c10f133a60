import { expect } from 'vitest'
import { paymentsTo } from '../../../../engine/chains/seen.ts'
import { nativeAsset } from '../../../../engine/core/asset.ts'
import type { ExecutedSwap } from '../../../../engine/core/swap.ts'
import { isTerminal, type SwapState } from '../../../../engine/core/swapStatus.ts'
import type { SwapEvents } from '../../../../engine/venues/venue.ts'
import { VenueError } from '../../../../engine/venues/venueError.ts'
import { WALLETS } from '../../../support/anOrder.ts'
import { hashOf } from '../../../support/fakeEvidence.ts'
import { fails, statusOf } from '../../../support/fakeVenue.ts'
import { done, LEAST, NO_HASH, OVER_MS, PAID_IN, sendsOn } from '../../../support/moneyBench.ts'
import { START_AT } from '../../../support/testEngine.ts'
import { log, TOY_EVENTS } from '../../../support/toyEvents.ts'
import { A, type Act, chains, each, given, isOver, passes, type Scene, type Story, type Swap, scenes } from './scenes.ts'

const DAY_MS = 86_400_000
const [FIRST, SECOND] = [hashOf(1), hashOf(2)]
const depositOf = ({ execution: { payload } }: Pick<ExecutedSwap, 'execution'>) => {
  if (payload.executionType !== 'DEPOSIT') throw new TypeError('no deposit')
  return payload.deposit
}
const addressOf = ({ record }: Swap) => depositOf(record.swap).address
const hasFailed = { state: 'failed', kept: { endedAt: START_AT + OVER_MS + 1, status: { state: 'failed' } } } as const

const unseen = (state: SwapState) => ({ ref: NO_HASH, state })
scenes('a transaction that reverted or that no chain shows', { kind: 'TRANSACTION', isUnpaid: true })({
  'has failed for its ref without a venue call, and another transaction pays the swap [status-failed-needs-certainty]': [
    [A.pay(PAID_IN, { isSuccess: false }), A.pay(), A.succeeds()],
    [{ ref: FIRST, state: 'failed', kept: { endedAt: null, ref: null, status: { state: 'pending' } } }],
    [({ venue }) => expect(venue.calls.track).toEqual([])],
    [
      { ref: SECOND, state: 'success', kept: { endedAt: START_AT, ref: SECOND } },
      { ref: FIRST, state: 'failed' },
    ],
  ],
  'ends the swap two minutes after the deadline, by our time and by the time of the chain': [
    [A.pay(PAID_IN, { isSuccess: false }), isOver, chains.have({ confirmedAt: START_AT + OVER_MS })],
    [{ state: 'failed', kept: { endedAt: null } }, chains.have({ confirmedAt: START_AT + OVER_MS + 1 }), hasFailed],
  ],
  'never fails unseen, whatever the venue reports and however late [status-failed-needs-certainty]': [
    [isOver, unseen('pending'), A.says('not_found'), passes(OVER_MS + 1), unseen('not_found')],
    [A.says('failed'), unseen('pending'), A.says('refunded'), unseen('pending'), A.says('expired'), unseen('pending')],
    [A.says('success'), { ...unseen('processing'), kept: { ref: null, endedAt: null } }],
  ],
  'leaves the swap pending when a reorganization removed it, until the deadline': [
    [A.pay(), A.says('processing'), 'processing', chains.remove(1), A.says('pending'), 'pending', A.says('not_found'), 'pending'],
    [unseen('not_found'), isOver, hasFailed],
  ],
})

/** What the contract of the venue shows of the order. */
const contract = { isUnfilled: false }
const unfilled = { isUnfilled: async () => contract.isUnfilled }
const isFilled: Act = () => Object.assign(contract, { isUnfilled: false })
const isNotFilled: Act = () => Object.assign(contract, { isUnfilled: true })
scenes('an order placed by a transaction', { kind: 'TRANSACTION', unfilled })({
  'has failed when its contract shows none after the deadline, and can still be paid': [
    [isFilled, 'processing', chains.remove(1), A.says('expired'), 'pending', isNotFilled, 'pending', isOver, isFilled, 'pending'],
    [isNotFilled, hasFailed, A.says('processing'), ({ a }) => Object.assign(a, { ref: a.pay() }), 'processing'],
  ],
})
scenes('a signed order', { kind: 'SIGNATURE', unfilled })({
  'is failed when its contract shows no fill after the deadline': [
    [isFilled, A.says('failed'), 'pending', A.says('expired'), 'pending', A.says('pending'), 'pending'],
    [isOver, 'pending', isNotFilled, 'failed'],
  ],
  'stays pending after the deadline when the chain cannot show whether it was filled': [
    [given({ unfilled: null }), A.says('failed'), isOver, 'pending'],
  ],
})

scenes('a deposit', { kind: 'DEPOSIT', isUnpaid: true })({
  'that is unpaid is failed only after its deadline, although the venue reports refunded [status-failed-needs-certainty]': [
    [chains.have({ confirmedAt: START_AT + OVER_MS + 1 }), A.says('refunded'), 'pending', isOver, hasFailed],
  ],
  'that is unpaid is pending while its address was used': [[({ a, chain }) => chain.inUse.add(addressOf(a)), isOver, 'pending']],
  'is not paid by a payment before the execution': [
    [A.pay(PAID_IN, { at: START_AT - 360_000 })],
    [({ a }) => a.says('success', { ...done(a.deliver()), paidBy: [FIRST] }), 'processing'],
    [({ a }) => a.says('refunded', { txHash: a.giveBack(), paidBy: [FIRST] }), { state: 'pending', rows: '' }],
  ],
  'that had failed is processing after a late payment, although the venue reports pending [status-deposit-late-or-parts]': [
    [isOver, hasFailed, passes(), A.pay(), { state: 'processing', kept: { endedAt: START_AT + OVER_MS + 1 } }],
  ],
  'that had failed succeeds by its delivery after a late payment [status-deposit-late-or-parts]': [
    [isOver, hasFailed, passes(), A.pay(), A.succeeds(), { state: 'success', kept: { endedAt: START_AT + OVER_MS + 1 } }],
  ],
  'in parts is the input until the parts are enough, and what follows is extra': [
    [A.says('processing'), A.pay(400_000n, { height: 1 }), 'processing'],
    [A.pay(600_000n, { height: 2 }), A.pay(100_000n, { height: 3 }), 'processing'],
    [{ rows: 'input 400000, input 600000, extra 100000' }],
  ],
})

const inCoins =
  (stateSince: number) =>
  ({ a, chain }: Scene) => {
    const recipient = addressOf(a)
    const paidBy = a.pay(0n, sendsOn(recipient, 50))
    chain.inUse.add(recipient)
    chain.gain({ chainId: 1, height: 50, recipient }, PAID_IN)
    chain.stateSince = stateSince
    a.says('success', { ...done(a.deliver()), paidBy: [paidBy] })
  }
scenes('a deposit in coins', { kind: 'DEPOSIT', isUnpaid: true, orders: [{ from: [1, nativeAsset(1).address] }] })({
  'that a contract sent is paid by the balance of the block': [inCoins(0), { state: 'success', rows: 'input, output' }],
  'whose balance the node has forgotten is paid by the use of the address': [inCoins(51), { state: 'success', rows: 'output' }],
})

const REFERENCES = 100n
/** The last digits identify the payment of a swap. Its hash names the order, which a refund carries as a note. */
const byDigits: SwapEvents = {
  inputs: async (seen, { order: { input }, ...swap }) =>
    paymentsTo(seen, { asset: input, recipient: depositOf(swap).address })
      .filter(({ amount }) => amount % REFERENCES === depositOf(swap).amount % REFERENCES)
      .map(({ place, amount }) => ({ place, orderId: seen.hash, took: { token: input.address, amount } })),
  outputs: async () => [],
  refunds: async (seen, { order, binding }, orderIds) =>
    seen.notes.some((note) => orderIds.includes(Buffer.from(note).toString()))
      ? paymentsTo(seen, { asset: order.input, recipient: binding.refundTo })
      : [],
  named: async () => [],
}
const profile = { amountCarriesReference: () => REFERENCES - 1n }
const SMALL = PAID_IN / 2n
const searchesTwo = (isWhole: boolean) => chains.have({ searchByTwo: async () => ({ lists: [], isWhole }) })
/** Twelve more payments to the address. */
const others = ({ a }: Scene): void => {
  for (let n = 1; n <= 12; n += 1) a.pay(BigInt(n))
}
const noted = (amount: bigint, of: number) => A.giveBack(amount, { notes: [Buffer.from(hashOf(of))] })
scenes('a swap at a shared deposit address', { kind: 'DEPOSIT', isUnpaid: true, events: byDigits, profile })({
  'the payment with the digits of the swap is its input, and its hash names the order [status-shared-address]': [
    [A.pay(), A.says('processing', { paidBy: [FIRST] })],
    [{ state: 'processing', payments: [{ kind: 'input', amount: PAID_IN, orderId: FIRST }] }],
  ],
  'a payment with other digits is no input, although the venue names it': [
    [A.pay(PAID_IN - 1n), A.says('expired', { paidBy: [FIRST] }), { state: 'pending', rows: '' }],
  ],
  'an unpaid swap is failed after the deadline when two endpoints show no payment of it': [
    [A.pay(PAID_IN - 1n), searchesTwo(false), isOver, 'pending', searchesTwo(true), 'failed'],
  ],
  'an unpaid swap is failed once all payments were read, eight at a time': [others, isOver, 'pending', 'failed'],
  'a payment is none of the swap when another swap may have its digits': [
    [passes(OVER_MS + 48 * 3_600_000), A.pay(), { state: 'failed', rows: '' }],
  ],
  'a smaller payment with the same digits keeps no refund from the payment of the swap': [
    [A.says('expired'), A.pay(SMALL), isOver, 'expired', A.pay(), 'expired', noted(PAID_IN, 2)],
    [passes(), { state: 'refunded', rows: `extra ${SMALL}, input ${PAID_IN}, refund ${PAID_IN}` }],
  ],
  'the payment that the venue names is the input': [
    [A.pay(SMALL), A.pay(), A.says('expired'), isOver, { state: 'expired', rows: `extra ${SMALL}, input ${PAID_IN}` }],
    [A.says('expired', { paidBy: [FIRST] }), noted(SMALL, 1)],
    [passes(), { state: 'refunded', rows: `input ${SMALL}, extra ${PAID_IN}, refund ${SMALL}` }],
  ],
  'a payment is no input when no event identifies it': [
    [given({ events: null }), A.pay(), A.says('processing', { paidBy: [FIRST] }), { rows: '' }],
  ],
})

scenes('payments', { kind: 'TRANSACTION', isUnpaid: true })({
  'a second payment of a payload is extra, and reported as open after the end [status-extra-payment]': [
    [A.pay(), A.pay(), A.succeeds(), 'success', passes(1_000), { ref: SECOND, state: 'processing', txHash: null }],
    [{ ref: SECOND, state: 'processing', kept: { endedAt: START_AT, ref: FIRST, status: { state: 'success' } } }],
    [{ state: 'success', payments: [{ txHash: FIRST }, { kind: 'output' }, { kind: 'extra', txHash: SECOND }] }],
  ],
  'a second payment of a payload becomes the input when a reorganization removes the first': [
    [A.pay(), A.pay(), 'processing'],
    [chains.remove(1), { ref: SECOND, state: 'processing', payments: [{ kind: 'input', txHash: SECOND }] }],
  ],
})
const dusted: Story = [
  [({ a }) => Array.from({ length: 8 }, (_none, at) => a.pay(600n, { height: 100 + at }))],
  [A.refunds(3_900n, { height: 200 }), 'refunded', passes()],
]
const profileOfRefunds = { refundKeeps: () => ({ amount: 1_000n, bps: 0 }) }
scenes('a refund of dust that strangers sent', { kind: 'DEPOSIT', isUnpaid: true, profile: profileOfRefunds })({
  'does not end the swap: the real payment reopens it, and it succeeds by its delivery': [
    [...dusted, A.pay(PAID_IN - 1n, { height: 300 })],
    [{ state: 'processing', kept: { endedAt: START_AT, status: { state: 'processing', txHash: null } } }],
    ['expired', passes(), A.succeeds(), { state: 'success', txHash: hashOf(11) }, 'success'],
  ],
  'stays the end after a later payment that a refund would cost': [
    [...dusted, A.pay(900n, { height: 300 }), 'refunded', passes(), 'refunded'],
    [passes(), { state: 'refunded', rows: `${Array(8).fill('input 600').join(', ')}, refund 3900, input 900` }],
  ],
})

const paid: Story = [A.pay(PAID_IN, { standing: 'final' })]
const delivered: Story = [paid, A.succeeds(), 'success']
scenes('the end of a swap', { kind: 'DEPOSIT', isUnpaid: true })({
  'is undone by a reorganization of the delivery, and keeps its first time [status-reorg-reopens]': [
    [...delivered, chains.remove(2), passes()],
    [{ state: 'processing', deliveredAmount: null, txHash: null, rows: 'input', kept: { endedAt: START_AT } }, 'processing'],
    [A.deliver(LEAST, { hash: SECOND }), { state: 'success', kept: { endedAt: START_AT } }],
  ],
  'is undone by a reorganization although the swap had failed unpaid long before': [
    [isOver, 'failed', passes(3 * DAY_MS), A.pay(), A.succeeds(), 'success', chains.remove(2), 'processing'],
  ],
  'is undone when its refund failed after all': [
    [paid, A.refunds(), 'refunded'],
    [A.giveBack(PAID_IN, { hash: SECOND, isSuccess: false, movements: [] }), 'processing', 'expired'],
  ],
  'stays while the chain is unreadable': [...delivered, chains.areUnreadable(), 'success'],
  'a second payment to an address is extra, and searched for now and then after the end': [
    [...delivered, A.deliver(LEAST, { hash: SECOND, standing: 'final' }), 'success'],
    [passes(), A.pay(PAID_IN + 1n, { height: 1_001 }), 'success', passes()],
    [{ state: 'success', rows: `input ${PAID_IN}, output ${LEAST}, extra ${PAID_IN + 1n}`, kept: { endedAt: START_AT } }],
  ],
})
scenes('payments', { kind: 'TRANSACTION' })(
  each([3_600_000, 3 * DAY_MS], (ms) => [
    `are listed as final when asked ${ms} ms after the end [status-extra-payment]`,
    [
      [A.succeeds(), 'success', passes(ms), A.pay(PAID_IN, { hash: FIRST, standing: 'final' })],
      [A.deliver(LEAST, { hash: SECOND, standing: 'final' }), 'success'],
      [{ payments: ['input', 'output'].map((kind) => ({ kind, isFinal: true })) }],
    ],
  ]),
)

const [OF_FIRST, OF_SECOND] = [hashOf(3), hashOf(4)]
/** The venue reports this state of each payment that is named, by this transaction, and `processing` of others. */
const reports =
  (state: SwapState, ends: { readonly [ref: string]: string }): Act =>
  ({ venue }) => {
    venue.script.track = async ({ ref }) => (ends[ref] ? statusOf(state, { txHash: ends[ref] }) : statusOf('processing'))
  }
const first = (state: SwapState, rest = {}) => ({ ref: FIRST, state, ...rest })
const second = (state: SwapState, rest = {}) => ({ ref: SECOND, state, ...rest })
const pays = (...orders: readonly string[]) =>
  A.pay(PAID_IN, { logs: orders.map((order, index) => log(4 + index, 'paid', order, PAID_IN)) })
const paidTwice = (orderOfSecond = 'order-9'): Story => [
  [reports('processing', {}), pays('order-7'), first('processing'), pays(orderOfSecond), second('processing')],
]
const fills = (order: string) => A.deliver(LEAST, { logs: [log(0, 'filled', order, LEAST)] })
const fillsBoth: Story = [fills('order-7'), fills('order-9')]
const back = (id: string, amount = PAID_IN) => A.giveBack(0n, { logs: [log(1, 'returned', id, amount)] })
const bothSucceed = reports('success', { [FIRST]: OF_FIRST, [SECOND]: OF_SECOND })
scenes('an extra payment', { kind: 'TRANSACTION', isUnpaid: true, events: TOY_EVENTS })({
  'asked about by its transaction succeeds by its own order, and ends nothing of the swap [status-batch-furthest-behind]': [
    [paidTwice(), fillsBoth],
    [reports('success', { [SECOND]: OF_SECOND }), second('success', { txHash: OF_SECOND, deliveredAmount: LEAST })],
    [first('processing'), second('success', { kept: { ref: FIRST, endedAt: null, status: { state: 'processing' } } })],
    [bothSucceed, first('success', { txHash: OF_FIRST, rows: 'input, extra, output, output' })],
    [{ payments: [FIRST, SECOND, OF_SECOND, OF_FIRST].map((txHash) => ({ txHash })) }],
  ],
  'is refunded by the event of its own order, in full': [
    [paidTwice(), back('order-7'), reports('refunded', { [SECOND]: hashOf(3) }), second('processing')],
    [back('order-9', PAID_IN - 1n), reports('refunded', { [SECOND]: hashOf(4) }), second('processing'), A.giveBack()],
    [reports('refunded', { [SECOND]: hashOf(5) }), second('processing'), back('order-9')],
    [reports('refunded', { [SECOND]: hashOf(6) }), second('refunded', { txHash: hashOf(6) })],
    [reports('refunded', { [FIRST]: hashOf(6) }), first('expired')],
  ],
  'stays open for a delivery of the order of the swap, or of no order': [
    [paidTwice(), fills('order-7'), A.deliver(), reports('success', { [SECOND]: hashOf(3) }), second('processing')],
    [reports('success', { [SECOND]: hashOf(4) }), second('processing', { rows: 'input, extra' })],
  ],
  'stays open when both payments have one order': [
    [paidTwice('order-7'), fills('order-7'), reports('success', { [SECOND]: hashOf(3) }), second('processing')],
  ],
  'loses its delivery by a reorganization, which takes nothing from the end of the swap': [
    [paidTwice(), fillsBoth, bothSucceed, second('success')],
    [first('success'), chains.remove(4), first('success'), second('processing'), first('success')],
  ],
  'of the same payload in one transaction has an order of its own, and ends nothing': [
    [pays('order-7', 'order-8'), ({ a }) => a.says('success', a.deliver(0n, { logs: [log(1, 'filled', 'order-8', LEAST)] }))],
    [{ state: 'processing', rows: `input ${PAID_IN}, extra ${PAID_IN}` }],
    [{ payments: ['order-7', 'order-8'].map((orderId) => ({ orderId })) }],
  ],
  'stays open on a route where the contracts name no order': [
    given({ events: { ...TOY_EVENTS, outputs: async () => null, refunds: async () => null } }),
    [paidTwice(), fills('order-9'), reports('success', { [SECOND]: hashOf(3) }), second('processing')],
  ],
})

const without = (method: string) => chains.areUnreadable((read) => read.method === method)
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
      [ends(state), isOver, chains.areUnreadable(), isOpen, chains.areReadable(), state === 'success' ? state : 'refunded'],
    ]),
  )

const fakeHashes = Array.from({ length: 9 }, (_none, at) => hashOf(900 + at))
const hidesThePayment = ({ chain }: Scene): void => {
  const { search } = chain
  const fakes = { hashes: fakeHashes, isWhole: true }
  chain.search = async () => fakes
  chain.searchByTwo = async (query, signal) => ({ lists: [await search(query, signal), fakes], isWhole: false })
}
const canStore =
  (isAble: boolean): Act =>
  ({ store }) =>
    Object.assign(store, { fails: (call: string) => !isAble && call === 'swaps.byId' })
scenes('a deposit', { kind: 'DEPOSIT' })({
  'is found although one endpoint hides it behind payments that never were': [hidesThePayment, A.says('failed'), 'expired'],
  'has a delivery in coins that was recorded, also on a node that has forgotten the balance': [
    given({ orders: [{ to: [42161, nativeAsset(42161).address] }] }),
    [({ chain }) => chain.gain({ chainId: 42161, height: 50, recipient: WALLETS.evm }, LEAST)],
    [({ a }) => a.says('success', done(a.deliver(0n, sendsOn(WALLETS.evm, 50)))), canStore(false), ({ a }) => a.told()],
    [canStore(true), chains.have({ stateSince: 1_000 }), 'success'],
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
    [failing, without(method), 'pending', chains.areReadable(), 'failed'],
  ]),
  'is failed although one endpoint names many payments that never were': [
    [failing, chains.have({ search: async () => ({ hashes: fakeHashes, isWhole: false }) }), 'failed'],
  ],
  'is pending by a node that has not passed the deadline': [
    [failing, chains.have({ addressesAt: START_AT + OVER_MS }), 'pending'],
    [chains.have({ addressesAt: START_AT + OVER_MS + 1 }), 'failed'],
  ],
  'is not failed by a node that forgot the payment, when the venue reports success': forgotten('success'),
  'is not failed by a node that forgot the payment, when the venue reports refunded': forgotten('refunded'),
  'in parts is not refunded by one part while another part cannot be read': [
    [A.pay(400_000n), A.pay(600_000n)],
    [({ a }) => a.says('refunded', { txHash: a.giveBack(400_000n), paidBy: [FIRST, SECOND] })],
    [chains.areUnreadable(({ of }) => of === SECOND), 'pending', chains.areReadable(), 'expired'],
  ],
})

const forgets = (state: 'success' | 'expired', endedAt: number | null): Story => [
  [({ a }) => a.says(state, done(a.deliver())), state, chains.remove(1), chains.remove(2)],
  [passes(DAY_MS), { state, kept: { endedAt }, rows: state === 'success' ? 'input, output' : 'input' }],
]
scenes('a transaction', { kind: 'TRANSACTION' })({
  'that a reorganization removed is pending without the time of the chain': [
    ['processing', chains.remove(1), isOver, without('confirmedTime'), 'pending', chains.areReadable(), 'failed'],
  ],
  'is recognised only once the code of its sender is known': [without('hasCode'), 'pending', chains.areReadable(), 'processing'],
  'keeps a delivery older than a day that the node forgot': forgets('success', START_AT),
  'keeps a payment older than a day that the node forgot': forgets('expired', null),
})

const isDown: Act = ({ venue }) => Object.assign(venue.script, { track: fails(new VenueError('unavailable', 'down')) })
const status = { state: 'processing', venueStatus: null, deliveredAmount: null, txHash: null } as const
const isPaid: Story = [isDown, A.pay(), { ...status, payments: [{ txHash: hashOf(1) }], kept: { status } }]
scenes('a deposit', { kind: 'DEPOSIT', isUnpaid: true })({
  'that is paid is processing while its venue is down': isPaid,
  'that was pending is processing once it is paid while its venue is down': [
    ['pending', passes(1), isDown, 'pending', A.pay(), 'processing'],
  ],
})
scenes('a transaction', { kind: 'TRANSACTION', isUnpaid: true })({
  'that pays is processing while its venue is down': isPaid,
  'that was recognised, then removed by a reorganization, fails no swap once the node may have forgotten it': [
    [A.pay(), A.says('processing'), 'processing', chains.remove(1), A.says('not_found'), 'processing'],
    [passes(OVER_MS + DAY_MS), { state: 'processing', kept: { endedAt: null } }],
  ],
  'that the node may have forgotten fails no swap': [
    [A.says('not_found'), passes(OVER_MS + DAY_MS), { ref: NO_HASH, state: 'not_found', kept: { endedAt: null } }],
  ],
})
