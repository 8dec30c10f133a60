import { parseAddress, ZERO_EVM_ADDRESS } from '../../core/address.ts'
import { type Amount, bpsOf, toAmount } from '../../core/amount.ts'
import { type Asset, NATIVE } from '../../core/asset.ts'
import { ecosystemOf, SOLANA } from '../../core/chain.ts'
import type { Binding, WalletTransaction } from '../../core/execution.ts'
import type { Offer, Slippage } from '../../core/offer.ts'
import type { VenueOrder } from '../../core/order.ts'
import { addressIn } from '../kit/addresses.ts'
import { demand } from '../kit/demand.ts'
import { fractionOf } from '../kit/fractionOf.ts'
import { VenueError } from '../venueError.ts'
import { type ContractTable, toWireChain } from './published.ts'
import { askedSlippageBps } from './slippage.ts'
import type { SwapApproval, WireToken } from './wire.ts'

/** A fee to ask for; null asks for none. */
export type AppFee = { readonly bps: number; readonly recipient: string }

export type Ask = {
  readonly order: VenueOrder
  readonly binding: Binding
  readonly fee: AppFee | null
  readonly integratorId: string | null
  /** True leaves out the vendor's reads of the wallet: quicker, and the wallet need not hold anything yet. */
  readonly isPreview: boolean
}

const toWireToken = ({ address }: Asset): string => (address === NATIVE ? ZERO_EVM_ADDRESS : address)

/** Query of GET /swap/approval. */
export const toQuery = ({ order, binding, fee, integratorId, isPreview }: Ask): { readonly [name: string]: string } => {
  const { input, output, inputAmount, sender, slippageBps } = order
  return {
    tradeType: 'exactInput',
    amount: inputAmount.toString(),
    inputToken: toWireToken(input),
    outputToken: toWireToken(output),
    originChainId: String(toWireChain(input.chainId)),
    destinationChainId: String(toWireChain(output.chainId)),
    depositor: sender,
    recipient: binding.recipient,
    refundAddress: binding.refundTo,
    refundOnOrigin: 'true',
    // Anything but `across` may answer with CCTP or OFT: other contracts, and no expiry.
    routingPreference: 'across',
    slippage: fractionOf(askedSlippageBps(slippageBps, fee?.bps ?? 0)),
    ...(fee === null ? {} : { appFee: fractionOf(fee.bps), appFeeRecipient: fee.recipient }),
    ...(integratorId === null ? {} : { integratorId }),
    ...(isPreview ? { skipOriginTxEstimation: 'true', skipChecks: 'true' } : {}),
  }
}

/** An answer that was held against what was asked. */
export type Terms = {
  readonly outputAmount: Amount
  readonly slippage: Slippage
  readonly feeAmount: Amount
  readonly transaction: WalletTransaction
  readonly gasUnits: bigint | null
}

/** Shapes have let pass none but amounts. */
const amountIn = (text: string): Amount => toAmount(BigInt(text))

const isToken = ({ address, chainId }: WireToken, asset: Asset): boolean =>
  chainId === toWireChain(asset.chainId) &&
  parseAddress(ecosystemOf(asset.chainId), address) === parseAddress(ecosystemOf(asset.chainId), toWireToken(asset))

/**
 * Routes that can be proved before a wallet signs. The others end in calls of an exchange on the destination chain, or
 * go through a chain in between, and nothing in the calldata bounds what those calls do with the money.
 */
const PROVABLE = new Set(['bridgeableToBridgeable', 'anyToBridgeable'])

const checkRoute = ({ crossSwapType }: SwapApproval, { input }: VenueOrder): void => {
  const isProvable = PROVABLE.has(crossSwapType) && (input.chainId !== SOLANA || crossSwapType === 'bridgeableToBridgeable')
  if (!isProvable) throw new VenueError('unsupportedPair', `a route of type ${crossSwapType} cannot be proved`)
}

const checkEcho = (answer: SwapApproval, { input, output, inputAmount }: VenueOrder): void =>
  demand('across answered with', {
    'another trade type': answer.amountType === 'exactInput',
    'another input token': isToken(answer.inputToken, input),
    'another output token': isToken(answer.outputToken, output),
    'another input amount': amountIn(answer.inputAmount) === inputAmount,
    'another bridge': answer.steps.bridge.provider === 'across',
  })

const readTransaction = (
  { swapTx }: SwapApproval,
  { input, inputAmount }: VenueOrder,
  contracts: ContractTable,
): WalletTransaction => {
  const { chainId } = input
  const to = addressIn(chainId, swapTx.to, 'the contract')
  const value = amountIn(swapTx.value ?? '0')
  demand('across answered with', {
    'another chain': swapTx.chainId === toWireChain(chainId),
    'another contract': contracts[chainId]?.includes(to) === true,
    'another kind of transaction': swapTx.data.startsWith('0x') === (chainId !== SOLANA),
    'another value': value === (input.address === NATIVE ? inputAmount : 0n),
  })
  return { chainId, to, data: swapTx.data, value, ...(chainId === SOLANA ? { serialized: swapTx.data } : {}) }
}

/** `swapAndBridge`: the only call that exchanges anything before it deposits, and so the only one with a price to slip. */
const SWAPS_FIRST = '0x110560ad'

const isPlainBridge = ({ data }: WalletTransaction): boolean => !data.toLowerCase().startsWith(SWAPS_FIRST)

/** The old periphery refunds whoever calls it, so that no other refund address can be had from it. */
const REFUNDS_THE_CALLER = '0x656a20e6'

const checkRefund = ({ data, chainId }: WalletTransaction, { order: { sender }, binding: { refundTo } }: Ask): void => {
  const isFixed = chainId === SOLANA || data.toLowerCase().startsWith(REFUNDS_THE_CALLER)
  if (isFixed && refundTo !== sender) throw new VenueError('badRequest', 'refunds go to the sender only', { party: 'refundTo' })
}

/** The app fee is taken from what the bridge delivers, rounded down: api/_dexes/utils.ts, calculateAppFee. */
const readFee = (answer: SwapApproval, minimum: bigint, fee: AppFee | null): Amount => {
  const bridged = amountIn(answer.steps.bridge.outputAmount)
  const due = bpsOf(bridged, fee?.bps ?? 0)
  demand('across answered with', {
    'another sum of output and fee': bridged - due === minimum,
    'another fee': amountIn(answer.fees?.total.details?.app?.amount ?? String(due)) === due,
  })
  // A fee that was asked for and is not in the calldata could not be proved at execute.
  if (fee !== null && due === 0n) throw new VenueError('amountTooSmall', 'the app fee comes to nothing')
  return toAmount(due)
}

/**
 * A plain bridge delivers what its calldata says and no more: a higher expectation is nobody's word, and is believed
 * only so far that the engine sees when it is out of all proportion. The calldata tells which it is: `crossSwapType` is
 * only a word.
 */
const readOutput = (
  answer: SwapApproval,
  minimum: Amount,
  { transaction, slippageBps }: { readonly transaction: WalletTransaction; readonly slippageBps: number },
): Amount => {
  const expected = amountIn(answer.expectedOutputAmount)
  return isPlainBridge(transaction) && minimum >= expected - bpsOf(expected, slippageBps) && minimum <= expected
    ? minimum
    : expected
}

/** Holds an answer against the question. Throws VenueError. */
export const toTerms = (answer: SwapApproval, ask: Ask, contracts: ContractTable): Terms => {
  const { order, fee } = ask
  checkEcho(answer, order)
  checkRoute(answer, order)
  const transaction = readTransaction(answer, order, contracts)
  checkRefund(transaction, ask)
  const minimum = amountIn(answer.minOutputAmount)
  const outputAmount = readOutput(answer, minimum, { transaction, slippageBps: order.slippageBps })
  const feeAmount = readFee(answer, minimum, fee)
  demand('across answered with', { 'another minimum output': minimum > 0n && minimum <= outputAmount })
  const gas = amountIn(answer.swapTx.gas ?? '0')
  const slippage = { isFirm: true, guaranteedMin: minimum } as const
  return { outputAmount, slippage, feeAmount, transaction, gasUnits: gas === 0n ? null : gas }
}

/** Destination swaps live 30 s, and prices move: no longer than that for any. */
const LIFETIME_MS = 30_000

const expiryOf = ({ quoteExpiryTimestamp }: SwapApproval, now: number): number | null => {
  if (quoteExpiryTimestamp === 0) return null
  const expiresAt = Math.min(quoteExpiryTimestamp * 1_000, now + LIFETIME_MS)
  if (expiresAt <= now) throw new VenueError('badResponse', 'across answered with a quote already expired')
  return expiresAt
}

/**
 * What is promised until execute, which asks again: a plain bridge quotes its exact output as its minimum, and one unit
 * more of relayer gas would otherwise undo the quote. The payload enforces the minimum it was built with, never less.
 */
const promised = ({ outputAmount, slippage }: Terms, slippageBps: number): Slippage => {
  const least = outputAmount - bpsOf(outputAmount, slippageBps)
  if (slippage.guaranteedMin <= least) return slippage
  return { isFirm: true, guaranteedMin: toAmount(least) }
}

export const toOffer = (answer: SwapApproval, terms: Terms, { order, fee }: Ask, now: number): Offer => {
  const isErc20 = order.input.chainId !== SOLANA && order.input.address !== NATIVE
  return {
    venue: 'across',
    executionType: 'TRANSACTION',
    outputAmount: terms.outputAmount,
    fee: { bps: fee?.bps ?? 0, amount: terms.feeAmount },
    slippage: promised(terms, order.slippageBps),
    gasUnits: terms.gasUnits,
    spender: isErc20 ? terms.transaction.to : null,
    nativeFee: toAmount(0n),
    estimatedTimeSeconds: answer.expectedFillTime,
    expiresAt: expiryOf(answer, now),
    decimals: { input: answer.inputToken.decimals, output: answer.outputToken.decimals },
    carry: { v: 1 },
  }
}
