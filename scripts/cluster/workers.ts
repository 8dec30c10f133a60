import cluster, { type Worker } from 'node:cluster'
import type { Readable } from 'node:stream'
import { createHandoffs } from './handoffs.ts'
import { type FromWorker, type ToWorker, WORKER_VARIABLE, type WorkerTask } from './messages.ts'

export type WorkersPorts = {
  readonly count: number
  readonly task: () => WorkerTask
  readonly environmentOf: (number: number) => { readonly [name: string]: string }
  readonly answer: (message: Extract<FromWorker, { kind: 'question' }>) => Promise<ToWorker>
  readonly watch: (event: Extract<FromWorker, { kind: 'watched' }>['event']) => void
  readonly writeLine: (line: string) => void
  readonly say: (line: string) => void
}

export type Workers = {
  /** Resolves with where they listen, once all do. Rejects when one ends before that: the next would end the same way. */
  start(): Promise<{ readonly url: string; readonly monitorUrls: readonly string[] }>
  tell(message: ToWorker): void
  /** Each gives way to a new one that listens, one after the other; where one does not start the rest stay as they are. */
  renew(): Promise<void>
  /** All end what is under way. Resolves with false when one of them could not. */
  stop(): Promise<boolean>
}

/** A worker that dies is started again after so long; longer where it dies again and again. */
const PAUSE_MS = 1_000
const PAUSE_MS_MAX = 30_000
/** So long alive: the next death is a new one. */
const STEADY_MS = 60_000
/** Longer than a start takes that is to succeed. */
const START_MS = 60_000
/** Longer than a drain takes. */
const STOP_MS = 20_000

type Started = { readonly worker: Worker; readonly listening: Promise<Listening> }
type Listening = Extract<FromWorker, { kind: 'listening' }>
/** `worker`: the one that is started again when it dies. */
type Place = { worker: Worker | null; pauseMs: number; timer: NodeJS.Timeout | undefined }

const tellOne = (worker: Worker, message: ToWorker): void => {
  if (worker.isConnected()) worker.send(message, () => undefined)
}

/** Resolves with whether it ended well. */
const end = async (worker: Worker): Promise<boolean> => {
  if (worker.isDead()) return true
  const ended = new Promise<boolean>((resolve) => worker.once('exit', (code) => resolve(code === 0)))
  tellOne(worker, { kind: 'stop' })
  const limit = setTimeout(() => worker.process.kill('SIGKILL'), STOP_MS)
  const isWell = await ended
  clearTimeout(limit)
  return isWell
}

/** More than that is no line of ours. */
const LINE_MAX = 1_000_000

/** Hands on whole lines, each with the number of the worker that wrote it. */
const relayLines = (from: Readable, worker: number, write: (line: string) => void): void => {
  let rest = ''
  from.setEncoding('utf8').on('data', (text: string) => {
    const lines = `${rest}${text}`.split('\n')
    rest = lines.pop() ?? ''
    if (rest.length > LINE_MAX) rest = ''
    for (const line of lines) write(`${line.startsWith('{') ? `{"worker":${worker},${line.slice(1)}` : line}\n`)
  })
}

export const createWorkers = ({ count, task, environmentOf, answer, watch, writeLine, say }: WorkersPorts): Workers => {
  const places: Place[] = Array.from({ length: count }, () => ({ worker: null, pauseMs: PAUSE_MS, timer: undefined }))
  const living = new Set<Worker>()
  const watchHandoffs = createHandoffs()
  let isStarted = false
  let isStopping = false
  let renewing: Promise<void> = Promise.resolve()

  const onDeath = (number: number, place: Place, worker: Worker, { why, livedMs }: { why: string; livedMs: number }): void => {
    living.delete(worker)
    if (place.worker !== worker || isStopping) return
    place.worker = null
    if (!isStarted) return
    place.pauseMs = livedMs > STEADY_MS ? PAUSE_MS : Math.min(place.pauseMs * 2, PAUSE_MS_MAX)
    say(`Worker ${number} ended (${why}); another starts in ${place.pauseMs / 1_000} s.`)
    place.timer = setTimeout(() => void fill(number, place).catch(() => undefined), place.pauseMs)
  }

  /** `listening` rejects when it ends before that. */
  const fork = (number: number, place: Place): Started => {
    const worker = cluster.fork({ ...environmentOf(number), [WORKER_VARIABLE]: JSON.stringify(task()) })
    living.add(worker)
    watchHandoffs(worker)
    // A message that a worker did not live to read; its end is reported by `exit`.
    worker.on('error', () => undefined)
    const startedAt = performance.now()
    if (worker.process.stdout) relayLines(worker.process.stdout, number, writeLine)
    worker.process.stderr?.on('data', (text) => process.stderr.write(text))
    const listening = new Promise<Listening>((resolve, reject) => {
      worker.on('message', (message: FromWorker) => {
        if (message.kind === 'listening') resolve(message)
        else if (message.kind === 'watched') watch(message.event)
        else void answer(message).then((reply) => tellOne(worker, reply))
      })
      worker.once('exit', (code, signal) => {
        reject(new Error(`worker ${number} ended before it listened`))
        onDeath(number, place, worker, { why: String(signal ?? code), livedMs: performance.now() - startedAt })
      })
    })
    return { worker, listening }
  }

  const fill = (number: number, place: Place): Promise<Listening> => {
    const { worker, listening } = fork(number, place)
    place.worker = worker
    return listening
  }

  /** The old one serves until the new one does. Resolves with whether it does. */
  const replace = async (number: number, place: Place): Promise<boolean> => {
    const { worker, listening } = fork(number, place)
    const limit = setTimeout(() => worker.process.kill('SIGKILL'), START_MS)
    const isListening = await listening.then(
      () => true,
      () => false,
    )
    clearTimeout(limit)
    if (isStopping) return false
    if (!isListening) {
      say(`Worker ${number} stays: what was to replace it did not start.`)
      return false
    }
    clearTimeout(place.timer)
    const old = place.worker
    place.worker = worker
    if (old) await end(old)
    say(`Worker ${number} is replaced.`)
    return true
  }

  const renewAll = async (): Promise<void> => {
    for (const [number, place] of places.entries()) if (isStopping || !(await replace(number, place))) return
  }

  return {
    start: async () => {
      const [place, ...rest] = places
      if (place === undefined) throw new RangeError('no cluster without a process')
      const first = await fill(0, place)
      // The first has migrated the records and made the keys by then.
      const others = await Promise.all(rest.map((next, at) => fill(at + 1, next)))
      isStarted = true
      const all = [first, ...others]
      return { url: first.url, monitorUrls: all.flatMap(({ monitorUrl }) => (monitorUrl === null ? [] : [monitorUrl])) }
    },
    tell: (message) => {
      for (const worker of living) tellOne(worker, message)
    },
    renew: () => {
      // Those that are starting are new.
      if (isStarted) renewing = renewing.then(renewAll)
      return renewing
    },
    stop: async () => {
      isStopping = true
      for (const { timer } of places) clearTimeout(timer)
      const ends = await Promise.all([...living].map(end))
      // One that was giving way ends by itself.
      await renewing
      return ends.every((isWell) => isWell)
    },
  }
}
