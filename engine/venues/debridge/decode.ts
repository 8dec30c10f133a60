import { isNative } from '../../core/asset.ts'
import { isEvmChainId, SOLANA } from '../../core/chain.ts'
import type { Execution, PayloadClaims, WalletTransaction } from '../../core/execution.ts'
import { failing } from '../../core/failing.ts'
import type { ExecutedSwap, SwapKey } from '../../core/swap.ts'
import { VenueError } from '../venueError.ts'
import { atItsFee, claimsOf, type DlnOrder, orderIdOf, unreadable } from './dlnOrder.ts'
import { type EvmOrder, readEvmOrder, SWAP_OF_COINS } from './evmOrder.ts'
import { assetOfBytes } from './protocol.ts'
import type { Pinned } from './published.ts'
import { readSolanaOrder } from './solanaOrder.ts'
import { evidence as evidenceShape } from './wire.ts'

/** The effect of a transaction, by its bytes, and its order. */
export type ReadPayload = { readonly made: DlnOrder; readonly swap: EvmOrder['swap']; readonly claims: PayloadClaims }

/** `orderId`: by the venue. `isProved`: the contracts were known when the payload was handed out. */
type Reading = { readonly pinned: Pinned; readonly orderId: string | null; readonly isProved?: boolean }

const readEvm = async (transaction: WalletTransaction, reading: Reading): Promise<ReadPayload> => {
  const { pinned, orderId, isProved = false } = reading
  const { chainId, to, value } = transaction
  const { order: stated, source, swap, unread } = await readEvmOrder(transaction)
  const isKnown = pinned.sources(chainId).includes(source) && (swap === null || pinned.forwarders(chainId).includes(to))
  if (!isProved && !isKnown)
    throw unreadable(
      'a call of another contract',
      `${to} (not pinned; VENUE_DEBRIDGE_SOURCES and VENUE_DEBRIDGE_FORWARDERS add some)`,
    )
  const order = atItsFee(stated, pinned, orderId)
  const claims = claimsOf(order, pinned, isProved)
  const given = assetOfBytes(chainId, order.giveToken)
  if (given === null) throw unreadable('what an order gives', order.giveToken)
  const input =
    swap === null ? { asset: given, amount: order.giveAmount } : { asset: { chainId, address: swap.token }, amount: swap.amount }
  const isOfCoins = isNative(input.asset)
  const nativeFee = value - (isOfCoins ? input.amount : 0n)
  const problems = [...claims.unread, ...unread, ...failing({ 'a value below the input': nativeFee >= 0n })]
  if (problems.length === 1 && problems[0] === SWAP_OF_COINS)
    throw new VenueError('unsupportedPair', 'debridge: a swap of coins before the order', { reason: 'notSold' })
  return {
    made: order,
    swap,
    claims: {
      ...claims,
      // A router's output cannot be read from its calldata. The order takes the exact amount that the forwarder requires, and a
      // cancelled order returns that amount.
      bridged: swap && { asset: given, amount: order.giveAmount },
      refundTo: claims.refundTo ?? 'unproved',
      chainId,
      pays: to,
      spender: isOfCoins ? null : to,
      nativeFee,
      input,
      unread: problems,
    },
  }
}

const readSolana = async ({ to, data, serialized }: WalletTransaction, reading: Reading): Promise<ReadPayload> => {
  const { pinned, orderId, isProved = false } = reading
  const { order, instruction, unread } = await readSolanaOrder(data, pinned, orderId)
  const claims = claimsOf(order, pinned, isProved)
  const asset = assetOfBytes(SOLANA, order.giveToken)
  if (asset === null) throw unreadable('what an order gives', order.giveToken)
  return {
    made: order,
    swap: null,
    claims: {
      ...claims,
      refundTo: claims.refundTo ?? 'unproved',
      chainId: SOLANA,
      pays: to,
      spender: null,
      // The program takes the fee of its own state, whatever the call states.
      nativeFee: pinned.feeOn(SOLANA),
      input: { asset, amount: order.giveAmount },
      unread: [
        ...claims.unread,
        ...unread,
        ...failing({
          'a coin that nobody wrapped': !isNative(asset),
          'another program': to === instruction.programId,
          'two different transactions': serialized === data,
        }),
      ],
    },
  }
}

/** Throws VenueError when it contains no readable order. */
export const readPayload = (transaction: WalletTransaction, reading: Reading): Promise<ReadPayload> => {
  if (isEvmChainId(transaction.chainId)) return readEvm(transaction, reading)
  if (transaction.chainId === SOLANA) return readSolana(transaction, reading)
  throw unreadable('a transaction of that chain')
}

const transactionIn = ({ payload }: Pick<Execution, 'payload'>): WalletTransaction => {
  if (payload.executionType !== 'TRANSACTION') throw unreadable('what is no transaction')
  return payload.transaction
}

/**
 * The effect of an execution, by the order in its bytes: recipient, least amount, authority of a cancellation and its refund
 * address. The order's id, which binds every field, must equal the venue's id.
 */
export const decode = async (execution: Execution, pinned: Pinned): Promise<PayloadClaims> => {
  const { orderId, fixFee } = evidenceShape.read(execution.evidence)
  const { made, claims } = await readPayload(transactionIn(execution), { pinned, orderId })
  const isNamed = orderIdOf(made, made.givePatchAuthority) === orderId
  // The contract rejects an order with another fee.
  const isPaid = claims.nativeFee === BigInt(fixFee)
  return { ...claims, unread: [...claims.unread, ...failing({ 'an order of another id': isNamed, 'another fixed fee': isPaid })] }
}

/** Reads an execution that was handed out. */
export const readHandedOut = (execution: Pick<Execution, 'payload' | 'venueRef'>, pinned: Pinned): Promise<ReadPayload> =>
  readPayload(transactionIn(execution), { pinned, orderId: execution.venueRef, isProved: true })

/** The id of the order without its maker: a contract wallet lets another account send it, which changes the maker. */
export const toldApartBy = async ({ execution }: ExecutedSwap, pinned: Pinned): Promise<readonly SwapKey[]> => {
  const { made } = await readHandedOut(execution, pinned)
  return [{ kind: 'orderId', value: orderIdOf(made, '0x') }]
}
