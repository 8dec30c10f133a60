import type { FacilitatorClient } from '@x402/core/server'
import type { Observe } from '../observe/observe.ts'
import { FacilitatorError } from './remoteFacilitator.ts'

/** This many failures of one kind in a row: a single one may be temporary. */
const FAILURES_MAX = 3
/** A failure counts no longer after this time without a call. */
const RECALLED_MS = 15 * 60_000

type Call = 'verify' | 'settle' | 'supported'
type Row = { readonly failures: number; readonly at: number; readonly error: FacilitatorError }

export type WatchedOptions = {
  readonly observe: Observe
  /** Ms, never running backwards. */
  readonly now?: () => number
}

/**
 * Reports when a facilitator starts and stops failing: unreachable, too slow, or failing by its own report. Its refusals are no
 * failures, because a payer may have caused them.
 */
export const watchFacilitator = (
  facilitator: FacilitatorClient,
  { observe, now = () => performance.now() }: WatchedOptions,
): FacilitatorClient => {
  const rows = new Map<Call, Row>()
  let isDown = false

  const tell = (): void => {
    for (const [call, { at }] of rows) if (now() - at >= RECALLED_MS) rows.delete(call)
    const trouble = [...rows].find(([, { failures }]) => failures >= FAILURES_MAX)
    if (isDown === (trouble !== undefined)) return
    isDown = trouble !== undefined
    observe({
      event: 'facilitator.health',
      healthy: !isDown,
      reason: trouble ? `${trouble[0]}: ${trouble[1].error.failure}` : null,
    })
  }

  const watched =
    <A extends readonly unknown[], R>(call: Call, ask: (...asked: A) => Promise<R>) =>
    async (...asked: A): Promise<R> => {
      try {
        const answer = await ask(...asked)
        rows.delete(call)
        return answer
      } catch (error) {
        const known = rows.get(call)
        // A cached error that is thrown again counts once.
        if (error instanceof FacilitatorError && error.isTrouble && error !== known?.error)
          rows.set(call, { failures: (known?.failures ?? 0) + 1, at: now(), error })
        throw error
      } finally {
        tell()
      }
    }

  return {
    verify: watched('verify', (payload, requirements) => facilitator.verify(payload, requirements)),
    settle: watched('settle', (payload, requirements) => facilitator.settle(payload, requirements)),
    getSupported: watched('supported', () => facilitator.getSupported()),
  }
}
