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

/** `done`: what was read in this ask. */
type Ports = InputPorts & { readonly reads: ReadHashes; readonly done: Set<TransactionId> }

/** A swap that is paid to an address. */
export type Awaited = {
  readonly record: SwapRecord
  readonly deposit: Deposit
  /** Tells which payments are the swap's, where others are paid to the address, too; null: it is the swap's alone. */
  readonly shared: Pick<SwapEvents, 'inputs'> | null
  readonly word: VenueWord
  /** The chain is searched although the venue waits: the address's life is over, or the venue does not answer. */
  readonly isSearched: boolean
}

/** Who tells the payments of a swap from others to its address, where the amount carries a reference; null for its own address. */
export const sharedBy = (
  { profile, events }: { readonly profile: Pick<VenueProfile, 'amountCarriesReference'>; readonly events: SwapEvents | null },
  { swap }: SwapRecord,
): Awaited['shared'] => (profile.amountCarriesReference(swap.order) > 0n ? (events ?? { inputs: async () => [] }) : null)

/** How many transactions of each list that a venue or a chain names for one address are read in one ask. */
const LOOKS_MAX = 8

/**
 * What a transaction paid to the address; coins that came by calls of contracts as far as balances tell. The address is this
 * swap's alone: what another venue delivers there for an order has paid it like anything else.
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

/** Of an address of the swap's own all that comes is the input, until that is whole; of one that many share the first. */
const isInput = (kept: readonly Payment[], { deposit, shared }: Awaited): boolean => {
  const inputs = kept.filter(({ kind }) => kind === 'input')
  const paid = amountOf(inputs)
  return shared === null ? paid !== null && paid < deposit.amount : inputs.length === 0
}

/** Keeps what a transaction paid to the address: as the input, and what is more as extra. */
const claimDeposits = async (seen: SeenTransaction, awaited: Awaited, ports: InputPorts): Promise<void> => {
  const { record, deposit } = awaited
  for (const event of await depositsIn(seen, awaited, ports)) {
    const kind = isInput(await ports.payments.ofSwap(record.id), awaited) ? 'input' : 'extra'
    await ports.payments.claim(record.id, [toPayment(seen, event, { kind, recipient: deposit.address })])
  }
}

/**
 * At an address that many share each payment is an order of its own, and goes back by itself: of several one is the swap's. That
 * is the one which the venue goes by, else one of enough, as anybody can make a small one, else the first.
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

/** The lists of transactions that paid the address: of all endpoints together, or of two endpoints, each alone. */
const search = async ({ record, deposit }: Awaited, { evidence, read }: Ports, by: 'all' | 'two') => {
  const { address: recipient, amount: least } = deposit
  const query = { asset: record.swap.order.input, recipient, since: executedAtOf(record), least }
  return read(deposit.chainId, async (signal, budget) => {
    if (by === 'two') return { ...(await evidence.searchByTwo({ ...query, budget }, signal)), isDone: true }
    const found = await evidence.search({ ...query, budget }, signal)
    return { ...found, lists: [found], isDone: !found.isUnfinished }
  })
}

/** Whether the venue names what it was paid by, and tells that it delivered or gave it back: one of the two is wrong then. */
const endedByPayment = ({ state, paidBy = [] }: VenueWord): boolean =>
  (state === 'success' || state === 'refunded') && paidBy.length > 0

/** Of an address that others are paid at, too, all that was paid there has been looked at: to the end, or not for certain. */
const bySearch = async ({ record, deposit }: Awaited, { evidence, read }: InputPorts): Promise<InputSight> => {
  const time = await read(deposit.chainId, (signal) => evidence.confirmedTime(deposit.chainId, signal))
  if (time === 'unreadable') return { kind: 'unreadable' }
  return { kind: isPast(record.swap, time) ? 'unpaid' : 'absent' }
}

/** Without a transaction to go by, the address itself tells whether it was ever paid. */
const byAddress = async (awaited: Awaited, ports: InputPorts): Promise<InputSight> => {
  const { record, deposit, word, shared } = awaited
  const { evidence, read } = ports
  if (shared !== null) return endedByPayment(word) ? { kind: 'absent' } : bySearch(awaited, ports)
  const { input } = record.swap.order
  const query = { asset: input, recipient: deposit.address, since: executedAtOf(record) }
  const until = await read(deposit.chainId, (signal, budget) => evidence.untouchedUntil({ ...query, budget }, signal))
  if (until === 'unreadable') return { kind: 'unreadable' }
  // A node that has not come as far as the deadline may not have seen a payment yet, and one that forgets shows none that was.
  if (until !== null) return { kind: isPast(record.swap, until) && !endedByPayment(word) ? 'unpaid' : 'absent' }
  // Coins sent by a contract leave no trace but that the address is in use. It is this swap's alone, so they are its payment.
  const isTraceless = isNative(input) && isEvmChainId(input.chainId)
  return isTraceless && factsOf(word.state).isPaid ? { kind: 'paid', amount: null } : { kind: 'absent' }
}

/** What was seen, where that is enough or all there is: of a part, what else was paid decides what is owed. */
const seenSoFar = (kept: readonly Payment[], { deposit }: Awaited, isAll: boolean): InputSight | null => {
  const sight = inputIn(kept)
  const isPart = sight?.kind === 'paid' && sight.amount !== null && sight.amount < deposit.amount
  return isPart && !isAll ? { kind: 'unreadable' } : sight
}

/** Keeps what these transactions paid to the address, so many of each list in one ask. False where one is left, or cannot be read. */
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

/** What a search finds is kept. `isAll`: of more payments than the search reaches, those that were left out may be all that counts. */
const claimSearched = async (awaited: Awaited, ports: Ports, by: 'all' | 'two') => {
  const found = await search(awaited, ports, by)
  if (found === 'unreadable') return { isDone: false, isAll: false, isReadable: false, isEnough: false }
  const { lists, isDone, isWhole } = found
  const hashes = lists.map((list) => list.hashes)
  const isReadable = await claimFrom(hashes, awaited, ports)
  const isShort = awaited.shared === null && isDone && hashes.every(({ length }) => length <= LOOKS_MAX)
  // Two whole lists that reach beyond the deadline prove that all others of a shared address were invented.
  const until = 'until' in found ? (found.until ?? null) : null
  const isEnough = awaited.shared !== null && isReadable && until !== null && isPast(awaited.record.swap, until)
  return { isDone, isAll: isWhole || isShort, isReadable, isEnough }
}

/**
 * Looks for what was paid to a deposit address, and keeps it: by the transactions that the venue names, and where they do
 * not make it whole by those that the chain finds: all endpoints together, then two of them, each alone.
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
  const areListsRead = two?.isEnough || [found, two].every((one) => one?.isAll && one.isReadable)
  const isReadable = areListsRead && isNamedReadable
  const sight = await soFar(isReadable)
  if (sight !== null) return sight
  if (isReadable) return byAddress(awaited, ports)
  // Payments that one endpoint invents prove nothing against two that show the address as unpaid.
  const byOwn = awaited.shared === null && isNamedReadable && found.isDone ? await byAddress(awaited, ports) : null
  return byOwn?.kind === 'unpaid' ? byOwn : { kind: 'unreadable' }
}
