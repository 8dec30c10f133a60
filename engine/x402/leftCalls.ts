import type { SettlementTask } from '../settlement/settlementJob.ts'
import type { PaidCall } from '../store/paidCalls.ts'
import { settleCall } from './books.ts'
import { chargeFrom, readAuthorization } from './charge.ts'
import { LEASE_MS, type PaidCallParts } from './paidCalls.ts'
import type { PaymentPorts } from './paymentPorts.ts'
import type { SignedPayment } from './signedPayment.ts'

/** How long the answer to a settled call is stored. */
const ANSWER_MS = 15 * 60_000
/** Bounds of one pass, because swaps and webhooks wait for it. The next pass starts with the calls that waited longest. */
const PASS = { most: 200, ms: 10_000 } as const

/**
 * Ends paid calls whose process ended and whose clients never repeated them. It books what the chain shows as paid, and deletes
 * calls that can no longer be paid. It charges no call, because no client received an answer.
 */
export const createLeftCalls = ({ store, ports, holder, clock, observe }: PaidCallParts): SettlementTask => {
  const { paidCalls } = store

  const look = async ({ authorizations }: PaymentPorts, call: PaidCall): Promise<void> => {
    const { paymentKey } = call
    if (!(await paidCalls.claim(paymentKey, { holder, leaseMs: LEASE_MS }))) return
    const row = await paidCalls.byKey(paymentKey)
    if (row?.state === 'working') {
      await paidCalls.drop(paymentKey, holder)
      return
    }
    if (row?.state !== 'settling' || row.payment === null) return
    const payment = JSON.parse(row.payment) as Pick<SignedPayment, 'payload' | 'requirements'>
    const shown = chargeFrom(await readAuthorization(authorizations, payment))
    if (shown?.kind === 'settled') {
      const isOurs = await settleCall(store, row, { holder, transaction: shown.transaction })
      const { requestId, network } = row
      if (isOurs) observe({ event: 'payment.charged', requestId, network, outcome: 'settled' })
    } else if (shown) await paidCalls.drop(paymentKey, holder)
    else await paidCalls.release(paymentKey, holder)
  }

  return {
    name: 'x402',
    run: async (signal) => {
      // A call without a result is not read again at once.
      const [until, all] = [clock.now() + PASS.ms, { isCut: false }]
      if (ports === null) return all
      for (const call of await paidCalls.left(PASS.most, LEASE_MS)) {
        if (signal.aborted || clock.now() >= until) return all
        await look(ports, call)
      }
      return all
    },
  }
}

/** Deletes the answers of calls that were settled long ago. */
export const createForgetAnswers = ({ store, clock }: Pick<PaidCallParts, 'store' | 'clock'>): SettlementTask => ({
  name: 'forget old answers of paid calls',
  isPruning: true,
  run: async () => {
    await store.paidCalls.dropAnswers(clock.now() - ANSWER_MS)
    return { isCut: false }
  },
})
