import type { Reader } from './reader.ts'

export type TracingConfig = {
  /** Origins that receive the trace of the request with each call. Empty: no origin does. */
  readonly origins: readonly string[]
}

const isOrigin = (text: string): boolean => {
  const url = URL.parse(text)
  return (url?.protocol === 'http:' || url?.protocol === 'https:') && url.origin === text.replace(/\/$/, '')
}

export const readTracing = (reader: Reader): TracingConfig => {
  const origins = reader.list('TRACE_ORIGINS')
  if (!origins.every(isOrigin))
    reader.problems.push('TRACE_ORIGINS must be origins such as https://host.example:8443, separated by commas')
  return { origins: origins.map((origin) => origin.replace(/\/$/, '')) }
}
