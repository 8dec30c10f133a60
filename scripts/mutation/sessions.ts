import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
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

/** Two workers that ask for jobs. A worker that hangs, dies or was spoiled by a mutant is replaced, and its job is tried once more. */
export const createSessions = ({ planPath, firstTest, endsAt }: Options, onAnswer: (answer: Answer) => void) => {
  const sessions = Array.from({ length: AT_ONCE }, (): Session => ({ child: null, job: null, since: 0, count: 0, waiting: null }))
  const tried = new Set<Job>()
  let queue: Job[] = []
  let finished = (): void => undefined

  const stop = (session: Session): void => {
    const { child } = session
    session.child = null
    session.waiting = null
    if (child?.pid === undefined) return
    try {
      process.kill(-child.pid, 'SIGKILL')
    } catch {
      // The process has ended already.
    }
  }

  const start = (session: Session): void => {
    const { port } = server.address() as AddressInfo
    const env = { ...process.env, MUTATION_PORT: String(port), MUTATION_SESSION: String(sessions.indexOf(session)) }
    const args = [join(import.meta.dirname, 'session.ts'), planPath, firstTest]
    const child = spawn(process.execPath, args, { cwd: projectRoot, env, stdio: ['ignore', 'ignore', 'inherit'], detached: true })
    child.once('exit', () => {
      if (session.child === child) replace(session, 'the worker died')
    })
    Object.assign(session, { child, count: 0, since: Date.now() })
  }

  const settle = (session: Session, answer: Answer): void => {
    session.job = null
    onAnswer(answer)
  }

  /** In a new worker, a second failure is the mutant's. */
  const replace = (session: Session, failure: string): void => {
    const { job } = session
    stop(session)
    if (job && !tried.has(job)) {
      tried.add(job)
      queue.unshift(job)
      session.job = null
    } else if (job?.kind === 'mutant') {
      settle(session, { kind: 'mutant', id: job.id, verdict: 'timeout', by: '', failure, ms: Date.now() - session.since })
    } else if (job) {
      settle(session, { kind: 'dry', path: job.path, isGreen: false, failure, ms: 0, loading: [], running: [] })
    }
    feed()
  }

  const feed = (): void => {
    if (Date.now() > endsAt) queue = []
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

  const receive = (session: Session, answer: Answer | null): void => {
    const { job } = session
    const isSpoiled = answer?.kind === 'mutant' && answer.verdict === 'noise'
    if (isSpoiled && job && !tried.has(job)) replace(session, '')
    else {
      if (answer) settle(session, isSpoiled ? { ...answer, verdict: 'killed' } : answer)
      if (isSpoiled || (answer?.kind === 'mutant' && session.count >= MUTANTS_MAX)) stop(session)
      feed()
    }
  }

  const server = createServer((request, response) => {
    const session = sessions[Number(request.url?.slice(1))]
    let text = ''
    request.on('data', (part) => {
      text += part
    })
    request.on('end', () => {
      if (!session) return
      session.waiting = response
      receive(session, JSON.parse(text))
    })
  })
  const watch = setInterval(() => {
    for (const session of sessions)
      if (session.job && Date.now() - session.since > limitOf(session.job)) replace(session, 'the worker hung')
  }, WATCH_MS)

  return {
    run: async (jobs: readonly Job[]): Promise<void> => {
      if (!server.listening) await once(server.listen(0, '127.0.0.1'), 'listening')
      queue = [...jobs]
      await new Promise<void>((resolve) => {
        finished = resolve
        feed()
      })
    },
    close: (): void => {
      clearInterval(watch)
      for (const session of sessions) stop(session)
      server.close()
      server.closeAllConnections()
    },
  }
}
