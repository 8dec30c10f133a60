import { eventsBy } from '../../chains/evm/eventLogs.ts'
import { COINS_BY_CALLS, type SeenLog, type SeenTransaction } from '../../chains/seen.ts'
import { hexOf } from '../../chains/solana/borsh.ts'
import { anything, tells } from '../../chains/tells.ts'
import type { Address } from '../../core/address.ts'
import { type Asset, isNative } from '../../core/asset.ts'
import { isEvmChainId, SOLANA } from '../../core/chain.ts'
import type { Hex, WalletTransaction } from '../../core/execution.ts'
import type { ExecutedSwap } from '../../core/swap.ts'
import type { InputEvent, PayoutEvent, SwapEvents } from '../venue.ts'
import { readHandedOut } from './decode.ts'
import { bookedOrder, type DlnOrder, orderIdOf, percentFeeOf } from './dlnOrder.ts'
import { assetOfBytes, bytesOf, CLAIMED_CANCEL, CREATED_ORDER, FULFILLED_ORDER, isServed } from './protocol.ts'
import type { Pinned } from './published.ts'
import { readSolanaOrder } from './solanaOrder.ts'

const affiliateBytes = ({ affiliate }: DlnOrder): Hex =>
  affiliate === null ? '0x' : `${affiliate.beneficiary}${affiliate.amount.toString(16).padStart(64, '0')}`

/** Of any maker: the sender of the transaction that made it. */
const orderDue = (order: DlnOrder) => ({ ...bookedOrder(order, '0x'), makerSrc: anything })

type Reads<K extends 'inputs' | 'outputs' | 'refunds' | 'named'> = (
  pinned: Pinned,
  ...of: Parameters<SwapEvents[K]>
) => ReturnType<SwapEvents[K]>

const transactionOf = ({ execution: { payload } }: ExecutedSwap): WalletTransaction | null =>
  payload.executionType === 'TRANSACTION' ? payload.transaction : null

/** A contract wallet lets another account send its transaction. That account is the maker in the order's id. */
const inputsOnEvm: Reads<'inputs'> = async (pinned, { chainId, logs }, { execution }) => {
  const { made, claims } = await readHandedOut(execution, pinned)
  const given = assetOfBytes(made.giveChain, made.giveToken)
  if (given === null) return []
  const told = await eventsBy(pinned.sources(chainId), CREATED_ORDER, logs)
  return told.flatMap(({ event, place }): readonly InputEvent[] => {
    const orderId = orderIdOf(made, event.order.makerSrc)
    const isOwn = tells(event, {
      order: orderDue(made),
      orderId,
      affiliateFee: affiliateBytes(made),
      nativeFixFee: claims.nativeFee,
      percentFee: percentFeeOf(made),
      referralCode: made.referralCode,
      metadata: made.metadata,
    })
    return isOwn ? [{ place, orderId, took: { token: given.address, amount: made.giveAmount } }] : []
  })
}

/** The program's logs are not reliable at every node. Its instruction proves the payment, because a failed one reverts. */
const inputsOnSolana = async (
  pinned: Pinned,
  { instructions }: SeenTransaction,
  { data, known }: { readonly data: string; readonly known: string | null },
): Promise<readonly InputEvent[]> => {
  const { instruction, order, mint, orderId } = await readSolanaOrder(data, pinned, known)
  const isSame = ({ program, accounts, data: bytes }: SeenTransaction['instructions'][number]): boolean =>
    program === instruction.programId &&
    hexOf(bytes) === hexOf(instruction.data) &&
    accounts.length === instruction.accounts.length &&
    accounts.every((account, at) => account === instruction.accounts[at])
  const took = { token: mint, amount: order.giveAmount }
  return instructions.filter(isSame).map(({ index }) => ({ place: `instruction:${index}`, orderId, took }))
}

const inputs: Reads<'inputs'> = async (pinned, seen, swap) => {
  const transaction = transactionOf(swap)
  if (!seen.isSuccess || transaction === null || seen.chainId !== transaction.chainId) return []
  const { data } = transaction
  if (seen.chainId !== SOLANA) return inputsOnEvm(pinned, seen, swap)
  return inputsOnSolana(pinned, seen, { data, known: swap.execution.venueRef })
}

type Paid = {
  readonly logs: readonly SeenLog[]
  readonly place: string
  readonly asset: Asset
  readonly to: Address
  readonly amount: bigint
}

/** The transfer beside an event, which a contract makes before it logs; coins leave no transfer, so their event counts. */
const paymentOf = ({ logs, place, asset, to, amount }: Paid, { movements }: SeenTransaction): readonly PayoutEvent[] => {
  if (isNative(asset)) return [{ place, amount }]
  const places = new Set(logs.map(({ index }) => `log:${index}`))
  const paid = movements.findLast((moved) => places.has(moved.place) && moved.token === asset.address && moved.to === to)
  return paid && paid.amount <= amount ? [{ place: paid.place, amount: paid.amount }] : []
}

/** On Solana no published event shows a delivery: the transfer itself must show it. */
const outputs: Reads<'outputs'> = async (pinned, seen, swap, orderIds) => {
  const transaction = transactionOf(swap)
  const { output } = swap.order
  if (!seen.isSuccess || transaction === null || seen.chainId !== output.chainId) return []
  if (!isEvmChainId(seen.chainId)) return null
  const { made } = await readHandedOut(swap.execution, pinned)
  const told = await eventsBy(pinned.destinations(seen.chainId), FULFILLED_ORDER, seen.logs)
  return told.flatMap(({ event, before, place }): readonly PayoutEvent[] => {
    const { orderId } = event
    const due = {
      order: orderDue(made),
      orderId: orderIdOf(made, event.order.makerSrc),
      sender: anything,
      unlockAuthority: anything,
    }
    if (!orderIds.includes(orderId) || !tells(event, due)) return []
    return paymentOf({ logs: before, place, asset: output, to: swap.binding.recipient, amount: made.takeAmount }, seen)
  })
}

/** Refunds of a cancelled order: all of it, fees included. On Solana likewise. */
const refunds: Reads<'refunds'> = async (pinned, seen, swap, orderIds) => {
  const transaction = transactionOf(swap)
  const { chainId } = swap.order.input
  if (!seen.isSuccess || transaction === null || seen.chainId !== chainId) return []
  if (!isEvmChainId(chainId)) return null
  const { made } = await readHandedOut(swap.execution, pinned)
  const asset = assetOfBytes(chainId, made.giveToken)
  const { refundTo } = swap.binding
  const told = await eventsBy(pinned.sources(chainId), CLAIMED_CANCEL, seen.logs)
  return told.flatMap(({ event, before, place }): readonly PayoutEvent[] => {
    const { orderId, beneficiary, giveTokenAddress, paidAmount } = event
    const isOwn = orderIds.includes(orderId) && beneficiary === refundTo && bytesOf(chainId, giveTokenAddress) === made.giveToken
    return isOwn && asset ? paymentOf({ logs: before, place, asset, to: refundTo, amount: paidAmount }, seen) : []
  })
}

/**
 * See SwapEvents.named: payments of either contract, and of takers through the destination contract. On Solana all transfers of a
 * transaction with a call of its program.
 */
const named: Reads<'named'> = async (pinned, seen) => {
  const { chainId, isSuccess, movements, logs, instructions } = seen
  if (!isSuccess || !isServed(chainId)) return []
  if (!isEvmChainId(chainId)) {
    const isCalled = instructions.some(({ program }) => pinned.solanaDestinations.includes(program))
    return isCalled ? movements.map(({ place }) => place) : []
  }
  const [sources, destinations] = [pinned.sources(chainId), pinned.destinations(chainId)]
  const fills = await eventsBy(destinations, FULFILLED_ORDER, logs)
  const cancels = await eventsBy(sources, CLAIMED_CANCEL, logs)
  const paid = movements.filter(({ from }) => from !== null && [...sources, ...destinations].includes(from))
  const payments = [
    ...fills.flatMap(({ event: { order }, before, place }) => {
      const asset = assetOfBytes(chainId, order.takeTokenAddress)
      const to = assetOfBytes(chainId, order.receiverDst)?.address
      return asset && to ? paymentOf({ logs: before, place, asset, to, amount: order.takeAmount }, seen) : []
    }),
    ...cancels.map(({ place }) => ({ place })),
  ]
  const areCoins = [...fills, ...cancels].length > 0
  return [...new Set([...paid, ...payments].map(({ place }) => place)), ...(areCoins ? [COINS_BY_CALLS] : [])]
}

/** Payments and deliveries by the events of DlnSource and DlnDestination, which repeat every field of an order. */
export const createEvents = (pinned: Pinned): SwapEvents => ({
  inputs: (...of) => inputs(pinned, ...of),
  outputs: (...of) => outputs(pinned, ...of),
  refunds: (...of) => refunds(pinned, ...of),
  named: (seen) => named(pinned, seen),
})
