import { describe, expect, it } from 'vitest'
import type { SeenCall } from '../../../engine/chains/seen.ts'
import type { Address } from '../../../engine/core/address.ts'
import { toAmount } from '../../../engine/core/amount.ts'
import { NATIVE, nativeToken } from '../../../engine/core/asset.ts'
import type { Hex } from '../../../engine/core/execution.ts'
import type { FeeCustody } from '../../../engine/core/fee.ts'
import type { TransactionId } from '../../../engine/core/transactionId.ts'
import { createLifecycle } from '../../../engine/execution/lifecycle.ts'
import { pair, TOKENS } from '../../support/fakeChains.ts'
import { movement } from '../../support/fakeEvidence.ts'
import { addressFor, createFakeVenue, declines, statusOf, TOY_CONTRACT } from '../../support/fakeVenue.ts'
import { callOf, done, type Executed, LEAST, type MoneyBench, PAID_IN } from '../../support/moneyBench.ts'
import { aPayment } from '../../support/storedSwap.ts'
import { START_AT } from '../../support/testEngine.ts'
import { log, TOY_EVENTS } from '../../support/toyEvents.ts'
import { CUSTODY, deliverAll, entriesOf, FEE_PAYEE, feeMoved, QUOTED, settled, startFeeBench, toldOf } from './feeBench.ts'

/** As the chain shows it now. */
const seenOf = async (bench: MoneyBench, hash: TransactionId) => {
  const seen =
    (await bench.chain.transaction({ chainId: 42161, hash }, new AbortController().signal)) ??
    (await bench.chain.transaction({ chainId: 1, hash }, new AbortController().signal))
  if (seen === null) throw new Error('not there')
  return seen
}

/** Ends a swap by what is final, past all venues. */
const settleByHand = async (bench: MoneyBench, id: number): Promise<void> => {
  await bench.store.payments.claim(id, [aPayment(1_000 + id, { amount: 1_000_000n, isFinal: true })])
  await createLifecycle(bench.store).transition(id, statusOf('success'), null)
}

describe('the fee of a swap', () => {
  it('is booked once, when its delivery is final, however often it is asked about [fee-booked-once]', async () => {
    const bench = await startFeeBench()
    const { swap, txHash, state } = await settled(bench, { standing: 'confirmed' })
    expect(state).toBe('success')
    expect(await toldOf(bench, swap)).toEqual([])
    bench.chain.put({ ...(await seenOf(bench, txHash)), standing: 'final' })
    for (let i = 0; i < 3; i += 1) expect(await bench.stateOf(swap)).toBe('success')
    expect(await toldOf(bench, swap)).toEqual([
      { key: `swap:${swap.id}`, kind: 'fee', lines: [`debit venue:toy ${QUOTED}`, `credit partner:p1 ${QUOTED}`] },
    ])
  })

  it('is booked, once, by a second look that found the delivery final before the first had written the end', async () => {
    const bench = await startFeeBench()
    const { swap, txHash } = await settled(bench, { standing: 'confirmed' })
    expect(await toldOf(bench, swap)).toEqual([])
    // As a look does that began before that end, at another instance: where input and output are one transaction.
    await bench.store.payments.setFinal(swap.id, { chainId: 42161, txHash })
    const { transition } = createLifecycle(bench.store)
    for (let i = 0; i < 2; i += 1) await transition(swap.id, statusOf('success'), null)
    expect(await toldOf(bench, swap)).toHaveLength(1)
  })

  it('is what the delivering transaction moved to the integrator, and that is told as seen [fee-booked-once]', async () => {
    const bench = await startFeeBench({ custody: CUSTODY.onDelivery })
    const { swap, txHash } = await settled(bench, { beside: [feeMoved('output', 9_876n), feeMoved('output', 3n, 'log:8')] })
    const [entry] = await entriesOf(bench, swap)
    const line = { ecosystem: 'evm', chainId: 42161, token: TOKENS.usdcArbitrum.address, amount: 9_876n }
    expect(entry).toMatchObject({
      document: { isEstimated: false, place: `${txHash}/log:7`, holder: 'integrator' },
      lines: [
        { account: 'payer', side: 'debit', ...line },
        { account: 'partner:p1', side: 'credit', ...line },
      ],
    })
    // Nobody but the ledger is told of it.
    expect((await bench.status(swap)).payments.map(({ kind }) => kind)).toEqual(['input', 'output'])
  })

  it.each([
    ['nothing', []],
    ['another token', [movement(TOKENS.daiArbitrum, FEE_PAYEE, QUOTED, { place: 'log:7' })]],
    ['what is no such share of it', [feeMoved('output', QUOTED * 3n)]],
    ['another payee', [movement(TOKENS.usdcArbitrum, TOY_CONTRACT, QUOTED, { place: 'log:7' })]],
  ])('is none, however the swap ended, where the delivering transaction moved %s', async (_, beside) => {
    const bench = await startFeeBench({ custody: CUSTODY.onDelivery })
    const { swap, state } = await settled(bench, { beside })
    expect([state, await entriesOf(bench, swap)]).toEqual(['success', []])
  })

  it.each([
    ['a thousandfold', 10_000_000n],
    ['nearly nothing', 1n],
  ])('is its share of the output, where the venue told %s of it', async (_, amount) => {
    for (const moved of [(LEAST * 100n) / 9_900n, null]) {
      const bench = await startFeeBench({
        custody: moved === null ? CUSTODY.ofOutput : CUSTODY.onDelivery,
        quote: async () => ({ fee: { bps: 100, amount: toAmount(amount) } }),
      })
      const { swap } = await settled(bench, { beside: moved === null ? [] : [feeMoved('output', moved)] })
      const share = moved ?? (swap.record.swap.offer.outputAmount * 100n) / 9_900n
      expect(await entriesOf(bench, swap)).toMatchObject([
        { document: { isEstimated: moved === null }, lines: [{ amount: share }, { amount: share }] },
      ])
    }
  })

  it('is its share of what the chain shows delivered, where that is far from what was quoted', async () => {
    const bench = await startFeeBench({ custody: CUSTODY.ofOutput })
    const swap = await bench.execute()
    bench.pay(swap, PAID_IN, { standing: 'final' })
    bench.says('success', done(bench.deliver(swap, LEAST * 3n, { standing: 'final' })))
    expect(await bench.stateOf(swap)).toBe('success')
    const { bps } = swap.record.swap.offer.fee
    const share = (LEAST * 3n * BigInt(bps)) / (10_000n - BigInt(bps))
    expect(await entriesOf(bench, swap)).toMatchObject([{ lines: [{ amount: share }, { amount: share }] }])
  })

  it('is seen in the transaction that pays in, where the venue takes it there', async () => {
    const bench = await startFeeBench({ custody: CUSTODY.onPayment, kind: 'TRANSACTION' })
    const swap = await bench.execute()
    const { input, inputAmount, sender } = swap.record.swap.order
    const paid = movement(input, TOY_CONTRACT, inputAmount, { from: sender })
    const ref = bench.pay(swap, PAID_IN, { standing: 'final', movements: [paid, feeMoved('input', 9_999n)] })
    expect(callOf(swap).to).toBe(TOY_CONTRACT)
    deliverAll(bench, swap)
    expect(await bench.stateOf(swap, ref)).toBe('success')
    expect(await entriesOf(bench, swap)).toMatchObject([
      {
        document: { isEstimated: false, place: `${ref}/log:7` },
        lines: [{ chainId: 1, token: input.address, amount: 9_999n }, {}],
      },
    ])
  })

  it.each([
    ['credited', 'venue:toy', { ecosystem: 'evm', chainId: 1 }],
    ['byThorchain', 'venue:toy', { ecosystem: 'thorchain', chainId: 1 }],
    ['ofOutput', 'venue:toy', { ecosystem: 'evm', chainId: 42161 }],
    ['onDelivery', 'payer', { ecosystem: 'evm', chainId: 42161 }],
  ] as const)('stands where the venue keeps it: %s', async (custody, holder, where) => {
    const bench = await startFeeBench({ custody: CUSTODY[custody] })
    const { swap } = await settled(bench, { beside: [feeMoved('output', QUOTED)] })
    expect(await entriesOf(bench, swap)).toMatchObject([
      {
        lines: [
          { account: holder, side: 'debit', amount: QUOTED, ...where },
          { account: 'partner:p1', side: 'credit', amount: QUOTED, ...where },
        ],
      },
    ])
  })

  it('is in proportion to what was paid in', async () => {
    const bench = await startFeeBench({ custody: CUSTODY.credited })
    const swap = await bench.execute()
    bench.pay(swap, PAID_IN * 2n, { standing: 'final' })
    deliverAll(bench, swap)
    expect(await bench.stateOf(swap)).toBe('success')
    expect((await entriesOf(bench, swap))[0]?.lines[0]?.amount).toBe(QUOTED * 2n)
  })

  it('is a share of what the venue took, where the input was swapped first', async () => {
    const taken = { token: TOKENS.daiEthereum.address, amount: 70_000n }
    const inputs = async () => [{ place: 'log:4', orderId: 'order-7', took: taken }]
    const events = { ...TOY_EVENTS, inputs }
    const bench = await startFeeBench({ custody: CUSTODY.ofTaken, kind: 'TRANSACTION', events })
    const swap = await bench.execute()
    const ref = bench.pay(swap, PAID_IN, { standing: 'final' })
    const txHash = bench.deliver(swap, LEAST, { standing: 'final', logs: [log(0, 'filled', 'order-7', LEAST)] })
    bench.says('success', { txHash })
    expect(await bench.stateOf(swap, ref)).toBe('success')
    expect((await entriesOf(bench, swap))[0]?.lines).toMatchObject([{ chainId: 1, token: taken.token, amount: 700n }, {}])
  })

  it('is the operator’s where the schedule set it, and none is where the partner set none', async () => {
    const bench = await startFeeBench()
    for (const [feeOf, partnerId, account] of [
      ['operator', 'p1', 'operator'],
      ['operator', null, 'operator'],
      ['partner', null, 'operator'],
      ['partner', 'p2', 'partner:p2'],
    ] as const) {
      const { swap } = (await settled(bench)).swap.record
      const stored = await bench.store.swaps.add({
        quoteId: `${feeOf} ${partnerId}`,
        bindingKey: 'a|b',
        partnerId,
        feeOf,
        executedBy: partnerId,
        tokenKey: null,
        requestId: 'r',
        isSandbox: false,
        ref: null,
        swap: { ...swap, execution: { ...swap.execution } },
      })
      await settleByHand(bench, stored.id)
      expect((await bench.store.ledger.ofSwap(stored.id))[0]?.lines[1]?.account).toBe(account)
    }
    const free = await startFeeBench({ feeBps: 0 })
    const { swap } = await settled(free)
    expect(await toldOf(free, swap)).toEqual([])
  })

  it.each(['refunded', 'failed', 'expired', 'processing'] as const)('is none of a swap that is %s', async (state) => {
    const bench = await startFeeBench()
    const swap = await bench.execute()
    bench.pay(swap, PAID_IN, { standing: 'final' })
    const txHash = bench.giveBack(swap, PAID_IN, { standing: 'final' })
    bench.says(state, state === 'refunded' ? { txHash } : {})
    await bench.stateOf(swap)
    expect(await toldOf(bench, swap)).toEqual([])
  })

  it('is none in the sandbox [fee-booked-once]', async () => {
    const bench = await startFeeBench()
    const swap = await bench.execute({ sandbox: true })
    expect(await bench.stateOf(swap)).toBe('success')
    expect(await bench.kept(swap)).toMatchObject({ isSandbox: true })
    await settleByHand(bench, swap.id)
    expect(await toldOf(bench, swap)).toEqual([])
  })
})

describe('the fee of a swap in coins, which a contract pays without a log', () => {
  const SHARE = (LEAST * 100n) / 9_900n
  const OTHER = '0x00000000000000000000000000000000000000A1' as Address

  /** Paid by a call that the venue's events tell to be the swap's, whatever its bytes. */
  const settleBy = async (change: Partial<SeenCall>, custody: FeeCustody = CUSTODY.onDelivery) => {
    const bench = await startFeeBench({ custody, kind: 'TRANSACTION', events: TOY_EVENTS })
    const from = custody.from === 'input' ? pair(nativeToken(1)) : pair(TOKENS.usdcEthereum)
    const swap = await bench.execute({ from, to: pair(nativeToken(42161)) })
    const { to, data, value } = callOf(swap)
    const call = { from: swap.record.swap.order.sender, to, data: data as Hex, value, ...change }
    const ref = bench.pay(swap, PAID_IN, { standing: 'final', call, logs: [log(4, 'paid', 'order-7', PAID_IN)] })
    const txHash = bench.deliver(swap, LEAST, { standing: 'final', logs: [log(0, 'filled', 'order-7', LEAST)] })
    bench.says('success', { txHash })
    expect(await bench.stateOf(swap, ref)).toBe('success')
    return { entries: await entriesOf(bench, swap), ref, swap, bench }
  }

  it('is its share of the delivery where the transaction makes the call handed out, and rests on the payload', async () => {
    const { entries, ref, bench, swap } = await settleBy({})
    expect(entries).toMatchObject([
      {
        document: { basis: 'payload', isEstimated: false, place: `${ref}/call` },
        lines: [
          { account: 'payer', chainId: 42161, token: NATIVE, amount: SHARE },
          { account: 'partner:p1', amount: SHARE },
        ],
      },
    ])
    expect((await bench.status(swap, ref)).payments.map(({ kind }) => kind)).toEqual(['input', 'output'])
  })

  it('is its share of the input where the venue takes it there', async () => {
    const { entries } = await settleBy({}, CUSTODY.onPayment)
    expect(entries).toMatchObject([
      { document: { basis: 'payload' }, lines: [{ chainId: 1, token: NATIVE, amount: QUOTED }, {}] },
    ])
  })

  it.each<[string, Partial<SeenCall>]>([
    ['calldata with another byte', { data: '0x00' }],
    ['another value', { value: 7n }],
    ['another contract, as a wallet with code that wraps the call does', { to: OTHER }],
  ])('is none where the transaction has %s', async (_, change) => {
    for (const custody of [CUSTODY.onDelivery, CUSTODY.onPayment]) expect((await settleBy(change, custody)).entries).toEqual([])
  })
})

describe('two swaps in one transaction', () => {
  it('have the fee each that its own call pays, up to what is due, whoever asks first', async () => {
    const other = createFakeVenue('other', { kind: 'TRANSACTION', now: () => START_AT, events: TOY_EVENTS })
    other.script.quote = declines('noLiquidity')
    const bench = await startFeeBench({ custody: CUSTODY.onDelivery, beside: [other] })
    const [thief, second] = [await bench.execute(), await bench.execute({ recipient: addressFor('evm', 'a second') })] as const
    const third = await bench.execute({ recipient: addressFor('evm', 'a third') })
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
      // The nearest one is paid for an order of another venue.
      logs: [log(3, 'filled', 'order-7', QUOTED)],
    })
    for (const swap of [thief, second, third]) {
      bench.pay(swap, PAID_IN, { standing: 'final' })
      bench.saysOf(swap, { ...statusOf('success'), ...done(txHash) })
      expect(await bench.stateOf(swap)).toBe('success')
    }
    const amounts = await Promise.all(
      [thief, second, third].map(async (swap) => (await entriesOf(bench, swap))[0]?.lines[0]?.amount),
    )
    expect(amounts).toEqual([undefined, 9_990n, (LEAST * 100n) / 9_900n])
  })
})

describe('an extra payment', () => {
  it('earns a fee of its own by its own delivery, whether or not the swap itself has ended', async () => {
    const bench = await startFeeBench({
      custody: CUSTODY.credited,
      kind: 'TRANSACTION',
      events: TOY_EVENTS,
    })
    const swap = await bench.execute()
    bench.says('processing')
    const pay = (id: string) => bench.pay(swap, PAID_IN, { standing: 'final', logs: [log(4, 'paid', id, PAID_IN)] })
    const [first, second] = [pay('order-7'), pay('order-9')]
    for (const hash of [first, second]) expect(await bench.stateOf(swap, hash)).toBe('processing')
    const fill = (order: string, standing: 'confirmed' | 'final') =>
      bench.deliver(swap, LEAST, { standing, logs: [log(0, 'filled', order, LEAST)] })
    const ofSecond = fill('order-9', 'confirmed')
    bench.says('success', { txHash: ofSecond })
    expect(await bench.stateOf(swap, second)).toBe('success')
    expect(await toldOf(bench, swap)).toEqual([])
    bench.chain.put({ ...(await seenOf(bench, ofSecond)), standing: 'final' })
    for (let i = 0; i < 2; i += 1) expect(await bench.stateOf(swap, second)).toBe('success')
    const lines = [`debit venue:toy ${QUOTED}`, `credit partner:p1 ${QUOTED}`]
    const extra = { key: `swap:${swap.id}:order:order-9`, kind: 'fee', lines }
    expect(await toldOf(bench, swap)).toEqual([extra])
    expect((await bench.kept(swap)).status.state).toBe('processing')
    bench.says('success', { txHash: fill('order-7', 'final') })
    expect(await bench.stateOf(swap, first)).toBe('success')
    expect(await toldOf(bench, swap)).toEqual([extra, { key: `swap:${swap.id}`, kind: 'fee', lines }])
  })
})
