import type { Asset } from './asset.ts'
import { BITCOIN, ecosystemOf, SOLANA } from './chain.ts'

/** The two assets of a swap: enough for a venue to decide whether it serves the route. */
export type Route = { readonly input: Asset; readonly output: Asset }

export type RouteType = 'EVM_SAME_CHAIN' | 'SOLANA_SAME_CHAIN' | 'EVM_CROSS_CHAIN' | 'CROSS_ECOSYSTEM' | 'NATIVE_BITCOIN'

export const isCrossEcosystem = ({ input, output }: Route): boolean => ecosystemOf(input.chainId) !== ecosystemOf(output.chainId)

export const touchesSolana = ({ input, output }: Route): boolean => input.chainId === SOLANA || output.chainId === SOLANA

export const routeTypeOf = (route: Route): RouteType => {
  const { input, output } = route
  if (input.chainId === BITCOIN || output.chainId === BITCOIN) return 'NATIVE_BITCOIN'
  if (isCrossEcosystem(route)) return 'CROSS_ECOSYSTEM'
  if (input.chainId !== output.chainId) return 'EVM_CROSS_CHAIN'
  return input.chainId === SOLANA ? 'SOLANA_SAME_CHAIN' : 'EVM_SAME_CHAIN'
}
