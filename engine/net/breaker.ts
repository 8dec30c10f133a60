import {
  BrokenCircuitError,
  type CircuitBreakerPolicy,
  CircuitState,
  ConsecutiveBreaker,
  circuitBreaker,
  handleWhen,
} from 'cockatiel'

/**
 * What an error says of the far side. `failure`: it is in trouble. `answer`: it did answer, only not what was hoped for,
 * which counts as a success. `nothing`: the call was given up before it could tell.
 */
export type Verdict = 'failure' | 'answer' | 'nothing'

export type BreakerOptions = {
  /**
   * Failures in a row that open it. Calls that were under way together count once: when a hundred fail at the same
   * moment, the trouble may as well be our own.
   */
  readonly failuresMax: number
  /** How long it stays open before one call may try again. */
  readonly openMs: number
  readonly judge: (error: unknown) => Verdict
  readonly onChange: (isHealthy: boolean) => void
}

/** Thrown instead of calling while the breaker is open. */
export class BreakerOpen extends Error {
  override readonly name = 'BreakerOpen'
}

/** A failure of a call that began before the last one that was counted. */
class SameBurst extends Error {}

/** Stops calling something that keeps failing, and says whether it is healthy. */
export interface Breaker {
  readonly isHealthy: boolean
  /** While it is trying whether the far side is back, one call is let through and all others get BreakerOpen. */
  run<T>(call: () => Promise<T>): Promise<T>
}

export const createBreaker = ({ failuresMax, openMs, judge, onChange }: BreakerOptions): Breaker => {
  const isTrying = () => policy.state === CircuitState.HalfOpen
  /** Counts what happens, to tell what began before what. */
  let now = 0
  let lastCountedAt = 0
  const policy: CircuitBreakerPolicy = circuitBreaker(
    // A trial that was given up has proved nothing: the breaker must not close for it.
    handleWhen((error) => !(error instanceof SameBurst) && (judge(error) === 'failure' || isTrying())),
    { halfOpenAfter: openMs, breaker: new ConsecutiveBreaker(failuresMax) },
  )
  policy.onBreak(() => onChange(false))
  policy.onReset(() => onChange(true))

  /** The policy knows no third outcome: an error that is an answer passes through it as a value. */
  const attempt = async <T>(call: () => Promise<T>): Promise<{ readonly value: T } | { readonly answer: unknown }> => {
    now += 1
    const startedAt = now
    try {
      return { value: await call() }
    } catch (error) {
      const verdict = judge(error)
      if (verdict === 'answer') return { answer: error }
      if (verdict === 'failure' && !isTrying()) {
        if (startedAt < lastCountedAt) throw new SameBurst('under way with a failure that was counted', { cause: error })
        now += 1
        lastCountedAt = now
      }
      throw error
    }
  }

  return {
    get isHealthy() {
      return policy.state === CircuitState.Closed
    },
    run: async (call) => {
      // The policy would let others wait for the end of the trial.
      if (isTrying()) throw new BreakerOpen('being tried')
      const outcome = await policy
        .execute(() => attempt(call))
        .catch((error: unknown) => {
          if (error instanceof SameBurst) throw error.cause
          throw error instanceof BrokenCircuitError ? new BreakerOpen('open', { cause: error }) : error
        })
      if ('answer' in outcome) throw outcome.answer
      return outcome.value
    },
  }
}
