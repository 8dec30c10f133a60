import { type Address, parseAddress } from '../../core/address.ts'
import { type Amount, bpsOf, toAmount } from '../../core/amount.ts'
import { type Asset, isNative, nativeAsset } from '../../core/asset.ts'
import { BITCOIN, ecosystemOf } from '../../core/chain.ts'
import type { Binding } from '../../core/execution.ts'
import type { Offer } from '../../core/offer.ts'
import type { VenueOrder } from '../../core/order.ts'
import { demand } from '../kit/demand.ts'
import { minimumAbove } from '../kit/refusals.ts'
import { rejected, VenueError } from '../venueError.ts'
import { halted, type Vault } from './network.ts'
import { type Pools, poolNamed, priceOf } from './pools.ts'
import { fromWire, fromWireUp, isNameOf, leastInWire, parseMemo, REFERENCES, type SwapMemo, toWire } from './protocol.ts'
import { codeOf, VENUE_ID } from './published.ts'
import type { Pool, Quote } from './wire.ts'

/** A fee on the input, and its recipient. */
export type Affiliate = { readonly name: string; readonly bps: number }

/** One side of a swap, in the network's terms. */
export type Side = { readonly asset: Asset; readonly pool: Pool; readonly decimals: number }

export type Ask = {
  readonly order: VenueOrder
  readonly binding: Binding
  readonly input: Side
  readonly output: Side
  readonly fee: Affiliate | null
  readonly vault: Vault
  /** All pools, which resolve parts of names. */
  readonly pools: Pools
}

/** How far a deposit without a memo may lie below the ordered amount: its last digits are its reference. */
export const shavedMax = ({ input }: { readonly input: Asset }): bigint => (input.chainId === BITCOIN ? REFERENCES - 1n : 0n)

/** The amount to price: for a deposit without a memo its smallest possible amount. Eight-decimal units. Throws VenueError. */
export const pricedAmount = ({ order, input }: Pick<Ask, 'order' | 'input'>): bigint => {
  const amount = order.inputAmount - shavedMax(order)
  if (amount <= 0n) throw new VenueError('amountTooSmall', 'thorchain: less than a reference', { minimum: REFERENCES })
  const wire = toWire(amount, input.decimals)
  // The network would keep the digits beyond.
  if (wire === null) throw new VenueError('badRequest', 'thorchain counts no more than eight decimals of an amount')
  return wire
}

/** Whether a refund goes to the payer. The payer of a deposit address is unknown. */
export const isPayersRefund = ({ order, binding }: Pick<Ask, 'order' | 'binding'>): boolean =>
  order.input.chainId !== BITCOIN && binding.refundTo === order.sender

/**
 * Query of GET /thorchain/quote/swap: the price of a swap in one part. For bitcoin the network's memo must fit into an output, so
 * the query has no refund address. The service registers its own memo.
 */
export const toQuoteQuery = (ask: Ask): { readonly [name: string]: string } => {
  const { order, binding, input, output, fee } = ask
  const isRefundSaid = order.input.chainId !== BITCOIN && !isPayersRefund(ask)
  return {
    from_asset: input.pool.asset,
    to_asset: output.pool.asset,
    amount: pricedAmount(ask).toString(),
    destination: binding.recipient,
    liquidity_tolerance_bps: String(order.slippageBps),
    streaming_interval: '0',
    streaming_quantity: '1',
    ...(isRefundSaid ? { refund_address: binding.refundTo } : {}),
    ...(fee === null ? {} : { affiliate: fee.name, affiliate_bps: String(fee.bps) }),
  }
}

/** The terms of an answer. `limit`: the least amount in the memo, in eight-decimal units. */
export type Terms = {
  readonly limit: bigint
  readonly outputAmount: Amount
  readonly guaranteedMin: Amount
  readonly fee: Amount
}

const isAddress = (text: string | null | undefined, { chainId }: Pick<Asset, 'chainId'>, address: Address | null): boolean =>
  (text ? parseAddress(ecosystemOf(chainId), text) : null) === address

const isFee = ({ affiliates }: SwapMemo, fee: Affiliate | null): boolean =>
  affiliates.map(({ name, bps }) => `${name}:${bps}`).join() === (fee === null ? '' : `${fee.name}:${fee.bps}`)

/** The deposit uses our own memo. The network's memo shows whether it understood the request. */
const checkMemo = ({ memo: text = '', expected_amount_out: expected }: Quote, ask: Ask): void => {
  const { order, binding, output, fee, pools } = ask
  const memo = parseMemo(text)
  if (memo === null) throw rejected('memoKind', 'thorchain answered with a memo of another kind', text)
  const refundTo = order.input.chainId === BITCOIN || isPayersRefund(ask) ? null : binding.refundTo
  demand('thorchain answered with', {
    'another output token in its memo': poolNamed(memo.asset, pools) === output.pool.asset,
    'another recipient in its memo': [isAddress(memo.recipient, order.output, binding.recipient), order.output],
    'another refund address in its memo': [isAddress(memo.refundTo, order.input, refundTo), order.input],
    // The network omits a quantity of one from its memo.
    'a swap in parts': memo.interval === 0n && memo.quantity <= 1n,
    'another fee in its memo': [isFee(memo, fee), memo],
    'a minimum above its price': memo.limit <= BigInt(expected),
  })
}

/** Four times the fee to send a refund: some thousand dollars at the highest gas prices. Eight decimals. */
const MINIMUM_USD_MAX = 10_000n * 10n ** 8n

/** Throws VenueError below the recommended minimum: if such a small swap fails, the network may keep the whole deposit. */
const requireRefundable = ({ recommended_min_amount_in: least = '0' }: Quote, { order, input }: Ask): void => {
  if (pricedAmount({ order, input }) >= BigInt(least)) return
  const { asset_tor_price: price = '0', balance_asset: depth = least } = input.pool
  if (BigInt(least) > BigInt(depth) || fromWire(BigInt(least) * BigInt(price), 0) > MINIMUM_USD_MAX)
    throw rejected('recommendedMinimum', 'thorchain recommends a minimum that no fee explains', least)
  const minimum = fromWireUp(BigInt(least), input.decimals) + shavedMax(order)
  throw new VenueError('amountTooSmall', `thorchain recommends ${least} at the least`, minimumAbove(order.inputAmount, minimum))
}

/** `least`: the earlier guarantee, smallest units of the output. Throws VenueError. */
export const toTerms = (answer: Quote, ask: Ask, least = 0n): Terms => {
  const { order, output, vault } = ask
  const { expected_amount_out: expectedText, fees, inbound_address: vaultText, router } = answer
  // For a halted chain the network names no vault.
  const isHalted = vaultText === ''
  demand('thorchain answered with', {
    'another vault': isHalted || vault.active.some((active) => isAddress(vaultText, order.input, active)),
    'another router': (isHalted && !router) || isAddress(router, order.input, vault.router),
    'fees in another token': [isNameOf(fees.asset, output.asset), fees.asset],
  })
  if (isHalted) throw halted(codeOf(order.input))
  checkMemo(answer, ask)
  requireRefundable(answer, ask)
  const expected = BigInt(expectedText)
  const own = bpsOf(expected, 10_000 - order.slippageBps)
  const quoted = leastInWire(least, output.decimals)
  // A price within the slippage of the quote keeps the quoted minimum.
  const limit = quoted > own && quoted <= expected ? quoted : own
  const guaranteedMin = toAmount(fromWire(limit, output.decimals))
  if (guaranteedMin === 0n) throw new VenueError('amountTooSmall', 'the output comes to nothing')
  return {
    limit,
    outputAmount: toAmount(fromWire(expected, output.decimals)),
    guaranteedMin,
    fee: toAmount(fromWire(BigInt(fees.affiliate ?? 0), output.decimals)),
  }
}

const secondsOf = (seconds: unknown): number | null =>
  Number.isSafeInteger(seconds) && Number(seconds) >= 0 ? Number(seconds) : null

/** For a deposit by the router: 60,000 to 120,000 are usual. */
const ROUTER_GAS = 120_000n

export const toOffer = (answer: Quote, terms: Terms, { order, input, output, fee, vault }: Ask): Offer => {
  const isDeposit = order.input.chainId === BITCOIN
  return {
    venue: VENUE_ID,
    executionType: isDeposit ? 'DEPOSIT' : 'TRANSACTION',
    outputAmount: terms.outputAmount,
    fee: { bps: fee?.bps ?? 0, amount: fee === null ? toAmount(0n) : terms.fee },
    slippage: { isFirm: false, guaranteedMin: terms.guaranteedMin },
    gasUnits: isDeposit ? null : ROUTER_GAS,
    spender: isNative(order.input) ? null : vault.router,
    nativeFee: toAmount(0n),
    estimatedTimeSeconds: secondsOf(answer.total_swap_seconds),
    expiresAt: answer.expiry * 1_000,
    decimals: { input: input.decimals, output: output.decimals },
    carry: { v: 1 },
  }
}

/** The network's current cost of returning some of the input, in smallest units of the input, by its own prices. */
export const outboundFeeOf = ({ input, vault, pools }: Pick<Ask, 'input' | 'vault' | 'pools'>): bigint => {
  const { outboundFee } = vault
  if (isNative(input.asset)) return fromWire(outboundFee, input.decimals)
  const [coinPrice, price] = [priceOf(nativeAsset(input.asset.chainId), pools), priceOf(input.asset, pools)]
  return price === 0n ? 0n : fromWire((outboundFee * coinPrice) / price, input.decimals)
}
