import { parseAbi } from 'abitype'
import { readExactCall } from '../../chains/evm/exactCall.ts'
import { paysAny } from '../../chains/payees.ts'
import { isHarmless } from '../../chains/solana/harmlessInstructions.ts'
import { decodeSolanaTransaction, lookupTablesOf } from '../../chains/solana/solanaCodec.ts'
import { type Address, parseAddress } from '../../core/address.ts'
import { bpsOf } from '../../core/amount.ts'
import { type Asset, isSameAsset, NATIVE, nativeAsset } from '../../core/asset.ts'
import { ecosystemOf, isEvmChainId, SOLANA } from '../../core/chain.ts'
import type {
  ClaimedFee,
  Deposit,
  Execution,
  Hex,
  Payload,
  PayloadClaims,
  Proven,
  WalletTransaction,
} from '../../core/execution.ts'
import { failing } from '../../core/failing.ts'
import type { ExecutedSwap, SwapKey } from '../../core/swap.ts'
import { addressIn } from '../kit/addresses.ts'
import { addressKeys } from '../kit/swapKeys.ts'
import { VenueError } from '../venueError.ts'
import { badAnswer } from './map.ts'
import { orderIdsOf } from './order.ts'
import { pinned, SHARED_BITCOIN_ADDRESSES, SOLANA_DEPOSITORY } from './published.ts'
import { type OrderRules, type OrderTerms, readOrder } from './readOrder.ts'
import { readLookupTables, readSolanaDeposit, type SolanaReads } from './solanaDeposit.ts'
import { type Evidence, evidence as evidenceShape } from './wire.ts'

/**
 * RelayDepository.sol. Its other `depositErc20`, without an amount, takes all that is allowed, and is refused.
 * Source: packages/ethereum-vm of relayprotocol/relay-depository.
 */
const DEPOSIT_ERC20 = parseAbi(['function depositErc20(address depositor, address token, uint256 amount, bytes32 id)'])
const DEPOSIT_NATIVE = parseAbi(['function depositNative(address depositor, bytes32 id) payable'])

export type DecodePorts = OrderRules & { readonly chains: SolanaReads; readonly signal: AbortSignal }

/** What a wallet pays by a payload, and for which order. */
type Payment = {
  readonly pays: Address
  readonly asset: Asset
  readonly amount: bigint
  /** Null where an address stands for the order. */
  readonly booked: { readonly orderId: Hex; readonly depositor: Address } | null
  readonly unread: readonly string[]
  /** Parts of honest payloads too that nothing proves. */
  readonly unprovable: readonly string[]
}

const unreadable = (what: string): VenueError => new VenueError('badResponse', `relay: ${what} cannot be read`)

const readEvmPayment = async ({ chainId, to, data, value }: WalletTransaction): Promise<Payment> => {
  if (to !== pinned(chainId).depository) throw badAnswer('contract')
  const call = data.toLowerCase() as Hex
  const coins = await readExactCall(DEPOSIT_NATIVE, call)
  const args = coins ? [coins[0], NATIVE, value, coins[1]] : await readExactCall(DEPOSIT_ERC20, call)
  if (!args) throw unreadable('the calldata')
  const [depositor, address, amount, orderId] = args as readonly [Address, Address, bigint, Hex]
  const isCoin = coins !== null
  const unread = failing({ 'value beside a token': isCoin || value === 0n, 'a token that is none': isCoin || address !== NATIVE })
  return { pays: to, asset: { chainId, address }, amount, booked: { orderId, depositor }, unread, unprovable: [] }
}

const readSolanaPayment = async ({ to, data }: WalletTransaction, { chains, signal }: DecodePorts): Promise<Payment> => {
  const tables = await readLookupTables(chains, await lookupTablesOf(data), signal)
  const transaction = await decodeSolanaTransaction(data, tables)
  const [call, ...more] = transaction?.instructions.filter(({ programId }) => programId === SOLANA_DEPOSITORY) ?? []
  const deposit = call && readSolanaDeposit(call)
  if (!transaction || !deposit) throw unreadable('the transaction')
  const { feePayer, signers, instructions } = transaction
  const { asset, amount, orderId, sender, depositor } = deposit
  const strange = instructions.filter((each) => each.programId !== SOLANA_DEPOSITORY && !isHarmless(each, feePayer))
  const unread = failing({
    'a program besides the depository': to === SOLANA_DEPOSITORY,
    'more than one deposit': more.length === 0,
    'another signer': signers.length === 1 && sender === feePayer,
  })
  const unprovable = strange.map(({ programId }) => `an instruction of ${programId}`)
  return { pays: to, asset, amount, booked: { orderId, depositor }, unread, unprovable }
}

/** Nothing binds an address to an order but the venue's word; what can be told is that it is not the venue's for everything. */
const readDeposit = ({ chainId, amount }: Deposit, { depositAddress, user }: Evidence): Payment => {
  const pays = addressIn(chainId, depositAddress ?? '', 'the deposit address')
  const isNew = !paysAny({ chainId, address: pays }, [...SHARED_BITCOIN_ADDRESSES, user])
  const unread = failing({ 'an address that is none of this order alone': isNew })
  return { pays, asset: nativeAsset(chainId), amount, booked: null, unread, unprovable: [] }
}

const readPayment = (payload: Payload, evidence: Evidence, ports: DecodePorts): Promise<Payment> | Payment => {
  if (payload.executionType === 'DEPOSIT') return readDeposit(payload.deposit, evidence)
  if (payload.executionType === 'SIGNATURE') throw unreadable('a signature')
  const { transaction } = payload
  if (isEvmChainId(transaction.chainId)) return readEvmPayment(transaction)
  if (transaction.chainId === SOLANA) return readSolanaPayment(transaction, ports)
  throw unreadable('a transaction of that chain')
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

/** What a payload does by its order; `unprovable`: what it has besides that honest ones have too, and nothing proves. */
export const readClaims = async (
  payload: Payload,
  { evidence, order }: { readonly evidence: Evidence; readonly order: OrderTerms },
  ports: DecodePorts,
): Promise<{ readonly claims: PayloadClaims; readonly unprovable: readonly string[] }> => {
  const { pays, asset, amount, booked, ...parts } = await readPayment(payload, evidence, ports)
  const { chainId } = asset
  const { output, recipient, refundTo } = order
  const user = parseAddress(ecosystemOf(chainId), evidence.user)
  const fee = feeClaim(evidence.appFee, order.input.amount)
  const problems = failing({
    'a payment other than the order’s': isSameAsset(asset, order.input.asset) && amount === order.input.amount,
    'the id of another order': booked === null || order.orderIds.includes(booked.orderId),
    'another depositor': booked === null || booked.depositor === user,
    'a payer that is no address': user !== null,
    'the app fee': fee !== 'unread',
  })
  // The order is proved by its id in the payload. Where an address stands for it, the order is the venue's word alone.
  const proven = <T>(said: T): Proven<T> => (booked === null ? { told: said } : said)
  const claims: PayloadClaims = {
    chainId,
    pays,
    spender: isEvmChainId(chainId) && asset.address !== NATIVE ? pays : null,
    nativeFee: 0n,
    input: { asset, amount },
    output: { asset: output.asset, minimum: proven(output.minimum) },
    recipient: proven(recipient),
    refundTo: proven(refundTo),
    fee: { told: fee === 'unread' ? null : fee },
    // A deposit can be sent at any time; what comes too late for its order is refunded.
    deadlineAt: null,
    unread: [...order.unread, ...parts.unread, ...problems],
  }
  return { claims, unprovable: [...order.unprovable, ...parts.unprovable] }
}

/**
 * What an execution of Relay would do: from the payload, and from the order whose hash the payload carries. Throws
 * VenueError when either cannot be read.
 */
export const decode = async ({ payload, evidence: words }: Execution, ports: DecodePorts): Promise<PayloadClaims> => {
  const evidence = evidenceShape.read(words)
  const order = await readOrder(evidence.order, ports)
  const { claims, unprovable } = await readClaims(payload, { evidence, order }, ports)
  return { ...claims, unread: [...claims.unread, ...unprovable] }
}

/** A solver fills orders by their ids, and finds the payment of one by the id in the calldata, or by the address opened for it. */
export const toldApartBy = async ({ order, execution: { payload, evidence } }: ExecutedSwap): Promise<readonly SwapKey[]> => {
  const ids = await orderIdsOf(evidenceShape.read(evidence).order)
  const keys: readonly SwapKey[] = ids.map((value) => ({ kind: 'orderId', value: value.toLowerCase() }))
  return payload.executionType === 'DEPOSIT' ? [...keys, ...addressKeys(payload.deposit, order.input)] : keys
}
