import { BrokenCircuitError, circuitBreaker, type CircuitBreakerPolicy, CircuitState, ConsecutiveBreaker, handleWhen } from 'cockatiel'

export type BreakerOptions = {
  /** Failures in a row that open it. */
  readonly failuresMax: number
  /** How long it stays open before one call may try again. */
  readonly openMs: number
  /** Which errors count. Others pass through and count as a success: the far side did answer. */
  readonly isFailure: (error: unknown) => boolean
  readonly onChange: (isHealthy: boolean) => void
}

/** Thrown instead of calling while the breaker is open. */
export class BreakerOpen extends Error {
  override readonly name = 'BreakerOpen'
}

/** Stops calling something that keeps failing, and says whether it is healthy. */
export interface Breaker {
  readonly isHealthy: boolean
  run<T>(call: () => Promise<T>): Promise<T>
}

export const createBreaker = ({ failuresMax, openMs, isFailure, onChange }: BreakerOptions): Breaker => {
  const policy: CircuitBreakerPolicy = circuitBreaker(handleWhen(isFailure), {
    halfOpenAfter: openMs,
    breaker: new ConsecutiveBreaker(failuresMax),
  })
  policy.onBreak(() => onChange(false))
  policy.onReset(() => onChange(true))
  return {
    get isHealthy() {
      return policy.state === CircuitState.Closed
    },
    run: (call) =>
      policy.execute(call).catch((error: unknown) => {
        throw error instanceof BrokenCircuitError ? new BreakerOpen('open', { cause: error }) : error
      }),
  }
}
