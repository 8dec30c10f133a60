import type { PaidCalls } from '../../engine/core/paidCall.ts'
import type { PaymentRooms } from './paymentRooms.ts'
import type { RequestState } from './requestState.ts'

/** Serves a valid request of a paid call, against its payment. */
export type PaidServe = (state: RequestState, asked: unknown, work: () => Promise<unknown>) => Promise<unknown>

export const createPaidServe =
  (paidCalls: PaidCalls, rooms: PaymentRooms): PaidServe =>
  async (state, asked, work) => {
    const { operation, requestId, caller, payment, resource } = state
    if (!operation || !resource) throw new TypeError('a paid call came past its gate')
    const request = { operation: operation.operationId, requestId, partnerId: caller.partnerId, asked, payment, resource }
    const { answer, receipt, isCharged } = await paidCalls.serve(request, {
      room: rooms.lookPayer,
      enter: rooms.enterPayer,
      work: async () => JSON.stringify(await work()),
    })
    state.isCharged = isCharged
    state.headers.push('PAYMENT-RESPONSE', receipt)
    return JSON.parse(answer)
  }
