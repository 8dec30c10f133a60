import { readExactCall } from '../../chains/evm/exactCall.ts'
import { paysAny } from '../../chains/payees.ts'
import { isHarmless } from '../../chains/solana/harmlessInstructions.ts'
import { decodeSolanaTransaction, lookupTablesOf } from '../../chains/solana/solanaCodec.ts'
import { type Address, parseAddress } from '../../core/address.ts'
import { bpsOf } from '../../core/amount.ts'
import { type Asset, isSameAsset, NATIVE, nativeAsset } from '../../core/asset.ts'
import { type ChainId, ecosystemOf, isEvmChainId, SOLANA } from '../../core/chain.ts'
import type { ClaimedFee, Deposit, Execution, Hex, PayloadClaims, WalletTransaction } from '../../core/execution.ts'
import { failing } from '../../core/failing.ts'
import { VenueError } from '../venueError.ts'
import { DEPOSIT_ERC20, DEPOSIT_NATIVE } from './abi.ts'
import { readLookupTables, type SolanaReads } from './buildSolana.ts'
import { pinned, SHARED_BITCOIN_ADDRESSES, SOLANA_DEPOSITORY } from './published.ts'
import { type OrderRules, type OrderTerms, readOrder } from './readOrder.ts'
import { readSolanaDeposit } from './solanaDeposit.ts'
import { type Evidence, evidence as evidenceShape } from './wire.ts'

export type DecodePorts = OrderRules & {
  readonly chains: SolanaReads
  readonly signal: AbortSignal
}

/** What a wallet pays by a payload, and for which order. */
type Payment = {
  readonly chainId: ChainId
  readonly pays: Address
  readonly spender: Address | null
  readonly paid: { readonly asset: Asset; readonly amount: bigint }
  /** Null where an address stands for the order. */
  readonly orderId: Hex | null
  readonly depositor: Address | null
  readonly unread: readonly string[]
}

const unreadable = (what: string): VenueError => new VenueError('badResponse', `relay: ${what} cannot be read`)

const readEvmPayment = async ({ chainId, to, data, value }: WalletTransaction): Promise<Payment> => {
  const call = data.toLowerCase() as Hex
  const unread = failing({ 'a contract besides the depository': to === pinned(chainId).depository })
  const native = await readExactCall(DEPOSIT_NATIVE, call)
  if (native) {
    const [depositor, orderId] = native as readonly [Address, Hex]
    const paid = { asset: { chainId, address: NATIVE }, amount: value }
    return { chainId, pays: to, spender: null, paid, orderId, depositor, unread }
  }
  const erc20 = await readExactCall(DEPOSIT_ERC20, call)
  if (!erc20) throw unreadable('the calldata')
  const [depositor, address, amount, orderId] = erc20 as readonly [Address, Address, bigint, Hex]
  const strange = failing({ 'value beside a token': value === 0n })
  const paid = { asset: { chainId, address }, amount }
  return { chainId, pays: to, spender: to, paid, orderId, depositor, unread: [...unread, ...strange] }
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
    paid: { asset: deposit.asset, amount: deposit.amount },
    orderId: deposit.id,
    depositor: deposit.depositor,
    unread: [
      ...failing({
        'a program besides the depository': to === SOLANA_DEPOSITORY,
        'more than one deposit': deposits.length === 1,
        'another signer': signers.length === 1 && deposit.sender === feePayer,
      }),
      ...strange.map(({ programId }) => `instruction of ${programId}`),
    ],
  }
}

/** Nothing binds an address to an order but the venue's word; what can be told is that it is not the venue's for everything. */
const readDeposit = ({ chainId, amount }: Deposit, { depositAddress, user }: Evidence): Payment => {
  const pays = depositAddress === null ? null : parseAddress(ecosystemOf(chainId), depositAddress)
  if (pays === null) throw unreadable('the deposit address')
  const isNew = !paysAny({ chainId, address: pays }, [...SHARED_BITCOIN_ADDRESSES, user])
  return {
    chainId,
    pays,
    spender: null,
    paid: { asset: nativeAsset(chainId), amount },
    orderId: null,
    depositor: null,
    unread: failing({ 'an address that is none of this order alone': isNew }),
  }
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
 * The share an app fee is of the input, as the venue tells it. No answer of the venue says to whose account it goes, nor
 * does the order, as the fee accrues off chain. It can never take from the minimum, which the order binds.
 */
const feeClaim = (appFee: string | null, input: bigint): ClaimedFee | null | 'unread' => {
  if (appFee === null) return null
  const amount = BigInt(appFee)
  if (amount >= input) return 'unread'
  const bps = Number((amount * 10_000n + input - 1n) / input)
  return bpsOf(input, bps) === amount ? { recipient: null, bps } : 'unread'
}

/** The order is proved by its id in the payload. Where an address stands for it, the order is the venue's word alone. */
const termsOf = ({ output: { asset, minimum }, recipient, refundTo }: OrderTerms, orderId: Hex | null) =>
  orderId === null
    ? { output: { asset, minimum: { told: minimum } }, recipient: { told: recipient }, refundTo: { told: refundTo } }
    : { output: { asset, minimum }, recipient, refundTo }

/**
 * What an execution of Relay would do: from the payload, and from the order whose hash the payload carries. Throws
 * VenueError('badResponse') when either cannot be read.
 */
export const decode = async (execution: Execution, ports: DecodePorts): Promise<PayloadClaims> => {
  const evidence = evidenceShape.read(execution.evidence)
  const order = await readOrder(evidence.order, ports)
  const { chainId, pays, spender, paid, orderId, depositor, unread } = await readPayment(execution, evidence, ports)
  const user = parseAddress(ecosystemOf(chainId), evidence.user)
  const fee = feeClaim(evidence.appFee, order.input.amount)
  const isPaidInFull = isSameAsset(paid.asset, order.input.asset) && paid.amount === order.input.amount
  return {
    chainId,
    pays,
    spender,
    nativeFee: 0n,
    input: paid,
    ...termsOf(order, orderId),
    fee: { told: fee === 'unread' ? null : fee },
    // A deposit can be sent at any time; what comes too late for its order is refunded.
    deadlineAt: null,
    unread: [
      ...order.unread,
      ...order.unprovable,
      ...unread,
      ...failing({
        'a payment other than the order’s': isPaidInFull && order.input.asset.chainId === chainId,
        'the id of another order': orderId === null || order.orderIds.includes(orderId),
        'another depositor': depositor === null || depositor === user,
        'a payer that is no address': user !== null,
        'the app fee': fee !== 'unread',
      }),
    ],
  }
}
