import { keccakText } from '../../../chains/evm/evmCodec.ts'
import { unitsFor, usdMicrosOf } from '../../kit/dollars.ts'
import * as fields from '../../kit/fields.ts'
import { misquotedBy, takesFor } from '../../kit/lies.ts'
import { found, ok, Refusal, refuseIf } from '../../kit/refusal.ts'
import type { SimRequest, SimResponse } from '../../kit/simVenue.ts'
import { type AppData, type Book, NATIVE_MARKER, saleOf } from './book.ts'

/** A body that does not deserialise. */
export const refuseField = ({ kind, name, expects }: fields.FieldProblem): Refusal =>
  new Refusal(null, `Failed to deserialize the JSON body: ${kind} \`${name}\`, expected ${expects}`, { status: 422 })

/* The parts of the bodies of quotes and orders. */
export const ADDRESS = fields.lowerCase(fields.matching('a 20-byte hex address', /^0x[0-9a-fA-F]{40}$/))
export const HASH = fields.lowerCase(fields.matching('a 32-byte hex string', /^0x[0-9a-fA-F]{64}$/))
export const TEXT = fields.text(0, 16 * 1024)
export const SCHEME = fields.oneOf('eip712', 'eip1271')
export const U256 = fields.type('a decimal U256 string', (value) =>
  typeof value === 'string' && /^[0-9]{1,78}$/.test(value) && BigInt(value) < 1n << 256n ? BigInt(value) : undefined,
)
/** Unix seconds, as the contract's uint32 holds them. */
export const SECONDS = fields.integer(0, 0xffffffff)
export const BALANCES = fields.each(fields.oneOf('erc20'), 'sellTokenBalance', 'buyTokenBalance')
/** Of every order that this book takes. */
export const MANNER = { partiallyFillable: false, sellTokenBalance: 'erc20', buyTokenBalance: 'erc20' } as const

const FIELDS = {
  required: { ...fields.each(ADDRESS, 'sellToken', 'buyToken', 'from'), kind: fields.oneOf('sell', 'buy') },
  optional: {
    ...BALANCES,
    receiver: fields.nullable(ADDRESS),
    ...fields.each(U256, 'sellAmountBeforeFee', 'buyAmountAfterFee'),
    ...fields.each(SECONDS, 'validTo', 'validFor'),
    ...fields.each(fields.flag, 'partiallyFillable', 'onchainOrder'),
    ...{ appData: TEXT, appDataHash: HASH, priceQuality: fields.oneOf('fast', 'optimal', 'verified'), signingScheme: SCHEME },
    ...fields.each(fields.integer(0, 100_000_000), 'verificationGasLimit', 'timeout'),
  },
}

const PARTNER_FEE_BPS_MAX = 100

/** Reads a document of https://github.com/cowprotocol/app-data; `{}` is none. Fees of the volume are the only effect that is simulated. */
export const readDocument = (json: string, statedHash?: string): AppData => {
  const hash = keccakText(json)
  refuseIf(statedHash !== undefined && statedHash !== hash, 'AppDataHashMismatch', `the app data hash is ${hash}`)
  try {
    const { metadata } = JSON.parse(json)
    const fees: readonly { readonly volumeBps?: number }[] = json === '{}' ? [] : [metadata.partnerFee ?? []].flat()
    const feeBps = fees.reduce((sum, { volumeBps = 0 }) => sum + volumeBps, 0)
    return { hash, text: json, partnerFeeBps: BigInt(Math.min(feeBps, PARTNER_FEE_BPS_MAX)) }
  } catch {
    throw new Refusal('InvalidAppData', 'invalid app data')
  }
}

/** The largest order that is filled, in millionths of a US dollar. */
const DEPTH_USD_MICROS = 2_000_000n * 1_000_000n

/** Tokens of one currency trade closer, and the protocol fee is lower. Tenths of a basis point. */
const TERMS = {
  correlated: { spread: 5n, protocolFee: 3n, protocolFeeBps: '0.3' },
  ordinary: { spread: 60n, protocolFee: 20n, protocolFeeBps: '2' },
} as const
const TENTHS = 100_000n
const less = (amount: bigint, tenthsOfBps: bigint): bigint => (amount * (TENTHS - tenthsOfBps)) / TENTHS
/** The amount of which `amount` is left, rounded up. */
const beforeLess = (amount: bigint, tenthsOfBps: bigint): bigint => (amount * TENTHS - 1n) / (TENTHS - tenthsOfBps) + 1n

/** The tokens of an order, or the API's error for a pair without one. */
export const pairOf = ({ world, network }: Book, sellToken: string, buyToken: string) => {
  refuseIf(sellToken === NATIVE_MARKER, 'InvalidNativeSellToken', 'the chain native token cannot be sold')
  const isUnwrap = sellToken === network.wrappedNative && buyToken === NATIVE_MARKER
  refuseIf(sellToken === buyToken || isUnwrap, 'SameBuyAndSellToken', 'buy token is the same as the sell token')
  const sell = world.tokens.find(network.chainId, sellToken)
  const buy = world.tokens.find(network.chainId, buyToken)
  if (!sell || !buy) throw new Refusal('UnsupportedToken', `token ${sell ? buyToken : sellToken} is unsupported: no price`)
  return { sell, buy }
}

type Pair = ReturnType<typeof pairOf>

/**
 * What is now bought for `amount` of a sale in all, or sold for `amount` of a purchase. `feeAmount`: the network cost, beside
 * `sellAmount`. `gross`: what both are worth before any fee, of which partner fees are a share.
 */
export const priceOf = ({ world: { market }, network }: Book, { sell, buy }: Pair, kind: 'sell' | 'buy', amount: bigint) => {
  const feeAmount = unitsFor(market, sell, network.costUsdMicros)
  const { spread, protocolFee, protocolFeeBps } = sell.currency === buy.currency ? TERMS.correlated : TERMS.ordinary
  const cost = () => beforeLess(beforeLess(market.convert(buy, amount, sell) + 1n, spread), protocolFee)
  const sellAmount = kind === 'sell' ? amount - feeAmount : cost()
  const isTooMuch = usdMicrosOf(market, sell, sellAmount + feeAmount) > DEPTH_USD_MICROS
  refuseIf(isTooMuch, 'NoLiquidity', 'no route found', { status: 404 })
  const data = { fee_amount: feeAmount.toString() }
  refuseIf(sellAmount <= 0n, 'SellAmountDoesNotCoverFee', 'the sell amount is lower than the fee', { data })
  const worth = (sold: bigint) => less(market.convert(sell, sold, buy), spread)
  const buyAmount = kind === 'sell' ? less(worth(sellAmount), protocolFee) : amount
  refuseIf(buyAmount === 0n, 'NoLiquidity', 'no route found', { status: 404 })
  return { sellAmount, buyAmount, feeAmount, protocolFeeBps, gross: worth(sellAmount + feeAmount) }
}

/** POST /api/v1/quote. */
export const answerQuote = (book: Book, { body, path }: SimRequest): SimResponse => {
  const { clock, faults } = book.world
  const takes = takesFor(faults, 'cow', path)
  refuseIf(takes('halt'), 'NoLiquidity', 'no route found', { status: 404 })
  const request = fields.readFields(body, FIELDS, refuseField)
  const { sellToken, buyToken, from, receiver, kind, appData = '{}', priceQuality, signingScheme = 'eip712' } = request
  const { hash } = readDocument(appData, request.appDataHash)
  const given = kind === 'buy' ? request.buyAmountAfterFee : request.sellAmountBeforeFee
  const amount = found(given || null, null, 'Failed to deserialize: no amount of this kind', { status: 422 })
  const price = priceOf(book, pairOf(book, sellToken, buyToken), kind, amount)
  const buyAmount = price.buyAmount * misquotedBy(takes)
  const sellAmount = takes('wrong-amount') ? price.sellAmount - 1n : price.sellAmount
  const id = book.nextQuoteId++
  book.quotes.set(id, { of: kind === 'sell' ? saleOf({ sellToken, buyToken, sellAmount: amount }) : null, buyAmount })
  const expiresAt = clock.now() + (signingScheme === 'eip712' ? 60_000 : 600_000)
  return ok({
    quote: {
      ...MANNER,
      ...{ sellToken, buyToken, kind, signingScheme, appData },
      receiver: takes('wrong-recipient') ? `0x${'5'.repeat(40)}` : (receiver ?? from),
      ...{ sellAmount: `${sellAmount}`, buyAmount: `${buyAmount}`, feeAmount: `${price.feeAmount}` },
      ...{ gasAmount: '150000', gasPrice: '1333333333', sellTokenPrice: '0.00025' },
      validTo: request.validTo ?? Math.floor(clock.now() / 1_000) + (request.validFor ?? 1_800),
      appDataHash: takes('bad-signature') ? `0x${'b'.repeat(64)}` : hash,
    },
    from,
    expiration: new Date(expiresAt).toISOString().replace('Z', '000000Z'),
    id,
    // Only a price of this quality is simulated.
    verified: priceQuality === 'verified',
    protocolFeeBps: price.protocolFeeBps,
  })
}
