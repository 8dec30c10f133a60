import { ConfigError } from '../engine/config/config.ts'
import { StartError } from './listen.ts'
import { say } from './log.ts'
import { type Service, serve } from './serve.ts'

/** Milliseconds during which answers carry `connection: close` after a stop signal. */
const GRACE_MS = 1_000

type Announced = Pick<Service, 'url' | 'simnet' | 'hasOperatorPage' | 'summary' | 'warnings'> & {
  readonly monitorUrls: readonly string[]
  /** Follows the URL of the service. */
  readonly note?: string
}

/** Prints what runs where. The "Listening" line is the last: its reader may stop the process at once. */
export const announce = (announced: Announced): void => {
  const { url, simnet, hasOperatorPage, summary, warnings, monitorUrls, note = '' } = announced
  for (const line of summary) say(line)
  if (simnet) say(`Offline network control: ${simnet.controlUrl}`)
  for (const warning of warnings) say(`Warning: ${warning}.`)
  for (const monitorUrl of monitorUrls) say(`Monitoring on ${monitorUrl}`)
  say(`Documentation: ${url}/docs`)
  if (simnet) say(`Offline network page: ${simnet.controlUrl}/`)
  if (hasOperatorPage) say(`Operator's page: ${monitorUrls[0]}/`)
  say(`Listening on ${url}${note}`)
}

const PARENT_CHECK_MS = 250

/** npm sends a signal only to its shell, which ends without forwarding it. The process detects only that its parent is gone. */
export const whenLeftByNpm = (parent: number, leave: () => void): void => {
  if (process.env['npm_lifecycle_event'] === undefined) return
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    leave()
  }, PARENT_CHECK_MS)
  timer.unref()
}

/** Closes the service, and exits. */
export const stopService = async ({ close }: Pick<Service, 'close'>): Promise<never> => {
  try {
    await close({ graceMs: GRACE_MS })
    process.exit(0)
  } catch (error) {
    say(`Stopped with an error: ${String(error)}`)
    process.exit(1)
  }
}

const main = async (): Promise<void> => {
  const parent = process.ppid
  const service = await serve(process.env)
  let isStopping = false
  // A repeated signal has no effect: the shutdown is bounded, and an abort would break work under way.
  const stop = () => {
    if (!isStopping) void stopService(service)
    isStopping = true
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
  whenLeftByNpm(parent, stop)
  announce({ ...service, monitorUrls: service.monitorUrl === null ? [] : [service.monitorUrl] })
}

/** A start below this number of open files may fail for it. Recommended: 1,024 or more. */
const OPEN_FILES_MIN = 256

/** The sentence for a start that failed for the limit of open files; null for another failure. SQLite reports no code for it. */
const fileLimitOf = (error: unknown): string | null => {
  if (!/EMFILE|unable to open database file/.test(String(error))) return null
  const { userLimits } = process.report.getReport() as { userLimits?: { open_files?: { soft: number | string } } }
  const soft = Number(userLimits?.open_files?.soft)
  const mend = 'raise the limit to 1024 or more (ulimit -n, or LimitNOFILE of systemd)'
  return soft < OPEN_FILES_MIN ? `This process may open ${soft} files, which is too few to start: ${mend}.` : null
}

/** Prints a sentence for the operator, or the stack of a defect, and exits with code 1. */
export const fail = (error: unknown): never => {
  const isExplained = error instanceof ConfigError || error instanceof StartError
  say(fileLimitOf(error) ?? (isExplained ? error.message : String(error instanceof Error ? error.stack : error)))
  process.exit(1)
}

/** Runs the service as a process: its output, its signals and its exit code. */
export const run = (): Promise<void> => main().catch(fail)
