import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { addressOf } from '../../engine/core/address.ts'
import { toAmount } from '../../engine/core/amount.ts'
import { systemClock } from '../../engine/core/clock.ts'
import type { Payment } from '../../engine/core/payment.ts'
import type { ExecutedSwap } from '../../engine/core/swap.ts'
import { type SwapStatus, wordless } from '../../engine/core/swapStatus.ts'
import { parseTransactionId } from '../../engine/core/transactionId.ts'
import { createLifecycle } from '../../engine/execution/lifecycle.ts'
import { proveBalance } from '../../engine/ledger/proveBalance.ts'
import { openStore } from '../../engine/store/openStore.ts'
import type { Store } from '../../engine/store/store.ts'
import { keptAtVenue } from '../../engine/venues/kit/feeCustody.ts'
import type { Children } from './children.ts'
import { type Figure, formatRate } from './figure.ts'
import type { Effort } from './options.ts'
import { createInstantVenues } from './product/benchVenues.ts'
import { sampleOrder } from './product/sample.ts'

const PAYEE = addressOf('evm', '0x70997970C51812dc3A010C7d01b50e0d17dc79C8')
const SUCCESS: SwapStatus = { ...wordless('pending'), state: 'success' }

/** A swap with a fee, or without one. */
const sampleSwap = async (hasFee: boolean): Promise<ExecutedSwap> => {
  const order = sampleOrder()
  const [venue] = createInstantVenues(1)
  if (!venue) throw new Error('no venue')
  const offer = await venue.quote(order, new AbortController().signal)
  const { outputAmount, slippage } = offer
  const deposit = { chainId: order.input.chainId, address: PAYEE, amount: order.inputAmount }
  const built = { venueRef: null, evidence: null, carry: null, outputAmount, slippage }
  const execution = { payload: { executionType: 'DEPOSIT' as const, deposit }, ...built }
  const swap = { order, offer: { ...offer, fee: { bps: 25, amount: toAmount(1_000n) } }, binding: order, execution }
  return hasFee ? { ...swap, feeCustody: keptAtVenue('creditedAtVenue', 'output') } : swap
}

/** Swaps whose delivery is final, to be ended. */
const addSwaps = async (store: Store, count: number, hasFee: boolean): Promise<readonly number[]> => {
  const swap = await sampleSwap(hasFee)
  const ids: number[] = []
  for (let at = 0; at < count; at += 1) {
    const { id } = await store.swaps.add({
      quoteId: `quote ${hasFee} ${at}`,
      bindingKey: 'a|b',
      partnerId: 'p1',
      feeOf: 'partner',
      executedBy: null,
      requestId: '',
      tokenKey: null,
      isSandbox: false,
      ref: null,
      swap,
    })
    const { chainId, address: token } = swap.order.output
    const txHash = parseTransactionId(chainId, `0x${id.toString(16).padStart(64, '0')}`)
    if (txHash === null) throw new Error('no transaction id')
    const paid = {
      chainId,
      txHash,
      place: `${txHash}/log:0`,
      token,
      recipient: PAYEE,
      amount: swap.offer.outputAmount,
      orderId: null,
      paidAt: null,
    }
    await store.payments.claim(id, [{ kind: 'output', ...paid, isFinal: true } satisfies Payment])
    ids.push(id)
  }
  return ids
}

const perSecond = async (count: number, work: () => Promise<unknown>): Promise<number> => {
  const startedAt = performance.now()
  await work()
  return (count * 1_000) / (performance.now() - startedAt)
}

/** For each swap of before. */
const TIMES = 5

/** As many fees of the same partner as if there had been so many more swaps, in one transaction. */
const addEntries = (store: Store, count: number): Promise<void> =>
  store.transaction(async ({ ledger }) => {
    const line = { ecosystem: 'evm', chainId: 1, token: 'token', amount: 5n, account: 'partner:p1', side: 'credit' } as const
    for (let at = 0; at < count; at += 1)
      await ledger.book({ key: `more ${at}`, kind: 'fee', swapId: null, document: {}, lines: [line] })
  })

const READS = 200

/** Milliseconds. */
const timeOfBalance = async (store: Store): Promise<number> => {
  const startedAt = performance.now()
  for (let i = 0; i < READS; i += 1) await store.ledger.balancesOf('p1')
  return (performance.now() - startedAt) / READS
}

/** Swaps that end with and without an entry of the ledger, each in a transaction that is on the disk when it is over; and its proof. */
export const measureLedger = async (_children: Children, { quotes: count }: Effort): Promise<readonly Figure[]> => {
  const dataDir = await mkdtemp(join(tmpdir(), 'swap-bench-ledger-'))
  const store = await openStore({ dataDir, database: { url: null, poolMax: 1 }, network: 'simnet' }, systemClock)
  try {
    const { transition } = createLifecycle(store)
    const endAll = (ids: readonly number[]) => async () => {
      for (const id of ids) await transition(id, SUCCESS, null)
    }
    const bare = await perSecond(count, endAll(await addSwaps(store, count, false)))
    const booked = await perSecond(count, endAll(await addSwaps(store, count, true)))
    const proved = await perSecond(count, async () => {
      const { isBalanced, entries } = await proveBalance(store)
      if (!isBalanced || entries !== count) throw new Error('the ledger does not add up')
    })
    const few = await timeOfBalance(store)
    await addEntries(store, count * TIMES)
    const many = await timeOfBalance(store)
    const told = (rate: number) => `${formatRate(rate)} /s`
    return [
      { name: 'swaps ended with an entry', measured: told(booked), absolute: `${told(bare)} without`, goal: null },
      { name: 'entries proved', measured: told(proved), absolute: `${count} entries`, goal: null },
      {
        name: `balance of ${formatRate(count * (TIMES + 1))} entries read, to that of ${formatRate(count)}`,
        measured: (many / few).toFixed(2),
        absolute: `${many.toFixed(2)} ms`,
        goal: null,
      },
    ]
  } finally {
    await store.close()
    await rm(dataDir, { recursive: true, force: true })
  }
}
