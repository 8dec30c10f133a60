import { createHash } from 'node:crypto'
import type { RedisClientType } from '@redis/client'
import type { Secret } from '../core/secret.ts'
import type { Observe } from '../observe/observe.ts'

/** A program that Redis runs as one step. */
export type RedisScript = { readonly text: string; readonly sha: string }

export const redisScript = (text: string): RedisScript => ({ text, sha: createHash('sha1').update(text).digest('hex') })

/** A connection to Redis that may be lost at any time, and reconnects by itself. */
export interface RedisLink {
  /**
   * Runs a script and reads its reply; null when no valid reply arrives in time. A reply that cannot be read (`read` returns
   * null) shows that the stored data cannot be trusted. Never rejects.
   */
  run<T>(
    script: RedisScript,
    keys: readonly string[],
    args: readonly string[],
    read: (reply: unknown) => T | null,
  ): Promise<T | null>
  close(): void
}

export type RedisLinkOptions = {
  readonly url: Secret
  readonly keyPrefix: string
  readonly observe: Observe
  /** Ms to wait for a reply. */
  readonly deadlineMs?: number
  /** Ms before reconnecting after a loss; longer after repeated losses. */
  readonly pauseMs?: number
}

/** On a busy machine replies of Redis arrive late, and then all together. */
const DEADLINE_MS = 200
/** A timer this late shows that this process was busy. It waits again, `WAITS_MAX` times in all. */
const LATE_MS = 10
const WAITS_MAX = 3
const CONNECT_MS = 1_000
const PAUSE_MS = 1_000
const PAUSE_MS_MAX = 15_000
/** After this time without a loss, the next loss counts as the first. */
const STEADY_MS = 10_000
/** With more commands than this waiting for replies, Redis does not keep up. */
const QUEUE_MAX = 10_000

class Unreadable extends Error {
  readonly code = 'unreadable'
}
class TooLate extends Error {
  readonly code = 'tooSlow'
}

/** Redis begins its refusals with a word in capitals, such as OOM; sockets have codes. The rest of both may name hosts. */
const reasonOf = (error: unknown): string => {
  const { code, message = '' } = error as { readonly code?: unknown; readonly message?: string }
  const word = /^[A-Z]{2,20}(?= )/.exec(message)?.[0]
  if (word !== undefined) return word
  return typeof code === 'string' && /^\w{1,40}$/.test(code) ? code : 'connectionLost'
}

const isUnknownScript = (error: unknown): boolean => reasonOf(error) === 'NOSCRIPT'

/** Rejects after `ms`. Time in which this process itself was too busy does not count, within limits. */
const within = async <T>(ms: number, work: Promise<T>): Promise<T> => {
  let timer: NodeJS.Timeout | undefined
  const limit = new Promise<never>((_resolve, reject) => {
    const wait = (times: number): void => {
      const dueAt = performance.now() + ms
      timer = setTimeout(() => {
        if (times > 1 && performance.now() - dueAt > LATE_MS) wait(times - 1)
        // Replies that the socket already holds are read first.
        else setImmediate(() => setImmediate(() => reject(new TooLate())))
      }, ms)
    }
    wait(WAITS_MAX)
  })
  try {
    return await Promise.race([work, limit])
  } finally {
    clearTimeout(timer)
  }
}

const runScript = async (client: RedisClientType, { text, sha }: RedisScript, rest: readonly string[]): Promise<unknown> => {
  try {
    return await client.sendCommand(['EVALSHA', sha, ...rest])
  } catch (error) {
    if (!isUnknownScript(error)) throw error
    return client.sendCommand(['EVAL', text, ...rest])
  }
}

const optionsOf = (url: Secret) => ({
  url: url.reveal(),
  disableOfflineQueue: true,
  commandsQueueMaxLength: QUEUE_MAX,
  disableClientInfo: true,
  socket: { connectTimeout: CONNECT_MS, reconnectStrategy: false as const },
})

/** Resolves when Redis answers or the first attempt fails. From then on it reconnects until it is closed. */
export const openRedisLink = async (options: RedisLinkOptions): Promise<RedisLink> => {
  const { url, keyPrefix, observe, deadlineMs = DEADLINE_MS, pauseMs: pauseMsFirst = PAUSE_MS } = options
  const { createClient } = await import('@redis/client')
  let client: RedisClientType | null = null
  let told: boolean | null = null
  let foundAt = 0
  let pauseMs = pauseMsFirst
  let isClosed = false
  let timer: NodeJS.Timeout | undefined

  const tell = (healthy: boolean, reason: string | null): void => {
    if (told === healthy || isClosed) return
    told = healthy
    observe({ event: 'redis.health', healthy, reason })
  }

  const findLater = (ms: number): void => {
    if (!isClosed) timer = setTimeout(() => void find(), ms).unref()
  }

  /** Opens a fresh connection each time: a connection that hangs reports nothing. */
  const find = async (): Promise<void> => {
    const made = createClient(optionsOf(url)) as unknown as RedisClientType
    made.on('error', (error) => lose(made, error))
    made.on('end', () => lose(made, new Error('ended')))
    try {
      await within(CONNECT_MS, made.connect())
      // A Redis that is read-only or out of memory is of no use.
      await within(CONNECT_MS, made.sendCommand(['SET', `${keyPrefix}probe`, '1', 'PX', '1000']))
    } catch (error) {
      made.destroy()
      tell(false, reasonOf(error))
      return findLater(pauseMsFirst)
    }
    if (isClosed) return made.destroy()
    client = made
    foundAt = performance.now()
    tell(true, null)
  }

  const lose = (lost: RedisClientType, error: unknown): void => {
    if (client !== lost) return
    client = null
    lost.destroy()
    pauseMs = performance.now() - foundAt > STEADY_MS ? pauseMsFirst : Math.min(pauseMs * 2, PAUSE_MS_MAX)
    tell(false, reasonOf(error))
    findLater(pauseMs)
  }

  await find()
  return {
    run: async (script, keys, args, read) => {
      const asked = client
      if (asked === null) return null
      try {
        const rest = [String(keys.length), ...keys.map((key) => `${keyPrefix}${key}`), ...args]
        const answer = read(await within(deadlineMs, runScript(asked, script, rest)))
        if (answer === null) throw new Unreadable()
        return answer
      } catch (error) {
        lose(asked, error)
        return null
      }
    },
    close: () => {
      isClosed = true
      clearTimeout(timer)
      client?.destroy()
      client = null
    },
  }
}
