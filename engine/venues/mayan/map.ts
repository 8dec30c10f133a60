import { keccakText } from '../../chains/evm/evmCodec.ts'
import { type Address, parseAddress, ZERO_EVM_ADDRESS } from '../../core/address.ts'
import { type Amount, toAmount } from '../../core/amount.ts'
import { type Asset, isNative, nativeAsset } from '../../core/asset.ts'
import { type ChainId, ecosystemOf, isEvmChainId, SOLANA } from '../../core/chain.ts'
import type { Binding, Hex } from '../../core/execution.ts'
import type { Offer } from '../../core/offer.ts'
import type { Order } from '../../core/order.ts'
import { addressIn, isSameAddress } from '../kit/addresses.ts'
import { demand } from '../kit/demand.ts'
import { grossUp } from '../kit/reprice.ts'
import { wrappedNative } from '../kit/spokePools.ts'
import { rejected, VenueError } from '../venueError.ts'
import { orderDecimals, PAYLOAD_TYPE, pinned, type SwiftOrder, tokenWord, unitOf, wordOf, ZERO_WORD } from './protocol.ts'
import { type Contracts, OTHER_ROUTES, REFERRER_MINTS } from './published.ts'
import { anyQuote, cutTo, type SwiftQuote } from './wire.ts'

export const VENUE_ID = 'mayan'

/** The SDK's version: major, minor, patch. */
export type SdkVersion = readonly number[]

export type Ask = {
  readonly order: Order
  readonly binding: Binding
  readonly slippageBps: number
  /** `referrer` is an address of Solana, used in requests only; `recipient` is of the chain that pays. Null asks for no fee. */
  readonly fee: { readonly bps: number; readonly referrer: Address; readonly recipient: Address } | null
  readonly decimals: { readonly input: number; readonly output: number }
  readonly sdkVersion: SdkVersion
  readonly contracts: Contracts
}

/** The zero address represents coins on every chain. */
const toToken = (asset: Asset): string => (isNative(asset) ? ZERO_EVM_ADDRESS : asset.address)
export const nameOf = (chainId: ChainId): string => pinned(chainId)?.name ?? ''

/** Body of POST /quote. Only Swift routes are used: the sheet of other routes lacks the data to prove a refund. */
export const toQuoteRequest = ({ order, binding, slippageBps, fee, sdkVersion, contracts }: Ask) => ({
  amountIn64: order.inputAmount.toString(),
  fromToken: toToken(order.input),
  fromChain: nameOf(order.input.chainId),
  toToken: toToken(order.output),
  toChain: nameOf(order.output.chainId),
  slippageBps,
  swift: true,
  mctp: false,
  fastMctp: false,
  wormhole: false,
  shuttle: false,
  monoChain: false,
  gasless: false,
  onlyDirect: false,
  fullList: true,
  guaranteedOutput: true,
  gasDrop: 0,
  ...(fee === null ? {} : { referrer: fee.referrer, referrerBps: fee.bps }),
  ...(order.unnamed.includes('recipient') && binding.recipient === order.recipient
    ? {}
    : { destinationAddress: binding.recipient }),
  solanaProgram: contracts.swapPrograms[0],
  forwarderAddress: contracts.forwarders[0],
  sdkVersion: sdkVersion.join('_'),
})

/** Query of GET /get-swap/evm: the swap from the input to the token that pays the order. */
export const toSwapQuery = (
  { order, slippageBps, fee, sdkVersion, contracts }: Ask,
  middleToken: Address,
): { readonly [name: string]: string } => ({
  forwarderAddress: contracts.forwarders[0],
  slippageBps: String(slippageBps),
  fromToken: toToken(order.input),
  middleToken,
  chainName: nameOf(order.input.chainId),
  amountIn64: order.inputAmount.toString(),
  sdkVersion: sdkVersion.join('_'),
  ...(fee === null ? {} : { referrerAddress: fee.recipient }),
})

const isNewer = (least: SdkVersion, own: SdkVersion): boolean => {
  const at = own.findIndex((part, i) => part !== (least[i] ?? 0))
  return at >= 0 && (least[at] ?? 0) > (own[at] ?? 0)
}

/** `asked`: the version that the latest answer requires, where it is newer than our own. */
export const createVersionCheck = (own: SdkVersion) => {
  let asked = own
  return {
    own,
    asked: () => asked,
    /** Throws VenueError where an answer requires a newer SDK than ours. */
    demand: (least: SdkVersion | null | undefined): void => {
      asked = least && isNewer(least, own) ? least : own
      const found = asked.join('.')
      if (asked !== own)
        throw rejected('sdkVersion', `mayan wants SDK ${found}: VENUE_MAYAN_SDK_VERSION names the version in use`, found)
    },
  }
}

/** Whether a row can be used, is of a known kind that is not sold, or is unknown. */
export const kindOf = (row: unknown): 'bought' | 'notSold' | 'unknown' => {
  const { type, swiftVersion, gasless } = anyQuote.readOrNull(row) ?? { type: '' }
  if (OTHER_ROUTES.includes(type) || (type === 'SWIFT' && swiftVersion === 'V1')) return 'notSold'
  if (type !== 'SWIFT' || swiftVersion !== 'V2') return 'unknown'
  return gasless === true ? 'notSold' : 'bought'
}

/** The usable rows. Throws VenueError where no row is usable, a rejection first. */
export const takeRows = async <R, T>(rows: readonly R[], take: (row: R) => Promise<T>): Promise<readonly T[]> => {
  const ends = await Promise.allSettled(rows.map(take))
  const taken = ends.flatMap((end) => (end.status === 'fulfilled' ? [end.value] : []))
  const refusals = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason as unknown] : []))
  if (taken.length > 0 || rows.length === 0) return taken
  throw refusals.find((error) => !(error instanceof VenueError && error.reason === 'notSold')) ?? refusals[0]
}

/** An answer after the check against its request. */
export type Terms = {
  readonly swift: Address
  readonly expected: Amount
  readonly minimum: Amount
  readonly order: SwiftOrder
  readonly protocolBps: number
  /** The token that pays the order; the native marker for coins. */
  readonly tokenIn: Address
  /** The least output of a prior swap, in the smallest units that the venue reports; null without a swap. */
  readonly minMiddle: bigint | null
  readonly etaSeconds: unknown
}

const isToken = ({ contract, wChainId }: SwiftQuote['fromToken'], asset: Asset): boolean => {
  const isCoin = contract === ZERO_EVM_ADDRESS
  const named = isCoin ? null : parseAddress(ecosystemOf(asset.chainId), contract)
  return (
    wChainId === pinned(asset.chainId)?.wormholeId && (isCoin ? isNative(asset) : named === asset.address && !isNative(asset))
  )
}

/** Highest bid with a minimum, and exactly the expected sum. https://docs.mayan.finance/integration/quote-api, auction modes */
export const AUCTION_MODES: readonly number[] = [2, 3]

const demandEcho = (quote: SwiftQuote, { order, fee }: Ask): void =>
  demand('mayan answered with', {
    'another input token': [isToken(quote.fromToken, order.input), quote.fromToken],
    'another output token': [isToken(quote.toToken, order.output), quote.toToken],
    'another input amount': [BigInt(quote.effectiveAmountIn64) === order.inputAmount, quote.effectiveAmountIn64],
    'another fee': [quote.referrerBps === (fee?.bps ?? 0), quote.referrerBps],
    'coins beside the output': [quote.gasDrop === 0, quote.gasDrop],
    'an auction that nobody explains': AUCTION_MODES.includes(quote.swiftAuctionMode),
    'a fee for submitting': BigInt(quote.submitRelayerFee64 ?? '0') === 0n,
  })

/** The Swift contract of the order. */
const swiftOf = ({ swiftMayanContract: named }: SwiftQuote, { order: { input }, contracts }: Ask): Address => {
  const known = contracts[input.chainId === SOLANA ? 'programs' : 'swifts'].find((one) => isSameAddress(one, named))
  if (known !== undefined) return known
  throw rejected('anotherContract', 'mayan answered with another contract: VENUE_MAYAN_SWIFTS or _SWIFT_PROGRAMS adds it', named)
}

const isWrappedCoin = (chainId: ChainId, named: string): boolean => isSameAddress(named, wrappedNative(chainId))

/** The token that pays the order; null where it is the input itself. */
const middleOf = (quote: SwiftQuote, { order: { input, inputAmount } }: Ask): Pick<Terms, 'tokenIn' | 'minMiddle'> => {
  const { chainId } = input
  const coins = nativeAsset(chainId)
  const { swiftInputContract: named, swiftWrapAndLock } = quote
  const notSold = (what: string) => new VenueError('unsupportedPair', `mayan: ${what}`, { reason: 'notSold' })
  // The program on Solana wraps by itself; the Forwarder wraps coins first, at least the paid amount.
  const isCoins = named === ZERO_EVM_ADDRESS ? chainId === SOLANA : swiftWrapAndLock === true && isWrappedCoin(chainId, named)
  if (isCoins && isNative(input)) return { tokenIn: coins.address, minMiddle: chainId === SOLANA ? null : inputAmount }
  if (isCoins || named === ZERO_EVM_ADDRESS) throw notSold('an order that is exchanged into coins')
  const tokenIn = addressIn(chainId, isEvmChainId(chainId) ? named.toLowerCase() : named, 'what an order is paid in')
  if (swiftWrapAndLock === true) throw rejected('orderToken', 'mayan: an order paid in other coins', named)
  if (tokenIn === input.address && !isNative(input)) return { tokenIn, minMiddle: null }
  if (chainId === SOLANA && REFERRER_MINTS.includes(tokenIn)) throw notSold('a swap on Solana before the order')
  if (chainId === SOLANA) throw rejected('orderToken', 'mayan: an order paid in a token that is not known', tokenIn)
  const cut = cutTo(quote.minMiddleAmount ?? 0, orderDecimals(quote.swiftInputDecimals))
  return { tokenIn, minMiddle: (cut ?? 0n) * unitOf(quote.swiftInputDecimals) }
}

/** The unique id of an order: sixteen bytes of the quote's id, and as many of our own. */
const nameFor = ({ quoteId, deadline64 }: SwiftQuote, { order, binding }: Ask, now: number): Hex => {
  const words = [order.sender, order.inputAmount, binding.recipient, binding.refundTo, quoteId, deadline64, now]
  const own = keccakText(words.join())
  return quoteId ? `0x${quoteId.slice(2).toLowerCase()}${own.slice(34)}` : own
}

/** Checks a quote against its request, at `now` (epoch ms). */
export const toTerms = (quote: SwiftQuote, ask: Ask, now: number): Terms => {
  demandEcho(quote, ask)
  const { binding, fee, decimals } = ask
  const { input, output } = ask.order
  const inOrder = cutTo(quote.minAmountOut, orderDecimals(decimals.output)) ?? 0n
  const minimum = inOrder * unitOf(decimals.output)
  const expected = BigInt(quote.expectedAmountOutBaseUnits ?? cutTo(quote.expectedAmountOut, decimals.output) ?? 0n)
  demand('mayan answered with', {
    'another minimum output': minimum > 0n && minimum <= expected && inOrder < 2n ** 64n,
    'a deadline or fees out of range': [quote.deadline64, quote.cancelRelayerFee64, quote.refundRelayerFee64].every(
      (sum) => BigInt(sum) < 2n ** 64n,
    ),
  })
  const order: SwiftOrder = {
    payloadType: PAYLOAD_TYPE,
    trader: wordOf(input.chainId, binding.refundTo),
    destAddr: wordOf(output.chainId, binding.recipient),
    destChainId: pinned(output.chainId)?.wormholeId ?? 0,
    referrerAddr: fee === null ? ZERO_WORD : wordOf(input.chainId, fee.recipient),
    tokenOut: tokenWord(output),
    minAmountOut: inOrder,
    gasDrop: 0n,
    cancelFee: BigInt(quote.cancelRelayerFee64),
    refundFee: BigInt(quote.refundRelayerFee64),
    deadline: BigInt(quote.deadline64),
    referrerBps: quote.referrerBps,
    auctionMode: quote.swiftAuctionMode,
    random: nameFor(quote, ask, now),
  }
  const { protocolBps, etaSeconds = null } = quote
  const sums = { expected: toAmount(expected), minimum: toAmount(minimum) }
  return { ...sums, swift: swiftOf(quote, ask), order, protocolBps, etaSeconds, ...middleOf(quote, ask) }
}

/** No answer states how long its price holds: our own choice. Execute asks again. */
const LIFETIME_MS = 60_000

export const toOffer = (
  { expected, minimum, etaSeconds, tokenIn, minMiddle }: Terms,
  quote: SwiftQuote,
  { order, fee, contracts }: Ask,
  now: number,
): Offer => ({
  venue: VENUE_ID,
  executionType: 'TRANSACTION',
  outputAmount: expected,
  fee: { bps: fee?.bps ?? 0, amount: toAmount(grossUp(expected, fee?.bps ?? 0, fee?.bps ?? 0)) },
  slippage: { isFirm: true, guaranteedMin: minimum },
  gasUnits: null,
  spender: isEvmChainId(order.input.chainId) && !isNative(order.input) ? contracts.forwarders[0] : null,
  nativeFee: toAmount(0n),
  estimatedTimeSeconds: typeof etaSeconds === 'number' && etaSeconds >= 0 ? Math.ceil(etaSeconds) : null,
  expiresAt: now + LIFETIME_MS,
  // An input that is only wrapped is locked whole.
  ...(minMiddle !== null &&
    tokenIn !== order.input.address && {
      bridges: { asset: { chainId: order.input.chainId, address: tokenIn }, amount: minMiddle },
    }),
  decimals: { input: quote.fromToken.decimals, output: quote.toToken.decimals },
  carry: { v: 1 },
})
