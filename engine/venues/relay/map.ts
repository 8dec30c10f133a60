import { type Address, parseAddress } from '../../core/address.ts'
import { type Amount, bpsOf, toAmount } from '../../core/amount.ts'
import { isNative } from '../../core/asset.ts'
import { BITCOIN, CHAIN_IDS, type ChainId, ecosystemOf, isEvmChainId } from '../../core/chain.ts'
import type { Binding } from '../../core/execution.ts'
import type { Offer, Slippage } from '../../core/offer.ts'
import type { Order } from '../../core/order.ts'
import { addressIn } from '../kit/addresses.ts'
import { demand } from '../kit/demand.ts'
import { grossUp } from '../kit/reprice.ts'
import { type AddressesByChain, type ChainNames, chainNames } from '../kit/settings.ts'
import type { VenueProfile } from '../venue.ts'
import { rejected, VenueError } from '../venueError.ts'
import { isNamed, PINNED, PINNED_NAMES, spelled, toCurrency, toWireChain } from './protocol.ts'
import type { Price } from './wire.ts'

export const [CHAIN_NAMES, chainNamesIn] = chainNames('CHAIN_NAMES', 'newer names of chains in orders', PINNED_NAMES)

/** The routers of a chain, with the operator's. */
export const routersOn = (chainId: ChainId, extra: AddressesByChain): readonly Address[] => [
  ...PINNED[chainId].routers,
  ...(extra[chainId] ?? []),
]

/** The depositories of a chain, with the operator's. */
export const depositoriesOn = (chainId: ChainId, extra: AddressesByChain): readonly Address[] => [
  PINNED[chainId].depository,
  ...(extra[chainId] ?? []),
]

/** The chain of a name in an order. Throws VenueError('rejected') for an unsupported chain. */
export const chainNamed = (name: string, names: ChainNames): ChainId => {
  const chainId = names.get(name)
  if (chainId === undefined) throw rejected('chainName', `relay: chain ${name} (VENUE_RELAY_CHAIN_NAMES adds names)`, name)
  return chainId
}

/** The contracts that a payload may call or allow. A deposit in bitcoin goes to a separate address. */
export const contractsWith = (extra: AddressesByChain): VenueProfile['contracts'] =>
  Object.fromEntries(
    CHAIN_IDS.filter((chainId) => chainId !== BITCOIN).map((chainId) => [chainId, depositoriesOn(chainId, extra)]),
  )

/** An address in Relay's spelling. Throws VenueError('badResponse') naming `what` it was for. */
export const spelledIn = (chainId: ChainId, text: string, what: string): Address =>
  addressIn(chainId, spelled(chainId, text), what)

export const VENUE_ID = 'relay'

export type Ask = {
  readonly order: Order
  readonly binding: Binding
  /** The wallet that pays. */
  readonly user: Address
  readonly slippageBps: number
  /** Null: no fee is requested. */
  readonly fee: { readonly bps: number; readonly recipient: Address } | null
  readonly referrer: string | null
}

/** Body of POST /price: a deposit address costs the venue a sweep, which the price includes only on request. */
export const toPriceRequest = ({ order, binding, user, slippageBps, fee, referrer }: Ask) => ({
  user,
  recipient: binding.recipient,
  originChainId: toWireChain(order.input.chainId),
  destinationChainId: toWireChain(order.output.chainId),
  originCurrency: toCurrency(order.input),
  destinationCurrency: toCurrency(order.output),
  amount: order.inputAmount.toString(),
  tradeType: 'EXACT_INPUT',
  refundTo: binding.refundTo,
  slippageTolerance: String(slippageBps),
  ...(fee === null ? {} : { appFees: [{ recipient: fee.recipient, fee: String(fee.bps) }] }),
  ...(referrer === null ? {} : { referrer }),
  ...(order.input.chainId === BITCOIN ? { useDepositAddress: true } : {}),
})

/** Body of POST /quote/v2, which opens a deposit address at the venue where one is needed. */
export const toQuoteRequest = (ask: Ask) => ({
  ...toPriceRequest(ask),
  // The service does not sell payments through an exchange, so Relay can decline such a route at once.
  disableOriginSwaps: true,
  // Asks for an address of this one order. The venue has ignored it since September 2026: it requotes a deposit of another
  // amount, and fills the deposit under another request. The tracker follows that request.
  ...(ask.order.input.chainId === BITCOIN ? { strict: true } : {}),
})

/** The error for a product of the venue that is not sold, because nothing binds it to the quote. */
export const notSold = (what: string): VenueError =>
  new VenueError('unsupportedPair', `relay: ${what} cannot be proved`, { reason: 'notSold' })

export const unreadable = (check: string, what: string, found: unknown): VenueError =>
  rejected(check, `relay: ${what} cannot be read`, found)

/** The schema has already validated this as an integer. */
const amountIn = (text: string): Amount => toAmount(BigInt(text))

/** Prices after the check against their request. */
export type Terms = {
  readonly outputAmount: Amount
  readonly slippage: Slippage
  /** The integrator's fee on the input, smallest units of the input; zero without a fee. */
  readonly appFee: Amount
}

/** Checks an answer against the request. Throws VenueError. */
export const toTerms = ({ details, fees }: Price, { order, binding, slippageBps, fee }: Ask): Terms => {
  const { currencyIn, currencyOut, recipient } = details
  const outputAmount = amountIn(currencyOut.amount)
  const minimum = amountIn(currencyOut.minimumAmount)
  // The app fee is a share of the input, in its own units. Some routes omit it without an error, and then take none.
  const app = fees?.app ?? null
  const appFee = amountIn(app?.amount ?? '0')
  const isFeeAsked =
    app !== null && fee !== null && isNamed(app.currency, order.input) && appFee === bpsOf(order.inputAmount, fee.bps)
  demand('relay answered with', {
    'another input token': [isNamed(currencyIn.currency, order.input), currencyIn.currency],
    'another output token': [isNamed(currencyOut.currency, order.output), currencyOut.currency],
    'another input amount': [amountIn(currencyIn.amount) === order.inputAmount, currencyIn.amount],
    'another recipient': recipient == null || parseAddress(ecosystemOf(order.output.chainId), recipient) === binding.recipient,
    // For a few units the slippage may leave zero: `demandSome`.
    'another minimum output': minimum <= outputAmount && (minimum > 0n || bpsOf(outputAmount, 10_000 - slippageBps) === 0n),
    'another fee': appFee === 0n || isFeeAsked,
  })
  // The delivery is at least the minimum, or else the input is refunded: the order's hash, and with it the deposit, binds this.
  return { outputAmount, slippage: { isFirm: true, guaranteedMin: minimum }, appFee }
}

/** Declines an answer without a guaranteed amount. */
export const demandSome = ({ slippage }: Terms): void => {
  if (slippage.guaranteedMin === 0n) throw new VenueError('amountTooSmall', 'relay: the output comes to nothing')
}

/** No answer states how long its price holds: our own choice. Execute asks again, and the minimum binds the result. */
export const LIFETIME_MS = 30_000

/** How long after its price expired a payment may still be pending at the venue. A block of Bitcoin may take hours. */
export const graceMs = (chainId: ChainId): number => (chainId === BITCOIN ? 24 : 1) * 3_600_000

/** `pays`: the called contract; null for a payment to an address. */
type OfferParts = { readonly ask: Ask; readonly pays: Address | null; readonly gasUnits: bigint | null; readonly now: number }

export const toOffer = ({ details }: Price, terms: Terms, { ask, pays, gasUnits, now }: OfferParts): Offer => {
  demandSome(terms)
  const { input } = ask.order
  const { timeEstimate: seconds } = details
  const bps = terms.appFee > 0n && ask.fee ? ask.fee.bps : 0
  return {
    venue: VENUE_ID,
    executionType: input.chainId === BITCOIN ? 'DEPOSIT' : 'TRANSACTION',
    outputAmount: terms.outputAmount,
    fee: { bps, amount: toAmount(grossUp(terms.outputAmount, bps, bps)) },
    slippage: terms.slippage,
    gasUnits,
    spender: isEvmChainId(input.chainId) && !isNative(input) ? pays : null,
    nativeFee: toAmount(0n),
    estimatedTimeSeconds: typeof seconds === 'number' && seconds >= 0 && seconds <= 604_800 ? Math.ceil(seconds) : null,
    expiresAt: now + LIFETIME_MS,
    decimals: { input: details.currencyIn.currency.decimals, output: details.currencyOut.currency.decimals },
    carry: { v: 1 },
  }
}
