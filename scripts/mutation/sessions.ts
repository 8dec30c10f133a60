import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { projectRoot } from '../contract/document.ts'
import type { Answer, Job } from './jobs.ts'

type Session = { child: ChildProcess | null; job: Job | null; since: number; count: number; waiting: ServerResponse | null }
type Options = { readonly planPath: string; readonly firstTest: string; readonly endsAt: number }

const AT_ONCE = 2
/** A worker is replaced after as many mutants: what tests leave behind adds up. */
const MUTANTS_MAX = 150
const WATCH_MS = 1_000

const limitOf = (job: Job): number =>
  job.kind === 'dry' ? 300_000 : 90_000 + 4 * job.passes.length * job.files.reduce((sum, { ms }) => sum + ms, 0)

/** The answer for a job that could not be done in two workers: the mutant ended both. */
const answerFor = (job: Job, failure: string, ms: number): Answer =>
  job.kind === 'mutant'
    ? { kind: 'mutant', id: job.id, verdict: 'timeout', by: '', failure, ms }
    : { kind: 'dry', path: job.path, isGreen: false, failure, ms: 0, loading: [], running: [] }

const stop = (session: Session): void => {
  const { child } = session
  Object.assign(session, { child: null, waiting: null })
  try {
    if (child?.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
  } catch {
    // The process has ended already.
  }
}

/** Starts the process of a session, which asks for jobs at the port. */
const launch = ({ planPath, firstTest }: Options, port: number, nth: number): ChildProcess => {
  const env = { ...process.env, MUTATION_PORT: String(port), MUTATION_SESSION: String(nth) }
  const args = [join(import.meta.dirname, 'session.ts'), planPath, firstTest]
  return spawn(process.execPath, args, { cwd: projectRoot, env, stdio: ['ignore', 'ignore', 'inherit'], detached: true })
}

/** Hands out jobs to two workers. A worker that hangs, dies or was spoiled by a mutant is replaced, and its job is tried once more. */
const createDesk = (options: Options, portOf: () => number, onAnswer: (answer: Answer) => void) => {
  const sessions = Array.from({ length: AT_ONCE }, (): Session => ({ child: null, job: null, since: 0, count: 0, waiting: null }))
  const tried = new Set<Job>()
  let queue: Job[] = []
  let finished = (): void => undefined
  const start = (session: Session): void => {
    const child = launch(options, portOf(), sessions.indexOf(session))
    child.once('exit', () => {
      if (session.child === child) replace(session, 'the worker died')
    })
    Object.assign(session, { child, count: 0, since: Date.now() })
  }
  const feed = (): void => {
    if (Date.now() > options.endsAt) queue = []
    for (const session of sessions) {
      if (session.job) continue
      if (queue.length > 0 && !session.child) start(session)
      if (!session.waiting) continue
      const job = queue.shift()
      if (!job) break
      session.waiting.end(JSON.stringify(job))
      Object.assign(session, { job, waiting: null, since: Date.now(), count: session.count + 1 })
    }
    if (queue.length === 0 && sessions.every(({ job }) => job === null)) finished()
  }
  /** In a new worker, a second failure is the mutant's. */
  const replace = (session: Session, failure: string): void => {
    const { job } = session
    stop(session)
    session.job = null
    if (job && tried.has(job)) onAnswer(answerFor(job, failure, Date.now() - session.since))
    else if (job) queue.unshift(job)
    if (job) tried.add(job)
    feed()
  }
  const receive = (session: Session, answer: Answer | null): void => {
    const { job } = session
    const isSpoiled = answer?.kind === 'mutant' && answer.verdict === 'noise'
    if (isSpoiled && job && !tried.has(job)) {
      replace(session, '')
      return
    }
    if (answer) {
      session.job = null
      onAnswer(isSpoiled ? { ...answer, verdict: 'killed' } : answer)
    }
    if (isSpoiled || (answer?.kind === 'mutant' && session.count >= MUTANTS_MAX)) stop(session)
    feed()
  }
  const run = (jobs: readonly Job[]): Promise<void> =>
    new Promise((resolve) => {
      queue = [...jobs]
      finished = resolve
      feed()
    })
  return { sessions, replace, receive, run }
}

export const createSessions = (options: Options, onAnswer: (answer: Answer) => void) => {
  const portOf = () => (server.address() as AddressInfo).port
  const { sessions, replace, receive, run } = createDesk(options, portOf, onAnswer)
  const server = createServer(async (request, response) => {
    const session = sessions[Number(request.url?.slice(1))]
    const answer: Answer | null = JSON.parse(await text(request))
    if (!session) return
    session.waiting = response
    receive(session, answer)
  })
  const watch = setInterval(() => {
    for (const session of sessions)
      if (session.job && Date.now() - session.since > limitOf(session.job)) replace(session, 'the worker hung')
  }, WATCH_MS)
  return {
    run: async (jobs: readonly Job[]): Promise<void> => {
      if (!server.listening) await once(server.listen(0, '127.0.0.1'), 'listening')
      await run(jobs)
    },
    close: (): void => {
      clearInterval(watch)
      for (const session of sessions) stop(session)
      server.close()
      server.closeAllConnections()
    },
  }
}
