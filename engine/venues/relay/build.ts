import { parseAddress } from '../../core/address.ts'
import { isSameAsset } from '../../core/asset.ts'
import { BITCOIN, ecosystemOf, SOLANA } from '../../core/chain.ts'
import type { Hex, Payload } from '../../core/execution.ts'
import { buildSolanaDeposit, type SolanaReads } from './buildSolana.ts'
import { type Ask, badAnswer, unprovable } from './map.ts'
import type { RelayOrder } from './order.ts'
import { checkApproval, readEvmDeposit } from './readEvmStep.ts'
import { type OrderRules, readOrder } from './readOrder.ts'
import type { Item, Quote, Step } from './wire.ts'

/** What an answer comes to once it was read: what the wallet does, and the order that binds it. */
export type Built = {
  readonly payload: Payload
  readonly requestId: Hex
  readonly order: RelayOrder
  readonly gasUnits: bigint | null
}

export type BuildPorts = OrderRules & {
  readonly chains: SolanaReads
  /** True for a price: nothing needs to be ready to be sent. */
  readonly isPreview: boolean
}

/** Without the order there is nothing that binds recipient and minimum; and a swap before the deposit is opaque calldata. */
const checkOrder = async (
  { protocol, details }: Quote,
  { order, binding }: Ask,
  rules: OrderRules,
): Promise<{ readonly orderId: Hex; readonly orderData: RelayOrder }> => {
  const { orderId, orderData } = protocol?.v2 ?? {}
  if (orderId === undefined || orderData === undefined) throw unprovable('a swap outside the settlement protocol')
  const terms = await readOrder(orderData, rules)
  const named = terms.orderIds.find((id) => id === orderId.toLowerCase())
  if (named === undefined) throw badAnswer('order id')
  if (!isSameAsset(terms.input.asset, order.input)) throw unprovable('a swap before the deposit')
  if (terms.unprovable.length > 0) throw unprovable(terms.unprovable.join(', '))
  if (terms.unread.length > 0) throw badAnswer(`order: ${terms.unread.join(', ')}`)
  if (terms.input.amount !== order.inputAmount) throw badAnswer('amount in its order')
  if (!isSameAsset(terms.output.asset, order.output)) throw badAnswer('output token in its order')
  if (terms.output.minimum !== BigInt(details.currencyOut.minimumAmount)) throw badAnswer('minimum in its order')
  // An order that expects less than the answer tells would make a price out of the answer's word alone.
  if (terms.expected < BigInt(details.currencyOut.amount)) throw badAnswer('output amount in its order')
  if (terms.recipient !== binding.recipient) throw badAnswer('recipient in its order')
  if (terms.refundTo !== binding.refundTo) throw badAnswer('refund address in its order')
  return { orderId: named, orderData }
}

const APPROVALS = new Set(['approve', 'approval'])

type Plan = { readonly approvals: readonly Item[]; readonly deposit: Item; readonly step: Step }

/** Approvals, and one deposit. Every other step swaps, calls or asks for a signature. */
const planOf = ({ steps }: Quote): Plan => {
  const open = steps.map((step) => ({ ...step, items: step.items.filter(({ status }) => status !== 'complete') }))
  const due = open.filter(({ items }) => items.length > 0)
  const approvals = due.filter(({ id }) => APPROVALS.has(id))
  const [step, ...others] = due.filter(({ id }) => !APPROVALS.has(id))
  if (!step || others.length > 0 || step.id !== 'deposit') throw unprovable('a step besides a deposit')
  const [deposit, ...more] = step.items
  if (!deposit || more.length > 0 || due.some(({ kind }) => kind !== 'transaction')) throw badAnswer('kind of step')
  return { approvals: approvals.flatMap(({ items }) => items), deposit, step }
}

const requestIdOf = ({ steps }: Quote): Hex => {
  const ids = new Set(steps.flatMap(({ requestId }) => (requestId === undefined ? [] : [requestId.toLowerCase()])))
  const [id] = ids
  if (id === undefined || ids.size > 1) throw badAnswer('request id')
  return id as Hex
}

/** An address of its chain. Whose it may not be, the payload proof tells. */
const readDepositAddress = ({ depositAddress }: Step, { order }: Ask): Payload => {
  const { chainId } = order.input
  const address = parseAddress(ecosystemOf(chainId), depositAddress ?? '')
  if (address === null) throw badAnswer('deposit address')
  return { executionType: 'DEPOSIT', deposit: { chainId, address, amount: order.inputAmount } }
}

/** Reads the steps of an answer that was priced. Throws VenueError. */
export const build = async (answer: Quote, ask: Ask, ports: BuildPorts, signal: AbortSignal): Promise<Built> => {
  const { orderId, orderData: order } = await checkOrder(answer, ask, ports)
  const { approvals, deposit, step } = planOf(answer)
  const requestId = requestIdOf(answer)
  const { chainId } = ask.order.input
  if (chainId === BITCOIN) return { payload: readDepositAddress(step, ask), requestId, order, gasUnits: null }
  if (chainId === SOLANA) {
    if (approvals.length > 0) throw badAnswer('approval')
    const transaction = await buildSolanaDeposit(deposit.data, { ...ask, ...ports, orderId }, signal)
    return { payload: { executionType: 'TRANSACTION', transaction }, requestId, order, gasUnits: null }
  }
  for (const { data } of approvals) await checkApproval(data, ask)
  const { transaction, gasUnits } = await readEvmDeposit(deposit.data, ask, orderId)
  return { payload: { executionType: 'TRANSACTION', transaction }, requestId, order, gasUnits }
}
