import type { ServerResponse } from 'node:http'
import { drifted, driftsOf } from './drift.ts'
import { FAULT_DEFAULTS, type FaultName, type FaultParams, type Faults } from './faults.ts'
import { NETWORK_HEADER } from './loopbackServer.ts'

export type LineAnswer = {
  readonly status: number
  readonly text: string
  readonly contentType: string
  readonly headers?: { readonly [name: string]: string }
}

type FaultyCall = {
  readonly response: ServerResponse
  readonly params: FaultParams
  /** Runs once the faults of this line are cleared. */
  onceCleared(run: () => void): void
  /** Lets the server do its work and gives the answer it would have sent; not called by faults that hit before that. */
  answer(): Promise<LineAnswer>
}

type TransportFault = (call: FaultyCall) => Promise<void> | void

const CHUNK = Buffer.alloc(64 * 1024, ' ')

const send = (response: ServerResponse, { status, text, contentType, headers }: LineAnswer): void => {
  response.writeHead(status, { ...NETWORK_HEADER, ...headers, 'content-type': contentType })
  response.end(text)
}

const ERROR_PAGE =
  '<!DOCTYPE html><html><head><title>500 Internal Server Error</title></head><body><h1>500 Internal Server Error</h1></body></html>'

const sendJson = (response: ServerResponse, status: number, text: string): void =>
  send(response, { status, contentType: 'application/json', text })

const numberOf = (params: FaultParams, name: string, fallback: number): number => {
  const value = Number(params[name] ?? fallback)
  return Number.isFinite(value) && value >= 0 ? value : fallback
}

/** Streams blanks as fast as the client reads them, and stops when it leaves. */
const stream = (response: ServerResponse, bytes: number): void => {
  let left = bytes
  const more = (): void => {
    while (left > 0 && !response.destroyed) {
      const chunk = left < CHUNK.length ? CHUNK.subarray(0, left) : CHUNK
      left -= chunk.length
      if (!response.write(chunk)) {
        response.once('drain', more)
        return
      }
    }
    if (!response.destroyed) response.end()
  }
  more()
}

const TRANSPORT_FAULTS: readonly (readonly [FaultName, TransportFault])[] = [
  // The connection stays open until the client gives up, the fault is cleared or the server closes.
  ['hang', ({ response, onceCleared }) => onceCleared(() => response.destroy())],
  [
    'reset',
    // With `when: after` the venue does its work and only its answer is lost.
    async ({ response, params, answer }) => {
      if (params.when === 'after') await answer()
      response.socket?.resetAndDestroy()
    },
  ],
  ['http-500', ({ response }) => send(response, { status: 500, contentType: 'text/html; charset=UTF-8', text: ERROR_PAGE })],
  ['http-429', ({ response }) => sendJson(response, 429, JSON.stringify({ message: 'Too many requests' }))],
  [
    'malformed-body',
    async ({ response, answer }) => {
      const { status, text } = await answer()
      sendJson(response, status, `${text.slice(0, -1)}<`)
    },
  ],
  [
    'truncated-body',
    async ({ response, answer }) => {
      const { status, text } = await answer()
      const bytes = Buffer.from(text)
      response.writeHead(status, { ...NETWORK_HEADER, 'content-type': 'application/json', 'content-length': bytes.length + 1 })
      response.write(bytes.subarray(0, Math.ceil(bytes.length / 2)), () => response.destroy())
    },
  ],
  [
    'huge-body',
    ({ response, params }) => {
      response.writeHead(200, { ...NETWORK_HEADER, 'content-type': 'application/json' })
      stream(response, numberOf(params, 'bytes', FAULT_DEFAULTS.hugeBytes))
    },
  ],
  ['wrong-shape', ({ response }) => sendJson(response, 200, JSON.stringify({ unexpected: [{ shape: true }] }))],
]

/** Resolves after `ms` of real time, or at once when the client leaves. */
const hold = (response: ServerResponse, ms: number): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    response.once('close', () => {
      clearTimeout(timer)
      resolve()
    })
  })

/** A drift is used up by the answers that it changes. */
const moveOn = (faults: Faults, target: string, path: string, honest: string): string =>
  faults.list().reduce((text, { venue, fault }) => {
    const edits = venue === target ? driftsOf(target)[fault] : undefined
    const changed = edits === undefined ? text : drifted(text, path, edits)
    return changed !== text && faults.take(target, fault, path) ? changed : text
  }, honest)

/** One answer on its way out. `target` is the venue id, or `chain:<id>` for the node of a chain. */
export type Line = { readonly faults: Faults; readonly target: string; readonly path: string; readonly response: ServerResponse }

/** Sends the answer, unless a fault of the line that is on wants it otherwise. */
export const answerOver = async ({ faults, target, path, response }: Line, answer: () => Promise<LineAnswer>): Promise<void> => {
  const latency = faults.take(target, 'latency', path)
  if (latency) await hold(response, numberOf(latency, 'ms', FAULT_DEFAULTS.latencyMs))
  for (const [name, commit] of TRANSPORT_FAULTS) {
    const params = faults.take(target, name, path)
    if (params) return commit({ response, params, answer, onceCleared: (run) => faults.onceCleared(target, run) })
  }
  const honest = await answer()
  send(response, honest.status < 300 ? { ...honest, text: moveOn(faults, target, path, honest.text) } : honest)
}
