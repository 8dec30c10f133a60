import type { VenueBench } from '../venueBench.ts'

export type Fields = { readonly [field: string]: unknown }

type Call = {
  readonly method?: string
  /** What is undefined or null is left out. */
  readonly query?: Fields
  readonly body?: unknown
  readonly headers?: Record<string, string>
}

/** Speaks to a simulated venue by hand, in JSON over HTTP, to show what it refuses. */
export const speakTo = async ({ baseUrl }: Pick<VenueBench, 'baseUrl'>, path: string, call: Call = {}) => {
  const { query = {}, body, method = body === undefined ? 'GET' : 'POST', headers = {} } = call
  const given = Object.entries(query).flatMap(([name, value]) => (value == null ? [] : [[name, String(value)]]))
  const search = given.length === 0 ? '' : `?${new URLSearchParams(Object.fromEntries(given))}`
  const response = await fetch(`${baseUrl}${path}${search}`, {
    method,
    headers: { 'content-type': 'application/json', ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return { status: response.status, body: (await response.json()) as Fields }
}
