import type { Address } from '../../core/address.ts'
import { toAmount } from '../../core/amount.ts'
import { BITCOIN } from '../../core/chain.ts'
import type { Offer } from '../../core/offer.ts'
import type { Order } from '../../core/order.ts'
import { firm, PLAIN_OFFER } from '../kit/plain.ts'
import { grossUp, type Repriced } from '../kit/reprice.ts'
import type { SlippageRule } from '../venue.ts'
import { rejected, VenueError } from '../venueError.ts'
import type { AppliedFee } from './appFees.ts'
import type { NearIntentsSettings } from './settings.ts'
import type { ListedToken, TokenIndex } from './tokenList.ts'
import type { QuoteTerms } from './wire.ts'

export const VENUE_ID = 'near-intents'

/** The venue has no default of its own and requires a value: 1 %. */
export const SLIPPAGE_RULE: SlippageRule = { defaultBps: 100, minBps: 1, maxBps: 10_000 }

/** The most decimals of any token. */
const DECIMALS_MAX = 77

/**
 * The decimals of an amount by its formatted text: 6 for `9986764` and `9.986764`. Null when no number of decimals gives that
 * text. Both are signed words of a quote, unlike the token list.
 */
const decimalsOf = (amount: string, written: string): number | null => {
  const [, whole, fraction = ''] = /^(\d{1,78})(?:\.(\d{1,78}))?$/.exec(written) ?? []
  const units = BigInt(amount)
  if (whole === undefined || units === 0n) return null
  const digits = BigInt(`${whole}${fraction}`)
  for (let decimals = 0; decimals <= DECIMALS_MAX; decimals += 1)
    if (units * 10n ** BigInt(fraction.length) === digits * 10n ** BigInt(decimals)) return decimals
  return null
}

const MINUTE_MS = 60_000
/** How long a deposit may take to arrive before the venue starts the refund. A Bitcoin block can take an hour. */
const DEPOSIT_WINDOW_MS = { bitcoin: 60 * MINUTE_MS, others: 30 * MINUTE_MS }

/**
 * The time from the requested deadline to the end of the address, which the venue answers and signs. It was a day in September
 * 2025 and three days a year later. A longer one costs nothing: it only ends an address that the sender must pay within the hour.
 */
const ADDRESS_LIFE_MS = 30 * 24 * 60 * MINUTE_MS

/** The longest window, the life of the address after it, and a quarter of an hour for clocks that differ. */
export const DEADLINE_MS_MAX = DEPOSIT_WINDOW_MS.bitcoin + ADDRESS_LIFE_MS + 15 * MINUTE_MS

export type Pair = { readonly input: ListedToken; readonly output: ListedToken }

/** The rows of both tokens. Throws unsupportedPair for an unlisted token, rejected for an unreadable row. */
export const pairOf = ({ input, output }: Pick<Order, 'input' | 'output'>, index: TokenIndex): Pair => {
  const pair = { input: index.byAsset(input), output: index.byAsset(output) }
  if (!pair.input || !pair.output) {
    const { kept, onOurChains } = index.rows
    const [row] = [input, output].flatMap((asset) => (index.byAsset(asset) ? [] : index.oddRowsOf(asset)))
    if (row !== undefined)
      throw rejected('assetId', 'an unread row may be of the token (VENUE_NEAR_INTENTS_CHAIN_CODES adds codes)', row)
    const side = pair.input ? 'output' : 'input'
    throw new VenueError(
      'unsupportedPair',
      `the ${side} token is not listed (${kept} of ${onOurChains} rows are what their id says)`,
    )
  }
  return { input: pair.input, output: pair.output }
}

export type QuoteWish = {
  readonly order: Order
  readonly pair: Pair
  readonly isDry: boolean
  readonly recipient: Address
  readonly refundTo: Address
  readonly slippageBps: number
  /** Basis points to request for our fee account; zero sends none. */
  readonly feeBps: number
  readonly now: number
}

/** Epoch ms until which a deposit must have arrived. */
export const depositBy = ({ input }: Pick<Order, 'input'>, now: number): number =>
  now + (input.chainId === BITCOIN ? DEPOSIT_WINDOW_MS.bitcoin : DEPOSIT_WINDOW_MS.others)

/** An exact input; payment, delivery and refund on the chains themselves. */
export const PLAIN_SWAP = {
  swapType: 'EXACT_INPUT',
  depositType: 'ORIGIN_CHAIN',
  refundType: 'ORIGIN_CHAIN',
  recipientType: 'DESTINATION_CHAIN',
} as const

/** Body of `POST /v0/quote`. `quoteWaitingTimeMs`: the venue waits this long for more solvers; 0: it answers at once. */
export const toQuoteRequest = (
  { order, pair, isDry, recipient, refundTo, slippageBps, feeBps, now }: QuoteWish,
  { feeAccount, referral, quoteWaitingTimeMs }: NearIntentsSettings,
) => ({
  ...PLAIN_SWAP,
  dry: isDry,
  depositMode: 'SIMPLE',
  slippageTolerance: slippageBps,
  originAsset: pair.input.assetId,
  destinationAsset: pair.output.assetId,
  amount: order.inputAmount.toString(),
  refundTo,
  recipient,
  deadline: new Date(depositBy(order, now)).toISOString(),
  ...(feeAccount !== null && feeBps > 0 ? { appFees: [{ recipient: feeAccount, fee: feeBps }] } : {}),
  ...(referral === null ? {} : { referral }),
  ...(quoteWaitingTimeMs === 0 ? {} : { quoteWaitingTimeMs }),
})

export type QuoteRequest = ReturnType<typeof toQuoteRequest>

/** The venue signs the bound, and refunds instead of delivering less. */
export const priceOf = ({ amountOut, minAmountOut }: QuoteTerms): Repriced => ({
  expected: BigInt(amountOut),
  minimum: BigInt(minAmountOut),
})

export const toOffer = (terms: QuoteTerms, { pair, fee }: { pair: Pair; fee: AppliedFee }): Offer => {
  const { timeEstimate: seconds } = terms
  const price = priceOf(terms)
  return {
    ...PLAIN_OFFER,
    venue: VENUE_ID,
    executionType: 'DEPOSIT',
    ...firm(price),
    fee: { bps: fee.bps, amount: toAmount(grossUp(price.expected, fee.bps, fee.totalBps)) },
    gasUnits: null,
    spender: null,
    estimatedTimeSeconds: typeof seconds === 'number' && seconds >= 0 && seconds <= 10_000_000 ? Math.ceil(seconds) : null,
    expiresAt: null,
    decimals: {
      input: decimalsOf(terms.amountIn, terms.amountInFormatted) ?? pair.input.decimals,
      output: decimalsOf(terms.amountOut, terms.amountOutFormatted) ?? pair.output.decimals,
    },
  }
}
