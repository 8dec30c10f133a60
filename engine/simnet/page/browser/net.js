/**
 * What went wrong, as the service says it.
 * @typedef {{ code: string, message: string, details?: { fields?: { path: string, reason: string }[], retryAfterSec?: number, declines?: any[] } & Record<string, unknown> }} Failure
 * An answer of the service: what it gave, or what went wrong.
 * @typedef {{ data: any, failure: null } | { data: null, failure: Failure }} Answer
 */

/** Where it cannot be reached, or answers what is no JSON. @param {unknown} error @returns {Failure} */
const unreachable = (error) => ({ code: 'UNREACHABLE', message: error instanceof Error ? error.message : String(error) })

/**
 * A call of the service.
 * @param {string | null} origin
 * @param {'GET' | 'POST'} method
 * @param {string} path
 * @param {object} [body]
 * @returns {Promise<Answer>}
 */
export const callService = async (origin, method, path, body) => {
  if (origin === null) return { data: null, failure: { code: 'UNREACHABLE', message: 'The service is not listening.' } }
  try {
    const response = await fetch(`${origin}${path}`, {
      method,
      ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    })
    const { data, error } = await response.json()
    return error ? { data: null, failure: error } : { data, failure: null }
  } catch (error) {
    return { data: null, failure: unreachable(error) }
  }
}

/**
 * A call of the offline network itself. Rejects with what it says is wrong.
 * @param {'GET' | 'POST' | 'DELETE'} method
 * @param {string} path
 * @param {object} [body]
 * @returns {Promise<any>}
 */
export const callNetwork = async (method, path, body) => {
  const response = await fetch(path, {
    method,
    ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  })
  const told = await response.json()
  if (!response.ok) throw new Error(told.error ?? `HTTP ${response.status}`)
  return told
}

/** @param {number} ms */
export const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms))
