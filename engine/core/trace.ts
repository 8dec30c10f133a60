/** The trace of a request: https://www.w3.org/TR/trace-context/#traceparent-header */
export type Trace = {
  /** 32 hex digits, not all of them 0. */
  readonly traceId: string
  /** Two hex digits; the last bit: the caller records the trace. */
  readonly flags: string
}

/** Version, trace, parent and flags; a later version may append more. */
const TRACEPARENT = /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-([0-9a-f]{2})(-.*)?$/

const LENGTH_MAX = 256

/** Null for an invalid header, which is then ignored. */
export const parseTraceparent = (header: string | readonly string[] | undefined): Trace | null => {
  if (typeof header !== 'string' || header.length > LENGTH_MAX) return null
  const [, version, traceId, flags, more] = TRACEPARENT.exec(header) ?? []
  if (traceId === undefined || flags === undefined) return null
  return version === '00' && more !== undefined ? null : { traceId, flags }
}

/** `parentId`: of the outgoing call, 16 hex digits. Only the known flag is passed on. */
export const traceparentOf = ({ traceId, flags }: Trace, parentId: string): string =>
  `00-${traceId}-${parentId}-0${Number.parseInt(flags, 16) & 1}`
