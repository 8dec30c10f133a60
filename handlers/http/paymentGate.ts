import type { CallDescription, PaidResource, PaymentReason } from '../../engine/core/paidCall.ts'
import type { Engine } from '../../engine/engine.ts'
import { SwapError } from '../../engine/errors.ts'
import type { CallDescriptions } from './callDescription.ts'
import { EdgeError } from './edgeError.ts'
import type { Leave, PaymentRooms } from './paymentRooms.ts'
import type { RateCounter } from './rateCounter.ts'
import type { CallerLimits } from './rateLimit.ts'
import type { EdgeContext, EdgeMiddleware, RequestState } from './requestState.ts'
import { exceeded, type Limit, spend, tally } from './spend.ts'

type Limits = ReturnType<CallerLimits>

export type PaymentGateParts = {
  readonly limitsOf: CallerLimits
  readonly counter: RateCounter
  readonly rooms: PaymentRooms
  readonly describe: CallDescriptions
}

const reasonOf = ({ details }: SwapError): PaymentReason => (details?.['reason'] ?? 'refused') as PaymentReason

/** Of a name and its port, by RFC 1035. The answer would repeat a longer, invalid one. */
const HOST_MAX = 260

/** The URL of the call, by the request's own host and protocol headers. */
const resourceOf = ({ req, state }: EdgeContext, call: CallDescription): PaidResource => {
  const isSecure = req.headers['x-forwarded-proto'] === 'https'
  const { host = '' } = req.headers
  const url = `${isSecure ? 'https' : 'http'}://${host.length > HOST_MAX ? '' : host}${state.path}`
  return { url, description: state.operation?.contract.summary ?? '', call }
}

/** The demand for a payment, as a refusal. */
const demanded = async (engine: Engine, resource: PaidResource, reason: PaymentReason, cause?: unknown): Promise<EdgeError> => {
  const { header, words } = await engine.paidCalls.demand(resource, reason)
  return new EdgeError(402, 'PAYMENT_REQUIRED', words, { details: { reason }, headers: { 'PAYMENT-REQUIRED': header }, cause })
}

/** Takes a slot for a call that may end without a charge, until it has ended. */
const inRoom = async ({ state }: EdgeContext, enter: () => Promise<Leave>, next: () => Promise<unknown>): Promise<void> => {
  const leave = await enter()
  try {
    if (state.refusal) throw state.refusal
    await next()
  } finally {
    await leave(state.isCharged)
  }
}

/** The fewest payment challenges a minute that a caller may leave unpaid. A challenge makes no call of a venue. */
const CHALLENGES_MIN = 120

/** Payment challenges count separately from plain calls: by key, by address without a key, and by the keys of an address. */
const challengeLimits = (limits: Limits): Limits =>
  limits.map(([key, { perMinute, what }]) => [
    `challenges ${key}`,
    { policy: 'payment-challenges', perMinute: Math.max(CHALLENGES_MIN, perMinute), what },
  ])

/** The challenges of one caller that count against a limit, which other callers may share. */
const pairOf = (own: string, key: string): string => `${own} at ${key}`

/** The caller's own limit of challenges, the other limits of challenges, and its limits of plain calls. */
const countsOf = (limits: Limits) => {
  const challenges = challengeLimits(limits)
  const [own = '', ...shared] = challenges.map(([key]) => key)
  return { challenges, own, shared, plain: limits.map(([key]) => key) }
}

/**
 * Counts a payment challenge, also as a plain call. An exhausted limit of plain calls does not refuse it. Throws RATE_LIMITED,
 * and counts nothing, when too many challenges of the minute are unpaid.
 */
const spendChallenge = async (state: RequestState, counter: RateCounter, limits: Limits): Promise<void> => {
  const { challenges, own, shared, plain } = countsOf(limits)
  const counted: string[] = []
  for (const [key, limit] of challenges) {
    counted.push(key)
    if (await tally(state, counter, key, limit)) continue
    for (const one of counted) await counter.giveBack(one)
    throw exceeded(state, limit)
  }
  for (const [key, limit] of limits) await tally(state, counter, key, limit)
  for (const key of [...shared, ...plain]) await counter.count(pairOf(own, key))
}

/** Returns one unit of each limit whose current minute counted a challenge of this caller. */
const giveBack = async (counter: RateCounter, own: string, keys: readonly string[]): Promise<void> => {
  for (const key of keys) {
    const pair = pairOf(own, key)
    const [{ msLeft: pairMsLeft }, { msLeft }] = [await counter.look(pair), await counter.look(key)]
    // A minute that began after that of the pair may lack the challenge.
    if (msLeft <= pairMsLeft && (await counter.giveBack(pair)) > 0) await counter.giveBack(key)
  }
}

/** Ends the challenge of a call with a payment. It returns a charged one, or only the plain call that it counted. */
const endChallenge = async (counter: RateCounter, limits: Limits, isCharged: boolean): Promise<void> => {
  const { own, shared, plain } = countsOf(limits)
  if (isCharged) await counter.giveBack(own)
  await giveBack(counter, own, isCharged ? [...shared, ...plain] : plain)
}

/**
 * Runs before a paid call. Without a payment the call stops here, and counts as a payment challenge and a plain call. With a
 * payment no limit a minute applies, unless it ends without a charge.
 */
export const paymentGate =
  (engine: Engine, { limitsOf, counter, rooms, describe }: PaymentGateParts): EdgeMiddleware =>
  async (ctx, next) => {
    const { state, req } = ctx
    const { operation } = state
    if (!operation?.isPaid) return next()
    const resource = resourceOf(ctx, describe(operation))
    const demand = (reason: PaymentReason, cause?: unknown) => demanded(engine, resource, reason, cause)
    const { requestsPerMinute: perMinute } = await engine.identify(null)
    const limit: Limit = { policy: 'anonymous', perMinute, what: 'requests' }
    const limits = limitsOf(ctx)
    state.resource = resource
    state.payment = String(req.headers['payment-signature'] ?? '')
    try {
      if (state.payment === '') {
        if (state.refusal) for (const [key, one] of limits) await spend(state, counter, key, one)
        else await spendChallenge(state, counter, limits)
        throw state.refusal ?? (await demand('noPayment'))
      }
      await inRoom(
        ctx,
        () => rooms.enterAddress(state.address, perMinute),
        async () => {
          try {
            await next()
          } catch (error) {
            const isRefusal = error instanceof SwapError && error.code === 'PAYMENT_REQUIRED'
            throw isRefusal ? await demand(reasonOf(error), error.cause) : error
          }
        },
      )
    } finally {
      if (state.payment !== '') await endChallenge(counter, limits, state.isCharged)
      if (state.payment !== '' && !state.isCharged) await tally(state, counter, state.address, limit)
    }
  }
