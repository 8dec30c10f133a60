import { parseAddress, ZERO_EVM_ADDRESS } from '../../core/address.ts'
import { type Amount, bpsOf, toAmount } from '../../core/amount.ts'
import { type Asset, NATIVE } from '../../core/asset.ts'
import { ecosystemOf, SOLANA } from '../../core/chain.ts'
import type { Binding, PayloadClaims, WalletTransaction } from '../../core/execution.ts'
import type { Offer, Slippage } from '../../core/offer.ts'
import type { VenueOrder } from '../../core/order.ts'
import { addressIn } from '../kit/addresses.ts'
import { demand } from '../kit/demand.ts'
import { fractionOf } from '../kit/fractionOf.ts'
import type { AddressesByChain } from '../kit/settings.ts'
import { checkId, rejected, VenueError } from '../venueError.ts'
import { toWireChain } from './published.ts'
import { askedSlippageBps } from './slippage.ts'
import type { SwapApproval, WireToken } from './wire.ts'

/** A requested fee; null for none. */
export type AppFee = { readonly bps: number; readonly recipient: string }

export type Ask = {
  readonly order: VenueOrder
  readonly binding: Binding
  readonly fee: AppFee | null
  readonly integratorId: string | null
  /** True omits the vendor's reads of the wallet: quicker, and works for an empty wallet. */
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

/** An answer after the check against its order. */
export type Terms = {
  readonly outputAmount: Amount
  readonly slippage: Slippage
  readonly feeAmount: Amount
  readonly transaction: WalletTransaction
  readonly gasUnits: bigint | null
}

/** The schema has already validated this as an integer. */
const amountIn = (text: string): Amount => toAmount(BigInt(text))

const isToken = ({ address, chainId }: WireToken, asset: Asset): boolean =>
  chainId === toWireChain(asset.chainId) &&
  parseAddress(ecosystemOf(asset.chainId), address) === parseAddress(ecosystemOf(asset.chainId), toWireToken(asset))

/** Routes that can be proved before a wallet signs. */
const SOLD = ['bridgeableToBridgeable', 'anyToBridgeable']
/**
 * Routes that end in exchange calls on the destination chain, or go through a chain in between: no calldata bounds those calls.
 * `crossSwapType` of docs.across.to, GET /swap/approval. On Solana also an exchange before the bridge.
 */
const NOT_SOLD = ['bridgeableToAny', 'anyToAny', 'bridgeableToBridgeableIndirect']
/** Parts of an exchange that stay unread: calls of the message, and on Solana the program of Jupiter, which Across uses. */
const EXCHANGE =
  /^(call \d+ of the message|addresses from a lookup table|instruction of JUP6LkbZbjS1jKKwapdHNy74zcZ3tLUZoi5QNyVTaV4)$/
/** Documented limits that a payload shows. */
const LIMITS = ['whether the output arrives wrapped', 'a message where no handler is published']

/** Throws VenueError where there are problems: `notSold` where documented limits explain them all, else `rejected`. */
export const refuseProblems = (problems: readonly string[], isLimit: (problem: string) => boolean): void => {
  const unknown = problems.find((problem) => !isLimit(problem))
  const what = `across answered with what cannot be proved: ${problems.join(', ')}`
  if (unknown !== undefined) throw rejected(checkId(unknown), what, problems)
  if (problems.length > 0) throw new VenueError('unsupportedPair', what, { reason: 'notSold' })
}

/** Refuses routes that are not sold, after checking that the payload has no other problem than the exchange of such a route. */
export const checkRoute = ({ crossSwapType }: SwapApproval, { input }: VenueOrder, { unread }: PayloadClaims): void => {
  const isNotSold = NOT_SOLD.includes(crossSwapType) || (input.chainId === SOLANA && crossSwapType === 'anyToBridgeable')
  // The exchange after the bridge pays another amount than the deposit states.
  const limits = [...LIMITS, crossSwapType, 'an output nobody fills']
  const isLimit = (problem: string): boolean => limits.includes(problem) || EXCHANGE.test(problem)
  if (isNotSold) refuseProblems([crossSwapType, ...unread], isLimit)
  if (!SOLD.includes(crossSwapType)) throw rejected('crossSwapType', 'across answered with another type of route', crossSwapType)
  if (LIMITS.some((limit) => unread.includes(limit))) refuseProblems(unread, (problem) => LIMITS.includes(problem))
}

const checkEcho = (answer: SwapApproval, { input, output, inputAmount }: VenueOrder): void =>
  demand('across answered with', {
    'another trade type': [answer.amountType === 'exactInput', answer.amountType],
    'another input token': [isToken(answer.inputToken, input), answer.inputToken],
    'another output token': [isToken(answer.outputToken, output), answer.outputToken],
    'another input amount': [amountIn(answer.inputAmount) === inputAmount, answer.inputAmount],
    'another bridge': [(answer.steps.bridge.provider ?? 'across') === 'across', answer.steps.bridge.provider],
  })

/** The old periphery always refunds its caller, so no other refund address is possible. */
const REFUNDS_THE_CALLER = '0x656a20e6'

const checkRefund = (data: string, { order: { input, sender }, binding: { refundTo } }: Ask): void => {
  const isFixed = input.chainId === SOLANA || data.toLowerCase().startsWith(REFUNDS_THE_CALLER)
  if (isFixed && refundTo !== sender) throw new VenueError('badRequest', 'refunds go to the sender only', { party: 'refundTo' })
}

/** The transaction of an answer, checked against its order. Throws VenueError. */
export const readTransaction = (answer: SwapApproval, ask: Ask, contracts: AddressesByChain): WalletTransaction => {
  checkEcho(answer, ask.order)
  const { swapTx } = answer
  const { input, inputAmount } = ask.order
  const { chainId } = input
  const to = addressIn(chainId, swapTx.to, 'the contract')
  const value = amountIn(swapTx.value ?? '0')
  const found = `${chainId}:${to} (not pinned; VENUE_ACROSS_EXTRA_CONTRACTS adds a periphery, VENUE_ACROSS_SPOKE_POOLS a SpokePool)`
  if (!contracts[chainId]?.includes(to)) throw rejected('contract', `across answered with another contract: ${found}`, found)
  demand('across answered with', {
    'another chain': [swapTx.chainId === toWireChain(chainId), swapTx.chainId],
    'another kind of transaction': swapTx.data.startsWith('0x') === (chainId !== SOLANA),
    'another value': value === (input.address === NATIVE ? inputAmount : 0n),
  })
  const { data } = swapTx
  checkRefund(data, ask)
  return { chainId, to, data, value, ...(chainId === SOLANA ? { serialized: data } : {}) }
}

/** `swapAndBridge`: the only call with an exchange before the deposit, and so the only one with slippage. */
const SWAPS_FIRST = '0x110560ad'

const isPlainBridge = ({ data }: WalletTransaction): boolean => !data.toLowerCase().startsWith(SWAPS_FIRST)

/** The app fee is a share of the bridge's output, rounded down: api/_dexes/utils.ts, calculateAppFee. */
const readFee = (answer: SwapApproval, minimum: bigint, fee: AppFee | null): Amount => {
  const bridged = amountIn(answer.steps.bridge.outputAmount)
  const due = bpsOf(bridged, fee?.bps ?? 0)
  demand('across answered with', {
    'another sum of output and fee': bridged - due === minimum,
    'another fee': amountIn(answer.fees?.total?.details?.app?.amount ?? String(due)) === due,
  })
  // A requested fee that the calldata lacks could not be proved at execute.
  if (fee !== null && due === 0n) throw new VenueError('amountTooSmall', 'the app fee comes to nothing')
  return toAmount(due)
}

/**
 * A plain bridge delivers exactly the output of its calldata. A higher expected output is unproved, and is passed on only so that
 * the engine can reject a disproportionate one. The calldata decides which case it is, because `crossSwapType` is unproved.
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

/** Checks an answer against its request. Throws VenueError. */
export const toTerms = (answer: SwapApproval, ask: Ask, transaction: WalletTransaction): Terms => {
  const { order, fee } = ask
  const minimum = amountIn(answer.minOutputAmount)
  const outputAmount = readOutput(answer, minimum, { transaction, slippageBps: order.slippageBps })
  const feeAmount = readFee(answer, minimum, fee)
  demand('across answered with', { 'another minimum output': minimum > 0n && minimum <= outputAmount })
  const gas = amountIn(answer.swapTx.gas ?? '0')
  const slippage = { isFirm: true, guaranteedMin: minimum } as const
  return { outputAmount, slippage, feeAmount, transaction, gasUnits: gas === 0n ? null : gas }
}

/** Destination swaps live 30 s, and prices move: the limit for all offers. */
const LIFETIME_MS = 30_000

const expiryOf = ({ quoteExpiryTimestamp }: SwapApproval, now: number): number | null => {
  if (!quoteExpiryTimestamp) return null
  const expiresAt = Math.min(quoteExpiryTimestamp * 1_000, now + LIFETIME_MS)
  if (expiresAt <= now) throw rejected('expiry', 'across answered with a quote already expired', quoteExpiryTimestamp)
  return expiresAt
}

/**
 * The promise until execute, which asks again. A plain bridge quotes its exact output as its minimum, and one more unit of
 * relayer gas would otherwise void the quote. The payload enforces the minimum that it was built with, never less.
 */
const promised = ({ outputAmount, slippage }: Terms, slippageBps: number): Slippage => {
  const least = outputAmount - bpsOf(outputAmount, slippageBps)
  if (slippage.guaranteedMin <= least) return slippage
  return { isFirm: true, guaranteedMin: toAmount(least) }
}

const SECONDS_MAX = 604_800

export const toOffer = (answer: SwapApproval, terms: Terms, { order, fee }: Ask, now: number): Offer => {
  const { expectedFillTime: seconds } = answer
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
    // An invalid time is no reason to reject a price.
    estimatedTimeSeconds: typeof seconds === 'number' && seconds >= 0 && seconds <= SECONDS_MAX ? seconds : null,
    expiresAt: expiryOf(answer, now),
    decimals: { input: answer.inputToken.decimals, output: answer.outputToken.decimals },
    carry: { v: 1 },
  }
}
