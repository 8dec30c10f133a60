import { type Address, parseAddress } from '../../core/address.ts'
import { type Amount, parseAmount, toAmount } from '../../core/amount.ts'
import { type Asset, isNative, isSameAsset } from '../../core/asset.ts'
import type { Binding } from '../../core/execution.ts'
import type { Offer } from '../../core/offer.ts'
import type { VenueOrder } from '../../core/order.ts'
import { addressIn, assetIn } from '../kit/addresses.ts'
import { demand } from '../kit/demand.ts'
import { firm, PLAIN_OFFER } from '../kit/plain.ts'
import { grossUp, leastOf } from '../kit/reprice.ts'
import { rejected, VenueError } from '../venueError.ts'
import type { Routed } from './wire.ts'

export const VENUE_ID = 'kyberswap'

/** A fee on the output; null without one. */
export type AppFee = { readonly bps: number; readonly recipient: Address }

export type Ask = {
  readonly order: VenueOrder
  readonly fee: AppFee | null
  /** Excludes market makers' prices, after one of them withdrew its price. */
  readonly withoutMakers?: true
}

/** Query of GET /{chain}/api/v1/routes. The API accepts addresses in any letter case. */
export const toRoutesQuery = ({ order, fee, withoutMakers }: Ask): { readonly [name: string]: string } => ({
  tokenIn: order.input.address,
  tokenOut: order.output.address,
  amountIn: order.inputAmount.toString(),
  origin: order.sender,
  ...(fee === null
    ? {}
    : { feeAmount: String(fee.bps), isInBps: 'true', chargeFeeBy: 'currency_out', feeReceiver: fee.recipient }),
  ...(withoutMakers ? { excludeRFQSources: 'true' } : {}),
})

/** How long a payload may be sent: our own choice, as the venue states no time. Routes expire sooner: see `LIFETIME_MS`. */
const SENDING_SECONDS = 300

/** Body of POST /{chain}/api/v1/route/build, beside the route. */
export const toBuildWish = (
  { sender }: VenueOrder,
  { recipient }: Binding,
  { slippageBps, source, now }: { readonly slippageBps: number; readonly source: string; readonly now: number },
): object => ({
  sender,
  recipient,
  slippageTolerance: slippageBps,
  deadline: Math.floor(now / 1_000) + SENDING_SECONDS,
  origin: sender,
  source,
})

/** The schema has already validated this as an integer. */
export const amountIn = (text: string): Amount => toAmount(BigInt(text))

/** A known router, by an answer. Throws VenueError('rejected') for any other contract. */
export const routerIn = (text: string, routers: readonly Address[]): Address => {
  const router = routers.find((each) => each === parseAddress('evm', text.toLowerCase()))
  if (router !== undefined) return router
  throw rejected('router', `kyberswap: router ${text} is not pinned; VENUE_KYBERSWAP_EXTRA_ROUTERS adds one`, text)
}

const isAsset = (text: string, asset: Asset, what: string): boolean =>
  isSameAsset(assetIn(asset.chainId, text.toLowerCase(), what), asset)

const isFee = ({ routeSummary: { extraFee } }: Routed, fee: AppFee | null): boolean => {
  if (extraFee === undefined || extraFee === null) return fee === null
  const { feeAmount, chargeFeeBy, isInBps, feeReceiver } = extraFee
  if (fee === null) return feeAmount === '0' || feeAmount === ''
  const isTo = parseAddress('evm', String(feeReceiver).toLowerCase()) === fee.recipient
  return feeAmount === String(fee.bps) && chargeFeeBy === 'currency_out' && isInBps === true && isTo
}

/** Checks a route against its request. Throws VenueError. */
export const checkRoute = (found: Routed, { order, fee }: Ask, routers: readonly Address[]): void => {
  const { tokenIn, tokenOut, amountIn: given } = found.routeSummary
  demand('kyberswap answered with', {
    'another input token': [isAsset(tokenIn, order.input, 'the input token'), tokenIn],
    'another output token': [isAsset(tokenOut, order.output, 'the output token'), tokenOut],
    'another input amount': [amountIn(given) === order.inputAmount, given],
    'another fee': [isFee(found, fee), found],
  })
  routerIn(found.routerAddress, routers)
}

/** A build may be a unit or two below its route, by answers of September 2026. For amounts of a few units that is too much. */
const BUILT_SHORT = { units: 2n, from: 10_000n }

const builtOf = (routed: bigint): bigint => (routed > BUILT_SHORT.from ? routed - BUILT_SHORT.units : routed)

/** Routes must not be held for long. Execute requests another one, and enforces the quoted minimum. */
const LIFETIME_MS = 30_000

export const toOffer = ({ routeSummary, routerAddress }: Routed, { order, fee }: Ask, now: number): Offer => {
  const expected = amountIn(routeSummary.amountOut)
  const minimum = leastOf(builtOf(expected), order.slippageBps)
  if (minimum === 0n) throw new VenueError('amountTooSmall', 'the output comes to nothing')
  const bps = fee?.bps ?? 0
  return {
    ...PLAIN_OFFER,
    venue: VENUE_ID,
    executionType: 'TRANSACTION',
    ...firm({ expected, minimum }),
    fee: { bps, amount: toAmount(grossUp(expected, bps, bps)) },
    gasUnits: parseAmount(String(routeSummary.gas)),
    spender: isNative(order.input) ? null : addressIn(order.input.chainId, routerAddress.toLowerCase(), 'the router'),
    expiresAt: now + LIFETIME_MS,
    carry: { v: 1 },
  }
}
