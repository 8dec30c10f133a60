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
  /** Resolves once all listen. Rejects when one ends before: its replacement would end the same way. */
  start(): Promise<{ readonly url: string; readonly monitorUrls: readonly string[] }>
  send(message: ToWorker): void
  /** Replaces one process after the other. Stops at the first replacement that does not start. */
  renew(): Promise<void>
  /** Stops all processes after their work under way. False if one failed. */
  stop(): Promise<boolean>
}

/** The pause before a dead worker starts again, ms. It doubles with each death, up to the maximum. */
const PAUSE_MS = 1_000
const PAUSE_MS_MAX = 30_000
/** A death after this time resets the pause, ms. */
const STEADY_MS = 60_000
/** Longer than a successful start takes, ms. */
const START_MS = 60_000
/** Longer than a drain takes, ms. */
const STOP_MS = 20_000

type Started = { readonly worker: Worker; readonly listening: Promise<Listening> }
type Listening = Extract<FromWorker, { kind: 'listening' }>
/** `worker`: the process that starts again when it dies. */
type Place = { worker: Worker | null; pauseMs: number; timer: NodeJS.Timeout | undefined }

const sendTo = (worker: Worker, message: ToWorker): void => {
  if (worker.isConnected()) worker.send(message, () => undefined)
}

/** True if the process ended with code 0. */
const end = async (worker: Worker): Promise<boolean> => {
  if (worker.isDead()) return true
  const ended = new Promise<boolean>((resolve) => worker.once('exit', (code) => resolve(code === 0)))
  sendTo(worker, { kind: 'stop' })
  const limit = setTimeout(() => worker.process.kill('SIGKILL'), STOP_MS)
  const isWell = await ended
  clearTimeout(limit)
  return isWell
}

/** The service writes no line of this length. */
const LINE_MAX = 1_000_000

/** Forwards whole lines, each with the number of its worker. */
const relayLines = (from: Readable, worker: number, write: (line: string) => void): void => {
  let rest = ''
  from.setEncoding('utf8').on('data', (text: string) => {
    const lines = `${rest}${text}`.split('\n')
    rest = lines.pop() ?? ''
    if (rest.length > LINE_MAX) rest = ''
    for (const line of lines) write(`${line.startsWith('{') ? `{"worker":${worker},${line.slice(1)}` : line}\n`)
  })
}

/** Starts a process. `listening` rejects when the process ends before it listens. */
const launch = (
  number: number,
  { environmentOf, task, answer, watch, writeLine }: WorkersPorts,
  onDeath: (worker: Worker, why: string, livedMs: number) => void,
): Started => {
  const worker = cluster.fork({ ...environmentOf(number), [WORKER_VARIABLE]: JSON.stringify(task()) })
  // For a message that reached no living worker. The event `exit` reports its end.
  worker.on('error', () => undefined)
  const startedAt = performance.now()
  if (worker.process.stdout) relayLines(worker.process.stdout, number, writeLine)
  worker.process.stderr?.on('data', (text) => process.stderr.write(text))
  const listening = new Promise<Listening>((resolve, reject) => {
    worker.on('message', (message: FromWorker) => {
      if (message.kind === 'listening') resolve(message)
      else if (message.kind === 'watched') watch(message.event)
      else void answer(message).then((reply) => sendTo(worker, reply))
    })
    worker.once('exit', (code, signal) => {
      reject(new Error(`worker ${number} ended before it listened`))
      onDeath(worker, String(signal ?? code), performance.now() - startedAt)
    })
  })
  return { worker, listening }
}

/** The processes by their places. One that dies is started again. */
const createPlaces = (ports: WorkersPorts) => {
  const { count, say } = ports
  const places: Place[] = Array.from({ length: count }, () => ({ worker: null, pauseMs: PAUSE_MS, timer: undefined }))
  const living = new Set<Worker>()
  const watchHandoffs = createHandoffs()
  const state = { isStarted: false, isStopping: false }
  const fork = (number: number, place: Place): Started => {
    const started = launch(number, ports, (worker, why, livedMs) => {
      living.delete(worker)
      if (place.worker !== worker || state.isStopping) return
      place.worker = null
      if (!state.isStarted) return
      place.pauseMs = livedMs > STEADY_MS ? PAUSE_MS : Math.min(place.pauseMs * 2, PAUSE_MS_MAX)
      say(`Worker ${number} ended (${why}); another starts in ${place.pauseMs / 1_000} s.`)
      place.timer = setTimeout(() => void fill(number, place).catch(() => undefined), place.pauseMs)
    })
    living.add(started.worker)
    watchHandoffs(started.worker)
    return started
  }
  const fill = (number: number, place: Place): Promise<Listening> => {
    const { worker, listening } = fork(number, place)
    place.worker = worker
    return listening
  }
  /** The old process serves until the new one listens. False if it does not. */
  const replace = async (number: number, place: Place): Promise<boolean> => {
    const { worker, listening } = fork(number, place)
    const limit = setTimeout(() => worker.process.kill('SIGKILL'), START_MS)
    const isListening = await listening.then(
      () => true,
      () => false,
    )
    clearTimeout(limit)
    if (state.isStopping) return false
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
  return { places, living, state, fill, replace }
}

export const createWorkers = (ports: WorkersPorts): Workers => {
  const { places, living, state, fill, replace } = createPlaces(ports)
  let renewing: Promise<void> = Promise.resolve()
  const renewAll = async (): Promise<void> => {
    for (const [number, place] of places.entries()) if (state.isStopping || !(await replace(number, place))) return
  }
  return {
    start: async () => {
      const [place, ...rest] = places
      if (place === undefined) throw new RangeError('no cluster without a process')
      // The first one migrates the records and creates the keys.
      const first = await fill(0, place)
      const all = [first, ...(await Promise.all(rest.map((next, at) => fill(at + 1, next))))]
      state.isStarted = true
      return { url: first.url, monitorUrls: all.flatMap(({ monitorUrl }) => monitorUrl ?? []) }
    },
    send: (message) => {
      for (const worker of living) sendTo(worker, message)
    },
    renew: () => {
      // Processes that are starting are new.
      if (state.isStarted) renewing = renewing.then(renewAll)
      return renewing
    },
    stop: async () => {
      state.isStopping = true
      for (const { timer } of places) clearTimeout(timer)
      const ends = await Promise.all([...living].map(end))
      // A process that was giving way ends by itself.
      await renewing
      return ends.every((isWell) => isWell)
    },
  }
}
