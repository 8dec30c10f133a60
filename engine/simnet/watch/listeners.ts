import type { ServerResponse } from 'node:http'
import { NETWORK_HEADER } from '../kit/loopbackServer.ts'
import type { ToldEvents } from './told.ts'

export type ListenersOptions = {
  /** Everything at one moment, for whoever begins to listen. */
  readonly state: () => Promise<ToldEvents['state']>
  /** Called with true when the first of them comes, and with false when the last of them has gone. */
  readonly onChange?: (isListenedTo: boolean) => void
  readonly max?: number
  /** Who leaves so many bytes unread is dropped, and may come back. */
  readonly unreadBytesMax?: number
  readonly heartbeatMs?: number
  /** What happens within so long is told together, each thing once. */
  readonly gatherMs?: number
}

/** Those who listen to what the network tells, by server-sent events. https://html.spec.whatwg.org/multipage/server-sent-events.html */
export interface Listeners {
  /** Answers with the stream, or with 503 where there are too many. Resolves once `state` was sent. */
  attach(response: ServerResponse): Promise<void>
  /**
   * Has it told soon, unless nobody listens. `key`: what of the network it is about, of which only the last is told; `read` is
   * called then, so that nothing is written out in vain.
   */
  tell<N extends keyof ToldEvents>(name: N, key: string | number, read: () => ToldEvents[N]): void
  readonly count: number
  close(): void
}

const LISTENERS_MAX = 16
/** Several times what the state of a busy network takes. */
const UNREAD_BYTES_MAX = 4 * 1024 * 1024
const HEARTBEAT_MS = 15_000
const GATHER_MS = 50
/** Of one kind, told at once: nobody can look at more. The rest of a crowd is told to who comes anew. */
const TOLD_AT_ONCE_MAX = 20
/** How soon a browser comes back. */
const RETRY_MS = 1_000

const HEADERS = { ...NETWORK_HEADER, 'content-type': 'text/event-stream', 'cache-control': 'no-store' }

type Pending = { readonly name: keyof ToldEvents; readonly read: () => unknown }

/** Of a crowd of one kind the last. */
const lastOf = (due: readonly Pending[]): readonly Pending[] =>
  due.filter((one, index) => due.slice(index + 1).filter(({ name }) => name === one.name).length < TOLD_AT_ONCE_MAX)

/** What is to be told, gathered for a moment: of each key the last. */
const createGathering = (gatherMs: number, tell: (due: readonly Pending[]) => void) => {
  const pending = new Map<string, Pending>()
  let timer: NodeJS.Timeout | undefined
  const drop = (): readonly Pending[] => {
    const due = [...pending.values()]
    clearTimeout(timer)
    timer = undefined
    pending.clear()
    return due
  }
  return {
    add: (key: string, one: Pending): void => {
      // The last to change is the last to be told.
      pending.delete(key)
      pending.set(key, one)
      timer ??= setTimeout(() => tell(lastOf(drop())), gatherMs).unref()
    },
    drop,
  }
}

const refuse = (response: ServerResponse, max: number): void => {
  response.writeHead(503, { ...NETWORK_HEADER, 'content-type': 'application/json' })
  response.end(JSON.stringify({ error: `there are ${max} listeners already` }))
}

export const createListeners = ({
  state,
  onChange = () => undefined,
  max = LISTENERS_MAX,
  unreadBytesMax = UNREAD_BYTES_MAX,
  heartbeatMs = HEARTBEAT_MS,
  gatherMs = GATHER_MS,
}: ListenersOptions): Listeners => {
  /** With whether they were sent the state: nothing is told to them before. */
  const all = new Map<ServerResponse, { isJoined: boolean }>()
  let beating: NodeJS.Timeout | undefined
  let count = 0
  let isClosed = false

  const written = (name: string, data: unknown): string => {
    count += 1
    return `id: ${count}\nevent: ${name}\ndata: ${JSON.stringify(data)}\n\n`
  }

  const send = (write: () => string): void => {
    const joined = [...all].filter(([, { isJoined }]) => isJoined)
    const text = joined.length > 0 ? write() : ''
    for (const [response] of joined) {
      if (response.writableLength > unreadBytesMax) response.destroy()
      else response.write(text)
    }
  }

  const gathering = createGathering(gatherMs, (due) => send(() => due.map(({ name, read }) => written(name, read())).join('')))

  const leave = (response: ServerResponse): void => {
    if (!all.delete(response) || all.size > 0) return
    clearInterval(beating)
    gathering.drop()
    onChange(false)
  }

  const enter = (response: ServerResponse): { isJoined: boolean } => {
    const entry = { isJoined: false }
    all.set(response, entry)
    response.once('close', () => leave(response))
    // A connection that breaks is one that closes.
    response.on('error', () => undefined)
    if (all.size > 1) return entry
    beating = setInterval(() => send(() => ': still here\n\n'), heartbeatMs).unref()
    onChange(true)
    return entry
  }

  return {
    attach: async (response) => {
      if (isClosed || all.size >= max) return refuse(response, max)
      const entry = enter(response)
      response.writeHead(200, HEADERS)
      response.write(`retry: ${RETRY_MS}\n\n`)
      const told = await state()
      if (response.destroyed || isClosed) return
      response.write(written('state', told))
      entry.isJoined = true
    },
    tell: (name, key, read) => {
      if (all.size > 0) gathering.add(`${name}:${key}`, { name, read })
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
