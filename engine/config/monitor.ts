import { isLoopback } from '../core/loopback.ts'
import type { Reader } from './reader.ts'

/** The listener for liveness, readiness and metrics: for the operator, not for callers. */
export type MonitorConfig = {
  readonly host: string
  /** 0: any free port. Null: no listener. */
  readonly port: number | null
  /** Whether it serves a page for the operator's browser. */
  readonly page: boolean
}

const DEFAULT_PORT = 9_464

export const readMonitor = (reader: Reader): MonitorConfig => {
  const host = reader.text('METRICS_HOST', '127.0.0.1')
  const isOff = reader.optional('METRICS_PORT') === 'off'
  const port = isOff ? null : reader.integer('METRICS_PORT', DEFAULT_PORT, { min: 0, max: 65_535 })
  const page = reader.oneOf('OPERATOR_PAGE', 'false', ['true', 'false']) === 'true'
  if (page && isOff) reader.warnings.push('OPERATOR_PAGE is set, but METRICS_PORT is off: there is no page')
  if (page && !isOff && !isLoopback(host))
    reader.warnings.push(`OPERATOR_PAGE has no password: whoever reaches METRICS_HOST ${host} reads what became of every swap`)
  return { host, port, page }
}
