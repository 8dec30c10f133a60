import { each, flag, integer, oneOf, readFields } from '../../kit/fields.ts'
import { takesFor } from '../../kit/lies.ts'
import { found, ok, refuseIf } from '../../kit/refusal.ts'
import type { SimRequest, SimResponse } from '../../kit/simVenue.ts'
import { resolveAppData } from './appData.ts'
import type { Book } from './book.ts'
import { ADDRESS, COMMON, HASH, PAIR, SCHEME, SECONDS, TEXT, U256 } from './fieldTypes.ts'
import { pairOf, priceBuy, priceSell, type Quoted } from './pricing.ts'
import { refuseField, unprocessable } from './refusal.ts'

const FIELDS = {
  required: { ...PAIR, from: ADDRESS, kind: oneOf('sell', 'buy') },
  optional: {
    ...COMMON,
    ...each(U256, 'sellAmountBeforeFee', 'sellAmountAfterFee', 'buyAmountAfterFee'),
    ...each(SECONDS, 'validTo', 'validFor'),
    ...each(flag, 'partiallyFillable', 'onchainOrder'),
    appData: TEXT,
    appDataHash: HASH,
    priceQuality: oneOf('fast', 'optimal', 'verified'),
    signingScheme: SCHEME,
    verificationGasLimit: integer(0, 100_000_000),
    timeout: integer(1, 60_000),
  },
}

const readQuoteRequest = (body: unknown) => readFields(body, FIELDS, refuseField)
type QuoteRequest = ReturnType<typeof readQuoteRequest>

const VALID_AT_LEAST_S = 60
const VALID_AT_MOST_S = 3 * 60 * 60
/** Orders are taken for longer than quotes. */
export const ORDER_VALID_AT_MOST_S = 365 * 24 * 60 * 60
const VALID_BY_DEFAULT_S = 30 * 60

const secondsOf = ({ world }: Book): number => Math.floor(world.clock.now() / 1_000)

/** Refuses a deadline that is too near, or more than `mostS` away. */
export const demandValidTo = (book: Book, validTo: number, mostS: number): void => {
  const leftS = validTo - secondsOf(book)
  refuseIf(leftS < VALID_AT_LEAST_S, 'InsufficientValidTo', 'validTo is not far enough in the future')
  refuseIf(leftS > mostS, 'ExcessiveValidTo', 'validTo is too far into the future')
}

const validToOf = (book: Book, { validTo, validFor }: QuoteRequest): number => {
  if (validTo !== undefined && validFor !== undefined) throw unprocessable('validTo and validFor are exclusive')
  const end = validTo ?? secondsOf(book) + (validFor ?? VALID_BY_DEFAULT_S)
  demandValidTo(book, end, VALID_AT_MOST_S)
  return end
}

type Balances = Pick<QuoteRequest, 'sellTokenBalance' | 'buyTokenBalance'>

/** `erc20` is the only balance there is; the others were Balancer vault balances. */
export const requireErc20 = ({ sellTokenBalance = 'erc20', buyTokenBalance = 'erc20' }: Balances): void => {
  refuseIf(sellTokenBalance !== 'erc20', 'UnsupportedSellTokenSource', 'only erc20 is supported')
  refuseIf(buyTokenBalance !== 'erc20', 'UnsupportedBuyTokenDestination', 'only erc20 is supported')
}

const checkSigning = ({ signingScheme, onchainOrder = false, verificationGasLimit }: QuoteRequest): void => {
  if (signingScheme === 'eip1271') return
  if (onchainOrder) throw unprocessable('on-chain orders are not signed with ECDSA')
  if (verificationGasLimit !== undefined) throw unprocessable('verificationGasLimit goes with eip1271 only')
}

/** What is to be sold in all, or bought. */
const amountOf = ({ kind, sellAmountBeforeFee, sellAmountAfterFee, buyAmountAfterFee }: QuoteRequest): bigint => {
  const given = [sellAmountBeforeFee, sellAmountAfterFee, buyAmountAfterFee].filter((value) => value !== undefined)
  if (given.length !== 1) throw unprocessable('exactly one amount must be given')
  if (given[0] === 0n) throw unprocessable('the amount must not be zero')
  if ((kind === 'buy') !== (buyAmountAfterFee !== undefined)) throw unprocessable('the amount is not one of this kind')
  const amount = kind === 'buy' ? buyAmountAfterFee : sellAmountBeforeFee
  return found(amount, 'UnsupportedOrderType', 'a sale is simulated with its cost taken out of it only')
}

/** Prices gone wrong on purpose. */
const skewed = ({ world: { faults } }: Book, path: string, price: Quoted): Quoted => {
  const takes = takesFor(faults, 'cow', path)
  let { buyAmount } = price
  if (takes('price-x100')) buyAmount *= 100n
  const decimals = faults.take('cow', 'wrong-decimals', path)
  if (decimals) buyAmount = decimals['direction'] === 'down' ? buyAmount / 10n ** 12n : buyAmount * 10n ** 12n
  return { ...price, buyAmount, sellAmount: takes('wrong-amount') ? price.sellAmount - 1n : price.sellAmount }
}

const STRANGER = `0x${'5'.repeat(40)}`

const isoWithNanoseconds = (at: number): string => new Date(at).toISOString().replace('Z', '000000Z')

/** Of every order this book takes. */
export const MANNER = { partiallyFillable: false, sellTokenBalance: 'erc20', buyTokenBalance: 'erc20' } as const

/** POST /api/v1/quote. */
export const answerQuote = (book: Book, { body, path }: SimRequest): SimResponse => {
  const { clock, faults } = book.world
  const takes = takesFor(faults, 'cow', path)
  refuseIf(takes('halt'), 'NoLiquidity', 'no route found', { status: 404 })
  const request = readQuoteRequest(body)
  const validTo = validToOf(book, request)
  requireErc20(request)
  checkSigning(request)
  const { sellToken, buyToken, from, receiver, kind, appData = '{}', priceQuality, signingScheme = 'eip712' } = request
  const { hash } = resolveAppData(book, appData, request.appDataHash)
  const amount = amountOf(request)
  const price = skewed(book, path, (kind === 'buy' ? priceBuy : priceSell)(book, pairOf(book, sellToken, buyToken), amount))
  const isStored = priceQuality !== 'fast'
  const id = isStored ? book.nextQuoteId++ : null
  if (id !== null) book.quotes.set(id, { kind, sellToken, buyToken, amount, buyAmount: price.buyAmount })
  const lifetimeMs = signingScheme === 'eip712' ? 60_000 : 600_000
  return ok({
    quote: {
      ...MANNER,
      sellToken,
      buyToken,
      receiver: takes('wrong-recipient') ? STRANGER : (receiver ?? from),
      sellAmount: price.sellAmount.toString(),
      buyAmount: price.buyAmount.toString(),
      feeAmount: price.feeAmount.toString(),
      gasAmount: '150000',
      gasPrice: '1333333333',
      sellTokenPrice: '0.00025',
      validTo,
      appData,
      appDataHash: takes('bad-signature') ? `0x${'b'.repeat(64)}` : hash,
      kind,
      signingScheme,
    },
    from,
    expiration: isStored ? isoWithNanoseconds(clock.now() + lifetimeMs) : '1970-01-01T00:00:00Z',
    id,
    // Only what is asked for as `verified` is simulated at all.
    verified: priceQuality === 'verified',
    protocolFeeBps: price.protocolFeeBps,
  })
}
