import type { Clock } from '../core/clock.ts'
import type { PaidAnswer, PaidCallHooks, PaidCalls, PaidRequest, PaidResource } from '../core/paidCall.ts'
import { SwapError } from '../errors.ts'
import { untilAborted, withDeadline } from '../net/deadline.ts'
import type { Observe, RequestEvent } from '../observe/observe.ts'
import type { NewPaidCall, PaidCall } from '../store/paidCalls.ts'
import type { Store } from '../store/store.ts'
import { settleCall } from './books.ts'
import { type Charge, charge, chargeFrom, readAuthorization } from './charge.ts'
import { createDiscovery } from './discovery.ts'
import type { PaymentPorts } from './paymentPorts.ts'
import { paymentPending, paymentRefused, paymentsUnavailable, reasonFrom } from './paymentRefusal.ts'
import { createPaymentTerms, type PaymentTerms } from './paymentTerms.ts'
import { type PaidFor, readSignedPayment, type SignedPayment } from './signedPayment.ts'

/** How long a call belongs to its holder. Prolonged during the work, so only a killed process leaves one behind. */
export const LEASE_MS = 10_000
const VERIFY_MS = 10_000

export type PaidCallParts = {
  /** Null: no payments are accepted. */
  readonly ports: PaymentPorts | null
  readonly store: Pick<Store, 'paidCalls' | 'transaction'>
  /** The id of this process. */
  readonly holder: string
  readonly observe: Observe
  readonly clock: Clock
}

/** One request with its payment, in progress. */
type Going = {
  readonly request: PaidRequest
  readonly payment: SignedPayment
  readonly terms: PaymentTerms
  readonly hooks: PaidCallHooks
}

const rowOf = ({ request, payment }: Going): NewPaidCall => {
  const { payload, requirements, payer, paymentKey, requestKey } = payment
  return {
    paymentKey,
    requestKey,
    requestId: request.requestId,
    operation: request.operation,
    network: requirements.network,
    asset: requirements.asset,
    amount: BigInt(requirements.amount),
    payTo: requirements.payTo,
    payer,
    payment: JSON.stringify({ payload, requirements }),
  }
}

const receiptOf = async (payment: SignedPayment, transaction: string): Promise<string> => {
  const { encodePaymentResponseHeader } = await import('@x402/core/http')
  const { network } = payment.requirements
  return encodePaymentResponseHeader({ success: true, transaction, network, payer: payment.payer })
}

const verify = async ({ terms, payment }: Going): Promise<void> => {
  const told = await withDeadline(VERIFY_MS, (signal) =>
    untilAborted(terms.server.verifyPayment(payment.payload, payment.requirements), signal),
  ).catch((error: unknown) => {
    throw paymentsUnavailable(error)
  })
  const isOfAnother = told?.payer !== undefined && told.payer.toLowerCase() !== payment.payer.toLowerCase()
  if (told?.isValid !== true || isOfAnother) throw paymentRefused(reasonFrom(told?.invalidReason))
}

/** Prolongs a hold during the work. */
const holding = async <T>({ store, holder }: PaidCallParts, paymentKey: string, work: () => Promise<T>): Promise<T> => {
  const prolong = () => void store.paidCalls.prolong(paymentKey, { holder, leaseMs: LEASE_MS }).catch(() => false)
  const timer = setInterval(prolong, LEASE_MS / 3)
  try {
    return await work()
  } finally {
    clearInterval(timer)
  }
}

/** The reported outcome of each end of a charge. */
const OUTCOMES = { settled: 'settled', never: 'refused', refused: 'refused', unsure: 'pending' } as const satisfies {
  readonly [kind in Charge['kind']]: Extract<RequestEvent, { event: 'payment.charged' }>['outcome']
}

const tellCharge = (
  { observe }: PaidCallParts,
  { requestId }: PaidRequest,
  { network }: NewPaidCall | PaidCall,
  { kind }: Charge,
): void => observe({ event: 'payment.charged', requestId, network, outcome: OUTCOMES[kind] })

const createSteps = (parts: PaidCallParts, ports: PaymentPorts) => {
  const { store, holder } = parts
  const { paidCalls } = store

  /** Records the end of a charge. An unknown one keeps its record, so that the next call finds it. */
  const conclude = async (
    { payment, request }: Going,
    row: NewPaidCall | PaidCall,
    ended: Charge,
    answer: string,
  ): Promise<PaidAnswer> => {
    if (ended.kind === 'settled') {
      // The current holder of the record books and reports the charge.
      if (!(await settleCall(store, row, { holder, transaction: ended.transaction }))) throw paymentPending()
      tellCharge(parts, request, row, ended)
      return { answer, receipt: await receiptOf(payment, ended.transaction), isCharged: true }
    }
    tellCharge(parts, request, row, ended)
    if (ended.kind === 'never') await paidCalls.drop(row.paymentKey, holder)
    else await paidCalls.release(row.paymentKey, holder)
    throw ended.kind === 'unsure' ? paymentPending(ended.cause) : paymentRefused(ended.reason)
  }

  /** Charges an existing answer that no caller has yet. The caller gets it once the payment is settled. */
  const collect = async (going: Going, row: NewPaidCall | PaidCall, answer: string): Promise<PaidAnswer> =>
    conclude(going, row, await charge(going.terms, ports.authorizations, going.payment), answer)

  /** Does the work of a held call, and stores its answer before the payment can be settled. */
  const answerCall = async (going: Going, row: NewPaidCall | PaidCall): Promise<PaidAnswer> => {
    const { paymentKey } = row
    const answer = await going.hooks.work().catch(async (error: unknown) => {
      await paidCalls.drop(paymentKey, holder)
      throw error
    })
    if (!(await paidCalls.setSettling(paymentKey, holder, answer))) throw paymentPending()
    return collect(going, row, answer)
  }

  /** Takes over a call whose holder ended. The chain shows whether it was paid. */
  const takeOver = async (going: Going, kept: PaidCall): Promise<PaidAnswer | null> => {
    if (!(await paidCalls.claim(kept.paymentKey, { holder, leaseMs: LEASE_MS }))) throw paymentPending()
    // The previous holder may have changed the record meanwhile.
    const row = await paidCalls.byKey(kept.paymentKey)
    if (row === null || row.state === 'settled') throw paymentPending()
    if (row.state === 'working' || row.answer === null) return null
    const shown = chargeFrom(await readAuthorization(ports.authorizations, going.payment))
    if (shown) return conclude(going, row, shown, row.answer)
    return collect(going, row, row.answer)
  }

  /** The earlier result of the same payment. Null: the work is still to do, and an existing call is held. */
  const resume = async (going: Going, kept: PaidCall): Promise<PaidAnswer | null> => {
    const { payment } = going
    if (kept.requestKey !== payment.requestKey) throw paymentRefused('spent')
    if (kept.state !== 'settled') return holding(parts, kept.paymentKey, () => takeOver(going, kept))
    if (kept.answer === null || kept.transaction === null) throw paymentRefused('spent')
    return { answer: kept.answer, receipt: await receiptOf(payment, kept.transaction), isCharged: false }
  }

  /** Verified and admitted: the call counts for the payer from here on. */
  const admitted = async (going: Going, kept: PaidCall | null): Promise<PaidAnswer> => {
    const row = rowOf(going)
    const leave = await going.hooks.enter(going.payment.payer)
    let isCharged = false
    try {
      if (kept === null && !(await paidCalls.add(row, { holder, leaseMs: LEASE_MS }))) throw paymentPending()
      const told = await holding(parts, row.paymentKey, () => answerCall(going, kept ?? row))
      isCharged = told.isCharged
      return told
    } finally {
      await leave(isCharged)
    }
  }

  return { resume, admitted }
}

const isRefusal = (error: unknown): boolean => error instanceof SwapError && error.code === 'PAYMENT_REQUIRED'

const createRun = (parts: PaidCallParts, ports: PaymentPorts) => {
  const {
    store: { paidCalls },
    holder,
  } = parts
  const { resume, admitted } = createSteps(parts, ports)

  const admit = async (going: Going): Promise<undefined> => {
    // A payment by earlier terms gets its stored answer, but no new one.
    if (!going.payment.isOffered) throw paymentRefused('notAccepted')
    await going.hooks.room(going.payment.payer)
    await verify(going)
  }

  /** Another instance may have charged the same payment since: a refusal would make the caller sign another. */
  const answeredSince = async (going: Going, refusal: unknown): Promise<PaidAnswer> => {
    const since = isRefusal(refusal) ? await paidCalls.byKey(going.payment.paymentKey) : null
    if (since === null) throw refusal
    const answered = await resume(going, since)
    if (answered) return answered
    await paidCalls.release(going.payment.paymentKey, holder)
    throw paymentPending(refusal)
  }

  return async (going: Going): Promise<PaidAnswer> => {
    const { paymentKey } = going.payment
    const kept = await paidCalls.byKey(paymentKey)
    const told = kept && (await resume(going, kept))
    if (told) return told
    try {
      const refusal = await admit(going).catch((error: unknown) => error)
      if (refusal === undefined) return await admitted(going, kept)
      if (kept) throw refusal
      return await answeredSince(going, refusal)
    } catch (error) {
      // The record was held without any work, so its next caller need not wait. After another end this has no effect.
      if (kept) await paidCalls.release(paymentKey, holder)
      throw error
    }
  }
}

const notConfigured = (): SwapError =>
  new SwapError('NOT_CONFIGURED', 'This installation takes no payments. Use the same path without /x402.')

/** Calls that are paid one by one. Two equal ones at the same time in one process share one run. */
export const createPaidCalls = (parts: PaidCallParts): PaidCalls => {
  const { ports, clock } = parts
  if (ports === null || ports.options.length === 0) {
    const refuse = () => Promise.reject(notConfigured())
    return { demand: refuse, serve: refuse }
  }
  const termsOf = createPaymentTerms(ports, clock)
  const extensionsOf = createDiscovery()
  const go = createRun(parts, ports)
  const underWay = new Map<string, Promise<PaidAnswer>>()

  /** The same in the demand to a payer and in a call of a facilitator. */
  const aboutOf = async ({ call, ...resource }: PaidResource): Promise<PaidFor> => ({
    resource: { ...resource, mimeType: 'application/json' },
    extensions: await extensionsOf(call),
  })

  /** The same answer. If the first caller failed for a reason of its own, such as leaving, the state is pending. */
  const join = async (ahead: Promise<PaidAnswer>): Promise<PaidAnswer> => {
    try {
      return { ...(await ahead), isCharged: false }
    } catch (error) {
      throw error instanceof SwapError ? error : paymentPending(error)
    }
  }

  return {
    demand: async (paidFor, reason) => {
      const { server, requirements } = await termsOf()
      const { encodePaymentRequiredHeader } = await import('@x402/core/http')
      const { resource, extensions } = await aboutOf(paidFor)
      const required = await server.createPaymentRequiredResponse([...requirements], resource, reason, extensions)
      return { header: encodePaymentRequiredHeader(required), words: paymentRefused(reason).publicMessage }
    },
    serve: async (request, hooks) => {
      const terms = await termsOf()
      const payment = await readSignedPayment(request, terms, { now: clock.now(), about: await aboutOf(request.resource) })
      const ahead = underWay.get(payment.requestKey)
      if (ahead) return join(ahead)
      const going = go({ request, payment, terms, hooks })
      underWay.set(payment.requestKey, going)
      try {
        return await going
      } finally {
        underWay.delete(payment.requestKey)
      }
    },
  }
}
