import { describe, expect, it, onTestFinished } from 'vitest'
import type { SeenCall, SeenTransaction } from '../../../engine/chains/seen.ts'
import type { Address } from '../../../engine/core/address.ts'
import { toAmount } from '../../../engine/core/amount.ts'
import { NATIVE, nativeToken } from '../../../engine/core/asset.ts'
import type { Hex } from '../../../engine/core/execution.ts'
import type { FeeCustody } from '../../../engine/core/fee.ts'
import type { TransactionId } from '../../../engine/core/transactionId.ts'
import { createLifecycle } from '../../../engine/execution/lifecycle.ts'
import { keptAtVenue, paidOnDelivery } from '../../../engine/venues/kit/feeCustody.ts'
import type { SwapEvents } from '../../../engine/venues/venue.ts'
import { expectBalanced } from '../../support/expectBalanced.ts'
import { pair, TOKENS } from '../../support/fakeChains.ts'
import { movement } from '../../support/fakeEvidence.ts'
import { addressFor, createFakeVenue, declines, type FakeVenueOptions, statusOf, TOY_CONTRACT } from '../../support/fakeVenue.ts'
import { callOf, done, type Executed, LEAST, type MoneyBench, PAID_IN, startMoneyBench } from '../../support/moneyBench.ts'
import { aNewSwap, aPayment } from '../../support/storedSwap.ts'
import { START_AT } from '../../support/testEngine.ts'
import { log, TOY_EVENTS } from '../../support/toyEvents.ts'

/** A toy venue's swaps for a partner with a fee of one per cent, and their ledger entries. */

const FEE_PAYEE = addressFor('evm', 'the integrator')
/** One per cent of the offer, and of the payment. */
const QUOTED = 10_000n

const CUSTODY = {
  onDelivery: paidOnDelivery('output', FEE_PAYEE),
  onPayment: { holder: 'integrator', from: 'input', becomes: null, seen: { in: 'input', payee: FEE_PAYEE } },
  credited: keptAtVenue('creditedAtVenue', 'input', 'USDC in its books'),
  byThorchain: { ...keptAtVenue('creditedAtVenue', 'input', 'RUNE on THORChain'), ecosystem: 'thorchain' },
  ofOutput: keptAtVenue('venueAccount', 'output'),
  ofTaken: keptAtVenue('venueAccount', 'taken'),
} as const satisfies { readonly [name: string]: FeeCustody }

/** Events of a contract whose payments belong to no swap, except fees that it pays for a recipient. */
const PAYS_FEE: SwapEvents = {
  ...TOY_EVENTS,
  outputs: async ({ movements }, { order: { output }, binding: { recipient } }) => {
    const paid = movements.filter(({ from }) => from === null || from === recipient).map(({ place }) => place)
    const own = movements.filter(({ token, to }) => token === output.address && to === recipient)
    return own.map(({ place, amount }) => ({ place, amount, paid }))
  },
}

type FeeWish = FakeVenueOptions & { custody?: FeeCustody; kind?: 'DEPOSIT' | 'TRANSACTION'; feeBps?: number }

const startFeeBench = async (
  { custody = CUSTODY.ofOutput, kind = 'DEPOSIT', feeBps = 100, ...options }: FeeWish = {},
  beside: Parameters<typeof startMoneyBench>[2] = {},
): Promise<MoneyBench> => {
  const profile = { feeCustody: () => custody }
  const caller = { tier: 'selfServe', partnerId: 'p1', feeBps } as const
  const events = kind === 'DEPOSIT' && custody === CUSTODY.onDelivery ? PAYS_FEE : null
  const bench = await startMoneyBench(kind, { events, ...options, profile }, { caller, ...beside })
  onTestFinished(async () => {
    await expectBalanced(bench.store)
    await bench.close()
  })
  return bench
}

const feeMoved = (side: 'input' | 'output', amount: bigint, place = 'log:7', from: Address | null = null) =>
  movement(side === 'input' ? TOKENS.usdcEthereum : TOKENS.usdcArbitrum, FEE_PAYEE, amount, { place, from })

const entriesOf = ({ store }: MoneyBench, { id }: Executed) => store.ledger.ofSwap(id)

/** The key and kind of each entry, and its lines in short. */
const toldOf = async (bench: MoneyBench, swap: Executed) =>
  (await entriesOf(bench, swap)).map(({ key, kind, lines }) => ({
    key: key.replace(`swap:${swap.id}`, ''),
    kind,
    lines: lines.map(({ account, side, amount }) => `${side} ${account} ${amount}`),
  }))

/** The lines of one booked fee, as `toldOf` shows them. */
const BOOKED = [`debit venue:toy ${QUOTED}`, `credit partner:p1 ${QUOTED}`]

type Delivery = { standing?: SeenTransaction['standing']; beside?: SeenTransaction['movements']; amount?: bigint }

/** Lets the chain show a swap's delivery, with other movements of its transaction. */
const deliverAll = (bench: MoneyBench, swap: Executed, { standing = 'final', beside = [], amount = LEAST }: Delivery = {}) => {
  const { order, binding } = swap.record.swap
  const movements = [movement(order.output, binding.recipient, amount), ...beside]
  const txHash = bench.deliver(swap, amount, { standing, movements })
  bench.saysOf(swap, { state: 'success', venueStatus: 'TOY', ...done(txHash) } as never)
  return txHash
}

/** A delivery of an order that the venue's contract names. */
const fill = (bench: MoneyBench, swap: Executed, orderId = 'order-7', standing: Delivery['standing'] = 'final') =>
  bench.deliver(swap, LEAST, { standing, logs: [log(0, 'filled', orderId, LEAST)] })

/** A swap that was paid in and delivered for good. */
const settled = async (bench: MoneyBench, { paid = PAID_IN, ...delivery }: Delivery & { readonly paid?: bigint } = {}) => {
  const swap = await bench.execute()
  bench.pay(swap, paid, { standing: 'final' })
  const txHash = deliverAll(bench, swap, delivery)
  return { swap, txHash, state: await bench.stateOf(swap) }
}

const makeFinal = async ({ chain, context }: MoneyBench, hash: TransactionId): Promise<void> => {
  const seen = await chain.transaction({ chainId: 42161, hash }, context.signal)
  if (seen) chain.put({ ...seen, standing: 'final' })
}

/** One per cent of a delivery, as a share of what was there before the fee. */
const shareOf = (delivered: bigint): bigint => (delivered * 100n) / 9_900n

/** Ends a swap by a final payment, without its venue. */
const settleByHand = async ({ store }: MoneyBench, id: number): Promise<void> => {
  await store.payments.claim(id, [aPayment(1_000 + id, { amount: 1_000_000n, isFinal: true })])
  await createLifecycle(store).transition(id, statusOf('success'), null)
}

describe('the fee of a swap', () => {
  it('is booked once, when the delivery is final [fee-booked-once]', async () => {
    const bench = await startFeeBench()
    const { swap, txHash, state } = await settled(bench, { standing: 'confirmed' })
    expect([state, await toldOf(bench, swap)]).toEqual(['success', []])
    await makeFinal(bench, txHash)
    for (let i = 0; i < 3; i += 1) expect(await bench.stateOf(swap)).toBe('success')
    expect(await toldOf(bench, swap)).toEqual([{ key: '', kind: 'fee', lines: BOOKED }])
  })

  const stating = (amount: bigint) => ({ quote: async () => ({ fee: { bps: 100, amount: toAmount(amount) } }) })
  const [TOO_MUCH, TOO_LITTLE] = [stating(10_000_000n), stating(1n)]
  const [IN, OUT] = [TOKENS.usdcEthereum, TOKENS.usdcArbitrum].map(({ chainId, address: token }) => ({ chainId, token }))
  const HOLDERS = {
    credited: ['venue:toy', { ecosystem: 'evm', ...IN }],
    byThorchain: ['venue:toy', { ecosystem: 'thorchain', ...IN }],
    ofOutput: ['venue:toy', { ecosystem: 'evm', ...OUT }],
    onDelivery: ['payer', { ecosystem: 'evm', ...OUT }],
  } as const
  const FIRST_OF_TWO = [feeMoved('output', 9_876n), feeMoved('output', 3n, 'log:8')]
  const OTHER_TOKEN = [movement(TOKENS.daiArbitrum, FEE_PAYEE, QUOTED, { place: 'log:7' })]
  const OTHER_PAYEE = [movement(TOKENS.usdcArbitrum, TOY_CONTRACT, QUOTED, { place: 'log:7' })]
  type Row = readonly [string, keyof typeof HOLDERS, object, Parameters<typeof settled>[1], bigint | null]
  it.each<Row>([
    ['its share of the offer when the venue states a thousandfold', 'ofOutput', TOO_MUCH, {}, null],
    ['its first transfer when the venue states almost nothing', 'onDelivery', TOO_LITTLE, { beside: FIRST_OF_TWO }, 9_876n],
    ['none when the delivering transaction moves nothing else', 'onDelivery', {}, {}, 0n],
    ['none when it moves another token', 'onDelivery', {}, { beside: OTHER_TOKEN }, 0n],
    ['none when it moves three times the fee', 'onDelivery', {}, { beside: [feeMoved('output', QUOTED * 3n)] }, 0n],
    ['none when it moves the fee to another payee', 'onDelivery', {}, { beside: OTHER_PAYEE }, 0n],
    ['its share of a delivery of three times the quote', 'ofOutput', {}, { amount: LEAST * 3n }, shareOf(LEAST * 3n)],
    ['in RUNE by the amount of the input', 'byThorchain', {}, {}, QUOTED],
    ['in proportion to a double payment', 'credited', {}, { paid: PAID_IN * 2n }, QUOTED * 2n],
    ['one unit for a payment of 100 units', 'credited', {}, { paid: 100n }, 1n],
    ['none for a payment of 99 units', 'credited', {}, { paid: 99n }, 0n],
    ['none when the partner sets none', 'ofOutput', { feeBps: 0 }, {}, 0n],
  ])('is %s (custody %s), and /status does not list it [fee-booked-once]', async (_, custody, options, delivery, expected) => {
    const bench = await startFeeBench({ custody: CUSTODY[custody], ...options })
    const { swap, state, txHash } = await settled(bench, delivery)
    const [holder, where] = HOLDERS[custody]
    const amount = expected ?? shareOf(swap.record.swap.offer.outputAmount)
    const debit = { account: holder, side: 'debit', amount, ...where }
    const credit = { account: 'partner:p1', side: 'credit', amount, ...where }
    const byTransfer = { isEstimated: false, basis: 'transfer', place: `${txHash}/log:7`, holder: 'integrator' }
    const document = custody === 'onDelivery' ? byTransfer : { isEstimated: true, basis: 'quote', place: null }
    expect(state).toBe('success')
    expect(await entriesOf(bench, swap)).toMatchObject(amount > 0n ? [{ document, lines: [debit, credit] }] : [])
    expect((await bench.status(swap)).payments.map(({ kind }) => kind)).toEqual(['input', 'output'])
  })

  it('is the transfer of the paying transaction when the venue takes the fee there', async () => {
    const bench = await startFeeBench({ custody: CUSTODY.onPayment, kind: 'TRANSACTION' })
    const swap = await bench.execute()
    const { input, inputAmount, sender } = swap.record.swap.order
    const paid = movement(input, TOY_CONTRACT, inputAmount, { from: sender })
    const ref = bench.pay(swap, PAID_IN, { standing: 'final', movements: [paid, feeMoved('input', 9_999n)] })
    expect(callOf(swap).to).toBe(TOY_CONTRACT)
    deliverAll(bench, swap)
    expect(await bench.stateOf(swap, ref)).toBe('success')
    const lines = [{ chainId: 1, token: input.address, amount: 9_999n }, {}]
    expect(await entriesOf(bench, swap)).toMatchObject([{ document: { isEstimated: false, place: `${ref}/log:7` }, lines }])
  })

  it('is its share of the input that was not refunded', async () => {
    const bench = await startFeeBench({ custody: CUSTODY.credited })
    const swap = await bench.execute()
    bench.pay(swap, PAID_IN, { standing: 'final' })
    const refundTx = bench.giveBack(swap, PAID_IN / 2n, { standing: 'final' })
    bench.says('success', { txHash: bench.deliver(swap, LEAST / 2n, { standing: 'final' }), refundTx })
    expect(await bench.stateOf(swap)).toBe('success')
    expect((await entriesOf(bench, swap))[0]?.lines[0]?.amount).toBe(QUOTED / 2n)
  })

  it('is a share of the token that the venue took when the input was swapped first', async () => {
    const taken = { token: TOKENS.daiEthereum.address, amount: 70_000n }
    const events = { ...TOY_EVENTS, inputs: async () => [{ place: 'log:4', orderId: 'order-7', took: taken }] }
    const bench = await startFeeBench({ custody: CUSTODY.ofTaken, kind: 'TRANSACTION', events })
    const swap = await bench.execute()
    const ref = bench.pay(swap, PAID_IN, { standing: 'final' })
    bench.says('success', { txHash: fill(bench, swap) })
    expect(await bench.stateOf(swap, ref)).toBe('success')
    expect((await entriesOf(bench, swap))[0]?.lines).toMatchObject([{ chainId: 1, token: taken.token, amount: 700n }, {}])
  })

  it.each([
    ['operator', 'p1', 'operator'],
    ['partner', null, 'operator'],
    ['partner', 'p2', 'partner:p2'],
  ] as const)('set by the %s for the partner %s is credited to %s', async (feeOf, partnerId, account) => {
    const bench = await startFeeBench()
    const { swap } = (await settled(bench)).swap.record
    const { id } = await bench.store.swaps.add(await aNewSwap({ partnerId, feeOf, executedBy: partnerId, ref: null, swap }))
    await settleByHand(bench, id)
    expect((await bench.store.ledger.ofSwap(id))[0]?.lines[1]?.account).toBe(account)
  })

  it('is not booked for a sandbox swap that succeeds [fee-booked-once]', async () => {
    const bench = await startFeeBench()
    const swap = await bench.execute({ sandbox: true })
    expect([await bench.stateOf(swap), (await bench.kept(swap)).isSandbox]).toEqual(['success', true])
    await settleByHand(bench, swap.id)
    expect(await toldOf(bench, swap)).toEqual([])
  })
})

describe('the fee of a swap in coins, which a contract pays without a log', () => {
  const OTHER = '0x00000000000000000000000000000000000000A1' as Address

  /** Pays by a call that the venue's events attribute to the swap, whatever its bytes. */
  const settleBy = async (change: Partial<SeenCall>, custody: FeeCustody = CUSTODY.onDelivery) => {
    const bench = await startFeeBench({ custody, kind: 'TRANSACTION', events: TOY_EVENTS })
    const from = custody.from === 'input' ? pair(nativeToken(1)) : pair(TOKENS.usdcEthereum)
    const swap = await bench.execute({ from, to: pair(nativeToken(42161)) })
    const { to, data, value } = callOf(swap)
    const call = { from: swap.record.swap.order.sender, to, data: data as Hex, value, ...change }
    const ref = bench.pay(swap, PAID_IN, { standing: 'final', call, logs: [log(4, 'paid', 'order-7', PAID_IN)] })
    bench.says('success', { txHash: fill(bench, swap) })
    expect(await bench.stateOf(swap, ref)).toBe('success')
    return { entries: await entriesOf(bench, swap), ref, swap, bench }
  }

  it.each([
    ['delivery', CUSTODY.onDelivery, 42161, shareOf(LEAST)],
    ['input when the venue takes it there', CUSTODY.onPayment, 1, QUOTED],
  ])('is its share of the %s when the transaction makes the unchanged call', async (_, custody, chainId, amount) => {
    const { entries, ref, bench, swap } = await settleBy({}, custody)
    const lines = [{ account: 'payer', chainId, token: NATIVE, amount }, {}]
    expect(entries).toMatchObject([{ document: { basis: 'payload', isEstimated: false, place: `${ref}/call` }, lines }])
    expect((await bench.status(swap, ref)).payments.map(({ kind }) => kind)).toEqual(['input', 'output'])
  })

  it.each<[string, Partial<SeenCall>]>([
    ['other calldata', { data: '0x00' }],
    ['another value', { value: 7n }],
    ['another contract, such as a wallet that wraps the call', { to: OTHER }],
  ])('is not booked when the transaction has %s', async (_, change) => {
    for (const custody of [CUSTODY.onDelivery, CUSTODY.onPayment]) expect((await settleBy(change, custody)).entries).toEqual([])
  })
})

it('three swaps delivered by one transaction each get the fee of their own call, up to its share', async () => {
  const other = createFakeVenue('other', { kind: 'TRANSACTION', now: () => START_AT, events: TOY_EVENTS })
  other.script.quote = declines('noLiquidity')
  const bench = await startFeeBench({ custody: CUSTODY.onDelivery }, { beside: [other] })
  const swaps: Executed[] = []
  for (const recipient of [null, 'a second', 'a third'])
    swaps.push(await bench.execute(recipient === null ? {} : { recipient: addressFor('evm', recipient) }))
  const [thief, second, third] = swaps as [Executed, Executed, Executed]
  const payer = ({ record }: Executed) => record.swap.binding.recipient
  const delivery = (swap: Executed, place: string) => movement(TOKENS.usdcArbitrum, payer(swap), LEAST, { place })
  const txHash = bench.deliver(thief, LEAST, {
    standing: 'final',
    movements: [
      feeMoved('output', QUOTED, 'log:0', TOY_CONTRACT),
      delivery(thief, 'log:1'),
      delivery(second, 'log:2'),
      feeMoved('output', QUOTED, 'log:3', payer(second)),
      feeMoved('output', 9_990n, 'log:4', payer(second)),
      delivery(third, 'log:5'),
      feeMoved('output', QUOTED * 2n, 'log:6', payer(third)),
    ],
    // The transfer at log:3 belongs to an order of another venue.
    logs: [log(3, 'filled', 'order-7', QUOTED)],
  })
  for (const swap of swaps) {
    bench.pay(swap, PAID_IN, { standing: 'final' })
    bench.saysOf(swap, { ...statusOf('success'), ...done(txHash) })
    expect(await bench.stateOf(swap)).toBe('success')
  }
  const amounts = swaps.map(async (swap) => (await entriesOf(bench, swap))[0]?.lines[0]?.amount)
  expect(await Promise.all(amounts)).toEqual([undefined, 9_990n, shareOf(LEAST)])
})

it('an extra payment earns its own fee by its own final delivery, before and apart from the end of the swap', async () => {
  const bench = await startFeeBench({ custody: CUSTODY.credited, kind: 'TRANSACTION', events: TOY_EVENTS })
  const swap = await bench.execute()
  bench.says('processing')
  const pay = (id: string) => bench.pay(swap, PAID_IN, { standing: 'final', logs: [log(4, 'paid', id, PAID_IN)] })
  const [first, second] = [pay('order-7'), pay('order-9')]
  for (const hash of [first, second]) expect(await bench.stateOf(swap, hash)).toBe('processing')
  const ofSecond = fill(bench, swap, 'order-9', 'confirmed')
  bench.says('success', { txHash: ofSecond })
  expect([await bench.stateOf(swap, second), await toldOf(bench, swap)]).toEqual(['success', []])
  await makeFinal(bench, ofSecond)
  for (let i = 0; i < 2; i += 1) expect(await bench.stateOf(swap, second)).toBe('success')
  const extra = { key: ':order:order-9', kind: 'fee', lines: BOOKED }
  expect([await toldOf(bench, swap), (await bench.kept(swap)).status.state]).toEqual([[extra], 'processing'])
  bench.says('success', { txHash: fill(bench, swap) })
  expect(await bench.stateOf(swap, first)).toBe('success')
  expect(await toldOf(bench, swap)).toEqual([extra, { key: '', kind: 'fee', lines: BOOKED }])
})

it('a booked fee is reversed when its delivery proves to be of another swap, and booked again by its own [fee-reversed]', async () => {
  const bench = await startFeeBench()
  const [first, second] = [await bench.execute(), await bench.execute({ amount: PAID_IN + 1n })] as const
  for (const swap of [first, second]) bench.pay(swap, swap.record.swap.order.inputAmount, { standing: 'final' })
  const [ofFirst, ofSecond] = [deliverAll(bench, first), deliverAll(bench, second)] as const
  bench.saysOf(first, statusOf('success', done(ofSecond)))
  expect(await bench.stateOf(first)).toBe('success')
  const booked = { key: '', kind: 'fee', lines: BOOKED }
  expect(await toldOf(bench, first)).toEqual([booked])
  bench.saysOf(first, statusOf('success', done(ofFirst)))
  expect([await bench.stateOf(second), (await bench.kept(first)).status.state]).toEqual(['success', 'processing'])
  const reversal = [`credit venue:toy ${QUOTED}`, `debit partner:p1 ${QUOTED}`]
  const reversed = { key: ':reversal', kind: 'reversal', lines: reversal }
  expect(await toldOf(bench, first)).toEqual([booked, reversed])
  expect(await bench.stateOf(first)).toBe('success')
  expect(await toldOf(bench, first)).toEqual([booked, reversed, { ...booked, key: ':again:1' }])
  expect((await toldOf(bench, second)).map(({ kind }) => kind)).toEqual(['fee'])
})
