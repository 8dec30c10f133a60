import { type Address, ZERO_EVM_ADDRESS } from '../../core/address.ts'
import { NATIVE } from '../../core/asset.ts'
import type { ChainId } from '../../core/chain.ts'
import type { Hex, PayloadClaims, WalletTransaction } from '../../core/execution.ts'
import { failing } from '../../core/failing.ts'
import { VenueError } from '../venueError.ts'
import { DEPOSIT, DEPOSIT_NATIVE, DEPOSIT_NATIVE_OF_CALLER, DEPOSIT_V3, readTaggedCall, SWAP_AND_BRIDGE } from './abi.ts'
import { addressOfWord } from './delivery.ts'
import { type DecodePorts, type Deposited, readOutput, type StatedOutput } from './deposit.ts'
import { acrossChain, type Generation, wrappedNative } from './published.ts'

export type Router = {
  readonly exchange: Address
  readonly routerCalldata: Hex
  /** The output grows in proportion to what the swap gives beyond the least. */
  readonly isProportional: boolean
}

/** A deposit as the calldata of any entry point states it. */
type StatedDeposit = StatedOutput & {
  /** Null: whoever sends the transaction. */
  readonly depositor: Address | null
  /** Null: the contract called is itself the SpokePool. */
  readonly spokePool: Address | null
  /** What leaves the wallet; wrapped native also stands for the coin itself. */
  readonly paid: { readonly token: Address; readonly amount: bigint }
  /** True when only the native coin can be paid. */
  readonly isNativeOnly: boolean
  /** The least that is deposited after a swap on the origin chain; null without one. */
  readonly bridged: { readonly token: Address; readonly amount: bigint } | null
  /** What makes that swap; null likewise. */
  readonly router: Router | null
  readonly unread: readonly string[]
}

const NO_SWAP = { bridged: null, router: null } as const

export const wordOf = (address: string): Hex => `0x${address.slice(2).toLowerCase().padStart(64, '0')}`

type Tail = readonly [
  outputAmount: bigint,
  destination: bigint,
  relayer: Hex,
  quoted: number,
  deadline: number,
  exclusivity: number,
  message: Hex,
]

const tailOf = ([outputAmount, destinationChainId, exclusiveRelayer, ...rest]: Tail) => {
  const [quoteTimestamp, fillDeadline, exclusivityParameter, message] = rest
  return { outputAmount, destinationChainId, exclusiveRelayer, quoteTimestamp, fillDeadline, exclusivityParameter, message }
}

const readDeposit = (args: readonly unknown[], chainId: ChainId): StatedDeposit => {
  const [depositor, recipient, inputToken, outputToken, amount, ...tail] = args as readonly [Hex, Hex, Hex, Hex, bigint, ...Tail]
  const owner = addressOfWord(chainId, depositor)
  const token = addressOfWord(chainId, inputToken)
  return {
    ...tailOf(tail),
    depositor: owner ?? ZERO_EVM_ADDRESS,
    spokePool: null,
    paid: { token: token ?? ZERO_EVM_ADDRESS, amount },
    isNativeOnly: false,
    outputToken,
    recipient,
    ...NO_SWAP,
    unread: failing({ 'an address of the origin chain': owner !== null && token !== null }),
  }
}

const EXCLUSIVE_RELAYER_AT = 7

const readDepositV3 = (args: readonly unknown[], chainId: ChainId): StatedDeposit =>
  readDeposit(
    args.map((value, i) => (i < 4 || i === EXCLUSIVE_RELAYER_AT ? wordOf(value as string) : value)),
    chainId,
  )

const readDepositNative = (args: readonly unknown[]): StatedDeposit => {
  const [spokePool, depositor, recipient, token, amount, outputToken, ...tail] = args as readonly [
    ...[Address, Address | null, Hex, Address, bigint, Hex],
    ...Tail,
  ]
  const paid = { token, amount }
  return { ...tailOf(tail), spokePool, depositor, recipient, paid, isNativeOnly: true, outputToken, ...NO_SWAP, unread: [] }
}

type SwapAndDeposit = {
  readonly submissionFees: { readonly amount: bigint }
  readonly depositData: StatedOutput & { readonly inputToken: Address; readonly depositor: Address }
  readonly swapToken: Address
  readonly transferType: number
  readonly swapTokenAmount: bigint
  readonly minExpectedInputTokenAmount: bigint
  readonly exchange: Address
  readonly routerCalldata: Hex
  readonly enableProportionalAdjustment: boolean
  readonly spokePool: Address
  readonly nonce: bigint
}

const readSwapAndBridge = ([data]: readonly unknown[]): StatedDeposit => {
  const { submissionFees, depositData, transferType, spokePool, nonce, ...sums } = data as SwapAndDeposit
  const { exchange, routerCalldata, enableProportionalAdjustment: isProportional } = sums
  return {
    ...depositData,
    spokePool,
    paid: { token: sums.swapToken, amount: sums.swapTokenAmount },
    isNativeOnly: false,
    bridged: { token: depositData.inputToken, amount: sums.minExpectedInputTokenAmount },
    router: { exchange, routerCalldata, isProportional },
    unread: failing({
      'a submission fee': submissionFees.amount === 0n,
      'a nonce': nonce === 0n,
      'transfer type': transferType <= 2,
    }),
  }
}

type EntryPoint = {
  readonly abi: Parameters<typeof readTaggedCall>[0]
  readonly isSpokePool: boolean
  readonly read: (args: readonly unknown[], chainId: ChainId) => StatedDeposit
  /** The generations of the periphery that have no such function. */
  readonly unknownTo: readonly Generation[]
}

const ENTRY_POINTS: { readonly [selector: string]: EntryPoint } = {
  '0xad5425c6': { abi: DEPOSIT, isSpokePool: true, read: readDeposit, unknownTo: [] },
  '0x7b939232': { abi: DEPOSIT_V3, isSpokePool: true, read: readDepositV3, unknownTo: [] },
  '0x656a20e6': {
    abi: DEPOSIT_NATIVE_OF_CALLER,
    isSpokePool: false,
    read: ([spokePool, ...args]) => readDepositNative([spokePool, null, ...args]),
    unknownTo: ['june', 'autumn'],
  },
  '0x609ea081': { abi: DEPOSIT_NATIVE, isSpokePool: false, read: readDepositNative, unknownTo: ['february'] },
  '0x110560ad': { abi: SWAP_AND_BRIDGE, isSpokePool: false, read: readSwapAndBridge, unknownTo: [] },
}

const isKnownTo = ({ isSpokePool, unknownTo }: EntryPoint, { chainId, to }: WalletTransaction): boolean => {
  const deployed = acrossChain(chainId)
  if (isSpokePool) return to === deployed?.spokePool
  return to !== deployed?.spokePool && unknownTo.every((generation) => to !== deployed?.peripheries[generation])
}

/**
 * The deposit a transaction makes. Throws VenueError('badResponse') when the calldata is no known call, or holds
 * anything besides the call's arguments and Across's tags.
 */
export const readStatedDeposit = async (transaction: WalletTransaction): Promise<StatedDeposit> => {
  const data = transaction.data.toLowerCase() as Hex
  const entry = ENTRY_POINTS[data.slice(0, 10)]
  const args = entry && /^0x(?:[0-9a-f]{2})*$/.test(data) ? await readTaggedCall(entry.abi, data) : null
  if (!entry || !args) throw new VenueError('badResponse', 'calldata that is no call of Across')
  const stated = entry.read(args, transaction.chainId)
  return isKnownTo(entry, transaction) ? stated : { ...stated, unread: [...stated.unread, 'a call of another contract'] }
}

/**
 * What is deposited. A router's calldata cannot be read; what a swap before the bridge may lose is bounded by the least
 * amount the contract insists on.
 */
const depositedBy = ({ bridged, paid }: StatedDeposit, chainId: ChainId): Deposited => {
  const { token, amount } = bridged ?? paid
  return { chainId, address: token, amount }
}

/** What an Across transaction on an EVM chain would do, read from its calldata and value. */
export const decodeEvm = async (transaction: WalletTransaction, ports: DecodePorts): Promise<PayloadClaims> => {
  const { chainId, to, value } = transaction
  const stated = await readStatedDeposit(transaction)
  const { delivery, claims } = await readOutput(stated, depositedBy(stated, chainId), ports)
  const { spokePool, depositor, paid } = stated
  const isValued = value > 0n
  const problems = failing({
    SpokePool: spokePool === null || spokePool === acrossChain(chainId)?.spokePool,
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
    refundTo: depositor ?? 'payer',
    unread: [...stated.unread, ...problems, ...claims.unread],
  }
}

/** The deposit of a transaction as the SpokePool logs it, whichever entry point it took: equal ones cannot be told apart. */
export const loggedDeposit = async (transaction: WalletTransaction, sender: Address): Promise<readonly unknown[]> => {
  const { depositor, paid, bridged, ...stated } = await readStatedDeposit(transaction)
  const output = [stated.recipient, stated.outputToken, stated.outputAmount, stated.destinationChainId, stated.message]
  const times = [stated.quoteTimestamp, stated.fillDeadline, BigInt(stated.exclusiveRelayer), stated.exclusivityParameter]
  return [transaction.chainId, depositor ?? sender, paid.token, paid.amount, bridged, ...output, ...times]
}
