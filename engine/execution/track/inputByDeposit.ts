import { paymentsTo, type SeenTransaction } from '../../chains/seen.ts'
import { isNative } from '../../core/asset.ts'
import { isEvmChainId } from '../../core/chain.ts'
import type { Deposit } from '../../core/execution.ts'
import type { Payment } from '../../core/payment.ts'
import { factsOf, type VenueWord } from '../../core/swapStatus.ts'
import { parseTransactionId, type TransactionId } from '../../core/transactionId.ts'
import type { SwapRecord } from '../../store/swaps.ts'
import type { InputEvent, SwapEvents, VenueProfile } from '../../venues/venue.ts'
import { coinsByCalls } from './coinsByCalls.ts'
import type { InputSight } from './judge.ts'
import { amountOf, type InputPorts, inputIn, isPaidIn, isPayout, readKept, toPayment } from './keptInputs.ts'
import { executedAtOf, isOlderThan, isPast, isTooLate, readTransaction } from './readEvidence.ts'
import type { ReadHashes } from './readHashes.ts'

/** `done`: the transactions that this request has read. */
type Ports = InputPorts & { readonly reads: ReadHashes; readonly done: Set<TransactionId> }

/** A swap that is paid to an address. */
export type Awaited = {
  readonly record: SwapRecord
  readonly deposit: Deposit
  /** Identifies the swap's payments at a shared address; null for an address of its own. */
  readonly shared: Pick<SwapEvents, 'inputs'> | null
  readonly word: VenueWord
  /** True: search the chain although the venue waits, because the address expired or the venue does not answer. */
  readonly isSearched: boolean
}

/** Events that identify payments at a shared address, where the amount carries a reference; null for an own address. */
export const sharedBy = (
  { profile, events }: { readonly profile: Pick<VenueProfile, 'amountCarriesReference'>; readonly events: SwapEvents | null },
  { swap }: SwapRecord,
): Awaited['shared'] => (profile.amountCarriesReference(swap.order) > 0n ? (events ?? { inputs: async () => [] }) : null)

/** The maximum number of transactions of each list that one request reads. */
const LOOKS_MAX = 8

/**
 * The payments of a transaction to the address, including coins from contract calls if balances show them. The address belongs to
 * this swap, so another venue's delivery to it counts too.
 */
const depositsIn = async (seen: SeenTransaction, { record, deposit, shared }: Awaited, ports: InputPorts) => {
  const { input } = record.swap.order
  const { chainId, address } = deposit
  if (!seen.isSuccess || isOlderThan(seen, executedAtOf(record))) return []
  if (shared !== null) return isTooLate(seen, record.swap, ports.clock) ? [] : ((await shared.inputs(seen, record.swap)) ?? [])
  const toEvent = (place: string, amount: bigint): InputEvent => ({
    place,
    orderId: null,
    took: { token: input.address, amount },
  })
  const moved = paymentsTo(seen, { asset: input, recipient: address })
  if (moved.length > 0 || !isNative(input) || !isEvmChainId(chainId))
    return moved.map(({ place, amount }) => toEvent(place, amount))
  const gained = await coinsByCalls(ports, seen, address)
  return gained === 'unreadable' || gained === null || gained <= 0n ? [] : [toEvent(`balance:${address}`, gained)]
}

/** At its own address every payment is input until the input is whole; at a shared one, the first. */
const isInput = (kept: readonly Payment[], { deposit, shared }: Awaited): boolean => {
  const inputs = kept.filter(({ kind }) => kind === 'input')
  const paid = amountOf(inputs)
  return shared === null ? paid !== null && paid < deposit.amount : inputs.length === 0
}

/** Records payments to the address: as the input, and beyond it as extra. */
const claimDeposits = async (seen: SeenTransaction, awaited: Awaited, ports: InputPorts): Promise<void> => {
  const { record, deposit } = awaited
  for (const event of await depositsIn(seen, awaited, ports)) {
    const kind = isInput(await ports.payments.ofSwap(record.id), awaited) ? 'input' : 'extra'
    await ports.payments.claim(record.id, [toPayment(seen, event, { kind, recipient: deposit.address })])
  }
}

/**
 * At a shared address each payment is an order with its own refund, and one belongs to the swap. The venue's report chooses it,
 * else a sufficient amount (anyone can send a small one), else the order of arrival.
 */
const chooseInput = async ({ record, deposit, shared, word }: Awaited, { payments }: InputPorts): Promise<void> => {
  const kept = await payments.ofSwap(record.id)
  const paid = kept.filter(isPaidIn)
  if (shared === null || paid.length < 2 || kept.some(isPayout)) return
  const named = (word.paidBy ?? []).map((hash) => parseTransactionId(deposit.chainId, hash))
  const byRank = [...paid.filter(({ kind }) => kind === 'input'), ...paid.filter(({ kind }) => kind === 'extra')]
  const isEnough = ({ amount }: Payment) => (amount ?? 0n) >= deposit.amount
  const chosen = byRank.find(({ txHash }) => named.includes(txHash)) ?? byRank.find(isEnough)
  if (chosen === undefined || chosen.kind === 'input') return
  const hashes = new Set(paid.filter((one) => one === chosen || one.kind === 'input').map(({ txHash }) => txHash))
  for (const txHash of hashes) {
    await payments.drop(record.id, { chainId: deposit.chainId, txHash })
    const again = paid.filter((one) => one.txHash === txHash)
    await payments.claim(
      record.id,
      again.map((one) => ({ ...one, kind: one === chosen ? ('input' as const) : ('extra' as const) })),
    )
  }
}

/** Transactions that paid the address, by all endpoints together or by two endpoints separately. */
const search = async ({ record, deposit }: Awaited, { evidence, read }: Ports, by: 'all' | 'two') => {
  const { address: recipient, amount: least } = deposit
  const query = { asset: record.swap.order.input, recipient, since: executedAtOf(record), least }
  return read(deposit.chainId, async (signal, budget) => {
    if (by === 'two') return { ...(await evidence.searchByTwo({ ...query, budget }, signal)), isDone: true }
    const found = await evidence.search({ ...query, budget }, signal)
    return { ...found, lists: [found], isDone: !found.isUnfinished }
  })
}

/** True if the venue reports an end and names payments, which contradicts an address that shows none. */
const endedByPayment = ({ state, paidBy = [] }: VenueWord): boolean =>
  (state === 'success' || state === 'refunded') && paidBy.length > 0

/** For a shared address without a payment: `unpaid` once the confirmed time of its chain is past the deadline. */
const bySearch = async ({ record, deposit }: Awaited, { evidence, read }: InputPorts): Promise<InputSight> => {
  const time = await read(deposit.chainId, (signal) => evidence.confirmedTime(deposit.chainId, signal))
  if (time === 'unreadable') return { kind: 'unreadable' }
  return { kind: isPast(record.swap, time) ? 'unpaid' : 'absent' }
}

/** Without a transaction, the address shows whether it was ever paid. */
const byAddress = async (awaited: Awaited, ports: InputPorts): Promise<InputSight> => {
  const { record, deposit, word, shared } = awaited
  const { evidence, read } = ports
  if (shared !== null) return endedByPayment(word) ? { kind: 'absent' } : bySearch(awaited, ports)
  const { input } = record.swap.order
  const query = { asset: input, recipient: deposit.address, since: executedAtOf(record) }
  const until = await read(deposit.chainId, (signal, budget) => evidence.untouchedUntil({ ...query, budget }, signal))
  if (until === 'unreadable') return { kind: 'unreadable' }
  // A node behind the deadline may miss a payment, and a node that forgets shows none.
  if (until !== null) return { kind: isPast(record.swap, until) && !endedByPayment(word) ? 'unpaid' : 'absent' }
  // Coins from a contract leave no trace except the use of the address. It belongs to this swap, so they are its payment.
  const isTraceless = isNative(input) && isEvmChainId(input.chainId)
  return isTraceless && factsOf(word.state).isPaid ? { kind: 'paid', amount: null } : { kind: 'absent' }
}

/** The recorded input. Until the search is complete a partial input is `unreadable`: later payments change the amount due. */
const seenSoFar = (kept: readonly Payment[], { deposit }: Awaited, isAll: boolean): InputSight | null => {
  const sight = inputIn(kept)
  const isPart = sight?.kind === 'paid' && sight.amount !== null && sight.amount < deposit.amount
  return isPart && !isAll ? { kind: 'unreadable' } : sight
}

/** Records the payments of these transactions, a limited number per request. False if one is left or cannot be read. */
const claimFrom = async (lists: readonly (readonly TransactionId[])[], awaited: Awaited, ports: Ports): Promise<boolean> => {
  const { record, deposit } = awaited
  const { done } = ports
  const reads = ports.reads(record, deposit.address)
  const kept = await ports.payments.ofSwap(record.id)
  const isOpen = (txHash: TransactionId) =>
    !done.has(txHash) && !kept.some((payment) => isPaidIn(payment) && payment.txHash === txHash)
  const open = lists.map((hashes) => hashes.filter(isOpen))
  const next = new Set(open.flatMap((hashes) => reads.page(hashes, LOOKS_MAX)))
  let isReadable = open.flat().every((txHash) => next.has(txHash) || reads.isSettled(txHash))
  for (const txHash of next) {
    const seen = await readTransaction(ports, { chainId: deposit.chainId, txHash })
    reads.note(txHash, seen === 'unreadable' ? seen : seen === null ? 'absent' : 'other')
    done.add(txHash)
    if (seen === 'unreadable') isReadable = false
    else if (seen !== null) await claimDeposits(seen, awaited, ports)
  }
  await chooseInput(awaited, ports)
  return isReadable
}

/** Records the payments that a search finds. `isAll`: the search omits none, or its short lists were read whole. */
const claimSearched = async (awaited: Awaited, ports: Ports, by: 'all' | 'two') => {
  const found = await search(awaited, ports, by)
  if (found === 'unreadable') return { isDone: false, isAll: false, isReadable: false }
  const { lists, isDone, isWhole } = found
  const hashes = lists.map((list) => list.hashes)
  const isReadable = await claimFrom(hashes, awaited, ports)
  const isShort = awaited.shared === null && isDone && hashes.every(({ length }) => length <= LOOKS_MAX)
  return { isDone, isAll: isWhole || isShort, isReadable }
}

/**
 * Finds and records payments to a deposit address. Reads the transactions that the venue names; if they are not sufficient,
 * searches all endpoints together, then two separately.
 */
export const inputByDeposit = async (awaited: Awaited, given: Omit<Ports, 'done'>): Promise<InputSight> => {
  const ports = { ...given, done: new Set<TransactionId>() }
  const { record, deposit, word, isSearched } = awaited
  const kept = await readKept(record, ports)
  const isSilent = word.state === 'pending' || factsOf(word.state).isForgotten
  if (isSilent && !isSearched && word.paidBy === undefined) return inputIn(kept) ?? { kind: 'absent' }
  const named = (word.paidBy ?? []).map((hash) => parseTransactionId(deposit.chainId, hash)).filter((hash) => hash !== null)
  const isNamedReadable = await claimFrom([named], awaited, ports)
  const soFar = async (isAll: boolean) => seenSoFar(await ports.payments.ofSwap(record.id), awaited, isAll)
  const bySight = await soFar(false)
  if (named.length > 0 && bySight?.kind === 'paid') return bySight
  const found = await claimSearched(awaited, ports, 'all')
  const byFound = await soFar(false)
  if (byFound?.kind === 'paid') return byFound
  const two = found.isDone ? await claimSearched(awaited, ports, 'two') : null
  const isReadable = [found, two].every((one) => one?.isAll && one.isReadable) && isNamedReadable
  const sight = await soFar(isReadable)
  if (sight !== null) return sight
  if (isReadable) return byAddress(awaited, ports)
  // Payments that one endpoint invents do not outweigh two that show the address as unpaid.
  const byOwn = awaited.shared === null && isNamedReadable && found.isDone ? await byAddress(awaited, ports) : null
  return byOwn?.kind === 'unpaid' ? byOwn : { kind: 'unreadable' }
}
