import type { LogSink } from '../../../engine/observe/jsonLog.ts'
import { createLog } from '../../log.ts'

/** Log lines as the service writes them, to a standard output that the benchmark has sent nowhere. */
export const createBenchSink = (): LogSink => createLog('info').sink
