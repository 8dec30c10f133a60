import type { Address } from '../../../engine/core/address.ts'
import { type Amount, toAmount } from '../../../engine/core/amount.ts'
import { type Asset, parseAsset } from '../../../engine/core/asset.ts'
import { type ChainId, type Ecosystem, ecosystemOf } from '../../../engine/core/chain.ts'
import type { Order } from '../../../engine/core/order.ts'
import type { Route, RouteType } from '../../../engine/core/route.ts'
import PAIRS from './pairs.json' with { type: 'json' }

/**
 * A swap to test a route class, worth about 25 US dollars, or more if the venues of `only` require it. `opens`: its input is paid
 * to an address that the venue opens for the swap.
 */
export type Pair = Route & { readonly inputAmount: Amount; readonly only: readonly string[]; readonly opens: boolean }

/** The wallets that the operator named. */
export type Wallets = { readonly [ecosystem in Ecosystem]: Address | null }

type Written = { from: unknown[]; to: unknown[]; amount: string; only?: string[]; opens?: boolean }

const assetOf = ([chainId, address]: readonly unknown[]): Asset => {
  const asset = parseAsset(chainId as ChainId, address as string)
  if (asset === null) throw new RangeError(`no asset: ${String(address)}`)
  return asset
}

const pairOf = ({ from, to, amount, only = [], opens = false }: Written): Pair => {
  const inputAmount = toAmount(BigInt(amount))
  return { input: assetOf(from), output: assetOf(to), inputAmount, only, opens }
}

/** The pairs of each route class. A venue is tested with the first that it serves, so that most venues quote the same pair. */
export const ROUTE_PAIRS = Object.entries(PAIRS).map(([route, pairs]) => [route as RouteType, pairs.map(pairOf)] as const)

/** The order of a swap between the operator's wallets, refunded to the paying one; null if a wallet is missing. */
export const orderOf = ({ input, output, inputAmount }: Pair, feeBps: number, wallets: Wallets): Order | null => {
  const [sender, recipient] = [wallets[ecosystemOf(input.chainId)], wallets[ecosystemOf(output.chainId)]]
  if (sender === null || recipient === null) return null
  return {
    ...{ input, output, inputAmount, sender, recipient, refundTo: sender, unnamed: [], slippageBps: null, feeBps },
    ...{ rankingMode: 'best_output', sandbox: false, excludeVenues: [], broadcastViaService: false },
  }
}
