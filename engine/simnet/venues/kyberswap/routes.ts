import { BoundedMap } from '../../kit/boundedMap.ts'
import { MICROS, usdMicrosOf } from '../../kit/dollars.ts'
import type { Market } from '../../kit/market.ts'
import { Refusal, refuseIf } from '../../kit/refusal.ts'
import type { SimToken } from '../../kit/tokens.ts'
import type { World } from '../../kit/world.ts'
import type { RouteRequest } from './requests.ts'

/** A pool of its routes, which the router pays where coins are bought. */
export const POOL = '0xb4e16d0168e52d35cacd2c6185b44281ec28c9dc'
const COINS = '0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee'

/** Beyond it there is no route; far beyond it the request is refused. */
const DEPTH_MICROS = 3_000_000n * MICROS
const AMOUNT_MAX_MICROS = 50_000_000n * MICROS

/** What pools keep, in millionths: less between tokens of one price, more without market makers. */
const CLOSE_PPM = 120n
const ORDINARY_PPM = 1_700n
const WITHOUT_MAKERS_PPM = 150n

const ROUTE_LIFE_MS = 60_000
const GAS = '215000'

export type Route = RouteRequest & { readonly gross: bigint; readonly net: bigint; readonly routeId: string; readonly at: number }

/** The price of now. `misquoted` is the factor of a fault. Throws Refusal. */
const priceOf = ({ input, output, amount, fee, isWithoutMakers }: RouteRequest, market: Market, misquoted: bigint) => {
  const worth = usdMicrosOf(market, input, amount)
  refuseIf(worth > AMOUNT_MAX_MICROS, '4009', 'amountIn is greater than max allowed')
  const kept = (input.currency === output.currency ? CLOSE_PPM : ORDINARY_PPM) + (isWithoutMakers ? WITHOUT_MAKERS_PPM : 0n)
  const gross = (market.convert(input, amount, output) * misquoted * (MICROS - kept)) / MICROS
  const net = gross - (gross * (fee?.bps ?? 0n)) / 10_000n
  refuseIf(worth > DEPTH_MICROS || net === 0n, '4008', 'route not found')
  return { gross, net }
}

const named = ({ isNative, address }: SimToken): string => (isNative ? COINS : address.toLowerCase())

const summaryOf = ({ input, output, amount, gross, net, routeId, fee, at }: Route) => ({
  tokenIn: named(input),
  amountIn: amount.toString(),
  tokenOut: named(output),
  amountOut: net.toString(),
  gas: GAS,
  extraFee: {
    feeAmount: fee === null ? '0' : fee.bps.toString(),
    chargeFeeBy: fee === null ? '' : 'currency_out',
    isInBps: fee !== null,
    feeReceiver: fee?.receiver.toLowerCase() ?? '',
  },
  route: [[{ pool: POOL, tokenIn: named(input), tokenOut: named(output), swapAmount: `${amount}`, amountOut: `${gross}` }]],
  routeID: routeId,
  timestamp: Math.floor(at / 1_000),
})

export const createRoutes = ({ random, clock, market }: Pick<World, 'random' | 'clock' | 'market'>) => {
  const issued = new BoundedMap<string, Route>()
  return {
    issue: (request: RouteRequest, misquoted: bigint) => {
      const routeId = `${random.hex(8)}-${random.hex(8)}`
      const route: Route = { ...request, ...priceOf(request, market, misquoted), routeId, at: clock.now() }
      const summary = summaryOf(route)
      issued.set(JSON.stringify(summary), route)
      return summary
    },
    /** The route of a summary. Throws Refusal for one that differs in any field, and for one that is over. */
    find: (summary: unknown, chainId: number): Route => {
      const route = issued.get(JSON.stringify(summary))
      if (route === undefined || route.chainId !== chainId) throw new Refusal('4000', 'bad request')
      refuseIf(clock.now() > route.at + ROUTE_LIFE_MS, '4222', 'quoted amount is smaller than estimated', { status: 422 })
      return route
    },
  }
}

export type Routes = ReturnType<typeof createRoutes>
