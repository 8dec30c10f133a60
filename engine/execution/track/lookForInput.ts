import { paymentsTo, placeOf, type SeenTransaction } from '../../chains/seen.ts'
import { isNative } from '../../core/asset.ts'
import { isEvmChainId } from '../../core/chain.ts'
import type { DepositPayload } from '../../core/execution.ts'
import { factsOf } from '../../core/swapStatus.ts'
import { parseTransactionId, type TransactionId } from '../../core/transactionId.ts'
import type { Payment, PaymentStore } from '../../store/payments.ts'
import type { SwapRecord } from '../../store/swaps.ts'
import type { InputEvent, SwapEvents, VenueWord } from '../../venues/venue.ts'
import type { InputSight } from './judge.ts'
import { type EvidencePorts, isOlderThan, type Where } from './readEvidence.ts'
import { isAttempt, recogniseCalls } from './recognise.ts'

export type InputPorts = EvidencePorts & { readonly payments: PaymentStore }

/** How many of the transactions that a venue or a chain names for one deposit are looked at in one ask. */
const LOOKS_MAX = 8

const isPaidIn = ({ kind }: Payment): boolean => kind === 'input' || kind === 'extra'

/** What was paid in as the swap's input; null where some of it is of an unknown amount. */
const amountOf = (inputs: readonly Payment[]): bigint | null =>
  inputs.reduce<bigint | null>((sum, { amount }) => (sum === null || amount === null ? null : sum + amount), 0n)

/** The sight of what is kept of a swap; null where nothing is. */
export const inputIn = (kept: readonly Payment[]): InputSight | null => {
  const inputs = kept.filter(({ kind }) => kind === 'input')
  return inputs.length === 0 ? null : { kind: 'paid', amount: amountOf(inputs) }
}

/** A payment as it is kept. */
const toPayment = (
  seen: SeenTransaction,
  { place, orderId, took }: InputEvent,
  rest: Pick<Payment, 'kind' | 'recipient'>,
): Payment => ({
  ...rest,
  chainId: seen.chainId,
  txHash: seen.hash,
  place: placeOf(seen, place),
  token: took.token,
  amount: took.amount,
  orderId,
  paidAt: seen.at,
  isFinal: seen.standing === 'final',
})

/** Looks for the payment of a swap in the chain it is paid on, and keeps what it finds as the swap's own. */
export const createLookForInput = ({ evidence, read, payments }: InputPorts) => {
  const readTransaction = ({ chainId, txHash }: Where) =>
    read(chainId, (signal) => evidence.transaction({ chainId, hash: txHash }, signal))

  /** What is kept and not final yet is held against the chain again: what that took back is none. */
  const refresh = async (record: SwapRecord, kept: readonly Payment[]): Promise<readonly Payment[]> => {
    const open = kept.filter((payment) => isPaidIn(payment) && !payment.isFinal)
    const gone: Payment[] = []
    for (const payment of open) {
      const seen = await readTransaction(payment)
      if (seen === 'unreadable') continue
      if (seen?.isSuccess && seen.standing === 'final') await payments.setFinal(record.id, payment)
      if (seen?.isSuccess) continue
      await payments.drop(record.id, payment)
      gone.push(payment)
    }
    return kept.filter((payment) => !gone.includes(payment))
  }

  const eventsIn = async (seen: SeenTransaction, record: SwapRecord, events: SwapEvents | null) => {
    if (events !== null) return events.inputs(seen, record.swap)
    const { chainId } = seen
    const { sender } = record.swap.order
    const hasCode = isEvmChainId(chainId)
      ? await read(chainId, (signal) => evidence.hasCode({ chainId, address: sender }, signal))
      : false
    return hasCode === 'unreadable' ? hasCode : recogniseCalls(seen, record.swap, hasCode)
  }

  /** One payment for each transaction: another that is equal to it is another swap's, or comes to light by a ref of its own. */
  const claimEvent = async (seen: SeenTransaction, record: SwapRecord, found: readonly InputEvent[]): Promise<boolean> => {
    const kept = await payments.ofSwap(record.id)
    const kind = kept.some((payment) => payment.kind === 'input') ? 'extra' : 'input'
    const recipient = record.swap.order.sender
    for (const event of found) if (await payments.claim(record.id, [toPayment(seen, event, { kind, recipient })])) return true
    return false
  }

  /** By the transaction that made the call handed out, whoever sent it. */
  const byTransaction = async (record: SwapRecord, txHash: TransactionId, events: SwapEvents | null): Promise<InputSight> => {
    const { chainId } = record.swap.order.input
    const kept = await refresh(record, await payments.ofSwap(record.id))
    const own = kept.filter((payment) => isPaidIn(payment) && payment.txHash === txHash)
    if (own.length > 0) return { kind: 'paid', amount: amountOf(own) }
    const seen = await readTransaction({ chainId, txHash })
    if (seen === 'unreadable') return { kind: 'unreadable' }
    if (seen === null) return { kind: 'absent' }
    if (isOlderThan(seen, record.createdAt)) return { kind: 'stranger' }
    const found = seen.isSuccess ? await eventsIn(seen, record, events) : []
    if (found === 'unreadable') return { kind: 'unreadable' }
    // A call that fails inside a bundle leaves the bundle a success.
    if (found.length === 0) return { kind: (await isAttempt(seen, record.swap)) ? 'reverted' : 'stranger' }
    if (!(await claimEvent(seen, record, found))) return { kind: 'stranger' }
    return { kind: 'paid', amount: found[0]?.took.amount ?? null }
  }

  /** What a transaction paid to a deposit address; coins that came by calls of contracts as far as balances tell. */
  const depositsIn = async (
    seen: SeenTransaction,
    record: SwapRecord,
    { deposit: { address } }: DepositPayload,
  ): Promise<readonly InputEvent[]> => {
    const { input } = record.swap.order
    if (!seen.isSuccess || isOlderThan(seen, record.createdAt)) return []
    const moved = paymentsTo(seen, { asset: input, recipient: address })
    const found = moved.map(({ place, amount }) => ({ place, orderId: null, took: { token: input.address, amount } }))
    if (found.length > 0 || !isNative(input) || !isEvmChainId(input.chainId)) return found
    const gained = await read(input.chainId, (signal) => evidence.coinsByBalance(seen, address, signal))
    if (gained === 'unreadable' || gained === null || gained <= 0n) return []
    return [{ place: `balance:${address}`, orderId: null, took: { token: input.address, amount: gained } }]
  }

  /** As the venue names them; else as the chain finds them. */
  const transactionsTo = async ({ swap, createdAt }: SwapRecord, { deposit }: DepositPayload, { paidBy = [] }: VenueWord) => {
    const { input } = swap.order
    const named = paidBy.map((hash) => parseTransactionId(input.chainId, hash)).filter((hash) => hash !== null)
    if (named.length > 0) return named
    const query = { asset: input, recipient: deposit.address, since: createdAt }
    const found = await read(input.chainId, (signal) => evidence.search(query, signal))
    return found === 'unreadable' ? found : found.hashes
  }

  /** Keeps what a transaction paid to the address: as the input until that is whole, and what is more as extra. */
  const claimDeposits = async (seen: SeenTransaction, record: SwapRecord, payload: DepositPayload): Promise<void> => {
    const { address: recipient, amount: needed } = payload.deposit
    for (const event of await depositsIn(seen, record, payload)) {
      const inputs = (await payments.ofSwap(record.id)).filter(({ kind }) => kind === 'input')
      const paid = amountOf(inputs)
      const kind = paid !== null && paid < needed ? 'input' : 'extra'
      await payments.claim(record.id, [toPayment(seen, event, { kind, recipient })])
    }
  }

  /** Without a transaction to go by, the address itself tells whether it was ever paid. */
  const byAddress = async ({ swap }: SwapRecord, { deposit }: DepositPayload, word: VenueWord): Promise<InputSight> => {
    const { input } = swap.order
    const where = { asset: input, recipient: deposit.address }
    const isUntouched = await read(deposit.chainId, (signal) => evidence.isUntouched(where, signal))
    if (isUntouched === 'unreadable') return { kind: 'unreadable' }
    if (isUntouched) return { kind: 'unpaid' }
    // Coins sent by a contract leave no trace but that the address is in use. It is this swap's alone, so they are its payment.
    const isTraceless = isNative(input) && isEvmChainId(input.chainId)
    return isTraceless && factsOf(word.state).isPaid ? { kind: 'paid', amount: null } : { kind: 'absent' }
  }

  /** By what was paid to the address handed out. `isOver`: its life is over. Until then a venue that waits is believed. */
  const byDeposit = async (
    record: SwapRecord,
    payload: DepositPayload,
    { word, isOver }: { readonly word: VenueWord; readonly isOver: boolean },
  ): Promise<InputSight> => {
    const { chainId } = payload.deposit
    const kept = await refresh(record, await payments.ofSwap(record.id))
    const { isPaid, isForgotten } = factsOf(word.state)
    const isWaiting = !isPaid && !isOver && (isForgotten || word.state === 'pending') && (word.paidBy ?? []).length === 0
    if (isWaiting) return inputIn(kept) ?? { kind: 'absent' }
    const hashes = await transactionsTo(record, payload, word)
    if (hashes === 'unreadable') return inputIn(kept) ?? { kind: 'unreadable' }
    let isReadable = true
    for (const txHash of hashes.slice(-LOOKS_MAX)) {
      if (kept.some((payment) => isPaidIn(payment) && payment.txHash === txHash)) continue
      const seen = await readTransaction({ chainId, txHash })
      if (seen === 'unreadable') isReadable = false
      else if (seen !== null) await claimDeposits(seen, record, payload)
    }
    const sight = inputIn(await payments.ofSwap(record.id))
    if (sight !== null) return sight
    return isReadable ? byAddress(record, payload, word) : { kind: 'unreadable' }
  }

  return { byTransaction, byDeposit }
}
