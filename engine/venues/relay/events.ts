import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { keccakText } from '../../chains/evm/evmCodec.ts'
import {
  COINS_BY_CALLS,
  type Movement,
  paymentsTo,
  type SeenInstruction,
  type SeenLog,
  type SeenTransaction,
} from '../../chains/seen.ts'
import { decodeSolanaTransaction } from '../../chains/solana/solanaCodec.ts'
import type { Address } from '../../core/address.ts'
import { type Asset, isNative } from '../../core/asset.ts'
import { isEvmChainId, SOLANA } from '../../core/chain.ts'
import type { Hex, WalletTransaction } from '../../core/execution.ts'
import type { ExecutedSwap } from '../../core/swap.ts'
import type { AddressesByChain } from '../kit/settings.ts'
import type { InputEvent, PayoutEvent, SwapEvents } from '../venue.ts'
import { isSolanaDeposit } from './decode.ts'
import { routersOn } from './map.ts'
import { COINS_DEPOSITED, COINS_SENT, MEMO_PROGRAM, SOLVER, TOKENS_DEPOSITED } from './protocol.ts'

/** A word of calldata or of an event, without its 0x. */
const WORD_LENGTH = 64
const wordOf = (value: bigint): string => value.toString(16).padStart(WORD_LENGTH, '0')

const isEvent = ({ address, topics }: SeenLog, contract: Address, event: string): boolean =>
  address === contract.toLowerCase() && topics.length === 1 && topics[0] === keccakText(event)

type Deposit = { readonly place: string; readonly orderId: Hex }

/** The proof has checked the call's bytes. The depository's event repeats them, for coins with their amount. */
const depositsOnEvm = ({ logs }: SeenTransaction, { to, data, value }: WalletTransaction, input: Asset): readonly Deposit[] => {
  const words = data.slice('0x12345678'.length).toLowerCase()
  const [depositor, id] = [words.slice(0, WORD_LENGTH), words.slice(-WORD_LENGTH)]
  const [event, said] = isNative(input)
    ? [COINS_DEPOSITED, `0x${depositor}${wordOf(value)}${id}`]
    : [TOKENS_DEPOSITED, `0x${words}`]
  const own = logs.filter((log) => isEvent(log, to, event) && log.data.toLowerCase() === said)
  return own.map(({ index }) => ({ place: `log:${index}`, orderId: `0x${id}` }))
}

/** The program's logs are not reliable at every node. Its instruction proves the deposit, because a failed one reverts. */
const depositsOnSolana = async (
  { instructions }: SeenTransaction,
  { to, data }: WalletTransaction,
  { order: { input, inputAmount } }: ExecutedSwap,
): Promise<readonly Deposit[]> => {
  const payload = await decodeSolanaTransaction(data)
  const call = payload?.instructions.find(({ programId }) => programId === to)
  if (!payload || !call) return []
  const orderId: Hex = `0x${bytesToHex(call.data.slice(-32))}`
  const due = { order: { input: { asset: input, amount: inputAmount }, orderIds: [orderId] }, payer: payload.feePayer }
  const own = instructions.filter((each) => each.program === to && isSolanaDeposit({ ...each, programId: to }, due))
  return own.map(({ index }) => ({ place: `instruction:${index}`, orderId }))
}

const inputs: SwapEvents['inputs'] = async (seen, swap): Promise<readonly InputEvent[]> => {
  const { order, execution } = swap
  const { input, inputAmount } = order
  if (!seen.isSuccess || seen.chainId !== input.chainId || execution.payload.executionType !== 'TRANSACTION') return []
  const { transaction } = execution.payload
  const deposits =
    seen.chainId === SOLANA ? await depositsOnSolana(seen, transaction, swap) : depositsOnEvm(seen, transaction, input)
  return deposits.map((deposit) => ({ ...deposit, took: { token: input.address, amount: inputAmount } }))
}

/** The last bytes of the calldata, or a memo: without it the solver is not paid for its transfer. */
const namesOrder = ({ call, instructions }: SeenTransaction, orderId: string): boolean => {
  const memo = bytesToHex(utf8ToBytes(orderId))
  const isMemo = ({ program, data }: SeenInstruction): boolean => program === MEMO_PROGRAM && bytesToHex(data).includes(memo)
  return call?.data.toLowerCase().endsWith(orderId.slice(2)) === true || instructions.some(isMemo)
}

/** `extra`: routers besides the published ones. */
const coinLogs = ({ chainId, logs }: SeenTransaction, extra: AddressesByChain): readonly SeenLog[] =>
  logs.filter((log) => routersOn(chainId, extra).some((router) => isEvent(log, router, COINS_SENT)))

type Way = { readonly asset: Asset; readonly recipient: Address; readonly extra: AddressesByChain }

/** Coins that the router sent on, which the transaction itself does not show. */
const coinsSent = (seen: SeenTransaction, { recipient, extra }: Way): readonly PayoutEvent[] => {
  const to = `0x${recipient.slice(2).toLowerCase().padStart(WORD_LENGTH, '0')}`
  const own = coinLogs(seen, extra).filter(
    ({ data }) => data.length === to.length + WORD_LENGTH && data.toLowerCase().startsWith(to),
  )
  return own.map(({ index, data }) => ({ place: `log:${index}`, amount: BigInt(`0x${data.slice(to.length)}`) }))
}

/**
 * The payment of a fill or refund, by the rule of the venue's own oracle. The transaction names the order, and a token, the chain
 * or the router shows the transfer. `getSolverPaidAmount` of relayprotocol/relay-protocol-oracle, src/services/attestation/vm,
 * 2026-07-23.
 *
 * Null, so that only the transfer itself counts, in three cases. A deposit address may be filled under an order that is unknown
 * to us. In bitcoin the order's name is in an output without a payment. Coins from internal calls appear in neither transaction
 * nor router.
 */
const paidTo = (
  seen: SeenTransaction,
  { execution: { payload } }: ExecutedSwap,
  way: Way,
  orderIds: readonly string[],
): readonly PayoutEvent[] | null => {
  const { asset, recipient } = way
  if (!seen.isSuccess || seen.chainId !== asset.chainId) return []
  const isEvm = isEvmChainId(seen.chainId)
  if (payload.executionType === 'DEPOSIT' || !(isEvm || seen.chainId === SOLANA)) return null
  if (!orderIds.some((orderId) => namesOrder(seen, orderId))) return []
  const moved = paymentsTo(seen, { asset, recipient }).map(({ place, amount }: Movement) => ({ place, amount }))
  if (!isEvm || !isNative(asset)) return moved
  const coins = [...moved, ...coinsSent(seen, way)]
  return coins.length > 0 ? coins : null
}

/**
 * Anyone can append a text like an order's name to a call, or put it into a memo. Only a call with such a name by Relay's solver
 * on an EVM chain is certainly Relay's.
 */
const createNamed =
  (extra: AddressesByChain, solver: Address): SwapEvents['named'] =>
  async (seen) => {
    const { call, isSuccess, movements } = seen
    if (!isSuccess || !call || ![SOLVER, solver].includes(call.from) || call.data.length < '0x'.length + WORD_LENGTH) return []
    return [...movements.map(({ place }) => place), ...(coinLogs(seen, extra).length > 0 ? [COINS_BY_CALLS] : [])]
  }

/** Payments and deliveries by the events of Relay's depository and router, and by the order's id in the payload. */
export const createEvents = (extra: AddressesByChain, solver: Address): SwapEvents => ({
  inputs,
  outputs: async (seen, swap, orderIds) =>
    paidTo(seen, swap, { asset: swap.order.output, recipient: swap.binding.recipient, extra }, orderIds),
  refunds: async (seen, swap, orderIds) => {
    const own = { asset: swap.order.input, recipient: swap.binding.refundTo }
    const ways = [own, ...(swap.refundsElsewhere ?? [])].filter(({ asset }) => asset.chainId === seen.chainId)
    const told = []
    for (const way of ways) {
      const events = await paidTo(seen, swap, { ...way, extra }, orderIds)
      if (events === null) return null
      told.push(...events)
    }
    return told
  },
  named: createNamed(extra, solver),
})
