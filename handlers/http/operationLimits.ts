import type { OperationId } from '../handler.ts'
import type { RateCounter } from './rateCounter.ts'
import type { RequestState } from './requestState.ts'
import { type Limit, spend } from './spend.ts'

/** `by`: the counted party. */
type OperationLimit = Limit & { readonly by: 'address' | 'client' }

/**
 * Limits of an operation beside that of the tier. Only valid requests count, because rejected ones had no effect and counted for
 * the tier already.
 */
const OPERATION_LIMITS: { readonly [Id in OperationId]?: OperationLimit } = {
  createKey: { policy: 'signup', perMinute: 5, what: 'signups from this address', by: 'address' },
  webhookTest: { policy: 'webhook-test', perMinute: 5, what: 'tests of this webhook', by: 'client' },
}

/** Counts a valid request of an operation; null where it has no limit of its own. */
export type OperationLimits = (operationId: OperationId) => ((state: RequestState) => Promise<void>) | null

export const createOperationLimits =
  (counter: RateCounter): OperationLimits =>
  (operationId) => {
    const limit = OPERATION_LIMITS[operationId]
    return limit ? (state) => spend(state, counter, `${limit.policy} ${state[limit.by]}`, limit) : null
  }
