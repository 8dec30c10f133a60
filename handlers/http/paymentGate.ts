import type { CallDescription, PaidResource, PaymentReason } from '../../engine/core/paidCall.ts'
import type { Engine } from '../../engine/engine.ts'
import { SwapError } from '../../engine/errors.ts'
import type { CallDescriptions } from './callDescription.ts'
import type { ClientAddress } from './clientAddress.ts'
import { EdgeError } from './edgeError.ts'
import type { Leave, PaymentRooms } from './paymentRooms.ts'
import type { RateCounter } from './rateCounter.ts'
import type { EdgeContext, EdgeMiddleware } from './requestState.ts'
import { type Limit, spend, tally } from './spend.ts'

export type PaymentGateParts = {
  readonly clientAddress: ClientAddress
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

/**
 * Before a call that is paid for: without a payment it goes no further, and is counted as an anonymous one. With one it is not
 * held to so many a minute, unless it ends without a charge.
 */
export const paymentGate =
  (engine: Engine, { clientAddress, counter, rooms, describe }: PaymentGateParts): EdgeMiddleware =>
  async (ctx, next) => {
    const { state, req } = ctx
    const { operation } = state
    if (!operation?.isPaid) return next()
    const resource = resourceOf(ctx, describe(operation))
    const demand = (reason: PaymentReason, cause?: unknown) => demanded(engine, resource, reason, cause)
    const { requestsPerMinute: perMinute } = await engine.identify(null)
    const limit: Limit = { policy: 'anonymous', perMinute, what: 'requests' }
    state.address = clientAddress(req)
    state.client = state.caller.partnerId === null ? state.address : `partner ${state.caller.partnerId}`
    state.resource = resource
    state.payment = String(req.headers['payment-signature'] ?? '')
    try {
      if (state.payment === '') {
        await spend(state, counter, state.address, limit)
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
      if (state.payment !== '' && !state.isCharged) await tally(state, counter, state.address, limit)
    }
  }
