import { expect, it } from 'vitest'
import { type Movement, paymentsTo, type SeenTransaction } from '../../../../engine/chains/seen.ts'
import type { Address } from '../../../../engine/core/address.ts'
import { toAmount } from '../../../../engine/core/amount.ts'
import { nativeAsset } from '../../../../engine/core/asset.ts'
import type { SwapEvents } from '../../../../engine/venues/venue.ts'
import { VenueError } from '../../../../engine/venues/venueError.ts'
import { type OrderWish, WALLETS } from '../../../support/anOrder.ts'
import { pair, TOKENS } from '../../../support/fakeChains.ts'
import { hashOf, movement } from '../../../support/fakeEvidence.ts'
import { createFakeVenue, declines, type FakeVenueOptions, offers, statusOf } from '../../../support/fakeVenue.ts'
import { done, LEAST, OTHER, PAID_IN, sendsOn } from '../../../support/moneyBench.ts'
import { START_AT } from '../../../support/testEngine.ts'
import { log, TOY_EVENTS } from '../../../support/toyEvents.ts'
import { A, type Act, all, B, each, given, openScene, passes, play, type Scene, type Story, type Swap, scenes } from './scenes.ts'

const { usdcArbitrum: USDC, usdcEthereum } = TOKENS
const TO_COINS = { to: [42161, nativeAsset(42161).address] } as const
const PAID = `input ${PAID_IN}`
const at = (...paid: readonly (readonly [to: Address, amount: bigint])[]) => ({
  movements: paid.map(([to, amount], index) => movement(USDC, to, amount, { place: `log:${index}` })),
})
/** One transaction that pays the recipient these amounts. */
const pays = (...amounts: readonly bigint[]) => A.deliver(0n, at(...amounts.map((amount) => [WALLETS.evm, amount] as const)))
/** The venue reports success of all swaps, by one transaction. */
const allBy =
  (delivery: (scene: Scene) => string): Act =>
  (scene) =>
    scene.says('success', { txHash: delivery(scene) })

it('claims: one payment proves one of two swaps that are asked about at once [status-one-payment-one-swap]', async () => {
  const { a, b, says, swaps } = await openScene({ kind: 'DEPOSIT', orders: [{}, {}] })
  says('success', done(a.deliver(2n * LEAST)))
  const askBoth = () => Promise.all([a, b].map(async (swap) => (await swap.told()).state))
  const states = await askBoth()
  expect(states.toSorted()).toEqual(['processing', 'success'])
  expect(await askBoth()).toEqual(states)
  const open = swaps[states.indexOf('processing')]
  expect(await open?.told()).toMatchObject({ venueStatus: 'TOY_SUCCESS', deliveredAmount: null, txHash: null })
  expect(await open?.rows()).toBe(PAID)
})

scenes('claims', { kind: 'DEPOSIT', orders: [{}, {}, {}] })({
  'two payments prove two swaps, the smaller sufficient one first, and no third': [
    allBy(pays(LEAST + 5n, LEAST)),
    all({ rows: `${PAID}, output ${LEAST}` }, { rows: `${PAID}, output ${LEAST + 5n}` }, { rows: PAID }),
    all('success', 'success', 'processing'),
  ],
  'two parts of one transaction that are enough together belong to one swap': [
    [allBy(pays(LEAST - 10n, 10n)), all({ state: 'success', deliveredAmount: LEAST }, 'processing')],
  ],
  'two spellings of a hash are one transaction': [
    [A.deliver(LEAST, { hash: hashOf(0xabc) }), A.says('success', `0x${hashOf(0xabc).slice(2).toUpperCase()}`)],
    [B.says('success', hashOf(0xabc)), all({ state: 'success', txHash: hashOf(0xabc) }, 'processing')],
  ],
  'a delivery is withheld while the store cannot record whose it is': [
    A.succeeds(),
    async (on) => {
      on.store.fails = (call) => call === 'payments.claim'
      await expect(on.a.told()).rejects.toMatchObject({ code: 'INTERNAL' })
      on.store.fails = () => false
    },
    'success',
  ],
  'one transaction proves two swaps whose recipients it pays': [
    given({ orders: [{}, { recipient: OTHER }] }),
    [allBy(A.deliver(0n, at([WALLETS.evm, LEAST], [OTHER, LEAST]))), all('success', 'success')],
  ],
  'a delivery waits for a swap whose own payment is proved [status-one-payment-one-swap]': [
    given({ orders: [{}, {}], isUnpaid: true }),
    [allBy(A.deliver()), { state: 'processing', rows: '' }, B.pay(), all('processing', 'success')],
    [{ state: 'processing', rows: '' }],
  ],
})

const gained = (height: number, amount = 3n * LEAST): Act => {
  return ({ chain }) => chain.gain({ chainId: 42161, height, recipient: WALLETS.evm }, amount)
}
const sent = (height: number) => sendsOn(WALLETS.evm, height)
scenes('claims', { kind: 'DEPOSIT', orders: [TO_COINS, TO_COINS, TO_COINS] })({
  'the balance of a block, which shows coins that contracts sent, proves one swap': [
    [gained(50), gained(51), A.succeeds(0n, sent(50)), B.succeeds(0n, sent(50)), ({ c }) => c.succeeds(0n, sent(51))],
    [all('success', 'processing', 'success')],
  ],
})
const namesOne: SwapEvents = {
  ...TOY_EVENTS,
  inputs: async () => [],
  outputs: async ({ hash }) => (hash === hashOf(0xabc) ? [{ place: 'log:3', amount: LEAST }] : null),
}
const both: Story = [gained(50), A.succeeds(0n, { ...sent(50), hash: hashOf(0xabc) }), B.succeeds(0n, sent(50))]
scenes('claims', { kind: 'DEPOSIT', orders: [TO_COINS, TO_COINS], events: namesOne })({
  'an event outranks the balance of its block when its swap asks first': [both, all('success', 'processing')],
  'an event outranks the balance of its block when the other swap has claimed it': [
    [both, all(null, 'success'), all('success', 'processing'), all('success', 'processing')],
  ],
})

const paid = (id: string, wish: Partial<SeenTransaction> = {}) => ({ logs: [log(4, 'paid', id, PAID_IN)], ...wish })
const filled = (id: string, amount = LEAST) => ({ logs: [log(1, 'filled', id, amount)] })
const back = (id: string) => ({ logs: [log(1, 'returned', id, PAID_IN)] })
const pay: Story = [A.pay(PAID_IN, paid('order-7'))]
scenes('claims where contracts name orders', { kind: 'TRANSACTION', events: TOY_EVENTS, isUnpaid: true })({
  'an event proves a payment of any sender and amount [status-order-named-by-event]': [
    A.pay(PAID_IN, { call: null, movements: [], logs: [log(4, 'paid', 'order-7', 123n)] }),
    { state: 'processing', payments: [{ place: `${hashOf(1)}/log:4`, orderId: 'order-7', amount: 123n }] },
  ],
  'a successful call without the event of the contract proves no payment': [
    [A.pay(), 'not_found'],
    [A.pay(PAID_IN, { logs: [log(4, 'paid', 'order-7', PAID_IN, OTHER)] }), { ref: hashOf(2), state: 'not_found' }],
  ],
  'only the event of its order proves a delivery': [
    [pay, A.succeeds(), 'processing', A.succeeds(LEAST, filled('order-8')), 'processing'],
    [A.succeeds(LEAST, { logs: [log(1, 'filled', 'order-7', LEAST, OTHER)] }), 'processing'],
    [A.succeeds(LEAST, filled('order-7', LEAST - 1n)), 'processing'],
    [A.succeeds(0n, filled('order-7')), { state: 'success', txHash: hashOf(6), deliveredAmount: LEAST }],
  ],
  'only the event of its order proves a refund': [
    [pay, A.refunds(PAID_IN, back('order-8')), 'expired', A.refunds(0n, back('order-7')), 'refunded'],
  ],
  'a transfer proves a delivery on a route where they name no order, although they name the transfer': [
    given({ events: { ...TOY_EVENTS, outputs: async () => null, refunds: async () => null } }),
    [pay, A.succeeds(LEAST, { logs: [log(0, 'filled', 'order-7', LEAST)] }), 'success'],
  ],
})

/** A venue of deposits, whose reports may be false, beside another one. */
const openBeside = async (
  options: FakeVenueOptions,
  given: { readonly orders?: readonly Partial<OrderWish>[]; readonly events?: SwapEvents | null } = {},
  venuesEnabled = ['toy', 'other'],
) => {
  const other = createFakeVenue('other', { now: () => START_AT, ...options })
  other.script.quote = declines('noLiquidity')
  const scene = await openScene({ kind: 'DEPOSIT', ...given, change: { beside: [other], venuesEnabled } })
  /** Executes a swap of the other venue, and pays it. */
  const addOther = () => {
    const { script } = scene.venue
    ;[script.quote, other.script.quote] = [other.script.quote, script.quote]
    return scene.add()
  }
  return { ...scene, a: scene.a, other, addOther }
}

const NAMED = { kind: 'TRANSACTION', events: TOY_EVENTS } as const
/** The transaction of a named order, with further movements. */
const fill = ({ a }: { readonly a: Swap }, ...others: readonly Movement[]) =>
  a.deliver(0n, { ...filled('order-7'), movements: [movement(USDC, WALLETS.evm, LEAST, { place: 'log:1' }), ...others] })

it('claims: a named delivery proves its own swap alone, although another venue reports it first [status-other-venue-events]', async () => {
  const { a, other, addOther } = await openBeside(NAMED)
  const named = await addOther()
  const ref = named.pay(PAID_IN, paid('order-7'))
  const txHash = fill({ a })
  other.script.track = async () => statusOf('success', { txHash })
  a.says('success', txHash)
  expect([await a.told(), await a.rows()]).toMatchObject([{ state: 'processing', txHash: null }, PAID])
  expect(await named.told(ref)).toMatchObject({ state: 'success', deliveredAmount: LEAST })
  expect((await a.told()).state).toBe('processing')
})

const further = (amount: bigint, to = WALLETS.evm, rest = {}) => movement(USDC, to, amount, { place: 'log:2', ...rest })
const tooLittle = [further(LEAST + 1n), further(2n, OTHER, { place: 'log:3', from: WALLETS.evm })]
it.each([
  ['nothing else of the transaction, although its venue is disabled', [], ['toy'], 'processing'],
  ['another movement of the transaction', [further(LEAST)], ['toy', 'other'], 'success'],
  ['no sum that only the named payment makes sufficient', tooLittle, ['toy', 'other'], 'processing'],
])('claims: an unknown order leaves to a swap of another venue %s', async (_what, others, venues, state) => {
  const { a } = await openBeside(NAMED, {}, venues)
  const txHash = fill({ a }, ...others)
  a.says('success', txHash)
  expect((await a.told()).state).toBe(state)
  if (state === 'success') expect((await a.told()).payments.at(-1)).toMatchObject({ place: `${txHash}/log:2`, amount: LEAST })
})

it('claims: a named delivery is no refund of another venue, and pays the swap whose deposit address receives it', async () => {
  const { a } = await openBeside(NAMED, { orders: [{}] })
  a.pay(PAID_IN, { hash: hashOf(1), logs: [log(0, 'filled', 'order-99', PAID_IN)] })
  a.says('processing', { paidBy: [hashOf(1)] })
  expect([(await a.told()).state, await a.rows()]).toEqual(['processing', PAID])
  const movements = [movement(usdcEthereum, WALLETS.evm, PAID_IN, { place: 'log:1' })]
  a.says('refunded', a.giveBack(0n, { movements, logs: [log(1, 'filled', 'order-99', PAID_IN)] }))
  expect((await a.told()).state).toBe('expired')
  a.says('refunded', a.giveBack())
  expect((await a.told()).state).toBe('refunded')
})

it('claims: coins of a named payment prove no swap of another venue by the balance of their block', async () => {
  const named = { kind: 'TRANSACTION', events: { ...TOY_EVENTS, named: async () => ['balance'] } } as const
  const on = await openBeside(named, { orders: [TO_COINS] })
  await play(on, [gained(50, LEAST), A.succeeds(0n, sent(50)), 'processing'])
})

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
] as const)('reassign: a delivery of another venue %s when that reports %s', async (does, _what, events, state, isOwn, left) => {
  const { a, other, addOther } = await openBeside({ kind: 'DEPOSIT' }, { events })
  const b = await addOther()
  const txHash = b.deliver()
  other.script.track = async () => statusOf('success', done(txHash))
  a.says('success', done(txHash))
  expect((await b.told()).state).toBe('success')
  other.script.track = async () => statusOf(state, state === 'success' ? done(isOwn ? b.deliver() : txHash) : {})
  expect([(await a.told()).state === 'success', (await b.told()).state]).toEqual([does === 'moves', left])
})

const minutes = async (count: number, on: Scene, ...swaps: readonly Swap[]) => {
  for (let minute = 0; minute < count; minute += 1) {
    for (const swap of swaps) await swap.told()
    on.pass(60_000)
  }
}

/** The deliveries of both swaps. The venue names that of the second for the first, which ends by it, and then for the second. */
const [OF_A, OF_B] = [hashOf(3), hashOf(4)]
const [byOfA, byOfB] = [{ state: 'success', txHash: OF_A } as const, { state: 'success', txHash: OF_B } as const]
const crossed: Story = [A.deliver(), B.deliver(), A.says('success', done(OF_B)), byOfB, B.says('success', done(OF_B))]
const isDownFor = ({ a, venue: { script } }: Scene): void => {
  const { track } = script
  script.track = (call, signal) =>
    call.ref === a.ref ? Promise.reject(new VenueError('unavailable', 'down')) : track(call, signal)
}
const TWO = { orders: [{}, { amount: PAID_IN + 1n }] }
scenes('reassign: a delivery that the venue names for a swap while another swap has it', { kind: 'DEPOSIT', ...TWO })({
  'moves once the venue names another for its holder, which then ends by its own [status-claim-reassigned]': [
    [crossed, A.says('success', done(OF_A)), all(null, byOfB)],
    async ({ a }) => {
      const reopened = { endedAt: START_AT, status: { state: 'processing', txHash: null, deliveredAmount: null } }
      expect([await a.kept(), await a.rows()]).toMatchObject([reopened, PAID])
    },
    all({ ...byOfA, kept: { endedAt: START_AT } }, { ...byOfB, rows: 'input, output' }),
  ],
  'moves when the venue reports processing of its holder': [crossed, A.says('processing'), all(null, byOfB), 'processing'],
  'moves when the venue reports failed of its holder': [crossed, A.says('failed'), all(null, byOfB), 'expired'],
  ...each<readonly [string, Act]>(
    [
      ['reports unknown of its holder', A.says('unknown')],
      ['fails to report its holder', isDownFor],
      ['names it for both', (on) => minutes(60, on, on.b, on.a)],
    ],
    ([what, act]) => [`stays when the venue ${what}`, [crossed, act, all(null, 'processing'), byOfB]],
  ),
})
const namesHolder: SwapEvents = {
  inputs: async () => [],
  outputs: async (_seen, { order }) => (order.inputAmount === PAID_IN ? [{ place: 'log:0', amount: LEAST }] : null),
  refunds: async () => null,
  named: async () => [],
}
scenes('reassign', { kind: 'DEPOSIT', ...TWO, events: namesHolder })({
  'a delivery stays, without a call of the venue, when an event names its holder': [
    [crossed, A.says('success', done(OF_A)), all(null, 'processing'), 'success'],
    [({ a, venue }) => expect(venue.calls.track.filter(({ ref }) => ref === a.ref)).toHaveLength(1)],
  ],
})

/** Deposits of which each is promised so much, and one transaction that delivers all these amounts. */
const batch = async (...amounts: readonly bigint[]) => {
  const scene = await openScene({ kind: 'DEPOSIT', orders: [] })
  for (const [index, amount] of amounts.entries()) {
    scene.venue.script.quote = offers(amount, { slippage: { isFirm: true, guaranteedMin: toAmount(amount) } })
    await scene.add({ amount: PAID_IN + BigInt(index) })
  }
  return { scene, txHash: scene.a.deliver(0n, at(...amounts.map((amount) => [WALLETS.evm, amount] as const))) }
}

it('reassign: a payment of a transaction with several moves to the swap whose amount the venue reports', async () => {
  const { scene, txHash } = await batch(LEAST, 2n * LEAST)
  const [small, large] = [done(txHash), done(txHash, 2n * LEAST)]
  const isRight = all({ state: 'success', deliveredAmount: LEAST }, { state: 'success', deliveredAmount: 2n * LEAST })
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

const REFUND = hashOf(3)
const refunded = { state: 'refunded', txHash: REFUND } as const
const held: Story = [B.giveBack(PAID_IN + 1n), B.says('processing'), A.says('refunded'), refunded]
scenes('reassign: a refund that names no order', {
  kind: 'DEPOSIT',
  orders: [{ amount: PAID_IN + 1n }, { amount: PAID_IN + 1n }],
})({
  'moves when the venue reports processing of its holder': [
    [held, A.says('processing'), B.says('refunded'), all(null, refunded), 'processing'],
  ],
  'moves when the venue reports a delivery of its holder': [
    [held, A.succeeds(), B.says('refunded'), all(null, refunded), 'success'],
  ],
  'moves to the swap that the venue names it for, when it names none for the holder': [
    [held, B.says('refunded', { paidBy: [REFUND] }), all(null, refunded), 'expired'],
  ],
  'stays when the venue reports the same of both swaps': [
    [held, B.says('refunded'), (on) => minutes(30, on, on.a, on.b), all(refunded, 'expired')],
  ],
})
scenes('reassign', { kind: 'DEPOSIT', orders: [{}, { from: pair(USDC), to: pair(usdcEthereum) }] })({
  'a refund moves back when the venue named it as the delivery of another swap': [
    [A.giveBack(), B.says('success', done(REFUND)), all(null, 'success')],
    [B.says('processing'), A.says('refunded'), all(refunded, 'processing')],
  ],
})
