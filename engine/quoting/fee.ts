import type { FeeSchedule } from '../config/config.ts'
import type { Caller } from '../core/caller.ts'
import { type Route, type RouteType, routeTypeOf } from '../core/route.ts'

const ROUTE_SCHEDULE_BPS: { readonly [routeType in RouteType]: number } = {
  EVM_SAME_CHAIN: 0,
  SOLANA_SAME_CHAIN: 0,
  EVM_CROSS_CHAIN: 15,
  CROSS_ECOSYSTEM: 25,
  NATIVE_BITCOIN: 30,
}

/** The integrator fee to charge, in basis points: the caller's own, else the operator's schedule, else none. */
export const feeBpsFor = (route: Route, caller: Caller, schedule: FeeSchedule): number => {
  if (caller.feeBps !== null) return caller.feeBps
  return schedule === 'route' ? ROUTE_SCHEDULE_BPS[routeTypeOf(route)] : 0
}
