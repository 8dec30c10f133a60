import { isNative } from '../core/asset.ts'
import { BITCOIN } from '../core/chain.ts'
import type { Order, Party } from '../core/order.ts'
import { isCrossEcosystem, type Route, touchesSolana } from '../core/route.ts'
import type { BindingCase, VenueProfile } from '../venues/venue.ts'

const applies = (bindingCase: BindingCase, route: Route): boolean => {
  switch (bindingCase) {
    case 'always':
      return true
    case 'crossEcosystem':
      return isCrossEcosystem(route)
    case 'touchesSolana':
      return touchesSolana(route)
    case 'fromBitcoin':
      return route.input.chainId === BITCOIN
    case 'fromNativeCoin':
      return isNative(route.input)
  }
}

/** True when the venue fixes that address at quote time on this route and cannot bind another one later. */
export const bindsAtQuote = ({ bindsAtQuote: cases }: VenueProfile, party: Party, route: Route): boolean =>
  cases[party].some((bindingCase) => applies(bindingCase, route))

/** False when the venue would bake in an address the caller did not name: the price is then a preview only. */
export const isExecutable = (profile: VenueProfile, order: Order): boolean =>
  !order.unnamed.some((party) => bindsAtQuote(profile, party, order))
