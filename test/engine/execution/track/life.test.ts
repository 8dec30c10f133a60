import { describe, expect } from 'vitest'
import { paymentsTo } from '../../../../engine/chains/seen.ts'
import { nativeAsset } from '../../../../engine/core/asset.ts'
import type { ExecutedSwap } from '../../../../engine/core/swap.ts'
import type { SwapEvents } from '../../../../engine/venues/venue.ts'
import { hashOf, movement, seenTransaction } from '../../../support/fakeEvidence.ts'
import { done, NO_HASH, OVER_MS, PAID_IN, sendsOn } from '../../../support/moneyBench.ts'
import { START_AT } from '../../../support/testEngine.ts'
import { A, type Act, chainHas, each, isOver, passes, removes, type Scene, type Story, type Swap, scenes } from './scenes.ts'

const depositOf = ({ execution: { payload } }: ExecutedSwap) => {
  if (payload.executionType !== 'DEPOSIT') throw new TypeError('no deposit')
  return payload.deposit
}
const addressOf = ({ record }: Swap) => depositOf(record.swap).address
const failed = { state: 'failed', kept: { status: { state: 'failed' } } } as const
/** What the contract of the venue shows of the order. */
const contract = { isUnfilled: false }
const unfilled = { isUnfilled: async () => contract.isUnfilled }
const is =
  (what: 'filled' | 'unfilled'): Act =>
  () =>
    Object.assign(contract, { isUnfilled: what === 'unfilled' })
const OPEN = { endedAt: null, ref: null, status: { state: 'pending' } } as const

describe('a transaction that reverted [status-failed-needs-certainty]', () => {
  scenes('life', { kind: 'TRANSACTION', isUnpaid: true })({
    'has failed for its ref without a venue call, and another transaction pays the swap': [
      [A.pay(PAID_IN, { isSuccess: false }), A.pay(), A.succeeds(), { ref: hashOf(1), state: 'failed', kept: OPEN }],
      [({ venue }) => expect(venue.calls.track).toEqual([])],
      [{ ref: hashOf(2), state: 'success', kept: { endedAt: START_AT, ref: hashOf(2) } }],
      [
        { ref: hashOf(1), state: 'failed' },
        { ref: hashOf(2), state: 'success' },
      ],
    ],
    'ends the swap two minutes after the deadline, by our time and by the time of the chain': [
      [
        A.pay(PAID_IN, { isSuccess: false }),
        ({ clock, chain }) => {
          clock.at = START_AT + OVER_MS + 60_000
          chain.confirmedAt = START_AT + OVER_MS
        },
        { state: 'failed', kept: { endedAt: null } },
      ],
      [chainHas({ confirmedAt: START_AT + OVER_MS + 1 }), failed],
    ],
  })
})

describe('a transaction that no chain shows [status-failed-needs-certainty]', () => {
  const unseen = (state: 'pending' | 'processing' | 'not_found') => ({ ref: NO_HASH, state }) as const
  scenes('life', { kind: 'TRANSACTION', isUnpaid: true })({
    'never fails, whatever the venue reports and however late': [
      [isOver, unseen('pending'), A.says('not_found'), passes(OVER_MS + 1), unseen('not_found')],
      [...(['failed', 'refunded', 'expired'] as const).map((state): Story => [A.says(state), unseen('pending')])],
      [A.says('success'), { ...unseen('processing'), kept: { ref: null, endedAt: null } }],
    ],
    'leaves the swap pending when a reorganization removed it, until the deadline': [
      [A.pay(), A.says('processing'), 'processing', removes(1), A.says('pending'), 'pending', A.says('not_found'), 'pending'],
      [unseen('not_found'), isOver, { ...failed, kept: { endedAt: START_AT + OVER_MS + 1, status: { state: 'failed' } } }],
    ],
  })

  scenes('life', { kind: 'TRANSACTION', unfilled })({
    'an order placed by a transaction has failed when its contract shows none after the deadline, and can still be paid': [
      [is('filled'), 'processing', removes(1), A.says('expired'), 'pending', is('unfilled'), 'pending'],
      [isOver, is('filled'), 'pending', is('unfilled'), { ...failed, kept: { endedAt: START_AT + OVER_MS + 1 } }],
      [A.says('processing'), ({ a }) => Object.assign(a, { ref: a.pay() }), 'processing'],
    ],
  })
})

describe('a deposit that is unpaid, late or in parts', () => {
  const ended: Story = [isOver, { ...failed, kept: { endedAt: START_AT + OVER_MS + 1 } }]
  scenes('life', { kind: 'DEPOSIT', isUnpaid: true })({
    'an unpaid deposit is failed only after its deadline, although the venue reports refunded [status-failed-needs-certainty]': [
      [A.says('refunded'), 'pending', ended],
    ],
    'an unpaid deposit is pending while its address was used': [
      [({ a, chain }) => chain.inUse.add(addressOf(a)), isOver, 'pending'],
    ],
    'an unpaid deposit is pending before its deadline by our time': [
      [chainHas({ confirmedAt: START_AT + OVER_MS + 1 }), A.says('failed'), 'pending'],
    ],
    'a payment before the execution pays no deposit': [
      [A.pay(PAID_IN, { at: START_AT - 360_000 })],
      [({ a }) => a.says('success', { ...done(a.deliver()), paidBy: [hashOf(1)] }), 'processing'],
      [A.says('refunded', { txHash: A.giveBack(), paidBy: [hashOf(1)] }), { state: 'pending', rows: '' }],
    ],
    ...each(['pending', 'success'], (state) => [
      `a late payment of which the venue reports ${state} reopens a failed deposit [status-deposit-late-or-parts]`,
      [
        [ended, ({ a, pass }: Scene) => [pass(60_000), a.pay()]],
        [
          state === 'success' ? A.succeeds() : A.says(state),
          { state: state === 'pending' ? 'processing' : state, kept: { endedAt: START_AT + OVER_MS + 1 } },
        ],
      ],
    ]),
    'parts are the input until they are enough, and what follows is extra': [
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
  scenes('life', { kind: 'DEPOSIT', isUnpaid: true, orders: [{ from: [1, nativeAsset(1).address] }] })({
    'coins that a contract sent to the address are paid by the balance of the block': [
      [inCoins(0), { state: 'success', rows: 'input, output' }],
    ],
    'coins whose balance the node has forgotten are paid by the use of the address': [
      [inCoins(51), { state: 'success', rows: 'output' }],
    ],
  })
})

describe('a signed order [status-failed-needs-certainty]', () => {
  scenes('life', { kind: 'SIGNATURE', unfilled })({
    'is failed when its contract shows no fill after the deadline': [
      [is('filled'), A.says('failed'), 'pending', A.says('expired'), 'pending', A.says('pending'), 'pending'],
      [isOver, 'pending', is('unfilled'), 'failed'],
    ],
  })
  scenes('life', { kind: 'SIGNATURE' })({
    'stays pending after the deadline when the chain cannot show whether it was filled': [[A.says('failed'), isOver, 'pending']],
  })
})

describe('a deposit address that swaps share [status-shared-address]', () => {
  const REFERENCES = 100n
  /** The last digits identify the payment of a swap. Its hash names the order, which a refund carries as a note. */
  const events: SwapEvents = {
    inputs: async (seen, { order: { input }, ...swap }) =>
      paymentsTo(seen, { asset: input, recipient: depositOf({ order: { input }, ...swap } as ExecutedSwap).address })
        .filter(({ amount }) => amount % REFERENCES === depositOf(swap as ExecutedSwap).amount % REFERENCES)
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
  const searchesTwo = (isWhole: boolean) => chainHas({ searchByTwo: async () => ({ lists: [], isWhole }) })
  /** Twelve more payments to the address. */
  const others = ({ a, chain }: Scene): void => {
    const { input } = a.record.swap.order
    for (let n = 1; n <= 12; n += 1) {
      const movements = [movement(input, addressOf(a), BigInt(n))]
      chain.put(seenTransaction({ chainId: input.chainId, hash: hashOf(500 + n), at: START_AT, movements }))
    }
  }
  const back = (amount: bigint, of: number) => A.giveBack(amount, { notes: [Buffer.from(hashOf(of))] })
  scenes('shared address', { kind: 'DEPOSIT', isUnpaid: true, events, profile })({
    'the payment with the digits of the swap is its input, and its hash names the order': [
      A.says('processing', { paidBy: [A.pay()] }),
      { state: 'processing', payments: [{ kind: 'input', amount: PAID_IN, orderId: hashOf(1) }] },
    ],
    'a payment with other digits is no input, although the venue names it': [
      [A.says('expired', { paidBy: [A.pay(PAID_IN - 1n)] }), { state: 'pending', rows: '' }],
    ],
    'an unpaid swap is failed after the deadline when two endpoints show no payment of it': [
      [A.pay(PAID_IN - 1n), searchesTwo(false), isOver, 'pending', searchesTwo(true), 'failed'],
    ],
    'an unpaid swap is failed once all payments were read, eight at a time': [others, isOver, 'pending', 'failed'],
    'a payment is none of the swap when another swap may have its digits': [
      [passes(OVER_MS + 48 * 3_600_000), A.pay(), { state: 'failed', rows: '' }],
    ],
    'a smaller payment with the same digits keeps no refund from the payment of the swap': [
      [A.says('expired'), A.pay(SMALL), isOver, 'expired', A.pay(), 'expired', back(PAID_IN, 2)],
      [passes(), { state: 'refunded', rows: `extra ${SMALL}, input ${PAID_IN}, refund ${PAID_IN}` }],
    ],
    'the payment that the venue names is the input': [
      [A.pay(SMALL), A.pay(), A.says('expired'), isOver, { state: 'expired', rows: `extra ${SMALL}, input ${PAID_IN}` }],
      [A.says('expired', { paidBy: [hashOf(1)] }), back(SMALL, 1)],
      [passes(), { state: 'refunded', rows: `input ${SMALL}, extra ${PAID_IN}, refund ${SMALL}` }],
    ],
  })
  scenes('shared address', { kind: 'DEPOSIT', isUnpaid: true, profile })({
    'a payment is no input when no event identifies it': [[A.says('processing', { paidBy: [A.pay()] }), { rows: '' }]],
  })
})
