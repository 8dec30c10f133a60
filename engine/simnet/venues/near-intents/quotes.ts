import { ed25519 } from '@noble/curves/ed25519.js'
import { utf8ToBytes } from '@noble/hashes/utils.js'
import { base58 } from '@scure/base'
import { parseAddress, ZERO_EVM_ADDRESS } from '../../../core/address.ts'
import { BITCOIN, type ChainId, ecosystemOf } from '../../../core/chain.ts'
import { quoteDigest, signedWords, VENUE_FEE_ACCOUNT } from '../../../venues/near-intents/protocol.ts'
import { formatUnits, formatUsd, MICROS, unitsFor, usdMicrosOf } from '../../kit/dollars.ts'
import { amount, type FieldProblem, flag, integer, listOf, matching, oneOf, readFields, record, text } from '../../kit/fields.ts'
import { freshAddress, inventedTxHash } from '../../kit/freshAddress.ts'
import { misquotedBy, type Takes } from '../../kit/lies.ts'
import type { Market } from '../../kit/market.ts'
import { orRefused, Refusal } from '../../kit/refusal.ts'
import type { World } from '../../kit/world.ts'
import type { ListedAsset, Listing } from './listing.ts'
import type { OrderTerms } from './orders.ts'

/** Refusals have a message and no code. */
export const refused = (message: string, status = 400): Refusal => new Refusal(null, message, { status })
export const refuseField = ({ name }: FieldProblem): Refusal => refused(`${name} is missing or invalid`)

const TEXT = text(1, 512)
/** Swaps of an exact input from chain to chain alone. */
const QUOTE = {
  required: {
    ...{ dry: flag, swapType: oneOf('EXACT_INPUT'), slippageTolerance: integer(0, 10_000), amount },
    ...{ originAsset: TEXT, destinationAsset: TEXT, refundTo: TEXT, recipient: TEXT },
    ...{ depositType: oneOf('ORIGIN_CHAIN'), refundType: oneOf('ORIGIN_CHAIN'), recipientType: oneOf('DESTINATION_CHAIN') },
    deadline: matching('an ISO time', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,3})?Z$/),
  },
  optional: {
    ...{ depositMode: oneOf('SIMPLE'), confidentiality: oneOf('public'), quoteWaitingTimeMs: integer(0, 60_000), referral: TEXT },
    ...{ sessionId: TEXT, connectedWallets: listOf(TEXT, 100) },
    appFees: listOf(record({ required: { recipient: TEXT, fee: integer(0, 500) }, optional: {} }), 10),
  },
} as const

type Fields = { readonly [field: string]: unknown }
type AppFee = { readonly recipient: string; readonly fee: number }
type Asked = { readonly input: ListedAsset; readonly output: ListedAsset; readonly sold: bigint }

/** 20 bps without an API key. With one, the venue keeps half of the integrator's fees: at least 20 bps, or 1 between dollars. */
const applyFees = ({ input, output }: Asked, fees: readonly AppFee[], isKeyed: boolean): readonly AppFee[] => {
  const venue = (fee: number): AppFee => ({ recipient: VENUE_FEE_ACCOUNT, fee })
  if (!isKeyed) return [...fees, venue(20)]
  const asked = fees.reduce((sum, { fee }) => sum + fee, 0)
  if (asked === 0) return fees
  const isStable = input.token.currency === 'USD' && output.token.currency === 'USD'
  return [
    ...fees.map(({ recipient, fee }) => ({ recipient, fee: Math.ceil(fee / 2) })),
    venue(Math.max(asked >> 1, isStable ? 1 : 20)),
  ]
}

/** Millionths. One more for every thousand dollars. */
const [PROTOCOL_FEE_PPM, SPREAD_PPM] = [1n, 650n]
const DEPTH_DOLLARS = 2_000_000n
const WITHDRAW_FEE_MICROS: { readonly [chainId: number]: bigint } = { 1: 1_200_000n, '-1': 1_500_000n, '-2': 50_000n }
const SECONDS: { readonly [chainId: number]: number } = { 1: 80, '-1': 812, '-2': 32 }

/** Prices an exact input, net of every fee. Throws Refusal below the minimum and beyond the depth. */
const priceOf = ({ input, output, sold }: Asked, fees: readonly AppFee[], market: Market) => {
  const isBitcoin = input.token.chainId === BITCOIN
  const least = isBitcoin ? 5_000n : unitsFor(market, input.token, 500_000n)
  if (sold < least) throw refused(`Amount is too low for bridge, try at least ${least}`)
  const dollars = usdMicrosOf(market, input.token, sold) / MICROS
  if (dollars > DEPTH_DOLLARS) throw refused('No liquidity available')
  const feePpm = BigInt(fees.reduce((sum, { fee }) => sum + fee, 0)) * 100n + PROTOCOL_FEE_PPM
  const swapped = (sold * (MICROS - feePpm)) / MICROS
  const gross = (market.convert(input.token, swapped, output.token) * (MICROS - SPREAD_PPM - dollars / 1_000n)) / MICROS
  const withdrawFee = unitsFor(market, output.token, WITHDRAW_FEE_MICROS[output.token.chainId] ?? 30_000n)
  if (gross <= withdrawFee) {
    const needed = unitsFor(market, input.token, usdMicrosOf(market, output.token, withdrawFee) * 2n)
    throw refused(`Amount is too low for bridge, try at least ${needed}`)
  }
  return {
    ...{ amountOut: gross - withdrawFee, withdrawFee, refundFee: isBitcoin ? 1_900n : unitsFor(market, input.token, 20_000n) },
    timeEstimate: Math.max(SECONDS[input.token.chainId] ?? 36, SECONDS[output.token.chainId] ?? 36),
  }
}

/** From the requested deadline to the end of the deposit address. */
const ADDRESS_LIFE_MS = 3 * 24 * 60 * 60_000
const iso = (at: number): string => new Date(at).toISOString()

const find = (listing: Listing, id: string, name: string): ListedAsset => {
  const asset = listing.find(id)
  if (!asset) throw refused(`${name} is not valid`)
  return asset
}

const checkParty = ({ token: { chainId, address } }: ListedAsset, raw: string, name: string): void => {
  const party = parseAddress(ecosystemOf(chainId as ChainId), raw)
  if (party === null || party === ZERO_EVM_ADDRESS || party === address) throw refused(`${name} is not valid`)
}

const readQuote = (raw: unknown, listing: Listing, now: number) => {
  const body = readFields(raw, QUOTE, refuseField)
  const input = find(listing, body.originAsset, 'tokenIn')
  const output = find(listing, body.destinationAsset, 'tokenOut')
  if (input === output) throw refused('Quoting for this pair is not available')
  checkParty(input, body.refundTo, 'refundTo')
  checkParty(output, body.recipient, 'recipient')
  const deadlineAt = Date.parse(body.deadline)
  if (!(deadlineAt >= now + 60_000)) throw refused('deadline must be in the future')
  return { ...body, input, output, sold: body.amount, deadlineAt }
}

/** Prices and signs quotes, and opens an order for each that is not a dry one. `answer` throws Refusal. */
export const createQuotes = ({ clock, random, market }: World, listing: Listing, open: (terms: OrderTerms) => void) => {
  const [secret, impostor] = [random.bytes(32), random.bytes(32)]
  const answer = (raw: unknown, isKeyed: boolean, takes: Takes): OrderTerms['response'] => {
    if (takes('halt')) throw refused('Quoting for this pair is not available')
    const asked = readQuote(raw, listing, clock.now())
    const { input, output, sold, dry, deadlineAt, slippageTolerance, refundTo, quoteWaitingTimeMs = 0 } = asked
    const appFees = applyFees(asked, asked.appFees ?? [], isKeyed)
    const recipient = takes('wrong-recipient') ? freshAddress(output.token.chainId, random) : asked.recipient
    const defaults = { depositMode: 'SIMPLE', confidentiality: 'public', quoteWaitingTimeMs }
    const assets = { originAsset: input.assetId, destinationAsset: output.assetId }
    const quoteRequest: Fields = { ...(raw as Fields), ...assets, ...defaults, recipient, appFees }
    const price = priceOf(asked, appFees, market)
    const amountOut = price.amountOut * misquotedBy(takes)
    const amountIn = takes('wrong-amount') ? sold * 2n : sold
    const bound = (amountOut * BigInt(10_000 - slippageTolerance)) / 10_000n
    const minAmountOut = takes('wrong-minimum') ? bound / 2n : bound
    const usd = (...worth: Parameters<typeof usdMicrosOf>) => `${formatUsd(usdMicrosOf(...worth))}000000`
    const until = iso(deadlineAt + ADDRESS_LIFE_MS)
    const wrong = !dry && takes('wrong-contract') ? (input.token.isNative ? refundTo : input.token.address) : null
    const depositAddress = dry ? '' : (wrong ?? freshAddress(input.token.chainId, random))
    const quote: Fields = {
      ...{ amountIn: String(amountIn), amountInFormatted: formatUnits(amountIn, input.token.decimals) },
      ...{ amountInUsd: usd(market, input.token, amountIn), minAmountIn: String(amountIn), amountOut: String(amountOut) },
      ...{
        amountOutFormatted: formatUnits(amountOut, output.token.decimals),
        amountOutUsd: usd(market, output.token, amountOut),
      },
      ...{ minAmountOut: String(minAmountOut), timeEstimate: price.timeEstimate },
      ...{ refundFee: String(price.refundFee), withdrawFee: String(price.withdrawFee) },
      ...(dry ? {} : { deadline: until, timeWhenInactive: until, depositAddress }),
    }
    const timestamp = iso(clock.now())
    const digest = utf8ToBytes(quoteDigest(signedWords({ quoteRequest, quote, timestamp })))
    const signature = `ed25519:${base58.encode(ed25519.sign(digest, takes('bad-signature') ? impostor : secret))}`
    const response = { correlationId: random.hex(32), timestamp, signature, quoteRequest, quote }
    if (dry) return response
    open({
      ...{ ...price, amountOut, minAmountOut, response, depositAddress, recipient, refundTo, input: input.token },
      ...{ output: output.token, amountNeeded: sold, refundCost: price.refundFee, openUntil: deadlineAt, settleMs: 0 },
      inventedTxHash: inventedTxHash(output.token.chainId, random),
      // A swap that has no price any more ends in a refund, as by a bad price.
      reprice: () => orRefused(() => priceOf(asked, appFees, market).amountOut) ?? 0n,
    })
    return response
  }
  return { publicKey: `ed25519:${base58.encode(ed25519.getPublicKey(secret))}`, answer }
}
