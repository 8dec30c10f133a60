import type { Chains } from '../../chains/chains.ts'
import { isHarmless } from '../../chains/solana/harmlessInstructions.ts'
import { decodeSolanaTransaction } from '../../chains/solana/solanaCodec.ts'
import { type Address, ZERO_EVM_ADDRESS } from '../../core/address.ts'
import { bpsOf } from '../../core/amount.ts'
import { type Asset, isNative, NATIVE, nativeAsset } from '../../core/asset.ts'
import { type ChainId, SOLANA } from '../../core/chain.ts'
import type { ClaimedFee, Execution, Hex, PayloadClaims, WalletTransaction } from '../../core/execution.ts'
import { failing } from '../../core/failing.ts'
import type { Sum } from '../../core/peg.ts'
import type { ExecutedSwap, SwapKey } from '../../core/swap.ts'
import { fromChain } from '../kit/chainReads.ts'
import { wrappedNative } from '../kit/spokePools.ts'
import { rejected } from '../venueError.ts'
import { type PlacedOrder, readPlacedOrder } from './forwarder.ts'
import { AUCTION_MODES } from './map.ts'
import {
  addressOfWord,
  chainOfWormhole,
  orderHash,
  PAYLOAD_TYPE,
  pinned,
  type SwiftOrder,
  tokenWord,
  unitOf,
  ZERO_WORD,
} from './protocol.ts'
import { type Contracts, type ContractsOn, refundCost } from './published.ts'
import { isPlacing, isSameCall, placingCalls, readPlacing, type SolanaOrder } from './svm.ts'
import { executionCarry } from './wire.ts'

/** `now`, epoch ms, is compared with the time of an order. */
export type DecodePorts = {
  readonly chains: Pick<Chains, 'token'>
  readonly contracts: ContractsOn
  readonly now: number
  readonly signal: AbortSignal
}

/** The order of a payload, on either kind of chain. */
export type OwnOrder = {
  readonly chainId: ChainId
  readonly placed: PlacedOrder
  /** On Solana the whole order; null on EVM chains. */
  readonly onSolana: SolanaOrder | null
}

/** Bounds of a refund's cost, in basis points of the locked amount: an order can state any fees. The second: network cost. */
const REFUND_FEES_BPS_MAX = 100
const REFUND_COST_BPS_MAX = 500
const REFERRER_BPS_MAX = 200
/** After its deadline an order is refunded, never filled. The longest recorded one was 96 min: this is our own bound. */
const DEADLINE_MS_MAX = 6 * 3_600_000

const readOnSolana = async (data: string): Promise<{ readonly own: OwnOrder; readonly unread: readonly string[] } | null> => {
  const transaction = await decodeSolanaTransaction(data)
  const call = transaction?.instructions.find(isPlacing)
  const onSolana = call ? readPlacing(call) : null
  if (!transaction || onSolana === null) return null
  const { feePayer, signers, instructions, usesLookupTables } = transaction
  const due = placingCalls(onSolana)
  const calls = instructions.filter((each) => !isHarmless(each, feePayer))
  const placed = {
    swift: onSolana.swift,
    paid: { token: onSolana.mint, amount: onSolana.amount },
    swap: null,
    tokenIn: onSolana.mint,
    order: onSolana.order,
  }
  const unread = failing({
    'addresses from a lookup table': !usesLookupTables,
    'another signer': signers.length === 1 && feePayer === onSolana.payer,
    // Built again from the fields of the order, with every account in its place.
    'calls other than the order’s':
      calls.length === due.length && due.every((own, at) => calls[at] && isSameCall(own, calls[at])),
  })
  return { own: { chainId: SOLANA, placed, onSolana }, unread }
}

/** The order of a transaction; null without one. */
export const readOwnOrder = async ({ chainId, data }: WalletTransaction): Promise<OwnOrder | null> => {
  if (chainId === SOLANA) return (await readOnSolana(data))?.own ?? null
  const placed = await readPlacedOrder(data)
  return placed && { chainId, placed, onSolana: null }
}

export const transactionIn = ({ payload }: Pick<Execution, 'payload'>): WalletTransaction => {
  if (payload.executionType !== 'TRANSACTION') throw rejected('payload', 'mayan: no transaction')
  return payload.transaction
}

const outputOf = ({ destChainId, tokenOut }: SwiftOrder): Asset => {
  const chainId = chainOfWormhole(destChainId)
  const address = chainId && (tokenOut === ZERO_WORD ? nativeAsset(chainId).address : addressOfWord(chainId, tokenOut))
  if (chainId === null || !address)
    throw rejected('destination', 'mayan: an order for a chain or token that is none', [destChainId, tokenOut])
  return { chainId, address }
}

const feeOf = ({ referrerBps, referrerAddr }: SwiftOrder, chainId: ChainId): ClaimedFee | null =>
  referrerBps === 0
    ? null
    : { bps: referrerBps, recipient: referrerAddr === ZERO_WORD ? null : addressOfWord(chainId, referrerAddr) }

/** The part of the locked amount that a refund lacks: two fees, and the rest below the order's precision. */
const refundLacks = ({ cancelFee, refundFee }: SwiftOrder, decimals: number): bigint =>
  (cancelFee + refundFee) * unitOf(decimals) + (unitOf(decimals) - 1n)

export const REFUND_COST = 'what a refund costs'
/** A refund may lack 1 % of the locked amount or the network's cost, whichever is more, and at most 5 %. */
const isRefundCheap = (lacks: bigint, { amount, asset }: Sum, to: ChainId): boolean =>
  lacks <= bpsOf(amount, REFUND_FEES_BPS_MAX) || (lacks <= refundCost(asset, to) && lacks <= bpsOf(amount, REFUND_COST_BPS_MAX))

/** Whether the swap before an order only wraps the paid coins. */
const isWrapped = ({ paid, swap, tokenIn }: OwnOrder['placed']): boolean =>
  swap !== null && paid.token === NATIVE && tokenIn === NATIVE && swap.minMiddle === paid.amount

/** The delivered and the locked amount, with each token's decimals by its own chain. */
const readSums = async ({ chainId, placed }: OwnOrder, { chains, signal }: DecodePorts) => {
  const { order, paid, swap, tokenIn } = placed
  const [asset, locked] = [outputOf(order), { chainId, address: tokenIn }]
  const [output, middle] = await Promise.all([asset, locked].map((each) => fromChain(chains.token(each, signal))))
  const [outputDecimals, lockedDecimals] = [output?.decimals ?? 0, middle?.decimals ?? 0]
  return {
    output: { asset, amount: order.minAmountOut * unitOf(outputDecimals) },
    locked: { asset: locked, amount: swap?.minMiddle ?? paid.amount },
    lacks: refundLacks(order, lockedDecimals),
  }
}

const amissIn = (
  { chainId, placed }: OwnOrder,
  { output, locked, lacks }: Awaited<ReturnType<typeof readSums>>,
  { now }: DecodePorts,
) => {
  const { order, swap, tokenIn } = placed
  const leftMs = Number(order.deadline) * 1_000 - now
  return failing({
    'a swap into coins': tokenIn !== NATIVE || (isWrapped(placed) && swap?.middle === wrappedNative(chainId)),
    'a payload of its own': order.payloadType === PAYLOAD_TYPE,
    'coins beside the output': order.gasDrop === 0n,
    'an auction that nobody explains': AUCTION_MODES.includes(order.auctionMode),
    'another chain than the input’s': output.asset.chainId !== chainId,
    'a mint that stands for coins': order.tokenOut === ZERO_WORD || !isNative(output.asset),
    'the share of a referrer':
      order.referrerBps <= REFERRER_BPS_MAX && (order.referrerBps === 0 || order.referrerAddr !== ZERO_WORD),
    [REFUND_COST]: isRefundCheap(lacks, locked, output.asset.chainId),
    'its deadline': leftMs > 0 && leftMs <= DEADLINE_MS_MAX,
    'a name of its own': BigInt(order.random) > 0n,
  })
}

/** Whether every called contract is pinned, or set by the operator. */
const isKnown = (called: Address, { placed: { swift }, onSolana }: OwnOrder, contracts: Contracts): boolean =>
  onSolana === null
    ? contracts.forwarders.includes(called) && contracts.swifts.includes(swift)
    : called === onSolana.proxy &&
      contracts.proxies.includes(called) &&
      contracts.programs.includes(swift) &&
      contracts.feeManagers.includes(onSolana.feeManager)

/** The effect of an execution, by its bytes; the chains supply token decimals. Throws VenueError. */
export const decode = async (execution: Pick<Execution, 'payload' | 'carry'>, ports: DecodePorts): Promise<PayloadClaims> => {
  const transaction = transactionIn(execution)
  const { chainId, to, value } = transaction
  const onSolana = chainId === SOLANA ? await readOnSolana(transaction.data) : null
  const own = onSolana?.own ?? (await readOwnOrder(transaction))
  if (own === null || pinned(chainId) === null) throw rejected('order', 'mayan: a transaction without an order of Swift')
  const sums = await readSums(own, ports)
  const { order, paid, swap } = own.placed
  const isOfCoins = paid.token === NATIVE
  const recipient = addressOfWord(sums.output.asset.chainId, order.destAddr)
  const trader = addressOfWord(chainId, order.trader)
  const carried = executionCarry.read(execution.carry)
  return {
    chainId,
    pays: to,
    spender: isOfCoins || chainId === SOLANA ? null : to,
    nativeFee: 0n,
    input: { asset: { chainId, address: paid.token }, amount: paid.amount },
    output: { asset: sums.output.asset, minimum: sums.output.amount },
    bridged: isWrapped(own.placed) ? null : swap && { asset: sums.locked.asset, amount: swap.minMiddle },
    recipient: recipient ?? ZERO_EVM_ADDRESS,
    refundTo: trader ?? ZERO_EVM_ADDRESS,
    fee: feeOf(order, chainId),
    // Swift accepts an order at any time and refunds a late one. SwiftSource.sol, `createOrderWithToken`.
    deadlineAt: null,
    unread: [
      ...(onSolana?.unread ?? []),
      ...amissIn(own, sums, ports),
      ...failing({
        'another contract': isKnown(to, own, ports.contracts(chainId)),
        'a value other than the input': value === (isOfCoins ? paid.amount : 0n),
        'two different transactions': chainId !== SOLANA || transaction.serialized === transaction.data,
        'an address': recipient !== null && trader !== null,
        'what a refund keeps': BigInt(carried.keeps) === sums.lacks,
      }),
    ],
  }
}

const nameOf = ({ chainId, placed }: OwnOrder, protocolBps: number): Hex => {
  const tokenIn = tokenWord({ chainId, address: placed.tokenIn })
  return orderHash(placed.order, { sourceId: pinned(chainId)?.wormholeId ?? 0, tokenIn }, protocolBps)
}

/** The carry of a built transaction. `protocolBps`: from the quote. */
export const carryOf = async (transaction: WalletTransaction, protocolBps: number, ports: DecodePorts) => {
  const own = await readOwnOrder(transaction)
  if (own === null) throw rejected('order', 'mayan: a transaction without an order of Swift')
  return { v: 1, keeps: (await readSums(own, ports)).lacks.toString(), name: nameOf(own, protocolBps) }
}

/** The id of an order without the share that its contract adds: it must be unique. */
export const toldApartBy = async ({ execution }: ExecutedSwap): Promise<readonly SwapKey[]> => {
  const own = await readOwnOrder(transactionIn(execution))
  return own === null ? [] : [{ kind: 'orderId', value: nameOf(own, 0) }]
}
