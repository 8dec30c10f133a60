import { keccakText } from '../../../chains/evm/evmCodec.ts'
import { readAnchorCall } from '../../../chains/solana/anchor.ts'
import { associatedTokenAddress } from '../../../chains/solana/solanaCodec.ts'
import type { Address } from '../../../core/address.ts'
import { NATIVE_SOL } from '../../../core/asset.ts'
import { type ChainId, SOLANA } from '../../../core/chain.ts'
import type { Hex } from '../../../core/execution.ts'
import {
  CPI_PROXY,
  CREATE_ORDER,
  FORWARDER,
  INIT_ORDER,
  orderHash,
  orderOfInit,
  pinned,
  SWIFT,
  SWIFT_PROGRAM,
  type SwiftOrder,
  wordOf,
  ZERO_WORD,
} from '../../../venues/mayan/protocol.ts'
import { bytesAt, uintAt, wordAt } from '../../kit/abiWords.ts'
import { anchorFailure } from '../../kit/anchor.ts'
import type { SimLog, SimSolanaInstruction } from '../../kit/simVenue.ts'
import type { SimTokens } from '../../kit/tokens.ts'
import type { SimProgram } from '../../kit/world.ts'
import { PROTOCOL_BPS } from './prices.ts'

/** An order as a chain took it: `tokenIn` is the token that is locked, `locked` its amount in smallest units. */
export type PlacedOrder = SwiftOrder & {
  readonly hash: Hex
  readonly origin: ChainId
  readonly tokenIn: Hex
  readonly locked: bigint
}

const placed = (order: SwiftOrder, origin: ChainId, tokenIn: Hex, locked: bigint, protocolBps: number): PlacedOrder => {
  const hash = orderHash(order, { sourceId: pinned(origin)?.wormholeId ?? 0, tokenIn }, protocolBps)
  return { ...order, hash, origin, tokenIn, locked }
}

const ORDER_CREATED = keccakText('OrderCreated(bytes32)')
/** Each with the places of the amount that was handed on and of the call. */
const FORWARDED: { readonly [topic: string]: readonly [amountAt: number, callAt: number] } = {
  [keccakText('ForwardedERC20(address,uint256,address,bytes)')]: [1, 3],
  [keccakText('SwapAndForwardedEth(uint256,address,address,uint256,address,bytes)')]: [3, 5],
  [keccakText('SwapAndForwardedERC20(address,uint256,address,address,uint256,address,bytes)')]: [4, 6],
}
const SELECTOR = 'a3a30834'
const [
  {
    inputs: [, , { components: FIELDS }],
  },
] = CREATE_ORDER

/** The order of a call of Swift, whose struct stands after the token and the amount. */
const readCall = (call: string, locked: bigint, origin: ChainId): PlacedOrder | null => {
  if (!call.startsWith(SELECTOR)) return null
  const data = `0x${call.slice(SELECTOR.length)}`
  const fields = FIELDS.map(({ name, type }, at) => {
    const value = uintAt(data, 2 + at)
    return [name, type === 'bytes32' ? `0x${wordAt(data, 2 + at)}` : type === 'uint64' ? value : Number(value)]
  })
  return placed(Object.fromEntries(fields) as SwiftOrder, origin, `0x${wordAt(data, 0)}`, locked, PROTOCOL_BPS)
}

/** The orders that a transaction of an EVM chain placed, by what the Forwarder handed on and Swift took. */
export const ordersIn = (logs: readonly SimLog[], origin: ChainId): readonly PlacedOrder[] => {
  const by = (contract: string) => logs.filter(({ address }) => address.toLowerCase() === contract.toLowerCase())
  const created = new Set(by(SWIFT).flatMap(({ topics, data }) => (topics[0] === ORDER_CREATED ? [`0x${wordAt(data, 0)}`] : [])))
  return by(FORWARDER).flatMap(({ topics: [topic = ''], data }) => {
    const [amountAt, callAt] = FORWARDED[topic] ?? []
    if (amountAt === undefined || callAt === undefined) return []
    const order = readCall(bytesAt(data, callAt), uintAt(data, amountAt), origin)
    return order !== null && created.has(order.hash) ? [order] : []
  })
}

const isCallOf = ({ programId, accounts }: SimSolanaInstruction, program: string): boolean =>
  programId === CPI_PROXY && accounts[0] === program

const readInit = (call: SimSolanaInstruction): PlacedOrder | null => {
  const [, trader, , , , , , mint] = call.accounts
  const said = isCallOf(call, SWIFT_PROGRAM) ? readAnchorCall(call.data, 'init_order', INIT_ORDER) : null
  if (said === null || !trader || !mint) return null
  const tokenIn = said.nativeInput === 1 ? ZERO_WORD : wordOf(SOLANA, mint as Address)
  return placed(orderOfInit(said, trader as Address), SOLANA, tokenIn, said.amountInMin, said.feeRateMayan)
}

/** A payment into an order's own account, of SOL by the system's program. */
const transferOf = ({ programId, accounts, data }: SimSolanaInstruction) => {
  const [, source = '', target = '', owner = ''] = accounts
  const bytes = Buffer.from(data)
  if (programId !== CPI_PROXY) return null
  if (bytes.length === 12) return { source: null, target, owner: source, amount: bytes.readBigUInt64LE(4) }
  return bytes.length === 9 ? { source, target, owner, amount: bytes.readBigUInt64LE(1) } : null
}

/** The orders that the calls of a transaction place, each paid into its account before. */
export const ordersPlaced = (calls: readonly SimSolanaInstruction[]): readonly PlacedOrder[] =>
  calls.flatMap((call, at) => {
    const order = readInit(call)
    const paid = calls.slice(0, at).map(transferOf)
    return order && paid.some((each) => each !== null && each.target === call.accounts[4] && each.amount >= order.locked)
      ? [order]
      : []
  })

/** Mayan's proxy: what it transfers goes to the treasury here, and all else that it calls moves nothing. */
export const mayanProxy = (tokens: SimTokens): SimProgram => {
  const mints = tokens.all.filter(({ chainId, isNative }) => chainId === SOLANA && !isNative).map(({ address }) => address)
  return (call) => {
    const paid = transferOf(call)
    if (paid === null) return null
    const { source, owner: from, amount } = paid
    const token = source === null ? NATIVE_SOL : mints.find((mint) => associatedTokenAddress(from, mint) === source)
    return token ? { token, from, amount } : anchorFailure<never>('AccountNotInitialized', {})
  }
}
