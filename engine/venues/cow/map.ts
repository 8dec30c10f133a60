import { type Address, ZERO_EVM_ADDRESS } from '../../core/address.ts'
import { toAmount } from '../../core/amount.ts'
import { isNative } from '../../core/asset.ts'
import type { Offer } from '../../core/offer.ts'
import type { Order, VenueOrder } from '../../core/order.ts'
import { demand } from '../kit/demand.ts'
import type { SlippageRule } from '../venue.ts'
import { rejected, VenueError } from '../venueError.ts'
import { type NetAmounts, netAmounts } from './amounts.ts'
import { type AppDataDocument, type AppDataTerms, PARTNER_FEE_BPS_MAX } from './appData.ts'
import { type CowBook, type CowNetwork, sellTokenOf } from './published.ts'
import type { OfferCarry, WireQuote } from './wire.ts'

/** The operator's settings of the venue. */
export type CowSettings = { readonly appCode: string; readonly feeRecipient: Address | null }

/** Gas of `createOrder`, our estimate, because no API field states it: some 57,000 in practice, and a margin. */
export const CREATE_ORDER_GAS = 80_000n

/** The default lifetime of an order in the venue's SDK. */
export const ORDER_LIFETIME_MS = 30 * 60_000

/**
 * The default of the venue's SDK and app, native coins included: packages/trading/src/consts.ts in cowprotocol/cow-sdk. A quote
 * request has no slippage field: it lowers the signed amount.
 */
export const SLIPPAGE_RULE: SlippageRule = { defaultBps: 50, minBps: 1, maxBps: 10_000 }

export const validToAt = (now: number): number => Math.floor((now + ORDER_LIFETIME_MS) / 1_000)

export const termsOf = (order: VenueOrder, { appCode, feeRecipient }: CowSettings): AppDataTerms => ({
  appCode,
  slippageBps: order.slippageBps,
  partnerFee:
    order.feeBps > 0 && feeRecipient ? { recipient: feeRecipient, bps: Math.min(order.feeBps, PARTNER_FEE_BPS_MAX) } : null,
})

/** The order book reads the zero address as "the owner", which differs from the caller's request. */
export const refuseZeroRecipient = (recipient: Address): void => {
  if (recipient === ZERO_EVM_ADDRESS)
    throw new VenueError('badRequest', 'the zero address stands for the owner', { party: 'recipient' })
}

/** The signing scheme of the contract that places native-coin orders, and the fields of its quote requests. */
const ETH_FLOW_SIGNING = { signingScheme: 'eip1271', onchainOrder: true, verificationGasLimit: 0 } as const

/** https://docs.cow.fi/cow-protocol/reference/apis/orderbook: POST /api/v1/quote. */
export const toQuoteRequest = (order: Order, network: CowNetwork, appData: AppDataDocument, now: number) => ({
  sellToken: sellTokenOf(network, order.input),
  buyToken: order.output.address,
  from: order.sender,
  receiver: order.recipient,
  kind: 'sell',
  sellAmountBeforeFee: order.inputAmount.toString(),
  validTo: validToAt(now),
  appData: appData.text,
  appDataHash: appData.hash,
  sellTokenBalance: 'erc20',
  buyTokenBalance: 'erc20',
  ...(isNative(order.input) ? ETH_FLOW_SIGNING : { signingScheme: 'eip712' }),
  // `optimal` is the highest reported price, without simulation: https://github.com/cowprotocol/services/pull/4805
  priceQuality: 'verified',
  timeout: network.quoteTimeoutMs,
})

const isAddress = (text: string, expected: Address): boolean => text.toLowerCase() === expected.toLowerCase()

type Asked = {
  readonly order: Order
  readonly network: CowBook
  readonly terms: AppDataTerms
  readonly appData: AppDataDocument
}

/** Rejects a price that does not match the request. */
const demandEcho = ({ quote, from }: WireQuote, { order, network, appData }: Asked): void => {
  const scheme = isNative(order.input) ? 'eip1271' : 'eip712'
  demand('quote: not as asked', {
    sellToken: isAddress(quote.sellToken, sellTokenOf(network, order.input)),
    buyToken: [isAddress(quote.buyToken, order.output.address), quote.buyToken],
    receiver: isAddress(quote.receiver ?? order.sender, order.recipient),
    from: [isAddress(from, order.sender), from],
    kind: [quote.kind === 'sell', quote.kind],
    partiallyFillable: !quote.partiallyFillable,
    sellTokenBalance: [(quote.sellTokenBalance ?? 'erc20') === 'erc20', quote.sellTokenBalance],
    buyTokenBalance: [(quote.buyTokenBalance ?? 'erc20') === 'erc20', quote.buyTokenBalance],
    signingScheme: [(quote.signingScheme ?? scheme) === scheme, quote.signingScheme],
    appData: quote.appData === appData.text || quote.appData.toLowerCase() === appData.hash,
    appDataHash: quote.appDataHash.toLowerCase() === appData.hash,
  })
}

const readAmounts = ({ quote, protocolFeeBps }: WireQuote, order: Order, terms: AppDataTerms): NetAmounts => {
  const sellAmount = BigInt(quote.sellAmount)
  const buyAmount = BigInt(quote.buyAmount)
  const feeAmount = BigInt(quote.feeAmount)
  demand('quote', { 'nothing is left to sell': sellAmount > 0n, 'another input': sellAmount + feeAmount === order.inputAmount })
  const amounts = netAmounts({
    sellAmount,
    buyAmount,
    feeAmount,
    protocolFeeBps: protocolFeeBps ?? '0',
    partnerFeeBps: terms.partnerFee?.bps ?? 0,
    slippageBps: terms.slippageBps,
  })
  // The contract accepts no order with a zero output.
  if (amounts.minimum <= 0n) throw new VenueError('amountTooSmall', 'nothing is left to guarantee')
  return amounts
}

/** `fast` quotes carry the epoch for "never stored". */
const expiryOf = (expiration: string): number | null => {
  const at = Date.parse(expiration)
  if (Number.isNaN(at)) throw rejected('expiration', 'quote: expiration is no time', expiration)
  return at === 0 ? null : at
}

/** Reads the venue's price. Rejects a price that does not match the request. */
export const toOffer = (answer: WireQuote, asked: Asked): Offer => {
  demandEcho(answer, asked)
  const { order, terms } = asked
  if (!answer.verified) throw new VenueError('noLiquidity', 'no price that was simulated')
  const { expected, minimum, partnerFee } = readAmounts(answer, order, terms)
  const quoteId = answer.id ?? null
  const isTransaction = isNative(order.input)
  // On-chain orders without a link to a quote are not executed: https://github.com/cowprotocol/services/issues/2435
  if (isTransaction && quoteId === null) throw rejected('id', 'quote: no id to link an on-chain order to')
  return {
    venue: 'cow',
    executionType: isTransaction ? 'TRANSACTION' : 'SIGNATURE',
    outputAmount: toAmount(expected),
    fee: { bps: terms.partnerFee?.bps ?? 0, amount: toAmount(partnerFee) },
    slippage: { isFirm: true, guaranteedMin: toAmount(minimum) },
    gasUnits: isTransaction ? CREATE_ORDER_GAS : null,
    spender: isTransaction ? null : asked.network.relayer,
    nativeFee: toAmount(0n),
    estimatedTimeSeconds: null,
    expiresAt: expiryOf(answer.expiration),
    decimals: { input: null, output: null },
    carry: { v: 1, quoteId } satisfies OfferCarry,
  }
}
