import type { Observe } from './observe.ts'

/** Takes one finished log record. */
export type LogSink = (record: { readonly [field: string]: unknown }) => void

/** Engine events as log records. Fields are those of the event; nothing is added but the level. */
export const observeToLog =
  (sink: LogSink): Observe =>
  (event) => {
    const isTrouble =
      event.event === 'venue.failed' ||
      event.event === 'venue.noticed' ||
      event.event === 'payload.refused' ||
      event.event === 'store.failed' ||
      event.event === 'chain.unread' ||
      (event.event === 'transaction.submitted' && event.outcome === 'uncertain')
    sink({ level: isTrouble ? 'warn' : 'info', ...event })
  }
