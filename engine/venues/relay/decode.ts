import { decodeSolanaTransaction, lookupTablesOf } from '../../chains/solana/solanaCodec.ts'
import { type Address, parseAddress } from '../../core/address.ts'
import { bpsOf } from '../../core/amount.ts'
import { type Asset, isSameAsset, NATIVE } from '../../core/asset.ts'
import { type ChainId, ecosystemOf, isEvmChainId, SOLANA } from '../../core/chain.ts'
import type { ClaimedFee, Deposit, Execution, Hex, PayloadClaims, WalletTransaction } from '../../core/execution.ts'
import { VenueError } from '../venueError.ts'
import { DEPOSIT_ERC20, DEPOSIT_NATIVE, readExactCall } from './abi.ts'
import { readLookupTables, type SolanaReads } from './buildSolana.ts'
import { isOwnOfOrder } from './depositAddress.ts'
import { pinned, SOLANA_DEPOSITORY } from './published.ts'
import { type OrderRules, readOrder } from './readOrder.ts'
import { isHarmless, readSolanaDeposit } from './solanaDeposit.ts'
import { type Evidence, evidence as evidenceShape } from './wire.ts'

export type DecodePorts = OrderRules & {
  readonly chains: SolanaReads
  readonly feeRecipient: Address | null
  readonly signal: AbortSignal
}

/** What a wallet pays by a payload, and for which order. */
type Payment = {
  readonly chainId: ChainId
  readonly pays: Address
  readonly spender: Address | null
  readonly paid: { readonly asset: Asset; readonly amount: bigint } | null
  /** Null where an address stands for the order. */
  readonly orderId: Hex | null
  readonly depositor: Address | null
  readonly unread: readonly string[]
}

const unreadable = (what: string): VenueError => new VenueError('badResponse', `relay: ${what} cannot be read`)

const readEvmPayment = async ({ chainId, to, data, value }: WalletTransaction): Promise<Payment> => {
  const call = data.toLowerCase() as Hex
  const unread = to === pinned(chainId).depository ? [] : ['a contract besides the depository']
  const native = await readExactCall(DEPOSIT_NATIVE, call)
  if (native) {
    const [depositor, orderId] = native as readonly [Address, Hex]
    const paid = { asset: { chainId, address: NATIVE }, amount: value }
    return { chainId, pays: to, spender: null, paid, orderId, depositor, unread }
  }
  const erc20 = await readExactCall(DEPOSIT_ERC20, call)
  if (!erc20) throw unreadable('the calldata')
  const [depositor, address, amount, orderId] = erc20 as readonly [Address, Address, bigint, Hex]
  const valued = value === 0n ? [] : ['value beside a token']
  const paid = { asset: { chainId, address }, amount }
  return { chainId, pays: to, spender: to, paid, orderId, depositor, unread: [...unread, ...valued] }
}

const readSolanaPayment = async ({ to, data }: WalletTransaction, { chains, signal }: DecodePorts): Promise<Payment> => {
  const tables = await readLookupTables(chains, await lookupTablesOf(data), signal)
  const transaction = await decodeSolanaTransaction(data, tables)
  const deposits = transaction?.instructions.filter(({ programId }) => programId === SOLANA_DEPOSITORY) ?? []
  const deposit = deposits[0] && readSolanaDeposit(deposits[0])
  if (!transaction || !deposit) throw unreadable('the transaction')
  const { feePayer, signers, instructions } = transaction
  const strange = instructions.filter((each) => each.programId !== SOLANA_DEPOSITORY && !isHarmless(each, feePayer))
  return {
    chainId: SOLANA,
    pays: to,
    spender: null,
    paid: deposit,
    orderId: deposit.id,
    depositor: deposit.depositor,
    unread: [
      ...(to === SOLANA_DEPOSITORY ? [] : ['a program besides the depository']),
      ...(deposits.length === 1 ? [] : ['more than one deposit']),
      ...(signers.length === 1 && deposit.sender === feePayer ? [] : ['another signer']),
      ...strange.map(({ programId }) => `instruction of ${programId}`),
    ],
  }
}

/** Nothing binds an address to an order but the venue's word; what can be told is that it is none of the swap's own. */
const readDeposit = ({ chainId }: Deposit, { depositAddress }: Evidence): Payment => {
  const pays = depositAddress === null ? null : parseAddress(ecosystemOf(chainId), depositAddress)
  if (pays === null) throw unreadable('the deposit address')
  return { chainId, pays, spender: null, paid: null, orderId: null, depositor: null, unread: [] }
}

const readPayment = ({ payload }: Execution, evidence: Evidence, ports: DecodePorts): Promise<Payment> | Payment => {
  switch (payload.executionType) {
    case 'DEPOSIT':
      return readDeposit(payload.deposit, evidence)
    case 'TRANSACTION': {
      const { transaction } = payload
      if (isEvmChainId(transaction.chainId)) return readEvmPayment(transaction)
      if (transaction.chainId === SOLANA) return readSolanaPayment(transaction, ports)
      throw unreadable('a transaction of that chain')
    }
    case 'SIGNATURE':
      throw unreadable('a signature')
  }
}

/**
 * The share an app fee is of the input. It goes to the account the request named: no answer of the venue repeats it, nor
 * does the order, as the fee accrues off chain. It can never take from the minimum, which the order binds.
 */
const feeClaim = (appFee: string | null, input: bigint, recipient: Address | null): ClaimedFee | null | 'unread' => {
  if (appFee === null) return null
  const amount = BigInt(appFee)
  if (recipient === null || amount >= input) return 'unread'
  const bps = Number((amount * 10_000n + input - 1n) / input)
  return bpsOf(input, bps) === amount ? { recipient, bps } : 'unread'
}

/**
 * What an execution of Relay would do: from the payload, and from the order whose hash the payload carries. Throws
 * VenueError('badResponse') when either cannot be read.
 */
export const decode = async (execution: Execution, ports: DecodePorts): Promise<PayloadClaims> => {
  const evidence = evidenceShape.read(execution.evidence)
  const order = await readOrder(evidence.order, ports)
  const payment = await readPayment(execution, evidence, ports)
  const { chainId, pays, spender, paid, orderId, depositor } = payment
  const user = parseAddress(ecosystemOf(chainId), evidence.user)
  const fee = feeClaim(evidence.appFee, order.input.amount, ports.feeRecipient)
  const input = paid ?? order.input
  const isPaidInFull = isSameAsset(input.asset, order.input.asset) && input.amount === order.input.amount
  const parties = [user, order.recipient, order.refundTo].flatMap((party) => party ?? [])
  const isOwn = execution.payload.executionType === 'DEPOSIT' ? isOwnOfOrder(pays, parties) : !parties.includes(pays)
  return {
    chainId,
    pays,
    spender,
    nativeFee: 0n,
    input: { asset: input.asset, amount: input.amount },
    output: order.output,
    recipient: order.recipient,
    refundTo: order.refundTo,
    fee: fee === 'unread' ? null : fee,
    // A deposit can be sent at any time; what comes too late for its order is refunded.
    deadlineAt: null,
    unread: [
      ...order.unread,
      ...order.unprovable,
      ...payment.unread,
      ...(isPaidInFull && order.input.asset.chainId === chainId ? [] : ['a payment other than the order’s']),
      ...(orderId === null || order.orderIds.includes(orderId) ? [] : ['the id of another order']),
      ...(depositor === null || depositor === user ? [] : ['another depositor']),
      ...(isOwn ? [] : ['a deposit to a party of the swap']),
      ...(fee === 'unread' ? ['the app fee'] : []),
    ],
  }
}
