import { bytesToHex } from '@noble/hashes/utils.js'
import type { Chains } from '../../chains/chains.ts'
import { paysAny } from '../../chains/payees.ts'
import { isHarmless } from '../../chains/solana/harmlessInstructions.ts'
import { decodeWithTables, type SolanaInstruction, TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../../chains/solana/solanaCodec.ts'
import type { Address } from '../../core/address.ts'
import { bpsOf } from '../../core/amount.ts'
import { isNative } from '../../core/asset.ts'
import { isEvmChainId, SOLANA } from '../../core/chain.ts'
import type { ClaimedFee, Execution, Payload, PayloadClaims, Proven, WalletTransaction } from '../../core/execution.ts'
import { failing } from '../../core/failing.ts'
import type { ExecutedSwap, SwapKey } from '../../core/swap.ts'
import { addressIn } from '../kit/addresses.ts'
import { tableReader } from '../kit/chainReads.ts'
import type { AddressesByChain, ChainNames } from '../kit/settings.ts'
import { addressKeys } from '../kit/swapKeys.ts'
import { rejected, type VenueError } from '../venueError.ts'
import { depositoriesOn, unreadable } from './map.ts'
import { type OrderRules, type OrderTerms, orderIdsOf, readOrder } from './order.ts'
import { depositCall, SHARED_BITCOIN_ADDRESSES, SOLANA_DEPOSIT, SOLANA_DEPOSIT_BYTES, solanaDepositAccounts } from './protocol.ts'
import { type Evidence, evidence as evidenceShape } from './wire.ts'

export type DecodePorts = OrderRules & {
  readonly chains: Pick<Chains, 'lookupTable'>
  /** Besides the published ones. */
  readonly depositories: AddressesByChain
  readonly signal: AbortSignal
}

/** The one payment that an order requires, and its credited wallet. */
type Due = { readonly order: Pick<OrderTerms, 'input' | 'orderIds'>; readonly payer: Address }

/** How a payload differs from that payment; `unprovable`: its additional parts without a proof, each as an error. */
type Amiss = { readonly unread: readonly string[]; readonly unprovable: readonly VenueError[] }

const amissOnEvm = async ({ data, value }: WalletTransaction, due: Due): Promise<Amiss> => {
  const { input, orderIds } = due.order
  const calls: readonly string[] = await Promise.all(orderIds.map((id) => depositCall(input, due.payer, id)))
  const unread = failing({
    'a call other than the order’s deposit': calls.includes(data.toLowerCase()),
    'a value other than the deposit’s': value === (isNative(input.asset) ? input.amount : 0n),
  })
  return { unread, unprovable: [] }
}

/** Whether an instruction of a depository makes the payment into its vault, with all accounts in their places. */
export const isSolanaDeposit = (
  { programId, accounts, data }: Pick<SolanaInstruction, 'programId' | 'accounts' | 'data'>,
  { order: { input, orderIds }, payer }: Due,
): boolean => {
  const tokenProgram = accounts.includes(TOKEN_2022_PROGRAM) ? TOKEN_2022_PROGRAM : TOKEN_PROGRAM
  const expected = solanaDepositAccounts(programId, input.asset, payer, tokenProgram)
  const isInPlace = accounts.length === expected.length && expected.every((address, at) => accounts[at] === address)
  if (!isInPlace || data.length !== SOLANA_DEPOSIT_BYTES) return false
  const amount = new DataView(data.buffer, data.byteOffset, data.byteLength).getBigUint64(8, true)
  const discriminator = isNative(input.asset) ? SOLANA_DEPOSIT.native : SOLANA_DEPOSIT.token
  const isOfOrder = orderIds.includes(`0x${bytesToHex(data.slice(16))}`)
  return bytesToHex(data.slice(0, 8)) === discriminator && amount === input.amount && isOfOrder
}

const amissOnSolana = async ({ to, data }: WalletTransaction, due: Due, ports: DecodePorts): Promise<Amiss> => {
  const transaction = await decodeWithTables(data, tableReader(ports))
  if (!transaction) throw unreadable('transaction', 'the transaction', data)
  const { feePayer, signers, instructions } = transaction
  const calls = instructions.filter(({ programId }) => programId === to)
  const strange = instructions.filter((each) => !calls.includes(each) && !isHarmless(each, feePayer))
  return {
    unread: failing({
      'not one call, the order’s deposit': calls.length === 1 && calls.every((call) => isSolanaDeposit(call, due)),
      'another signer': signers.length === 1 && feePayer === due.payer,
    }),
    unprovable: strange.map(({ programId }) =>
      rejected('instruction', `relay: an instruction of ${programId} cannot be proved`, programId),
    ),
  }
}

const amissIn = (payload: Payload, pays: Address, due: Due, ports: DecodePorts): Promise<Amiss> | Amiss => {
  const { chainId } = due.order.input.asset
  if (payload.executionType === 'DEPOSIT') {
    // The venue alone binds an address to an order. Only reuse is checkable: the address must not be a shared one of the venue.
    const isNew = !paysAny({ chainId, address: pays }, [...SHARED_BITCOIN_ADDRESSES, due.payer])
    return { unread: failing({ 'an address that is none of this order alone': isNew }), unprovable: [] }
  }
  if (payload.executionType === 'SIGNATURE') throw unreadable('payloadType', 'a signature', payload.executionType)
  if (!depositoriesOn(chainId, ports.depositories).includes(pays))
    throw unreadable('depository', 'a call of another contract', pays)
  if (isEvmChainId(chainId)) return amissOnEvm(payload.transaction, due)
  if (chainId === SOLANA) return amissOnSolana(payload.transaction, due, ports)
  throw unreadable('payloadType', 'a transaction of that chain', chainId)
}

/**
 * The app fee as a share of the input, by the venue's report. No answer and no order names its account, because the fee accrues
 * off chain. It never reduces the minimum, which the order binds.
 */
const feeClaim = (appFee: string | null, input: bigint): ClaimedFee | null | 'unread' => {
  if (appFee === null) return null
  const amount = BigInt(appFee)
  if (amount >= input) return 'unread'
  const bps = Number((amount * 10_000n + input - 1n) / input)
  return bpsOf(input, bps) === amount ? { recipient: null, bps } : 'unread'
}

/** The effect of a payload by its order; `unprovable`: its additional parts without a proof, each as an error. */
export const readClaims = async (
  payload: Payload,
  { evidence, order }: { readonly evidence: Evidence; readonly order: OrderTerms },
  ports: DecodePorts,
): Promise<{ readonly claims: PayloadClaims; readonly unprovable: readonly VenueError[] }> => {
  const { input, output, recipient, refundTo, refundsElsewhere } = order
  const { chainId } = input.asset
  const isTold = payload.executionType === 'DEPOSIT'
  const payer = addressIn(chainId, evidence.user, 'the payer')
  const pays =
    payload.executionType === 'TRANSACTION'
      ? payload.transaction.to
      : addressIn(chainId, evidence.depositAddress ?? '', 'the deposit address')
  const { unread, unprovable } = await amissIn(payload, pays, { order, payer }, ports)
  const fee = feeClaim(evidence.appFee, input.amount)
  // The id in the payload proves the order. For a deposit address the order rests on the venue's report.
  const proven = <T>(said: T): Proven<T> => (isTold ? { told: said } : said)
  const claims: PayloadClaims = {
    chainId,
    pays,
    spender: isEvmChainId(chainId) && !isNative(input.asset) ? pays : null,
    nativeFee: 0n,
    input,
    output: { asset: output.asset, minimum: proven(output.minimum) },
    recipient: proven(recipient),
    refundTo: proven(refundTo),
    refundsElsewhere,
    fee: { told: fee === 'unread' ? null : fee },
    // A depository call has no deadline; a payment after the order's deadline is refunded.
    deadlineAt: isTold ? order.lapsesAt : null,
    unread: [...order.unread, ...unread, ...failing({ 'the app fee': fee !== 'unread' })],
  }
  return { claims, unprovable: [...order.unprovable, ...unprovable] }
}

/**
 * The effect of an execution of Relay, by its order: the payload is the order's exact payment, and contains its hash. Throws
 * VenueError when either cannot be read.
 */
export const decode = async ({ payload, evidence: words }: Execution, ports: DecodePorts): Promise<PayloadClaims> => {
  const evidence = evidenceShape.read(words)
  const order = await readOrder(evidence.order, ports)
  const { claims, unprovable } = await readClaims(payload, { evidence, order }, ports)
  return { ...claims, unread: [...claims.unread, ...unprovable.map(({ message }) => message)] }
}

/** A solver fills orders by id. It finds a payment by the id in the calldata, or by the address opened for the order. */
export const toldApartBy = async ({ order, execution }: ExecutedSwap, names: ChainNames): Promise<readonly SwapKey[]> => {
  const { payload, evidence } = execution
  const ids = await orderIdsOf(evidenceShape.read(evidence).order, names)
  const keys: readonly SwapKey[] = ids.map((value) => ({ kind: 'orderId', value: value.toLowerCase() }))
  return payload.executionType === 'DEPOSIT' ? [...keys, ...addressKeys(payload.deposit, order.input)] : keys
}
