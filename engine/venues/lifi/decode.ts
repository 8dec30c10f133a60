import { associatedTokenAddress } from '../../chains/solana/solanaCodec.ts'
import { type Address, ZERO_EVM_ADDRESS } from '../../core/address.ts'
import { type Asset, NATIVE } from '../../core/asset.ts'
import { type ChainId, isEvmChainId, SOLANA } from '../../core/chain.ts'
import type { Execution, PayloadClaims, WalletTransaction } from '../../core/execution.ts'
import { failing } from '../../core/failing.ts'
import type { ExecutedSwap, SwapKey } from '../../core/swap.ts'
import { addressOfWord, formOfWrapped, timeProblems, wordOf, wrappedNative } from '../kit/spokePools.ts'
import { rejected, VenueError } from '../venueError.ts'
import {
  type AcrossData,
  type BridgeCall,
  type BridgeData,
  type CctpData,
  type DecodePorts,
  type Delivery,
  isNotSold,
  type LifiCall,
  readCall,
  type SwapCall,
  transactionIdOf,
} from './calls.ts'
import { deliverIntent } from './intents.ts'
import { CCTP_USDC, facetsBetween, fromWireChain, NO_EVM_RECEIVER, TOOLS_OF } from './published.ts'
import { type ReadSteps, readSteps } from './steps.ts'

const assetOf = (chainId: ChainId, token: Address): Asset => ({ chainId, address: token === ZERO_EVM_ADDRESS ? NATIVE : token })

const unreadable = (check: string, why: string, found?: unknown): VenueError => rejected(check, `lifi: ${why}`, found)

const transactionOf = ({ payload }: Pick<Execution, 'payload'>): WalletTransaction => {
  if (payload.executionType === 'TRANSACTION') return payload.transaction
  throw unreadable('payload', `a ${payload.executionType}`)
}

export const callOf = async (execution: Pick<Execution, 'payload'>): Promise<LifiCall> => {
  const { data } = transactionOf(execution)
  if (isNotSold(data)) throw new VenueError('unsupportedPair', 'lifi: a route by Stargate', { reason: 'notSold' })
  const call = await readCall(data)
  if (call === null) throw unreadable('call', 'a call that fixes neither recipient nor least amount', data.slice(0, 10))
  return call
}

/** The contract takes the input of a single step from the wallet, whatever the step states. */
const stepsOf = (call: LifiCall) =>
  call.does === 'swap' && call.isSingle ? call.steps.map((step) => ({ ...step, requiresDeposit: true })) : call.steps

/** Without steps the wallet's tokens are bridged as they are, without a fee. */
const plainSteps = ({ sendingAssetId: token, minAmount: amount }: BridgeData): ReadSteps => ({
  ...{ input: { token, amount }, fees: 0n, fee: null, left: amount, output: token, unread: [] },
})

const deliverSwap = ({ kind, receiver, minAmountOut, isSingle }: SwapCall, read: ReadSteps, chainId: ChainId): Delivery => ({
  output: { asset: assetOf(chainId, read.output), minimum: minAmountOut },
  recipient: receiver,
  refundTo: null,
  deadlineAt: null,
  unread: failing({
    'coins for tokens': (read.input.token === ZERO_EVM_ADDRESS) === (kind === 'coinsToTokens'),
    'tokens for coins': (read.output === ZERO_EVM_ADDRESS) === (kind === 'tokensToCoins'),
    'a swap that only takes a fee': read.left === null && !(isSingle && read.fees > 0n),
  }),
})

const MULTIPLIER_BASE = 10n ** 18n

/** AcrossFacetV4.sol: with steps the output follows from their result, and the stated output has no effect. */
export const acrossOutput = ({ steps }: Pick<BridgeCall, 'steps'>, data: AcrossData, bridged: bigint): bigint =>
  steps === null ? data.outputAmount : (bridged * data.outputAmountMultiplier) / MULTIPLIER_BASE

/** A pool accepts a deposit with up to six hours: `fillDeadlineBuffer` of SpokePool.sol. Its clock may be a little ahead. */
const FILL_SECONDS_MAX = 6.5 * 3_600

type AcrossCall = Extract<BridgeCall, { readonly facet: 'across' }>

const deliverByAcross = async (
  call: AcrossCall,
  [from, to]: readonly [ChainId, ChainId],
  ports: DecodePorts,
): Promise<Delivery> => {
  const { bridge, data } = call
  const [token, recipient, refundTo] = [
    addressOfWord(to, data.receivingAssetId),
    addressOfWord(to, data.receiverAddress),
    addressOfWord(from, data.refundAddress),
  ]
  const wrapped = wrappedNative(from)
  const sends = bridge.sendingAssetId === ZERO_EVM_ADDRESS && wrapped !== null ? [wordOf(wrapped), wordOf('0x')] : []
  const isWrapped = token !== null && isEvmChainId(to) && token === wrappedNative(to)
  const form = isWrapped && recipient !== null ? await formOfWrapped(to, token, recipient, ports.codeOf) : token
  return {
    output: {
      asset: { chainId: to, address: form ?? token ?? ZERO_EVM_ADDRESS },
      minimum: acrossOutput(call, data, bridge.minAmount),
    },
    recipient: recipient ?? ZERO_EVM_ADDRESS,
    refundTo: refundTo ?? ZERO_EVM_ADDRESS,
    deadlineAt: data.fillDeadline * 1_000,
    unread: [
      ...timeProblems(data, ports.now),
      ...failing({
        'an address of the other chain': token !== null && recipient !== null && refundTo !== null,
        'whether the output arrives wrapped': form !== null,
        'another receiver': recipient === bridge.receiver,
        // The pool receives this token, and the wrapped coin in place of coins.
        'another token sent': [wordOf(bridge.sendingAssetId), ...sends].includes(data.sendingAssetId),
        'a message': data.message === '0x',
        'a deadline that the pool refuses': data.fillDeadline <= ports.now / 1_000 + FILL_SECONDS_MAX,
      }),
    ],
  }
}

/** Circle's two speeds. The slower is free, and the faster costs the fee of its contract, up to the stated maximum. */
const FAST = 1_000
const STANDARD = 2_000

const isCctpFee = ({ maxCCTPFee, minFinalityThreshold }: CctpData): boolean =>
  minFinalityThreshold === STANDARD || (minFinalityThreshold === FAST && maxCCTPFee > 0n)

/** Circle mints to a token account on Solana, which must be the recipient's own. */
const ownerOnSolana = ({ nonEVMReceiver, solanaReceiverATA }: CctpData, mint: Address): Address | null => {
  const [owner, account] = [nonEVMReceiver, solanaReceiverATA].map((word) => addressOfWord(SOLANA, word))
  return owner && account === associatedTokenAddress(owner, mint) ? owner : null
}

const deliverByCctp = (
  { bridge, data, steps }: Extract<BridgeCall, { readonly facet: 'cctp' }>,
  [from, to]: readonly [ChainId, ChainId],
): Delivery => {
  const usdc = CCTP_USDC[to] ?? ZERO_EVM_ADDRESS
  const recipient = to === SOLANA ? ownerOnSolana(data, usdc) : bridge.receiver
  const minimum = bridge.minAmount - data.polymerTokenFee - data.maxCCTPFee
  const tool = data.minFinalityThreshold === FAST ? 'polymer' : 'polymerStandard'
  return {
    output: { asset: { chainId: to, address: usdc }, minimum: minimum > 0n ? minimum : 0n },
    recipient: recipient ?? ZERO_EVM_ADDRESS,
    // Circle mints the burnt amount. The rest of the steps goes to the call's address, and without steps nothing is left.
    refundTo: steps === null ? 'payer' : data.refundRecipient,
    deadlineAt: null,
    unread: failing({
      'a token that Circle does not mint': bridge.sendingAssetId === CCTP_USDC[from],
      'a receiver on another kind of chain': (bridge.receiver === NO_EVM_RECEIVER) === (to === SOLANA),
      "another's token account": recipient !== null,
      'a hook': data.hookData === '0x',
      'fees without a bound': isCctpFee(data) && minimum > 0n,
      'another tool': bridge.bridge === tool,
    }),
  }
}

const deliverBridge = async (
  call: BridgeCall,
  { left, output }: ReadSteps,
  from: ChainId,
  ports: DecodePorts,
): Promise<Delivery> => {
  const { bridge, facet, steps } = call
  const to = fromWireChain(bridge.destinationChainId)
  if (to === null || !facetsBetween(from, to).includes(facet))
    throw unreadable('destination', 'a chain that the facet does not reach', bridge.destinationChainId)
  const deliver = async (): Promise<Delivery> => {
    if (call.facet === 'across') return deliverByAcross(call, [from, to], ports)
    return call.facet === 'cctp' ? deliverByCctp(call, [from, to]) : deliverIntent(call, [from, to], ports)
  }
  const delivery = await deliver()
  return {
    ...delivery,
    unread: [
      ...delivery.unread,
      ...failing({
        'whether it exchanges first': bridge.hasSourceSwaps === (steps !== null),
        'a call on the other chain': !bridge.hasDestinationCall,
        'another token bridged': output === bridge.sendingAssetId,
        'less bridged than is left': left === null || left === bridge.minAmount,
        'another bridge': TOOLS_OF[facet].includes(bridge.bridge),
      }),
    ],
  }
}

type FeePorts = Pick<DecodePorts, 'pinned' | 'names'>

const readStepsOf = async (call: LifiCall, chainId: ChainId, { pinned, names }: FeePorts): Promise<ReadSteps> => {
  const steps = stepsOf(call)
  if (!isEvmChainId(chainId)) throw unreadable('chain', 'another chain', chainId)
  const { feeForwarders, feeCollectors, feeTreasuries } = pinned
  const [forwarders = [], collectors = [], treasuries = []] = [feeForwarders, feeCollectors, feeTreasuries].map(
    (one) => one[chainId],
  )
  const taker = steps?.find(({ sendingAssetId, receivingAssetId }) => sendingAssetId === receivingAssetId)?.callTo
  const isNew = taker !== undefined && ![...forwarders, ...collectors].includes(taker) && (await names(chainId, taker))
  const contracts = { forwarders: isNew ? [...forwarders, taker] : forwarders, collectors, treasuries }
  const read = steps !== null ? await readSteps(steps, contracts) : call.does === 'bridge' ? plainSteps(call.bridge) : null
  if (read === null) throw unreadable('steps', 'a call without a step')
  return read
}

/** The fees on a call's input, LI.FI's included. */
export const feesIn = async (execution: Pick<Execution, 'payload'>, ports: FeePorts): Promise<bigint> =>
  (await readStepsOf(await callOf(execution), transactionOf(execution).chainId, ports)).fees

/** The effect of a diamond call, by its arguments alone: those of the functions that fix recipient and least amount. */
export const decode = async (execution: Pick<Execution, 'payload'>, ports: DecodePorts): Promise<PayloadClaims> => {
  const { chainId, to } = transactionOf(execution)
  const call = await callOf(execution)
  const read = await readStepsOf(call, chainId, ports)
  const delivery = call.does === 'swap' ? deliverSwap(call, read, chainId) : await deliverBridge(call, read, chainId, ports)
  const input = assetOf(chainId, read.input.token)
  // An exchange cannot be read: the diamond enforces the least amount that it bridges.
  const isExchanged = call.does === 'bridge' && call.steps !== null && read.left === null
  return {
    ...delivery,
    bridged: isExchanged ? { asset: assetOf(chainId, call.bridge.sendingAssetId), amount: call.bridge.minAmount } : null,
    chainId,
    pays: to,
    spender: input.address === NATIVE ? null : to,
    nativeFee: 0n,
    input: { asset: input, amount: read.input.amount },
    fee: read.fee,
    unread: [...read.unread, ...delivery.unread],
  }
}

/** Every call has an id of its own, which its events repeat. */
export const toldApartBy = async ({ execution }: ExecutedSwap): Promise<readonly SwapKey[]> => [
  { kind: 'orderId', value: transactionIdOf(await callOf(execution)) },
]
