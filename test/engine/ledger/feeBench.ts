import { onTestFinished } from 'vitest'
import type { SeenTransaction } from '../../../engine/chains/seen.ts'
import type { Address } from '../../../engine/core/address.ts'
import type { FeeCustody } from '../../../engine/core/fee.ts'
import type { TransactionId } from '../../../engine/core/transactionId.ts'
import type { LedgerEntry } from '../../../engine/store/ledger.ts'
import { keptAtVenue, paidOnDelivery } from '../../../engine/venues/kit/feeCustody.ts'
import type { SwapEvents } from '../../../engine/venues/venue.ts'
import { expectBalanced } from '../../support/expectBalanced.ts'
import { TOKENS } from '../../support/fakeChains.ts'
import { movement } from '../../support/fakeEvidence.ts'
import { addressFor, type FakeVenue, type FakeVenueOptions } from '../../support/fakeVenue.ts'
import { done, type Executed, LEAST, type MoneyBench, PAID_IN, startMoneyBench } from '../../support/moneyBench.ts'
import { anExecutedSwap } from '../../support/storedSwap.ts'
import { TOY_EVENTS } from '../../support/toyEvents.ts'

/** A toy venue's swaps for a partner with a fee of one per cent, and their ledger entries. */

export const FEE_PAYEE = addressFor('evm', 'the integrator')
const FEE_BPS = 100
/** One per cent of the offer, and of the payment. */
export const QUOTED = 10_000n

export const CUSTODY = {
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

/** A swap that earns one per cent. */
export const aSwapWithFee = async () => {
  const swap = await anExecutedSwap()
  const fee = { bps: FEE_BPS, amount: QUOTED as typeof swap.offer.fee.amount }
  return { ...swap, offer: { ...swap.offer, fee }, feeCustody: CUSTODY.ofOutput }
}

type FeeWish = FakeVenueOptions & {
  readonly custody?: FeeCustody
  readonly kind?: 'DEPOSIT' | 'TRANSACTION'
  readonly feeBps?: number | null
  readonly beside?: readonly FakeVenue[]
}

export const startFeeBench = async ({
  custody = CUSTODY.ofOutput,
  kind = 'DEPOSIT',
  feeBps = FEE_BPS,
  beside = [],
  ...options
}: FeeWish = {}): Promise<MoneyBench> => {
  const profile = { ...options.profile, feeCustody: () => custody }
  const caller = { tier: 'selfServe', partnerId: 'p1', feeBps } as const
  const events = kind === 'DEPOSIT' && custody === CUSTODY.onDelivery ? PAYS_FEE : null
  const bench = await startMoneyBench(kind, { events, ...options, profile }, { caller, beside })
  onTestFinished(async () => {
    await expectBalanced(bench.store)
    await bench.close()
  })
  return bench
}

/** The transfer of a fee, beside the other movements of a transaction. */
export const feeMoved = (side: 'input' | 'output', amount: bigint, place = 'log:7', from: Address | null = null) =>
  movement(side === 'input' ? TOKENS.usdcEthereum : TOKENS.usdcArbitrum, FEE_PAYEE, amount, { place, from })

export const entriesOf = (bench: MoneyBench, swap: Pick<Executed, 'id'>): Promise<readonly LedgerEntry[]> =>
  bench.store.ledger.ofSwap(swap.id)

/** The key and kind of each entry, and its lines in short. */
export const toldOf = async (bench: MoneyBench, swap: Pick<Executed, 'id'>) =>
  (await entriesOf(bench, swap)).map(({ key, kind, lines }) => ({
    key: key.replace(`swap:${swap.id}`, ''),
    kind,
    lines: lines.map(({ account, side, amount }) => `${side} ${account} ${amount}`),
  }))

/** The lines of one booked fee, as `toldOf` shows them. */
export const BOOKED = [`debit venue:toy ${QUOTED}`, `credit partner:p1 ${QUOTED}`]

type Delivery = {
  readonly standing?: SeenTransaction['standing']
  readonly beside?: SeenTransaction['movements']
  readonly amount?: bigint
}

/** Lets the chain show a swap's delivery, with other movements of its transaction. */
export const deliverAll = (
  bench: MoneyBench,
  swap: Executed,
  { standing = 'final', beside = [], amount = LEAST }: Delivery = {},
) => {
  const { order, binding } = swap.record.swap
  const movements = [movement(order.output, binding.recipient, amount), ...beside]
  const txHash = bench.deliver(swap, amount, { standing, movements })
  bench.saysOf(swap, { state: 'success', venueStatus: 'TOY', ...done(txHash) } as never)
  return txHash
}

/** A swap that was paid in and delivered for good. */
export const settled = async (bench: MoneyBench, { paid = PAID_IN, ...delivery }: Delivery & { readonly paid?: bigint } = {}) => {
  const swap = await bench.execute()
  bench.pay(swap, paid, { standing: 'final' })
  const txHash = deliverAll(bench, swap, delivery)
  return { swap, txHash, state: await bench.stateOf(swap) }
}

/** Makes a transaction of either chain final. */
export const makeFinal = async ({ chain, context }: MoneyBench, hash: TransactionId): Promise<void> => {
  for (const chainId of [1, 42161] as const) {
    const seen = await chain.transaction({ chainId, hash }, context.signal)
    if (seen) chain.put({ ...seen, standing: 'final' })
  }
}
