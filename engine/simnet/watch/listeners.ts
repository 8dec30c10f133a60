import type { ServerResponse } from 'node:http'
import { BoundedMap } from '../kit/boundedMap.ts'
import { NETWORK_HEADER, writeJson } from '../kit/loopbackServer.ts'
import type { NetworkState } from './watched.ts'

/** The pages that receive the network's state by server-sent events. https://html.spec.whatwg.org/multipage/server-sent-events.html */
export interface Listeners {
  /** Answers with the stream, or with 503 where there are too many. Resolves once the whole state was sent. */
  attach(response: ServerResponse): Promise<void>
  /** Reports a change soon, while a page listens. Of changes with one key only the last is read and sent. */
  report(key: string, read: () => Partial<NetworkState>): void
  readonly count: number
  close(): void
}

const LISTENERS_MAX = 16
/** A listener that leaves so many bytes unread is dropped; it may connect again. */
const UNREAD_BYTES_MAX = 4 * 1024 * 1024
const HEARTBEAT_MS = 15_000
/** Changes within so long are sent together. */
const GATHER_MS = 50
/** The latest changes that are sent together; a page shows no more. */
const PENDING_MAX = 100
/** How soon a browser connects again. */
const RETRY_MS = 1_000

const HEADERS = { ...NETWORK_HEADER, 'content-type': 'text/event-stream', 'cache-control': 'no-store' }

const written = (name: 'state' | 'change', data: Partial<NetworkState>): string =>
  `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`

/** @param onChange - called with true when the first listener connects, and with false when the last one leaves */
export const createListeners = (state: () => Promise<NetworkState>, onChange: (isListenedTo: boolean) => void): Listeners => {
  /** With whether the state was sent: no change is sent before. */
  const all = new Map<ServerResponse, { isJoined: boolean }>()
  const pending = new BoundedMap<string, () => Partial<NetworkState>>(PENDING_MAX)
  let beating: NodeJS.Timeout | undefined
  let isClosed = false

  const send = (text: string): void => {
    for (const [response, { isJoined }] of all) {
      if (response.writableLength > UNREAD_BYTES_MAX) response.destroy()
      else if (isJoined) response.write(text)
    }
  }
  const flush = (): void => {
    const changes = [...pending.values()].map((read) => written('change', read()))
    pending.clear()
    send(changes.join(''))
  }
  const leave = (response: ServerResponse): void => {
    if (!all.delete(response) || all.size > 0) return
    clearInterval(beating)
    onChange(false)
  }

  return {
    attach: async (response) => {
      if (isClosed || all.size >= LISTENERS_MAX)
        return writeJson(response, 503, { error: `there are ${LISTENERS_MAX} listeners already` })
      const entry = { isJoined: false }
      all.set(response, entry)
      response.once('close', () => leave(response))
      // A connection that breaks also closes.
      response.on('error', () => undefined)
      if (all.size === 1) {
        beating = setInterval(() => send(': still here\n\n'), HEARTBEAT_MS).unref()
        onChange(true)
      }
      response.writeHead(200, HEADERS)
      response.write(`retry: ${RETRY_MS}\n\n`)
      const whole = await state()
      if (response.destroyed || isClosed) return
      response.write(written('state', whole))
      entry.isJoined = true
    },
    report: (key, read) => {
      if (all.size === 0) return
      if (pending.size === 0) setTimeout(flush, GATHER_MS).unref()
      // The last to change is the last to be sent.
      pending.delete(key)
      pending.set(key, read)
    },
    get count() {
      return all.size
    },
    close: () => {
      isClosed = true
      for (const response of all.keys()) response.end()
    },
  }
}
