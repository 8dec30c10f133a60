import type { Abi } from 'abitype'
import { type CallOf, namedArguments } from '../../chains/evm/abiFields.ts'
import { readLeadingCall } from '../../chains/evm/exactCall.ts'
import { type Address, ZERO_EVM_ADDRESS } from '../../core/address.ts'
import { NATIVE } from '../../core/asset.ts'
import type { ChainId } from '../../core/chain.ts'
import type { Hex, PayloadClaims, WalletTransaction } from '../../core/execution.ts'
import { failing } from '../../core/failing.ts'
import type { Sum } from '../../core/peg.ts'
import { addressOfWord, wordOf, wrappedNative } from '../kit/spokePools.ts'
import { rejected } from '../venueError.ts'
import { type DecodePorts, readOutput, type StatedOutput } from './deposit.ts'
import { DEPOSIT, DEPOSIT_NATIVE, DEPOSIT_NATIVE_OF_CALLER, DEPOSIT_V3, type Generation, SWAP_AND_BRIDGE } from './protocol.ts'
import type { Deployed } from './published.ts'

export type Router = {
  readonly exchange: Address
  readonly routerCalldata: Hex
  /** The output grows in proportion to the swap's result above the least. */
  readonly isProportional: boolean
}

/** A deposit by the calldata of any entry point. */
type StatedDeposit = StatedOutput & {
  /** Null: the sender of the transaction. */
  readonly depositor: Address | null
  /** Null: the called contract is itself the SpokePool. */
  readonly spokePool: Address | null
  /** The payment of the wallet. Wrapped native also represents the coin itself. */
  readonly paid: { readonly token: Address; readonly amount: bigint }
  /** True when the wallet can pay only the native coin. */
  readonly isNativeOnly: boolean
  /** The least deposit after a swap on the origin chain; null without one. */
  readonly bridged: { readonly token: Address; readonly amount: bigint } | null
  /** The contract of that swap; null likewise. */
  readonly router: Router | null
  readonly unread: readonly string[]
}

const PLAIN = { spokePool: null, isNativeOnly: false, bridged: null, router: null, unread: [] }

/** `depositV3` has addresses where `deposit` has words. */
const readDeposit = (args: CallOf<typeof DEPOSIT> | CallOf<typeof DEPOSIT_V3>, chainId: ChainId): StatedDeposit => {
  const [owner, token] = [args.depositor, args.inputToken].map((address) => addressOfWord(chainId, wordOf(address)))
  return {
    ...args,
    ...PLAIN,
    recipient: wordOf(args.recipient),
    outputToken: wordOf(args.outputToken),
    exclusiveRelayer: wordOf(args.exclusiveRelayer),
    depositor: owner ?? ZERO_EVM_ADDRESS,
    paid: { token: token ?? ZERO_EVM_ADDRESS, amount: args.inputAmount },
    unread: failing({ 'an address of the origin chain': Boolean(owner && token) }),
  }
}

const readDepositNative = (args: CallOf<typeof DEPOSIT_NATIVE_OF_CALLER> & { readonly depositor?: Address }): StatedDeposit => ({
  ...args,
  ...PLAIN,
  spokePool: args.spokePool,
  depositor: args.depositor ?? null,
  paid: { token: args.inputToken, amount: args.inputAmount },
  isNativeOnly: true,
})

const readSwapAndBridge = ({ swapAndDepositData: data }: CallOf<typeof SWAP_AND_BRIDGE>): StatedDeposit => {
  const { submissionFees, depositData, transferType, spokePool, nonce, exchange, routerCalldata } = data
  return {
    ...depositData,
    ...PLAIN,
    spokePool,
    paid: { token: data.swapToken, amount: data.swapTokenAmount },
    bridged: { token: depositData.inputToken, amount: data.minExpectedInputTokenAmount },
    router: { exchange, routerCalldata, isProportional: data.enableProportionalAdjustment },
    unread: failing({
      'a submission fee': submissionFees.amount === 0n,
      'a nonce': nonce === 0n,
      'transfer type': transferType <= 2,
    }),
  }
}

/** The integrator tag and the API's own marker, the only bytes that may follow a deposit's arguments. */
const TAGS = /^(?:1dc0de[0-9a-f]{4})?(?:73c0de)?$/

type EntryPoint = {
  readonly isSpokePool: boolean
  readonly read: (data: Hex, chainId: ChainId) => Promise<StatedDeposit | null>
  /** The generations of the periphery without this function. */
  readonly unknownTo: readonly Generation[]
}

const entryOf = <const A extends Abi>(
  abi: A,
  toStated: (args: CallOf<A>, chainId: ChainId) => StatedDeposit,
  { isSpokePool = false, unknownTo = [] }: Partial<Pick<EntryPoint, 'isSpokePool' | 'unknownTo'>> = {},
): EntryPoint => ({
  isSpokePool,
  unknownTo,
  read: async (data, chainId) => {
    const call = await readLeadingCall(abi, data)
    return call && TAGS.test(call.rest) ? toStated(namedArguments(abi, call.args), chainId) : null
  },
})

const ENTRY_POINTS: { readonly [selector: string]: EntryPoint } = {
  '0xad5425c6': entryOf(DEPOSIT, readDeposit, { isSpokePool: true }),
  '0x7b939232': entryOf(DEPOSIT_V3, readDeposit, { isSpokePool: true }),
  '0x656a20e6': entryOf(DEPOSIT_NATIVE_OF_CALLER, readDepositNative, { unknownTo: ['june', 'autumn'] }),
  '0x609ea081': entryOf(DEPOSIT_NATIVE, readDepositNative, { unknownTo: ['february'] }),
  '0x110560ad': entryOf(SWAP_AND_BRIDGE, readSwapAndBridge),
}

const isKnownTo = ({ isSpokePool, unknownTo }: EntryPoint, to: Address, deployed: Deployed | null): boolean =>
  deployed?.spokePools.includes(to) === isSpokePool && unknownTo.every((generation) => to !== deployed?.peripheries[generation])

/**
 * The deposit of a transaction. Throws VenueError('rejected') for an unknown call, or one with other extra bytes than Across's
 * tags.
 */
export const readStatedDeposit = async (
  transaction: WalletTransaction,
): Promise<StatedDeposit & { readonly entry: EntryPoint }> => {
  const data = transaction.data.toLowerCase() as Hex
  const entry = ENTRY_POINTS[data.slice(0, 10)]
  const stated = entry && /^0x(?:[0-9a-f]{2})*$/.test(data) ? await entry.read(data, transaction.chainId) : null
  if (!entry || !stated) throw rejected('call', 'calldata that is no call of Across', data.slice(0, 10))
  return { ...stated, entry }
}

const sumOf = (chainId: ChainId, { token, amount }: StatedDeposit['paid']): Sum => ({
  asset: { chainId, address: token },
  amount,
})

/** The effect of an Across transaction on an EVM chain, by its calldata and value. */
export const decodeEvm = async (transaction: WalletTransaction, ports: DecodePorts): Promise<PayloadClaims> => {
  const { chainId, to, value } = transaction
  const stated = await readStatedDeposit(transaction)
  const { spokePool, depositor, paid } = stated
  const deployed = ports.pinned.on(chainId)
  // A router's calldata cannot be read: the least amount that the contract enforces counts as deposited.
  const bridged = stated.bridged && sumOf(chainId, stated.bridged)
  const { delivery, claims } = await readOutput(stated, bridged ?? sumOf(chainId, paid), ports)
  const isValued = value > 0n
  const problems = failing({
    'a call of another contract': isKnownTo(stated.entry, to, deployed),
    SpokePool: spokePool === null || deployed?.spokePools.includes(spokePool) === true,
    'value beside a token': !isValued || paid.token === wrappedNative(chainId),
    value: !isValued || value === paid.amount,
    'no value': !stated.isNativeOnly || isValued,
    'fallback recipient': delivery.fallback === null || delivery.fallback === depositor,
  })
  return {
    ...claims,
    chainId,
    pays: to,
    spender: isValued ? null : to,
    input: { asset: { chainId, address: isValued ? NATIVE : paid.token }, amount: paid.amount },
    bridged,
    refundTo: depositor ?? 'payer',
    unread: [...stated.unread, ...problems, ...claims.unread],
  }
}

/** The deposit as the SpokePool logs it, for any entry point. Two deposits with equal values are indistinguishable. */
export const loggedDeposit = async (transaction: WalletTransaction, sender: Address): Promise<readonly unknown[]> => {
  const { depositor, paid, bridged, ...stated } = await readStatedDeposit(transaction)
  const output = [stated.recipient, stated.outputToken, stated.outputAmount, stated.destinationChainId, stated.message]
  const times = [stated.quoteTimestamp, stated.fillDeadline, BigInt(stated.exclusiveRelayer), stated.exclusivityParameter]
  return [transaction.chainId, depositor ?? sender, paid.token, paid.amount, bridged, ...output, ...times]
}
