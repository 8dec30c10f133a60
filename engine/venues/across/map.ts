import { type Address, parseAddress, ZERO_EVM_ADDRESS } from '../../core/address.ts'
import { type Amount, bpsOf, parseAmount, toAmount } from '../../core/amount.ts'
import { type Asset, NATIVE } from '../../core/asset.ts'
import { type ChainId, ecosystemOf, SOLANA } from '../../core/chain.ts'
import type { Binding, WalletTransaction } from '../../core/execution.ts'
import type { Offer, Slippage } from '../../core/offer.ts'
import type { Order, VenueOrder } from '../../core/order.ts'
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

/** Basis points as an exact decimal fraction: 15 is `0.0015`. */
export const fractionOf = (bps: number): string => {
  const digits = String(bps).padStart(5, '0')
  const fraction = digits.slice(-4).replace(/(?<!0)0+$/, '')
  const whole = digits.slice(0, -4)
  return fraction === '' ? whole : `${whole}.${fraction}`
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

const bad = (what: string): VenueError => new VenueError('badResponse', `across answered with another ${what}`)

const amountOf = (text: string, what: string): Amount => {
  const amount = parseAmount(text)
  if (amount === null) throw bad(what)
  return amount
}

const isToken = ({ address, chainId }: WireToken, asset: Asset): boolean =>
  chainId === toWireChain(asset.chainId) &&
  parseAddress(ecosystemOf(asset.chainId), address) === parseAddress(ecosystemOf(asset.chainId), toWireToken(asset))

/**
 * Routes that can be proved before a wallet signs. The others end in calls of an exchange on the destination chain, or
 * go through a chain in between, and nothing in the calldata bounds what those calls do with the money.
 */
const PROVABLE = new Set(['bridgeableToBridgeable', 'anyToBridgeable'])

const checkRoute = ({ crossSwapType, steps }: SwapApproval, { input }: Order): void => {
  if (steps.bridge.provider !== 'across') throw bad('bridge')
  const isProvable = PROVABLE.has(crossSwapType) && (input.chainId !== SOLANA || crossSwapType === 'bridgeableToBridgeable')
  if (!isProvable) throw new VenueError('unsupportedPair', `a route of type ${crossSwapType} cannot be proved`)
}

const checkEcho = (answer: SwapApproval, { input, output, inputAmount }: Order): void => {
  if (answer.amountType !== 'exactInput') throw bad('trade type')
  if (!isToken(answer.inputToken, input)) throw bad('input token')
  if (!isToken(answer.outputToken, output)) throw bad('output token')
  if (amountOf(answer.inputAmount, 'input amount') !== inputAmount) throw bad('input amount')
}

const readTransaction = (
  { swapTx }: SwapApproval,
  { input, inputAmount }: Order,
  contracts: ContractTable,
): WalletTransaction => {
  const { chainId } = input
  const to = parseAddress(ecosystemOf(chainId), swapTx.to)
  if (swapTx.chainId !== toWireChain(chainId)) throw bad('chain')
  if (to === null || contracts[chainId]?.includes(to) !== true) throw bad('contract')
  if (swapTx.data.startsWith('0x') !== (chainId !== SOLANA)) throw bad('kind of transaction')
  const value = amountOf(swapTx.value ?? '0', 'value')
  if (value !== (input.address === NATIVE ? inputAmount : 0n)) throw bad('value')
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
  const bridged = amountOf(answer.steps.bridge.outputAmount, 'bridged amount')
  const due = bpsOf(bridged, fee?.bps ?? 0)
  const reported = answer.fees?.total.details?.app?.amount
  if (bridged - due !== minimum) throw bad('sum of output and fee')
  if (reported !== undefined && amountOf(reported, 'fee') !== due) throw bad('fee')
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
  const expected = amountOf(answer.expectedOutputAmount, 'output amount')
  return isPlainBridge(transaction) && minimum >= expected - bpsOf(expected, slippageBps) && minimum <= expected
    ? minimum
    : expected
}

const readSlippage = (expected: bigint, minimum: Amount): Slippage => {
  if (minimum <= 0n || minimum > expected) throw bad('minimum output')
  return { isFirm: true, guaranteedMin: minimum }
}

/** Holds an answer against the question. Throws VenueError. */
export const toTerms = (answer: SwapApproval, ask: Ask, contracts: ContractTable): Terms => {
  const { order, fee } = ask
  checkEcho(answer, order)
  checkRoute(answer, order)
  const transaction = readTransaction(answer, order, contracts)
  checkRefund(transaction, ask)
  const minimum = amountOf(answer.minOutputAmount, 'minimum output')
  const outputAmount = readOutput(answer, minimum, { transaction, slippageBps: order.slippageBps })
  const feeAmount = readFee(answer, minimum, fee)
  const gas = answer.swapTx.gas ?? '0'
  return {
    outputAmount,
    slippage: readSlippage(outputAmount, minimum),
    feeAmount,
    transaction,
    gasUnits: gas === '0' ? null : amountOf(gas, 'gas'),
  }
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
  const { transaction } = terms
  const spender: Address | null = isErc20(order.input) ? transaction.to : null
  return {
    venue: 'across',
    executionType: 'TRANSACTION',
    outputAmount: terms.outputAmount,
    fee: { bps: fee?.bps ?? 0, amount: terms.feeAmount },
    slippage: promised(terms, order.slippageBps),
    gasUnits: terms.gasUnits,
    spender,
    nativeFee: toAmount(0n),
    estimatedTimeSeconds: answer.expectedFillTime,
    expiresAt: expiryOf(answer, now),
    decimals: { input: answer.inputToken.decimals, output: answer.outputToken.decimals },
    carry: { v: 1 },
  }
}

const isErc20 = ({ chainId, address }: Asset): boolean => (chainId satisfies ChainId) !== SOLANA && address !== NATIVE
