import { utf8ToBytes } from '@noble/hashes/utils.js'
import { base58 } from '@scure/base'
import {
  ASSOCIATED_TOKEN_PROGRAM,
  associatedTokenAddress,
  COMPUTE_BUDGET_PROGRAM,
  encodeSolanaTransaction,
  SYSTEM_PROGRAM,
  TOKEN_PROGRAM,
} from '../../../chains/solana/solanaCodec.ts'
import { solanaProgramAddress } from '../../../chains/solana/solanaProgramAddress.ts'
import { addressOf } from '../../../core/address.ts'
import { SOLANA } from '../../../core/chain.ts'
import { type AnchorError, anchorFailure, anchorRefusal, discriminatorOf, littleEndian as little } from '../../kit/anchor.ts'
import type { SimSolanaInstruction } from '../../kit/simVenue.ts'
import type { WatchedProgram } from '../../kit/watchProgram.ts'
import type { Plan } from './build.ts'
import { orderOf } from './build.ts'
import { networkByWireId, networkOf, PROGRAM, PROTOCOL_FEE_BPS } from './networks.ts'
import { idOf, type Order, type SeenOrder } from './order.ts'

/** `create_order_with_nonce` of dln_src 3.0. */
const CREATE_ORDER = '828362be28ce4432'
const ACCOUNTS = 12
const [MAKER, MINT] = [0, 2]

const bytesOf = (hex: string): Buffer => Buffer.from(hex.slice(2), 'hex')
const big = (value: bigint): Buffer => little(32, value).reverse()
const vec = (bytes: Uint8Array): Buffer => Buffer.concat([little(4, bytes.length), bytes])
const NONE = Buffer.of(0)
const some = (bytes: Uint8Array): Buffer => Buffer.concat([Buffer.of(1), bytes])

const argumentsOf = (plan: Plan): Buffer => {
  const order = orderOf(plan)
  const { fee, affiliateFee, gross, referralCode, metadata } = plan
  const beneficiary = bytesOf(order.allowedCancelBeneficiarySrc)
  return Buffer.concat([
    ...[little(8, gross), big(order.takeChainId), vec(bytesOf(order.takeTokenAddress)), big(order.takeAmount)],
    ...[vec(bytesOf(order.receiverDst)), NONE, bytesOf(order.givePatchAuthoritySrc)],
    beneficiary.length === 0 ? NONE : some(beneficiary),
    ...[vec(bytesOf(order.orderAuthorityAddressDst)), some(vec(bytesOf(order.allowedTakerDst)))],
    fee === null || affiliateFee === 0n ? NONE : some(Buffer.concat([base58.decode(fee.recipient), little(8, affiliateFee)])),
    ...[some(little(4, referralCode)), little(8, order.makerOrderNonce), vec(bytesOf(metadata))],
  ])
}

const derived = (seed: string, ...more: readonly Uint8Array[]): string =>
  solanaProgramAddress(addressOf('solana', PROGRAM), [utf8ToBytes(seed), ...more])

/** `DlnSrc` of @debridge-finance/solana-utils. */
const accountsOf = (order: Order, orderId: string, maker: string, mint: string): readonly string[] => [
  ...[maker, derived('STATE'), mint, derived('GIVE_ORDER_STATE', bytesOf(orderId))],
  ...[derived('AUTHORIZED_NATIVE_SENDER', big(order.takeChainId)), associatedTokenAddress(maker, mint)],
  ...[derived('GIVE_ORDER_WALLET', bytesOf(orderId)), derived('NONCE', base58.decode(maker))],
  ...[derived('FEE_LEDGER_WALLET', base58.decode(mint)), SYSTEM_PROGRAM, TOKEN_PROGRAM, ASSOCIATED_TOKEN_PROGRAM],
]

/** Those that are written, as the interface has them. */
const WRITTEN = new Set([0, 3, 5, 6, 7, 8])

const budget = (kind: number, value: Buffer) => ({
  programId: COMPUTE_BUDGET_PROGRAM,
  accounts: [],
  data: Buffer.concat([Buffer.of(kind), value]),
})

/** `tx` of an answer on Solana: the transaction in hex. */
export const svmTransaction = async (plan: Plan, recentBlockhash: string) => {
  const { parties, given, contract } = plan
  const order = orderOf(plan)
  const accounts = accountsOf(order, idOf(order), parties.maker, given.address)
  const call = {
    programId: contract,
    accounts: accounts.map((address, at) => ({ address, isSigner: at === MAKER, isWritable: WRITTEN.has(at) })),
    data: Buffer.concat([Buffer.from(CREATE_ORDER, 'hex'), argumentsOf(plan)]),
  }
  const instructions = [budget(3, little(8, 30_000)), budget(2, little(4, 200_000)), call]
  const base64 = await encodeSolanaTransaction({ feePayer: parties.maker, recentBlockhash, instructions })
  return { data: `0x${Buffer.from(base64, 'base64').toString('hex')}` }
}

/** Reads what is told of a call from its bytes, in their order. */
const reader = (data: Buffer) => {
  let at = 0
  const take = (count: number): Buffer => {
    if (at + count > data.length) throw new RangeError('bytes are missing')
    at += count
    return data.subarray(at - count, at)
  }
  const hex = (count: number): string => `0x${take(count).toString('hex')}`
  const bytes = (): string => hex(take(4).readUInt32LE())
  const maybe = <T>(read: () => T): T | null => (take(1)[0] === 1 ? read() : null)
  return { hex, bytes, maybe, u64: () => take(8).readBigUInt64LE(), isOver: () => at === data.length }
}

/** An order as the program books it; null for another call, or bytes that are none. */
const read = ({ programId, accounts, data }: SimSolanaInstruction): SeenOrder | null => {
  const bytes = Buffer.from(data)
  if (programId !== PROGRAM || bytes.subarray(0, 8).toString('hex') !== CREATE_ORDER) return null
  const from = reader(bytes.subarray(8))
  try {
    const gross = from.u64()
    const take = { takeChainId: BigInt(from.hex(32)), takeTokenAddress: from.bytes(), takeAmount: BigInt(from.hex(32)) }
    const receiverDst = from.bytes()
    const externalCall = from.maybe(from.bytes) ?? '0x'
    const givePatchAuthoritySrc = from.hex(32)
    const allowedCancelBeneficiarySrc = from.maybe(() => from.hex(32)) ?? '0x'
    const parties = { orderAuthorityAddressDst: from.bytes(), allowedTakerDst: from.maybe(from.bytes) ?? '0x' }
    const affiliate = from.maybe(() => ({ to: from.hex(32), amount: from.u64() }))
    from.maybe(() => from.hex(4))
    const makerOrderNonce = from.u64()
    from.bytes()
    if (!from.isOver()) return null
    const key = (at: number): string => `0x${Buffer.from(base58.decode(accounts[at] ?? '')).toString('hex')}`
    const order: Order = {
      ...{ makerOrderNonce, makerSrc: key(MAKER), giveChainId: BigInt(networkOf(SOLANA)?.wireId ?? 0) },
      ...{ giveTokenAddress: key(MINT), giveAmount: gross - (gross * PROTOCOL_FEE_BPS) / 10_000n - (affiliate?.amount ?? 0n) },
      ...{ ...take, receiverDst, givePatchAuthoritySrc, ...parties, allowedCancelBeneficiarySrc, externalCall },
    }
    return { order, orderId: idOf(order), gross }
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}

const OWN_ERRORS = { GiveOrderStateWrongPubkey: 6000, UnsupportedChain: 6003 } as const

type Failure = AnchorError | keyof typeof OWN_ERRORS

const failureOf = (call: SimSolanaInstruction, seen: SeenOrder | null, signers: readonly string[]): Failure | null => {
  const isCreate = discriminatorOf(call) === CREATE_ORDER
  const refusal = anchorRefusal(call, signers, isCreate ? { isWhole: seen !== null, accounts: ACCOUNTS, signer: MAKER } : null)
  if (refusal || !seen) return refusal
  const { order, orderId } = seen
  const expected = accountsOf(order, orderId, call.accounts[MAKER] ?? '', call.accounts[MINT] ?? '')
  if (call.accounts[3] !== expected[3]) return 'GiveOrderStateWrongPubkey'
  if (expected.some((account, at) => account !== call.accounts[at])) return 'ConstraintSeeds'
  return networkByWireId(Number(order.takeChainId)) === null ? 'UnsupportedChain' : null
}

/** dln_src on Solana: it takes what an order gives, and the flat fee, from its maker, or fails. Its other instructions are not here. */
export const SVM_PROGRAM: WatchedProgram<SeenOrder> = {
  programId: PROGRAM,
  read,
  program: (instruction, { signers }) => {
    const seen = read(instruction)
    const failure = failureOf(instruction, seen, signers)
    if (failure || !seen) return failure && anchorFailure(failure, OWN_ERRORS)
    const [from = '', , token = ''] = instruction.accounts
    return { token, from, amount: seen.gross, lamports: networkOf(SOLANA)?.fixFee ?? 0n }
  },
}
