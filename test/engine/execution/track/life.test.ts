import { describe, expect, it } from 'vitest'
import { paymentsTo } from '../../../../engine/chains/seen.ts'
import { nativeAsset } from '../../../../engine/core/asset.ts'
import type { ExecutedSwap } from '../../../../engine/core/swap.ts'
import type { SwapEvents } from '../../../../engine/venues/venue.ts'
import { hashOf, movement, seenTransaction } from '../../../support/fakeEvidence.ts'
import { done, NO_HASH, OVER_MS, PAID_IN, sendsOn } from '../../../support/moneyBench.ts'
import { START_AT } from '../../../support/testEngine.ts'
import { openScene, type Scene, type Step, type Swap, scenes } from './scenes.ts'

const UNPAID = { isUnpaid: true } as const
const passes =
  (ms = OVER_MS + 1) =>
  ({ pass }: Scene) =>
    pass(ms)
const reports =
  (state: Parameters<Swap['says']>[0]) =>
  ({ a }: Scene) =>
    a.says(state)
const succeeds = ({ a }: Scene) => a.says('success', done(a.deliver()))
const depositOf = ({ execution: { payload } }: ExecutedSwap) => {
  if (payload.executionType !== 'DEPOSIT') throw new TypeError('no deposit')
  return payload.deposit
}
const addressOf = ({ record }: Swap) => depositOf(record.swap).address
const failed = { state: 'failed', kept: { status: { state: 'failed' } } } as const
const OPEN = { endedAt: null, ref: null, status: { state: 'pending' } } as const

describe('a transaction that reverted [status-transaction-reverted]', () => {
  scenes(
    'TRANSACTION',
    UNPAID,
  )({
    'life: has failed for its ref without a venue call, and another transaction pays the swap': [
      [({ a }) => [a.pay(PAID_IN, { isSuccess: false }), a.pay()]],
      [succeeds, { ref: hashOf(1), state: 'failed', kept: OPEN }],
      [({ venue }) => expect(venue.calls.track).toEqual([])],
      [null, { ref: hashOf(2), state: 'success', kept: { endedAt: START_AT, ref: hashOf(2) } }],
      [null, { ref: hashOf(1), state: 'failed' }],
      [null, { ref: hashOf(2), state: 'success' }],
    ],
    'life: ends the swap two minutes after the deadline, by our time and by the time of the chain': [
      [({ a }) => a.pay(PAID_IN, { isSuccess: false })],
      [
        ({ clock, chain }) => {
          clock.at = START_AT + OVER_MS + 60_000
          chain.confirmedAt = START_AT + OVER_MS
        },
        { state: 'failed', kept: { endedAt: null } },
      ],
      [({ chain }) => Object.assign(chain, { confirmedAt: START_AT + OVER_MS + 1 }), failed],
    ],
    'life: is not_found when it was no call of the swap': [
      [
        ({ a }) =>
          a.pay(PAID_IN, { isSuccess: false, call: { from: a.record.swap.order.sender, to: null, data: '0x', value: 0n } }),
        'not_found',
      ],
    ],
  })
})

describe('a transaction that no chain shows [status-unseen-hash-open]', () => {
  const unseen = (state: 'pending' | 'processing' | 'not_found') => ({ ref: NO_HASH, state }) as const
  scenes(
    'TRANSACTION',
    UNPAID,
  )({
    'life: never fails, whatever the venue reports and however late': [
      [passes(), unseen('pending')],
      [({ a, pass }) => [a.says('not_found'), pass(OVER_MS + 1)], unseen('not_found')],
      ...(['failed', 'refunded', 'expired'] as const).map((state): Step => [reports(state), unseen('pending')]),
      [reports('success'), { ...unseen('processing'), kept: { ref: null, endedAt: null } }],
    ],
    'life: takes nothing from the transaction that paid': [
      [({ a }) => a.pay()],
      [passes(), unseen('pending')],
      [succeeds, { state: 'success', kept: { ref: hashOf(1), endedAt: START_AT + OVER_MS + 1 } }],
      [null, unseen('processing')],
    ],
    'life: leaves the swap pending when a reorganization removed it, until the deadline': [
      [({ a }) => [a.pay(), a.says('processing')], 'processing'],
      [({ a, chain }) => [chain.remove(hashOf(1)), a.says('pending')], 'pending'],
      [reports('not_found'), 'pending'],
      [null, unseen('not_found')],
      [passes(), { ...failed, kept: { endedAt: START_AT + OVER_MS + 1, status: { state: 'failed' } } }],
    ],
  })

  it('life: an order placed by a transaction has failed when its contract shows none after the deadline, and can still be paid', async () => {
    let isUnfilled = false
    const { a, chain, pass } = await openScene('TRANSACTION', { unfilled: { isUnfilled: async () => isUnfilled } })
    const state = async (filled: boolean) => {
      isUnfilled = !filled
      return (await a.told()).state
    }
    expect(await state(true)).toBe('processing')
    chain.remove(hashOf(1))
    a.says('expired')
    expect([await state(true), await state(false)]).toEqual(['pending', 'pending'])
    pass(OVER_MS + 1)
    expect([await state(true), await state(false)]).toEqual(['pending', 'failed'])
    expect(await a.kept()).toMatchObject({ endedAt: START_AT + OVER_MS + 1, status: { state: 'failed' } })
    a.says('processing')
    expect((await a.told(a.pay())).state).toBe('processing')
  })
})

describe('a deposit that is unpaid, late or in parts', () => {
  const ended: Step = [passes(), { ...failed, kept: { endedAt: START_AT + OVER_MS + 1 } }]
  scenes(
    'DEPOSIT',
    UNPAID,
  )({
    ...Object.fromEntries(
      (['pending', 'expired', 'failed', 'not_found', 'refunded'] as const).map((state) => [
        `life: an unpaid deposit of which the venue reports ${state} is failed only after its deadline [status-deposit-unpaid-failed]`,
        [[reports(state), 'pending'], ended] as Step[],
      ]),
    ),
    'life: an unpaid deposit is pending while its address was used': [
      [({ a, chain }) => chain.inUse.add(addressOf(a))],
      [passes(), 'pending'],
    ],
    'life: an unpaid deposit is pending before its deadline by our time': [
      [({ chain }) => Object.assign(chain, { confirmedAt: START_AT + OVER_MS + 1 })],
      [reports('failed'), 'pending'],
    ],
    'life: a payment before the execution pays no deposit': [
      [({ a }) => a.pay(PAID_IN, { at: START_AT - 360_000 })],
      [({ a }) => a.says('success', { ...done(a.deliver()), paidBy: [hashOf(1)] }), 'processing'],
      [({ a }) => a.says('refunded', { txHash: a.giveBack(), paidBy: [hashOf(1)] }), { state: 'pending', rows: '' }],
    ],
    ...Object.fromEntries(
      (['pending', 'processing', 'expired', 'success'] as const).map((state) => [
        `life: a late payment of which the venue reports ${state} reopens a failed deposit [status-deposit-late-or-parts]`,
        [
          ended,
          [({ a, pass }: Scene) => [pass(60_000), a.pay()]],
          [
            state === 'success' ? succeeds : reports(state),
            { state: state === 'pending' ? 'processing' : state, kept: { endedAt: START_AT + OVER_MS + 1 } },
          ],
        ] as Step[],
      ]),
    ),
    'life: parts are the input until they are enough, and what follows is extra': [
      [reports('processing')],
      [({ a }) => a.pay(400_000n, { height: 1 }), 'processing'],
      [({ a }) => [a.pay(600_000n, { height: 2 }), a.pay(100_000n, { height: 3 })], 'processing'],
      [null, { rows: 'input 400000, input 600000, extra 100000' }],
    ],
    'life: a payment that the venue names is read without a search': [
      [({ a }) => a.says('processing', { paidBy: [a.pay()] }), { rows: `input ${PAID_IN}` }],
      [({ chain }) => expect(chain.reads.map(({ method }) => method)).toEqual(['transaction'])],
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
  scenes('DEPOSIT', { ...UNPAID, orders: [{ from: [1, nativeAsset(1).address] }] })({
    'life: coins that a contract sent to the address are paid by the balance of the block': [
      [inCoins(0), { state: 'success', rows: 'input, output' }],
    ],
    'life: coins whose balance the node has forgotten are paid by the use of the address': [
      [inCoins(51), { state: 'success', rows: 'output' }],
    ],
  })
})

describe('a signed order [status-order-unfilled-failed]', () => {
  it('life: is failed when its contract shows no fill after the deadline', async () => {
    let isUnfilled = false
    const { a, pass } = await openScene('SIGNATURE', { unfilled: { isUnfilled: async () => isUnfilled } })
    for (const state of ['failed', 'expired', 'pending'] as const) {
      a.says(state)
      expect((await a.told()).state).toBe('pending')
    }
    pass(OVER_MS + 1)
    expect((await a.told()).state).toBe('pending')
    isUnfilled = true
    expect((await a.told()).state).toBe('failed')
  })
  scenes('SIGNATURE')({
    'life: stays pending after the deadline when the chain cannot show whether it was filled': [
      [reports('failed')],
      [passes(), 'pending'],
    ],
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
  const searchesTwo =
    (isWhole: boolean) =>
    ({ chain }: Scene) =>
      Object.assign(chain, { searchByTwo: async () => ({ lists: [], isWhole }) })
  /** Twelve more payments to the address. */
  const others =
    (more: bigint) =>
    ({ a, chain }: Scene) => {
      const { input } = a.record.swap.order
      for (let n = 1; n <= 12; n += 1) {
        const movements = [movement(input, addressOf(a), more + BigInt(n))]
        chain.put(seenTransaction({ chainId: input.chainId, hash: hashOf(500 + n), at: START_AT, movements }))
      }
    }
  const back =
    (amount: bigint, of: number) =>
    ({ a }: Scene) =>
      a.giveBack(amount, { notes: [Buffer.from(hashOf(of))] })
  scenes('DEPOSIT', { ...UNPAID, events, profile })({
    'shared address: the payment with the digits of the swap is its input, and its hash names the order': [
      [
        ({ a }) => a.says('processing', { paidBy: [a.pay()] }),
        { state: 'processing', payments: [{ kind: 'input', amount: PAID_IN, orderId: hashOf(1) }] },
      ],
    ],
    'shared address: a payment with other digits is no input, although the venue names it': [
      [({ a }) => a.says('expired', { paidBy: [a.pay(PAID_IN - 1n)] }), { state: 'pending', rows: '' }],
    ],
    'shared address: an unpaid swap is failed after the deadline when two endpoints show no payment of it': [
      [({ a }) => a.pay(PAID_IN - 1n)],
      [searchesTwo(false)],
      [passes(), 'pending'],
      [searchesTwo(true), 'failed'],
    ],
    'shared address: an unpaid swap is failed once all payments were read, eight at a time': [
      [others(0n)],
      [passes(), 'pending'],
      [null, 'failed'],
    ],
    'shared address: a sufficient payment is found among small ones': [
      [(on) => [on.a.pay(), others(0n)(on)]],
      [passes(), 'processing'],
    ],
    'shared address: a payment is found once all sufficient ones were read, eight at a time': [
      [(on) => [on.a.pay(), others(PAID_IN)(on)]],
      [passes(), 'pending'],
      [null, 'processing'],
    ],
    'shared address: a payment is none of the swap when another swap may have its digits': [
      [passes(OVER_MS + 48 * 3_600_000)],
      [({ a }) => a.pay(), { state: 'failed', rows: '' }],
    ],
    'shared address: a smaller payment with the same digits keeps no refund from the payment of the swap': [
      [({ a }) => [a.says('expired'), a.pay(SMALL)]],
      [passes(), 'expired'],
      [({ a }) => a.pay(), 'expired'],
      [back(PAID_IN, 2)],
      [passes(60_000), { state: 'refunded', rows: `extra ${SMALL}, input ${PAID_IN}, refund ${PAID_IN}` }],
    ],
    'shared address: the payment that the venue names is the input': [
      [({ a }) => [a.pay(SMALL), a.pay(), a.says('expired')]],
      [passes(), { state: 'expired', rows: `extra ${SMALL}, input ${PAID_IN}` }],
      [({ a }) => a.says('expired', { paidBy: [hashOf(1)] })],
      [back(SMALL, 1)],
      [passes(60_000), { state: 'refunded', rows: `input ${SMALL}, extra ${PAID_IN}, refund ${SMALL}` }],
    ],
  })
  scenes('DEPOSIT', { ...UNPAID, profile })({
    'shared address: a payment is no input when no event identifies it': [
      [({ a }) => a.says('processing', { paidBy: [a.pay()] }), { rows: '' }],
    ],
  })
})
