import { type AnyEvent, type Level, levelOf } from './observe.ts'

/** Receives one finished log record. */
export type LogSink = (record: { readonly level: Level; readonly [field: string]: unknown }) => void

/** How long repeats of these events are logged at `debug`, in ms. Clients can cause large numbers of a few variations. */
const QUIET_MS: { readonly [event: string]: number } = { 'connections.refused': 60_000, 'proxy.untrusted': 60 * 60_000 }

/** Events as log records, with their own fields and the level. */
export const observeToLog = (sink: LogSink): ((event: AnyEvent) => void) => {
  const quietUntil = new Map<string, number>()
  return (event) => {
    const quietMs = QUIET_MS[event.event]
    const form = quietMs === undefined ? '' : JSON.stringify(event)
    const isRepeated = Date.now() < (quietUntil.get(form) ?? 0)
    if (quietMs !== undefined && !isRepeated) quietUntil.set(form, Date.now() + quietMs)
    sink({ level: isRepeated ? 'debug' : levelOf(event), ...event })
  }
}
