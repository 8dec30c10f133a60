import type { Reader } from './reader.ts'

/** Where liveness, readiness and metrics are told: for the operator, not for callers. */
export type MonitorConfig = {
  readonly host: string
  /** 0: any that is free. Null: nowhere. */
  readonly port: number | null
  /** Whether there is a page for the operator's browser there. */
  readonly page: boolean
}

const DEFAULT_PORT = 9_464

export const readMonitor = (reader: Reader): MonitorConfig => ({
  host: reader.text('METRICS_HOST', '127.0.0.1'),
  port: reader.optional('METRICS_PORT') === 'off' ? null : reader.integer('METRICS_PORT', DEFAULT_PORT, { min: 0, max: 65_535 }),
  page: reader.oneOf('OPERATOR_PAGE', 'false', ['true', 'false']) === 'true',
})
