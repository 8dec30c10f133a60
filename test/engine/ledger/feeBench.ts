import { afterEach } from 'vitest'
import type { SeenTransaction } from '../../../engine/chains/seen.ts'
import type { FeeCustody } from '../../../engine/core/fee.ts'
import type { LedgerEntry } from '../../../engine/store/ledger.ts'
import { keptAtVenue, paidOnDelivery } from '../../../engine/venues/kit/feeCustody.ts'
import type { SwapEvents } from '../../../engine/venues/venue.ts'
import { expectBalanced } from '../../support/expectBalanced.ts'
import { TOKENS } from '../../support/fakeChains.ts'
import { movement } from '../../support/fakeEvidence.ts'
import { addressFor, type FakeVenue, type FakeVenueOptions } from '../../support/fakeVenue.ts'
import { done, type Executed, LEAST, type MoneyBench, PAID_IN, startMoneyBench } from '../../support/moneyBench.ts'

/** A toy venue's swaps for a partner with a fee of one per cent, and what the ledger says of them. */

export const FEE_PAYEE = addressFor('evm', 'the integrator')
export const FEE_BPS = 100
/** One per cent of what is offered, and of what is paid in. */
export const QUOTED = 10_000n

export const CUSTODY = {
  onDelivery: paidOnDelivery('output', FEE_PAYEE),
  onPayment: { holder: 'integrator', from: 'input', becomes: null, seen: { in: 'input', payee: FEE_PAYEE } },
  credited: keptAtVenue('creditedAtVenue', 'input', 'USDC in its books'),
  byThorchain: { ...keptAtVenue('creditedAtVenue', 'input', 'RUNE on THORChain'), ecosystem: 'thorchain' },
  ofOutput: keptAtVenue('venueAccount', 'output'),
  ofTaken: keptAtVenue('venueAccount', 'taken'),
} as const satisfies { readonly [name: string]: FeeCustody }

/** Of a contract that pays the recipient, and the fee right after it. */
const PAYS_FEE_NEXT: SwapEvents = {
  inputs: async () => null,
  outputs: async ({ movements }, { order, binding }) =>
    movements.flatMap(({ place, token, to, amount }, at) => {
      if (token !== order.output.address || to !== binding.recipient) return []
      const [next, ...after] = movements.slice(at + 1)
      const end = after.findIndex((movement) => movement.to !== FEE_PAYEE)
      const paid = next?.to === FEE_PAYEE ? [next, ...(end < 0 ? after : after.slice(0, end))] : []
      return [{ place, amount, paid: paid.map((movement) => movement.place) }]
    }),
  refunds: async () => null,
  named: async () => [],
}

const benches: MoneyBench[] = []
afterEach(async () => {
  for (const bench of benches.splice(0)) {
    await expectBalanced(bench.store)
    await bench.close()
  }
})

export type FeeWish = FakeVenueOptions & {
  readonly custody?: FeeCustody
  readonly kind?: 'DEPOSIT' | 'TRANSACTION'
  readonly feeBps?: number | null
  readonly env?: { readonly [name: string]: string }
  readonly from?: MoneyBench
  readonly beside?: readonly FakeVenue[]
}

export const startFeeBench = async ({
  custody = CUSTODY.ofOutput,
  kind = 'DEPOSIT',
  feeBps = FEE_BPS,
  from,
  beside = [],
  ...options
}: FeeWish = {}): Promise<MoneyBench> => {
  const profile = { ...options.profile, feeCustody: () => custody }
  const caller = { tier: 'selfServe', partnerId: 'p1', feeBps } as const
  const events = kind === 'DEPOSIT' && custody === CUSTODY.onDelivery ? PAYS_FEE_NEXT : null
  const change = { caller, beside, ...(from && { from, chain: from.chain }) }
  const bench = await startMoneyBench(kind, { events, ...options, profile }, change)
  if (!from) benches.push(bench)
  return bench
}

/** The transfer of a fee, beside what a transaction pays. */
export const feeMoved = (side: 'input' | 'output', amount: bigint, place = 'log:7') =>
  movement(side === 'input' ? TOKENS.usdcEthereum : TOKENS.usdcArbitrum, FEE_PAYEE, amount, { place })

export const entriesOf = (bench: MoneyBench, swap: Pick<Executed, 'id'>): Promise<readonly LedgerEntry[]> =>
  bench.store.ledger.ofSwap(swap.id)

/** Of each entry its kind and key, and its lines in short. */
export const toldOf = async (bench: MoneyBench, swap: Pick<Executed, 'id'>) =>
  (await entriesOf(bench, swap)).map(({ key, kind, lines }) => ({
    key,
    kind,
    lines: lines.map(({ account, side, amount }) => `${side} ${account} ${amount}`),
  }))

/** Lets the chain show a swap's delivery, with what else its transaction moves. */
export const deliverAll = (
  bench: MoneyBench,
  swap: Executed,
  {
    standing = 'final',
    beside = [],
  }: { readonly standing?: SeenTransaction['standing']; readonly beside?: SeenTransaction['movements'] } = {},
) => {
  const { order, binding } = swap.record.swap
  const movements = [movement(order.output, binding.recipient, LEAST), ...beside]
  const txHash = bench.deliver(swap, LEAST, { standing, movements })
  bench.saysOf(swap, { state: 'success', venueStatus: 'TOY', ...done(txHash) } as never)
  return txHash
}

/** A swap that was paid in and delivered for good. */
export const settled = async (bench: MoneyBench, wish: Parameters<typeof deliverAll>[2] = {}) => {
  const swap = await bench.execute()
  bench.pay(swap, PAID_IN, { standing: 'final' })
  const txHash = deliverAll(bench, swap, wish)
  return { swap, txHash, state: await bench.stateOf(swap) }
}
