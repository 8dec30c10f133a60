import { flag, integer, nullable, oneOf, readFields } from '../../kit/fields.ts'
import { ok } from '../../kit/refusal.ts'
import type { SimRequest, SimResponse } from '../../kit/simVenue.ts'
import type { World } from '../../kit/world.ts'
import { resolveAppData } from './appData.ts'
import type { Book } from './book.ts'
import { ADDRESS, HASH, SCHEME, TEXT, U256 } from './fieldTypes.ts'
import { pairOf, priceBuy, priceSell, type Quoted } from './pricing.ts'
import { refused, refuseField, unprocessable } from './refusal.ts'

const FIELDS = {
  required: { sellToken: ADDRESS, buyToken: ADDRESS, from: ADDRESS, kind: oneOf('sell', 'buy') },
  optional: {
    receiver: nullable(ADDRESS),
    sellAmountBeforeFee: U256,
    sellAmountAfterFee: U256,
    buyAmountAfterFee: U256,
    validTo: integer(0, 0xffffffff),
    validFor: integer(0, 0xffffffff),
    appData: TEXT,
    appDataHash: HASH,
    sellTokenBalance: TEXT,
    buyTokenBalance: TEXT,
    partiallyFillable: flag,
    priceQuality: oneOf('fast', 'optimal', 'verified'),
    signingScheme: SCHEME,
    onchainOrder: flag,
    verificationGasLimit: integer(0, 100_000_000),
    timeout: integer(1, 60_000),
  },
}

const readQuoteRequest = (body: unknown) => readFields(body, FIELDS, refuseField)
type QuoteRequest = ReturnType<typeof readQuoteRequest>

const VALID_AT_LEAST_S = 60
const VALID_AT_MOST_S = 3 * 60 * 60
const VALID_BY_DEFAULT_S = 30 * 60

const secondsOf = ({ clock }: World): number => Math.floor(clock.now() / 1_000)

/** Refuses a deadline that is too near, or more than `mostS` away. */
export const demandValidTo = (world: World, validTo: number, mostS: number): void => {
  const leftS = validTo - secondsOf(world)
  if (leftS < VALID_AT_LEAST_S) throw refused(400, 'InsufficientValidTo', 'validTo is not far enough in the future')
  if (leftS > mostS) throw refused(400, 'ExcessiveValidTo', 'validTo is too far into the future')
}

const validToOf = (world: World, { validTo, validFor }: QuoteRequest): number => {
  if (validTo !== undefined && validFor !== undefined) throw unprocessable('validTo and validFor are exclusive')
  const end = validTo ?? secondsOf(world) + (validFor ?? VALID_BY_DEFAULT_S)
  demandValidTo(world, end, VALID_AT_MOST_S)
  return end
}

/** `erc20` is the only balance there is; the others were Balancer vault balances. */
export const requireErc20 = (sellTokenBalance: string | undefined, buyTokenBalance: string | undefined): void => {
  if ((sellTokenBalance ?? 'erc20') !== 'erc20') throw refused(400, 'UnsupportedSellTokenSource', 'only erc20 is supported')
  if ((buyTokenBalance ?? 'erc20') !== 'erc20') throw refused(400, 'UnsupportedBuyTokenDestination', 'only erc20 is supported')
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
  if (amount === undefined) throw refused(400, 'UnsupportedOrderType', 'a sale is simulated with its cost taken out of it only')
  return amount
}

/** Prices gone wrong on purpose. */
const skewed = (world: World, path: string, price: Quoted): Quoted => {
  let { buyAmount } = price
  if (world.faults.take('cow', 'price-x100', path)) buyAmount *= 100n
  const decimals = world.faults.take('cow', 'wrong-decimals', path)
  if (decimals) buyAmount = decimals['direction'] === 'down' ? buyAmount / 10n ** 12n : buyAmount * 10n ** 12n
  const isShort = world.faults.take('cow', 'wrong-amount', path)
  return { ...price, buyAmount, sellAmount: isShort ? price.sellAmount - 1n : price.sellAmount }
}

const STRANGER = `0x${'5'.repeat(40)}`

const isoWithNanoseconds = (at: number): string => new Date(at).toISOString().replace('Z', '000000Z')

/** POST /api/v1/quote. */
export const answerQuote = (world: World, book: Book, { body, path }: SimRequest): SimResponse => {
  if (world.faults.take('cow', 'halt', path)) throw refused(404, 'NoLiquidity', 'no route found')
  const request = readQuoteRequest(body)
  const validTo = validToOf(world, request)
  requireErc20(request.sellTokenBalance, request.buyTokenBalance)
  checkSigning(request)
  const appData = resolveAppData(request.appData ?? '{}', request.appDataHash, book.documents)
  const amount = amountOf(request)
  const { sellToken, buyToken, kind, signingScheme = 'eip712' } = request
  const pair = pairOf(world, book.network, sellToken, buyToken)
  const price = skewed(world, path, (kind === 'buy' ? priceBuy : priceSell)(world, book.network, pair, amount))
  const isStored = request.priceQuality !== 'fast'
  const id = isStored ? book.nextQuoteId++ : null
  if (id !== null) book.quotes.set(id, { id, kind, sellToken, buyToken, amount, buyAmount: price.buyAmount })
  const lifetimeMs = signingScheme === 'eip712' ? 60_000 : 600_000
  return ok({
    quote: {
      sellToken,
      buyToken,
      receiver: world.faults.take('cow', 'wrong-recipient', path) ? STRANGER : (request.receiver ?? request.from),
      sellAmount: price.sellAmount.toString(),
      buyAmount: price.buyAmount.toString(),
      feeAmount: price.feeAmount.toString(),
      gasAmount: '150000',
      gasPrice: '1333333333',
      sellTokenPrice: '0.00025',
      validTo,
      appData: request.appData ?? '{}',
      appDataHash: world.faults.take('cow', 'bad-signature', path) ? `0x${'b'.repeat(64)}` : appData.hash,
      kind,
      partiallyFillable: false,
      sellTokenBalance: 'erc20',
      buyTokenBalance: 'erc20',
      signingScheme,
    },
    from: request.from,
    expiration: isStored ? isoWithNanoseconds(world.clock.now() + lifetimeMs) : '1970-01-01T00:00:00Z',
    id,
    // Only what is asked for as `verified` is simulated at all.
    verified: request.priceQuality === 'verified',
    protocolFeeBps: price.protocolFeeBps,
  })
}
