import { CHAIN_IDS } from '../../core/chain.ts'
import type { RouteType } from '../../core/route.ts'
import type { SwapState } from '../../core/swapStatus.ts'
import type { ErrorCode } from '../../errors.ts'
import type { Problem } from '../../health/healthState.ts'
import type { VenueErrorKind } from '../../venues/venueError.ts'
import type { VenueCall, VenueOutcome } from '../observe.ts'
import type { Label } from './families.ts'

/** Every name of a closed set: the compiler checks that none is missing. */
const all = <Name extends string>(names: { readonly [name in Name]: true }): readonly string[] => Object.keys(names)

const label = (name: string, values: readonly string[]): Label => ({ name, values: new Set(values) })

/** A label with an open set of values: the first `max` values are kept, any other becomes `other`. */
const openLabel = (name: string, max: number): Label => {
  const known = new Set<string>()
  return { name, values: { has: (value) => known.has(value) || (known.size < max && known.add(value).has(value)) } }
}

/** Ids of checks of all venues. */
const CHECKS_MAX = 500

const CODES = {
  INVALID_REQUEST: true,
  UNSUPPORTED_TOKEN: true,
  UNSUPPORTED_CHAIN: true,
  NO_LIQUIDITY: true,
  QUOTE_EXPIRED: true,
  QUOTE_INVALID: true,
  QUOTE_NOT_EXECUTABLE: true,
  RATE_LIMITED: true,
  UNAUTHORIZED: true,
  NOT_CONFIGURED: true,
  NOT_FOUND: true,
  INTERNAL: true,
  OVERLOADED: true,
  ORDER_REJECTED: true,
  BUILD_FAILED: true,
  PAYMENT_REQUIRED: true,
  PAYMENT_PENDING: true,
} as const satisfies { readonly [code in ErrorCode]: true }

/** Replaces the code, so that errors of the service count separately. */
export const OUTAGE = 'OUTAGE'

const CALLS = { quote: true, execute: true, submit: true, track: true, prices: true, reach: true } as const satisfies {
  readonly [call in VenueCall]: true
}

const OUTCOMES = {
  offer: true,
  answer: true,
  decline: true,
  rejected: true,
  timeout: true,
  failure: true,
  dropped: true,
  cut: true,
  slow: true,
  skipped: true,
  unwilling: true,
} as const satisfies { readonly [outcome in VenueOutcome]: true }

const KINDS = {
  unsupportedPair: true,
  amountTooSmall: true,
  amountTooLarge: true,
  noLiquidity: true,
  badRequest: true,
  rateLimited: true,
  unavailable: true,
  timeout: true,
  badResponse: true,
  rejected: true,
} as const satisfies { readonly [kind in VenueErrorKind]: true }

const ROUTES = {
  EVM_SAME_CHAIN: true,
  SOLANA_SAME_CHAIN: true,
  EVM_CROSS_CHAIN: true,
  CROSS_ECOSYSTEM: true,
  NATIVE_BITCOIN: true,
} as const satisfies { readonly [route in RouteType]: true }

const STATES = {
  pending: true,
  processing: true,
  success: true,
  expired: true,
  refunded: true,
  failed: true,
  not_found: true,
  unknown: true,
} as const satisfies { readonly [state in SwapState]: true }

const PROBLEMS = {
  starting: true,
  draining: true,
  store: true,
  venues: true,
  descriptors: true,
  clock: true,
  venue: true,
  chain: true,
  facilitator: true,
} as const satisfies { readonly [problem in Problem]: true }

export const PROBLEM_NAMES = Object.keys(PROBLEMS) as readonly Problem[]

/** Endpoints of a chain with a label of their own. */
const ENDPOINTS_MAX = 8

/** Networks for payments of calls (CAIP-2); any other is `other`. */
const networks = CHAIN_IDS.filter((id) => id > 0).map((id) => `eip155:${id}`)

/** The parts of an installation that label its series. */
export type Names = {
  /** Ids of all venues, disabled ones included. */
  readonly venues: readonly string[]
  /** Ids of all operations of the contract. */
  readonly operations: readonly string[]
}

export const createLabels = ({ venues, operations }: Names) => ({
  venue: label('venue', venues),
  operation: label('operation', [...operations, 'none']),
  call: label('call', all(CALLS)),
  outcome: label('outcome', all(OUTCOMES)),
  kind: label('kind', all(KINDS)),
  answerCall: label('call', ['quote', 'execute', 'status']),
  failingCall: label('call', ['quote', 'execute', 'submit', 'status']),
  answerOutcome: label('outcome', ['accepted', 'rejected', 'notSold', 'declined']),
  check: openLabel('check', CHECKS_MAX),
  routeType: label('route', all(ROUTES)),
  isOffer: label('outcome', ['offer', 'none']),
  code: label('code', [...all(CODES), OUTAGE]),
  state: label('state', all(STATES)),
  limit: label('limit', ['address', 'all']),
  peer: label('peer', ['private', 'public']),
  room: label('room', ['quotes', 'executes', 'statuses']),
  status: label('status', ['2xx', '3xx', '4xx', '5xx', 'gone']),
  leftOut: label('why', ['limit', 'breaker']),
  chain: label('chain', CHAIN_IDS.map(String)),
  ofChain: label('chain', ['all', ...CHAIN_IDS.map(String)]),
  endpoint: label(
    'endpoint',
    Array.from({ length: ENDPOINTS_MAX }, (_none, index) => String(index + 1)),
  ),
  network: label('network', [...networks, 'eip155:84532', 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp']),
  executionType: label('type', ['TRANSACTION', 'SIGNATURE', 'DEPOSIT']),
  isExecutable: label('executable', ['true', 'false']),
  sent: label('outcome', ['sent', 'landed', 'rejected', 'uncertain']),
  query: label('kind', ['read', 'write', 'connect', 'begin']),
  queryOutcome: label('outcome', ['answered', 'failed']),
  look: label('result', ['open', 'ended', 'failed']),
  settlementPart: label('part', ['swap', 'pass', 'task']),
  problem: label('problem', all(PROBLEMS)),
  delivery: label('outcome', ['accepted', 'refused', 'failed']),
  payment: label('outcome', ['settled', 'refused', 'pending']),
})
