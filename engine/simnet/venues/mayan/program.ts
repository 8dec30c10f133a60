import { utf8ToBytes } from '@noble/hashes/utils.js'
import { associatedTokenAddress } from '../../../chains/solana/solanaCodec.ts'
import { solanaProgramAddress } from '../../../chains/solana/solanaProgramAddress.ts'
import { addressOf } from '../../../core/address.ts'
import { NATIVE_SOL } from '../../../core/asset.ts'
import { SOLANA } from '../../../core/chain.ts'
import { anchorFailure, discriminatorOf } from '../../kit/anchor.ts'
import type { SimSolanaInstruction } from '../../kit/simVenue.ts'
import type { SimProgram } from '../../kit/world.ts'
import { FEE_MANAGER, NO_WORD, networkOf, PROXY, SWIFT_PROGRAM, wordIn } from './networks.ts'
import { orderOf, type SeenOrder } from './orders.ts'

const INIT_ORDER = '204c290c27a284db'
const BYTES = 198
const TOKEN_PROGRAM = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA'
const ACCOUNT_PROGRAM = 'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL'
const SYSTEM_PROGRAM = '11111111111111111111111111111111'
const TRANSFER = 3
const SYSTEM_TRANSFER = 2
const SYNC_NATIVE = 17

/** Where the fields of `init_order` begin: src/solana/solanaSwift.ts of mayan-finance/swap-sdk. */
const readInit = ({ data, accounts }: SimSolanaInstruction): SeenOrder | null => {
  const origin = networkOf(SOLANA)
  const [, trader = '', , , , , , mint = ''] = accounts
  if (data.length !== BYTES || origin === null || trader === '' || mint === '') return null
  const bytes = Buffer.from(data)
  const word = (at: number): string => `0x${bytes.subarray(at, at + 32).toString('hex')}`
  const key = {
    origin,
    tokenIn: bytes[16] === 1 ? NO_WORD : wordIn(origin, mint),
    trader: wordIn(origin, trader),
    destAddr: word(25),
    destChainId: bytes.readUInt16LE(57),
    tokenOut: word(59),
    minAmountOut: bytes.readBigUInt64LE(91),
    gasDrop: bytes.readBigUInt64LE(99),
    cancelFee: bytes.readBigUInt64LE(107),
    refundFee: bytes.readBigUInt64LE(115),
    deadline: Number(bytes.readBigUInt64LE(123)),
    referrerAddr: word(131),
    referrerBps: bytes.readUInt8(163),
    protocolBps: bytes.readUInt8(164),
    auctionMode: bytes.readUInt8(165),
    random: word(166),
  }
  return orderOf(key, bytes.readBigUInt64LE(8))
}

const isCallOf = ({ programId, accounts }: SimSolanaInstruction, program: string): boolean =>
  programId === PROXY && accounts[0] === program

const isInit = (call: SimSolanaInstruction): boolean => isCallOf(call, SWIFT_PROGRAM) && discriminatorOf(call) === INIT_ORDER

/** A payment into an order's own account, of SOL by the system's program. */
const transferOf = (call: SimSolanaInstruction) => {
  const [, source = '', target = '', owner = ''] = call.accounts
  const bytes = Buffer.from(call.data)
  if (isCallOf(call, SYSTEM_PROGRAM) && bytes.length === 12 && bytes.readUInt32LE(0) === SYSTEM_TRANSFER)
    return { source: null, target, owner: source, amount: bytes.readBigUInt64LE(4) }
  const isTransfer = isCallOf(call, TOKEN_PROGRAM) && call.data.length === 9 && call.data[0] === TRANSFER
  return isTransfer ? { source, target, owner, amount: bytes.readBigUInt64LE(1) } : null
}

const stateOf = ({ hash, destChainId }: SeenOrder): string => {
  const chain = Buffer.alloc(2)
  chain.writeUInt16LE(destChainId)
  const seeds = [utf8ToBytes('STATE_SOURCE'), Buffer.from(hash.slice(2), 'hex'), chain]
  return solanaProgramAddress(addressOf('solana', SWIFT_PROGRAM), seeds)
}

/** Lamports count as wrapped SOL from here on. */
const isSync = (call: SimSolanaInstruction, account?: string): boolean =>
  isCallOf(call, TOKEN_PROGRAM) &&
  call.data.length === 1 &&
  call.data[0] === SYNC_NATIVE &&
  [undefined, call.accounts[1]].includes(account)

/** The orders that the calls of a transaction place, each paid into its account before. */
export const ordersPlaced = (calls: readonly SimSolanaInstruction[]): readonly SeenOrder[] =>
  calls.flatMap((call, at) => {
    const order = isInit(call) ? readInit(call) : null
    if (!order) return []
    const [, , , , held] = call.accounts
    const paid = calls.slice(0, at).map(transferOf)
    const isPaid = paid.some((each) => each !== null && each.target === held && each.amount >= order.locked)
    const isSynced = order.tokenIn !== NO_WORD || calls.slice(0, at).some((each) => isSync(each, held))
    return isPaid && isSynced ? [order] : []
  })

const OWN_ERRORS = {
  InvalidAccount: 6000,
  InvalidBps: 6001,
  DeadlineViolation: 6002,
  InvalidDestChain: 6003,
  FeesTooHigh: 6004,
} as const
const fail = (
  error:
    | keyof typeof OWN_ERRORS
    | 'ConstraintSeeds'
    | 'InstructionFallbackNotFound'
    | 'InstructionDidNotDeserialize'
    | 'AccountNotSigner',
) => anchorFailure(error, OWN_ERRORS)

const initFailure = (
  call: SimSolanaInstruction,
  signers: readonly string[],
  nowSeconds: number,
): ReturnType<typeof fail> | null => {
  const order = readInit(call)
  if (order === null) return fail('InstructionDidNotDeserialize')
  const [, , relayer = '', state, held, own, payload, mint = '', manager] = call.accounts
  if (order.tokenIn === NO_WORD && mint !== NATIVE_SOL) return fail('InvalidAccount')
  if (!signers.includes(relayer)) return fail('AccountNotSigner')
  if (state !== stateOf(order)) return fail('ConstraintSeeds')
  if (held !== associatedTokenAddress(state, mint) || own !== associatedTokenAddress(relayer, mint)) return fail('InvalidAccount')
  if (payload !== SWIFT_PROGRAM || manager !== FEE_MANAGER) return fail('InvalidAccount')
  if (order.referrerBps > 200) return fail('InvalidBps')
  if (order.deadline <= nowSeconds) return fail('DeadlineViolation')
  if (order.destChainId === order.origin.wormholeId) return fail('InvalidDestChain')
  return order.cancelFee + order.refundFee >= order.locked ? fail('FeesTooHigh') : null
}

/**
 * Mayan's proxy, and what it calls: the token's program moves what is paid, which here goes to the treasury; the account for it
 * is made without a trace; and Swift's program takes the order, or fails.
 */
export const mayanProxy =
  (mintOf: (account: string, owner: string) => string | null, now: () => number): SimProgram =>
  (call, { signers }) => {
    if (isCallOf(call, ACCOUNT_PROGRAM) || isSync(call)) return null
    if (isInit(call)) return initFailure(call, signers, now())
    const paid = transferOf(call)
    if (paid === null) return fail('InstructionFallbackNotFound')
    const token = paid.source === null ? NATIVE_SOL : mintOf(paid.source, paid.owner)
    return token === null ? fail('InvalidAccount') : { token, from: paid.owner, amount: paid.amount }
  }
