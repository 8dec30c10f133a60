import type { SeenTransaction } from '../../chains/seen.ts'
import { isNative } from '../../core/asset.ts'
import { isEvmChainId } from '../../core/chain.ts'
import type { TransactionId } from '../../core/transactionId.ts'
import type { SwapRecord } from '../../store/swaps.ts'
import type { SwapEvents } from '../../venues/venue.ts'
import { claimWithFee, feeEvidenceIn } from './feeEvidence.ts'
import type { InputSight } from './judge.ts'
import { type InputPorts, inputIn, isPaidIn, readKept, toPayment } from './keptInputs.ts'
import { executedAtOf, isOlderThan, readTransaction } from './readEvidence.ts'
import { findAttempt, type Recognised, recogniseCalls } from './recognise.ts'

/** Payments of a swap whose venue emits no events, recognised by the returned call. */
const callsIn = async (
  seen: SeenTransaction,
  { swap }: SwapRecord,
  { evidence, read }: InputPorts,
): Promise<Recognised | 'unreadable'> => {
  const { chainId } = seen
  const address = swap.order.sender
  const hasCode = isEvmChainId(chainId) && (await read(chainId, (signal) => evidence.hasCode({ chainId, address }, signal)))
  return hasCode === 'unreadable' ? hasCode : recogniseCalls(seen, swap, hasCode)
}

/** Claims up to `times` free payments. The first is the input unless one is recorded; all others are extra. */
const claimAll = async (
  seen: SeenTransaction,
  record: SwapRecord,
  { events, times }: Recognised,
  { payments, venues }: InputPorts,
): Promise<InputSight | null> => {
  const { id, swap } = record
  const recipient = swap.order.sender
  const payloadIn = async () => ((await findAttempt(seen, swap)) === 'topLevel' ? 'call' : null)
  let kind: 'input' | 'extra' = (await payments.ofSwap(id)).some((payment) => payment.kind === 'input') ? 'extra' : 'input'
  let sight: InputSight | null = null
  let taken = 0
  for (const event of events) {
    if (taken === times) break
    const own = [toPayment(seen, event, { kind, recipient })]
    const orderId = kind === 'extra' ? event.orderId : null
    const hasOwnFee = kind === 'input' || orderId !== null
    const query = { record, orderId, in: 'input', seen, payloadIn, own, ...(event.paid && { paid: event.paid }) } as const
    const fee = hasOwnFee ? await feeEvidenceIn(query, { payments, venues }) : []
    if (!(await claimWithFee(id, { own, fee }, payments))) continue
    sight ??= kind === 'extra' ? { kind } : { kind: 'paid', amount: event.took.amount }
    kind = 'extra'
    taken += 1
  }
  return sight
}

/** The evidence of a transaction that shows no payment of the swap. */
const withoutPayment = async (seen: SeenTransaction, { swap }: SwapRecord, isTold: boolean): Promise<InputSight> => {
  const attempt = await findAttempt(seen, swap)
  // A call that fails inside a bundle leaves the bundle a success. At top level it would have failed it.
  if (attempt === null || (seen.isSuccess && attempt === 'topLevel')) return { kind: 'stranger' }
  // After a reorganisation the call may succeed in another block.
  if (seen.standing === 'fresh') return { kind: 'absent' }
  // Nodes do not show whether coins left a contract wallet by an inner call.
  const isHidden = seen.isSuccess && !isTold && isNative(swap.order.input) && isEvmChainId(seen.chainId)
  return { kind: isHidden ? 'unreadable' : 'reverted' }
}

/** Finds and records a swap's payment in a transaction, from any sender. */
export const inputByTransaction = async (
  record: SwapRecord,
  txHash: TransactionId,
  events: SwapEvents | null,
  ports: InputPorts,
): Promise<InputSight> => {
  const { chainId } = record.swap.order.input
  const kept = await readKept(record, ports)
  const own = kept.filter((payment) => isPaidIn(payment) && payment.txHash === txHash)
  if (own.length > 0) return inputIn(own) ?? { kind: 'extra' }
  const seen = await readTransaction(ports, { chainId, txHash })
  if (seen === 'unreadable') return { kind: 'unreadable' }
  if (seen === null) return { kind: 'absent' }
  if (isOlderThan(seen, executedAtOf(record))) return { kind: 'stranger' }
  const told = (await events?.inputs(seen, record.swap)) ?? null
  const byEvents = told && { events: told, times: told.length }
  const found = seen.isSuccess ? (byEvents ?? (await callsIn(seen, record, ports))) : null
  if (found === 'unreadable') return { kind: 'unreadable' }
  if (found === null || found.events.length === 0) return withoutPayment(seen, record, told !== null)
  return (await claimAll(seen, record, found, ports)) ?? { kind: 'stranger' }
}
