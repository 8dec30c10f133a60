import type { Address } from '../../core/address.ts'
import { type Amount, toAmount } from '../../core/amount.ts'
import { isNative, isSameAsset } from '../../core/asset.ts'
import { BITCOIN, isEvmChainId } from '../../core/chain.ts'
import type { Clock } from '../../core/clock.ts'
import type { Binding } from '../../core/execution.ts'
import type { Offer } from '../../core/offer.ts'
import type { VenueOrder } from '../../core/order.ts'
import { demand } from '../kit/demand.ts'
import { grossUp } from '../kit/reprice.ts'
import type { SlippageRule } from '../venue.ts'
import { rejected, VenueError } from '../venueError.ts'
import { STATE_CHAIN_BLOCK_MS, type WireAsset, wireAssetOf } from './protocol.ts'
import { type Quote, quote as quoteShape } from './wire.ts'

export const VENUE_ID = 'chainflip'

/**
 * A broker of the venue uses 2 % by default (tool documents of CumpsD/broker-as-a-service). No document states a maximum; half of
 * the price is our own choice, beyond any intended value.
 */
export const SLIPPAGE_RULE: SlippageRule = { defaultBps: 200, minBps: 1, maxBps: 5_000 }

/** Basis points that a broker may take: `broker_commission` of chainflip-backend. */
export const COMMISSION_BPS_MAX = 1_000

export type Pair = { readonly input: WireAsset; readonly output: WireAsset }

/** Throws VenueError where an asset is not in the catalogue. */
export const pairOf = ({ input, output }: Pick<VenueOrder, 'input' | 'output'>): Pair => {
  const pair = { input: wireAssetOf(input), output: wireAssetOf(output) }
  if (!pair.input || !pair.output || isSameAsset(input, output))
    throw new VenueError('unsupportedPair', 'chainflip: this pair is not served')
  return { input: pair.input, output: pair.output }
}

/** A price request: by a vault call, or by a deposit channel. */
export type Ask = {
  readonly order: VenueOrder
  readonly pair: Pair
  readonly isVaultSwap: boolean
  /** Of our own broker; zero without one. */
  readonly commissionBps: number
}

/** Query of GET /v2/quote. */
export const toQuoteQuery = ({ order, pair, isVaultSwap, commissionBps }: Ask) => ({
  srcChain: pair.input.chain,
  srcAsset: pair.input.symbol,
  destChain: pair.output.chain,
  destAsset: pair.output.symbol,
  amount: order.inputAmount.toString(),
  isVaultSwap: String(isVaultSwap),
  ...(commissionBps > 0 ? { brokerCommissionBps: String(commissionBps) } : {}),
})

export type QuoteQuery = ReturnType<typeof toQuoteQuery>

/**
 * The network's own fees follow the fees of the chains, and may rise between quote and swap. The offer counts half as much again,
 * by our own choice. The recipient gets the unused part.
 */
const atMost = (fee: bigint): bigint => (fee * 3n + 1n) / 2n

/** A price that was checked against the request. Amounts in smallest units. */
export type Terms = {
  /** Net of all fees. */
  readonly outputAmount: Amount
  /** The reported fees on the input and on the output. */
  readonly fees: { readonly ingress: bigint; readonly egress: bigint }
  readonly retryBlocks: number
  readonly seconds: number | null
}

type WireFee = Quote['includedFees'][number]

const feesOf = (kind: 'INGRESS' | 'EGRESS', fees: readonly WireFee[], { chain, symbol }: WireAsset): bigint => {
  const own = fees.filter(({ type }) => type === kind)
  demand('chainflip answered with', {
    [`an ${kind} fee of another asset`]: own.every((fee) => fee.chain === chain && fee.asset === symbol),
  })
  return own.reduce((sum, { amount }) => sum + BigInt(amount), 0n)
}

/** How long the network retries a missed price. Answers without a value use these minutes: section 2.1 of the SDK's quote. */
const retryBlocksOf = (minutes: number | null | undefined, { input, output }: Pair): number => {
  const isBitcoin = [input, output].some(({ asset }) => asset.chainId === BITCOIN)
  return Math.ceil(((minutes ?? (isBitcoin ? 30 : 5)) * 60_000) / STATE_CHAIN_BLOCK_MS)
}

/** Checks the answer's price of a plain swap against the request. Throws VenueError. */
export const toTerms = (answers: readonly unknown[], { order, pair, isVaultSwap }: Ask): Terms => {
  const types = answers.map((row) => (row as { readonly type?: unknown } | null)?.type)
  if (!types.includes('REGULAR')) throw rejected('quoteType', 'chainflip answered without a plain quote', types)
  const answer = quoteShape.read(answers[types.indexOf('REGULAR')])
  const { srcAsset, destAsset, depositAmount, egressAmount, includedFees } = answer
  const isOf = (told: Quote['srcAsset'], { chain, symbol }: WireAsset) => told.chain === chain && told.asset === symbol
  const fees = { ingress: feesOf('INGRESS', includedFees, pair.input), egress: feesOf('EGRESS', includedFees, pair.output) }
  demand('chainflip answered with', {
    'another input token': [isOf(srcAsset, pair.input), srcAsset],
    'another output token': [isOf(destAsset, pair.output), destAsset],
    'another input amount': [BigInt(depositAmount) === order.inputAmount, depositAmount],
    'another kind of swap': [(answer.isVaultSwap ?? false) === isVaultSwap, answer.isVaultSwap],
    'no output': BigInt(egressAmount) > 0n,
    'a fee that is more than the input': fees.ingress < order.inputAmount,
  })
  return {
    outputAmount: toAmount(BigInt(egressAmount)),
    fees,
    retryBlocks: retryBlocksOf(answer.recommendedRetryDurationMinutes, pair),
    seconds: answer.estimatedDurationSeconds == null ? null : Math.ceil(answer.estimatedDurationSeconds),
  }
}

/** The amounts at which the network's fees are counted. */
export type CountedFees = { readonly ingress: bigint; readonly egress: bigint }

export const countedFees = ({ fees: { ingress, egress } }: Pick<Terms, 'fees'>): CountedFees => ({
  ingress: atMost(ingress),
  egress: atMost(egress),
})

/**
 * The least delivery at a minimum price. The network applies the price to the deposit less the ingress fee, and compares the
 * output after all shares of the network and of brokers. The egress fee comes off after that. `check_swap_price_violation` in
 * state-chain/pallets/cf-swapping of chainflip-backend, 2026-08-21.
 */
export const leastAt = (minPriceX128: bigint, amount: bigint, { ingress, egress }: CountedFees): bigint => {
  const least = (((amount > ingress ? amount - ingress : 0n) * minPriceX128) >> 128n) - egress
  return least > 0n ? least : 0n
}

/** The last bits of a price have no value. They distinguish two otherwise equal calls. */
const MARK_BITS = 40
const COUNTED_BITS = 8

/** Marks: the millisecond, and a counter within it. */
export const createMarks = ({ now }: Clock): (() => bigint) => {
  let count = 0n
  return () => {
    count += 1n
    return BigInt.asUintN(MARK_BITS, (BigInt(now()) << BigInt(COUNTED_BITS)) + BigInt.asUintN(COUNTED_BITS, count))
  }
}

/** The lowest price, times 2^128, that delivers this amount; `mark` replaces its last digits. */
export const minPriceFor = (least: bigint, amount: bigint, fees: CountedFees, mark: bigint): bigint => {
  const swapped = amount - fees.ingress
  const price = (((least + fees.egress) << 128n) + swapped - 1n) / swapped
  return (((price >> BigInt(MARK_BITS)) + 1n) << BigInt(MARK_BITS)) + mark
}

/** The guarantee of the offer. Throws VenueError where possible fee increases leave no amount. */
export const guaranteedOf = (terms: Terms, { inputAmount, slippageBps }: VenueOrder): Amount => {
  const least = (terms.outputAmount * BigInt(10_000 - slippageBps)) / 10_000n
  const fees = countedFees(terms)
  const asked = { swapped: inputAmount - fees.ingress, bought: least + fees.egress }
  const now = { swapped: inputAmount - terms.fees.ingress, bought: terms.outputAmount + terms.fees.egress }
  // A price above the current one would never be met.
  if (least === 0n || asked.swapped <= 0n || asked.bought * now.swapped > now.bought * asked.swapped)
    throw new VenueError('amountTooSmall', 'chainflip: the tolerance is less than what fees may rise by')
  return toAmount(least)
}

/** No answer states how long its price holds. Execute asks again, and the minimum binds the result. */
const LIFETIME_MS = 30_000

/** Our own figures: a vault call with its event, and a token's transfer. The vault checks only the amount. */
const GAS = { coins: 60_000n, token: 110_000n }

export const toOffer = (
  terms: Terms,
  { order, pair, isVaultSwap, commissionBps }: Ask,
  { now, vault: spender }: { readonly now: number; readonly vault: Address | null },
): Offer => {
  const { input } = order
  const isToken = isEvmChainId(input.chainId) && !isNative(input)
  return {
    venue: VENUE_ID,
    executionType: isVaultSwap ? 'TRANSACTION' : 'DEPOSIT',
    outputAmount: terms.outputAmount,
    fee: { bps: commissionBps, amount: toAmount(grossUp(terms.outputAmount, commissionBps, commissionBps)) },
    slippage: { isFirm: true, guaranteedMin: guaranteedOf(terms, order) },
    gasUnits: isVaultSwap ? (isToken ? GAS.token : GAS.coins) : null,
    spender,
    nativeFee: toAmount(0n),
    estimatedTimeSeconds: terms.seconds,
    expiresAt: now + LIFETIME_MS,
    decimals: { input: pair.input.decimals, output: pair.output.decimals },
    carry: { v: 1 },
  }
}

/** A channel to open or a call to build: the ask with its parties. */
export type Wish = Ask & { readonly binding: Binding; readonly minPriceX128: bigint; readonly retryBlocks: number }

/** Body of POST /api/openSwapDepositChannel. It never asks for a boost, which would cost more than the quote. */
export const toChannelRequest = ({ order, pair, binding, minPriceX128, retryBlocks }: Wish) => ({
  srcAsset: { chain: pair.input.chain, asset: pair.input.symbol },
  destAsset: { chain: pair.output.chain, asset: pair.output.symbol },
  destAddress: binding.recipient,
  amount: order.inputAmount.toString(),
  fillOrKillParams: {
    retryDurationBlocks: retryBlocks,
    refundAddress: binding.refundTo,
    minPriceX128: minPriceX128.toString(),
    maxOraclePriceSlippage: null,
  },
})

export type ChannelRequest = ReturnType<typeof toChannelRequest>

/** Body of POST /api/encodeVaultSwapData. */
export const toVaultSwapRequest = (wish: Wish, broker: string | null) => ({
  ...toChannelRequest(wish),
  commissionBps: wish.commissionBps,
  ...(broker === null ? {} : { brokerAccount: broker }),
})

export type VaultSwapRequest = ReturnType<typeof toVaultSwapRequest>
