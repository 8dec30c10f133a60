import { type AnyEvent, type Level, levelOf } from './observe.ts'

/** Takes one finished log record. */
export type LogSink = (record: { readonly level: Level; readonly [field: string]: unknown }) => void

/** Events as log records. Fields are those of the event; nothing is added but the level. */
export const observeToLog =
  (sink: LogSink): ((event: AnyEvent) => void) =>
  (event) =>
    sink({ level: levelOf(event), ...event })
