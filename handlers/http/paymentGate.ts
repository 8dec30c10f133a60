import type { CallDescription, PaidResource, PaymentReason } from '../../engine/core/paidCall.ts'
import type { Engine } from '../../engine/engine.ts'
import { SwapError } from '../../engine/errors.ts'
import type { CallDescriptions } from './callDescription.ts'
import { EdgeError } from './edgeError.ts'
import type { Leave, PaymentRooms } from './paymentRooms.ts'
import type { RateCounter } from './rateCounter.ts'
import type { CallerLimits } from './rateLimit.ts'
import type { EdgeContext, EdgeMiddleware, RequestState } from './requestState.ts'
import { exceeded, type Limit, tally } from './spend.ts'

type Limits = ReturnType<CallerLimits>

export type PaymentGateParts = {
  readonly limitsOf: CallerLimits
  readonly counter: RateCounter
  readonly rooms: PaymentRooms
  readonly describe: CallDescriptions
}

const reasonOf = ({ details }: SwapError): PaymentReason => (details?.['reason'] ?? 'refused') as PaymentReason

/** Of a name and its port, by RFC 1035: a longer one is none, and would be told back. */
const HOST_MAX = 260

/** As it was asked for: where that is, only who asks knows. */
const resourceOf = ({ req, state }: EdgeContext, call: CallDescription): PaidResource => {
  const isSecure = req.headers['x-forwarded-proto'] === 'https'
  const { host = '' } = req.headers
  const url = `${isSecure ? 'https' : 'http'}://${host.length > HOST_MAX ? '' : host}${state.path}`
  return { url, description: state.operation?.contract.summary ?? '', call }
}

/** What is asked for, in a refusal. */
const demanded = async (engine: Engine, resource: PaidResource, reason: PaymentReason, cause?: unknown): Promise<EdgeError> => {
  const { header, words } = await engine.paidCalls.demand(resource, reason)
  return new EdgeError(402, 'PAYMENT_REQUIRED', words, { details: { reason }, headers: { 'PAYMENT-REQUIRED': header }, cause })
}

/** Takes room for a call that may end without a charge, until it has ended. */
const inRoom = async ({ state }: EdgeContext, enter: () => Promise<Leave>, next: () => Promise<unknown>): Promise<void> => {
  const leave = await enter()
  try {
    if (state.refusal) throw state.refusal
    await next()
  } finally {
    await leave(state.isCharged)
  }
}

/** Of the requests without a payment whose caller has not paid since. */
const unpaidKey = ({ client }: RequestState): string => `unpaid ${client}`

/**
 * Counts a request without a payment against the limits of its caller. A caller beyond these may still fetch what to pay, as long
 * as fewer than `unpaidMax` of its requests a minute stay unpaid. Throws RATE_LIMITED beyond that.
 */
const spendUnpaid = async (state: RequestState, counter: RateCounter, limits: Limits, unpaidMax: number): Promise<void> => {
  const { requests: unpaid } = await counter.count(unpaidKey(state))
  for (const [key, limit] of limits)
    if (!(await tally(state, counter, key, limit)) && unpaid > unpaidMax) throw exceeded(state, limit)
}

/** Gives back what a request without a payment counted, now that its caller has paid. */
const giveBackUnpaid = async (state: RequestState, counter: RateCounter, limits: Limits): Promise<void> => {
  if ((await counter.giveBack(unpaidKey(state))) === 0) return
  for (const [key] of limits) await counter.giveBack(key)
}

/**
 * Before a call that is paid for: without a payment it goes no further, and counts as a plain call until its caller pays. With a
 * payment it is not held to so many a minute, unless it ends without a charge.
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
        await spendUnpaid(state, counter, limits, perMinute)
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
      if (state.isCharged) await giveBackUnpaid(state, counter, limits)
      else if (state.payment !== '') await tally(state, counter, state.address, limit)
    }
  }
