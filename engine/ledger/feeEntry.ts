import type { Payment } from '../core/payment.ts'
import type { Account, LedgerEntry, LedgerLine, LedgerStore, NewLedgerEntry } from '../store/ledger.ts'
import type { SwapEarner, SwapRecord } from '../store/swaps.ts'
import { type SwapFee, swapFee } from './swapFee.ts'

/** A swap, or an extra payment of it by its order. */
export type Earning = { readonly swap: SwapRecord; readonly payments: readonly Payment[]; readonly orderId: string | null }

const keyOf = ({ swap, orderId }: Pick<Earning, 'swap' | 'orderId'>): string =>
  orderId === null ? `swap:${swap.id}` : `swap:${swap.id}:order:${orderId}`

/** The entries of one earning: the last one, and their number. A reversal cancels the entry before it. */
type Booked = { readonly last: LedgerEntry | null; readonly times: number }

export const reversalKeyOf = (key: string): string => `${key}:reversal`

const bookedOf = (entries: readonly LedgerEntry[], orderId: string | null): Booked => {
  const fees = entries.filter(({ kind, document }) => kind === 'fee' && document['orderId'] === orderId)
  const last = fees.at(-1) ?? null
  const isReversed = last !== null && entries.some(({ key }) => key === reversalKeyOf(last.key))
  return { last: isReversed ? null : last, times: fees.length }
}

/** The owner of a fee: the partner where the quote's key set it, else the operator. */
export const earnerOf = ({ feeOf, partnerId }: SwapEarner): Account =>
  feeOf === 'partner' && partnerId !== null ? `partner:${partnerId}` : 'operator'

/** Debits the holder of the money, and credits its owner. */
const linesOf = (swap: SwapRecord, { custody, ecosystem, chainId, token, amount }: SwapFee): readonly LedgerLine[] => {
  const line = { ecosystem, chainId, token, amount }
  const holder: Account = custody.holder === 'integrator' ? 'payer' : `venue:${swap.swap.offer.venue}`
  return [
    { account: holder, side: 'debit', ...line },
    { account: earnerOf(swap), side: 'credit', ...line },
  ]
}

const toEntry = ({ swap, orderId }: Earning, key: string, fee: SwapFee): NewLedgerEntry => ({
  key,
  kind: 'fee',
  swapId: swap.id,
  document: {
    orderId,
    venue: swap.swap.offer.venue,
    bps: swap.swap.offer.fee.bps,
    holder: fee.custody.holder,
    becomes: fee.custody.becomes,
    basis: fee.basis,
    isEstimated: fee.basis === 'quote',
    place: fee.place,
  },
  lines: linesOf(swap, fee),
})

/** Books the earning of a swap unless it is booked already, in the same transaction that records the swap's end. */
export const bookFee = async (earning: Earning, ledger: LedgerStore): Promise<void> => {
  const { swap, payments, orderId } = earning
  const fee = swapFee(swap.swap, payments, orderId)
  if (fee === null) return
  const { last, times } = bookedOf(await ledger.ofSwap(swap.id), orderId)
  if (last !== null) return
  const key = keyOf(earning)
  await ledger.book(toEntry(earning, times === 0 ? key : `${key}:again:${times}`, fee))
}

const turned = (line: LedgerLine): LedgerLine => ({ ...line, side: line.side === 'debit' ? 'credit' : 'debit' })

/** Reverses all booked fees of a swap except these, by counter entries: entries never change. */
export const reverseFees = async (
  { id }: SwapRecord,
  standing: readonly (string | null)[],
  ledger: LedgerStore,
): Promise<void> => {
  const entries = await ledger.ofSwap(id)
  const orderIds = new Set(
    entries.filter(({ kind }) => kind === 'fee').map(({ document }) => document['orderId'] as string | null),
  )
  for (const orderId of orderIds) {
    const { last } = bookedOf(entries, orderId)
    if (last === null || standing.includes(orderId)) continue
    const { key, lines, document } = last
    const reversal = { key: reversalKeyOf(key), kind: 'reversal', swapId: id, document: { ...document, reverses: key } } as const
    await ledger.book({ ...reversal, lines: lines.map(turned) })
  }
}
