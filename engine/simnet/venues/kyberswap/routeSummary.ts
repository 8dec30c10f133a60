import { keccakText } from '../../../chains/evm/evmCodec.ts'
import { BoundedMap } from '../../kit/boundedMap.ts'
import type { SimToken } from '../../kit/tokens.ts'
import type { World } from '../../kit/world.ts'
import { COINS, POOL } from './networks.ts'
import type { Price } from './pricing.ts'
import { type RouteQuestion, strangeSummary } from './questions.ts'

/** A route as it was answered. */
export type Issued = RouteQuestion & {
  readonly price: Price
  readonly routeId: string
  /** Epoch ms. */
  readonly at: number
}

/** How long a route can be built. */
const LIFE_MS = 60_000
export const GAS = 215_000n
const GAS_PRICE = 1_000_000_000n

const named = ({ isNative, address }: SimToken): string => (isNative ? COINS : address.toLowerCase())

/** All of it is the venue's own affair: who sends it back has to leave it as it is. */
const summaryOf = ({ input, output, amount, price, routeId, fee, at }: Issued) => {
  const { gross, net, usdIn, usdOut } = price
  const hop = {
    pool: POOL,
    tokenIn: named(input),
    tokenOut: named(output),
    swapAmount: amount.toString(),
    amountOut: gross.toString(),
    exchange: 'uniswap',
    poolType: 'uniswap-v2',
    poolExtra: { fee: 3, feePrecision: 1000 },
    extra: { nSqrtRx96: '1542313451032467283946523' },
  }
  const isCharged = fee.bps.length > 0
  return {
    tokenIn: named(input),
    amountIn: amount.toString(),
    amountInUsd: usdIn,
    tokenOut: named(output),
    amountOut: net.toString(),
    amountOutUsd: usdOut,
    gas: GAS.toString(),
    gasPrice: GAS_PRICE.toString(),
    gasUsd: '0.25',
    l1FeeUsd: '0',
    extraFee: {
      feeAmount: isCharged ? fee.bps.join() : '0',
      chargeFeeBy: isCharged ? 'currency_out' : '',
      isInBps: isCharged,
      feeReceiver: fee.receivers.join().toLowerCase(),
    },
    route: [[hop]],
    routeID: routeId,
    timestamp: Math.floor(at / 1_000),
  }
}

export const createRoutes = ({ random, clock }: Pick<World, 'random' | 'clock'>) => {
  const issued = new BoundedMap<string, Issued>()
  return {
    issue: (question: RouteQuestion, price: Price) => {
      const route: Issued = { ...question, price, routeId: `${random.hex(8)}-${random.hex(8)}`, at: clock.now() }
      const summary = summaryOf(route)
      const whole = { ...summary, checksum: BigInt.asUintN(64, BigInt(keccakText(JSON.stringify(summary)))).toString() }
      issued.set(JSON.stringify(whole), route)
      return whole
    },
    /** The route of a summary; refused where any of it was changed. */
    find: (summary: unknown, chainId: number): Issued => {
      const route = issued.get(JSON.stringify(summary))
      if (route === undefined || route.chainId !== chainId) throw strangeSummary()
      return route
    },
    isOver: ({ at }: Issued): boolean => clock.now() > at + LIFE_MS,
  }
}

export type Routes = ReturnType<typeof createRoutes>
