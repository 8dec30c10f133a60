import { pino } from 'pino'
import type { LogSink } from '../../../engine/observe/jsonLog.ts'

/** Log lines as the service writes them, to a standard output that the benchmark has sent nowhere. */
export const createBenchSink = (): LogSink => {
  const logger = pino({ level: 'info', base: null })
  return ({ level, ...fields }) => logger[level](fields)
}
