import type { FeeSchedule } from '../config/config.ts'
import type { Caller } from '../core/caller.ts'
import type { FeeOwner } from '../core/partner.ts'
import { type Route, type RouteType, routeTypeOf } from '../core/route.ts'

const ROUTE_SCHEDULE_BPS: { readonly [routeType in RouteType]: number } = {
  EVM_SAME_CHAIN: 0,
  SOLANA_SAME_CHAIN: 0,
  EVM_CROSS_CHAIN: 15,
  CROSS_ECOSYSTEM: 25,
  NATIVE_BITCOIN: 30,
}

/** The integrator fee to charge, in basis points, and its owner. */
export type Fee = { readonly bps: number; readonly of: FeeOwner }

/** The caller's own where one was ever set, 0 included; else the operator's by its schedule, else none. */
export const feeFor = (route: Route, { feeBps }: Caller, schedule: FeeSchedule): Fee => {
  if (feeBps !== null) return { bps: feeBps, of: 'partner' }
  return { bps: schedule === 'route' ? ROUTE_SCHEDULE_BPS[routeTypeOf(route)] : 0, of: 'operator' }
}
