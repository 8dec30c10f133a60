import { request } from 'node:http'
import { init, runBaseTests, setupEnvironment } from 'vitest/worker'
import type { Answer, Job, Judgement } from './jobs.ts'

/**
 * The process that runs the tests. It keeps the product loaded, and asks scripts/mutate.ts for one job after the other. A job is
 * a file without a mutant, or a mutant with the files that reach it.
 */

type State = Parameters<typeof runBaseTests>[1]
type Traces = Parameters<typeof runBaseTests>[2]
/** `ms`: without the time to load modules, which only the first file of a worker needs. */
type Run = {
  readonly isGreen: boolean
  readonly failure: string
  readonly isByTest: boolean
  readonly isTimeout: boolean
  readonly ms: number
}

const { performance } = globalThis
let active: number | null = null
let [loading, running] = [new Set<number>(), new Set<number>()]
let isLoading = true

Object.defineProperty(globalThis, '__mutant', {
  value: (id: number): boolean => {
    if (active === null) (isLoading ? loading : running).add(id)
    return id === active
  },
})

const post = (answer: Answer | null): Promise<Job | null> =>
  new Promise((resolve, reject) => {
    const options = {
      method: 'POST',
      host: '127.0.0.1',
      port: process.env['MUTATION_PORT'],
      agent: false,
      path: `/${process.env['MUTATION_SESSION']}`,
    }
    const call = request(options, (response) => {
      let text = ''
      response.on('data', (part) => {
        text += part
      })
      response.on('end', () => resolve(JSON.parse(text)))
    })
    call.on('error', reject)
    call.end(JSON.stringify(answer))
  })

type Task = {
  readonly name: string
  readonly result?: { readonly state?: string; readonly errors?: readonly { readonly message: string }[] }
  readonly tasks?: readonly Task[]
}

const failuresOf = (task: Task): readonly string[] => [
  ...(task.result?.state === 'fail' ? (task.result.errors ?? []).map(({ message }) => `${task.name}: ${message}`) : []),
  ...(task.tasks ?? []).flatMap(failuresOf),
]

const createRun = (state: State, traces: Traces) => {
  const [spec] = state.ctx.files
  const { config } = state
  const limits = { testTimeout: config.testTimeout, hookTimeout: config.hookTimeout }
  let files: readonly Task[] = []
  let loadedAt = 0
  let errors: string[] = []
  const silent: { readonly [name: string]: (...args: never[]) => unknown } = {
    onCollected: (collected: readonly Task[]) => {
      files = collected
      isLoading = false
      loadedAt = performance.now()
    },
    onUnhandledError: (error: unknown) => errors.push(String((error as Error)?.message ?? error)),
    getCountOfFailedTests: () => 0,
    onQueued: () => undefined,
    onTaskUpdate: () => undefined,
    onTaskArtifactRecord: () => undefined,
    onUserConsoleLog: async () => undefined,
    onCancel: () => undefined,
    onTestModuleDependencies: () => undefined,
    snapshotSaved: () => undefined,
  }
  const rpc = new Proxy(state.rpc, { get: (target, name) => silent[String(name)] ?? Reflect.get(target, name) })
  /** Runs a test file once; with a mutant until its first failure, and no test longer than `limitMs`. */
  return async (path: string, mutant: number | null, limitMs: number | null): Promise<Run> => {
    if (!spec) throw new Error('Vitest handed over no file.')
    files = []
    errors = []
    isLoading = true
    Object.assign(config, limitMs === null ? limits : { testTimeout: limitMs, hookTimeout: limitMs }, {
      bail: mutant === null ? 0 : 1,
    })
    active = mutant
    try {
      // Vitest writes the modules that it loaded into this object.
      Object.assign(state, { rpc, ctx: { ...state.ctx, files: [{ ...spec, filepath: path }] } })
      await runBaseTests('run', state, traces)
    } catch (error) {
      errors.push(String(error))
    }
    // What the tests left unawaited ends with the mutant on.
    await new Promise((resolve) => setImmediate(resolve))
    active = null
    const byTests = files.flatMap(failuresOf)
    const failures = [...byTests, ...errors]
    const isGreen = files.length > 0 && failures.length === 0 && files.every(({ result }) => result?.state === 'pass')
    const failure = failures[0] ?? (isGreen ? '' : 'no test passed')
    return {
      isGreen,
      failure: failure.slice(0, 200),
      isByTest: byTests.length > 0,
      isTimeout: /timed out in/.test(failure),
      ms: Math.round(performance.now() - loadedAt),
    }
  }
}

/** Forgets the modules of the project, so that what they compute while they load is computed again. */
const forgetModules = (state: State): void => {
  const modules = state.evaluatedModules
  for (const [, node] of modules.idToModuleMap) if (!node.id.includes('/node_modules/')) modules.invalidateModule(node)
}

const perform = async (run: ReturnType<typeof createRun>, forget: () => void, job: Job): Promise<Answer> => {
  if (job.kind === 'dry') {
    ;[loading, running] = [new Set(), new Set()]
    const { isGreen, failure, ms } = await run(job.path, null, null)
    return { kind: 'dry', path: job.path, isGreen, failure, ms, loading: [...loading], running: [...running] }
  }
  const startedAt = performance.now()
  const answer = (verdict: Judgement['verdict'], by = '', failure = ''): Judgement => {
    // Modules that were loaded with the mutant on keep what it computed.
    if (job.passes.includes('reloaded')) forget()
    return { kind: 'mutant', id: job.id, verdict, by, failure, ms: Math.round(performance.now() - startedAt) }
  }
  for (const pass of job.passes) {
    if (pass === 'reloaded') forget()
    for (const { path, ms } of job.files) {
      const limitMs = Math.min(60_000, 5_000 + 5 * ms)
      let result = await run(path, job.id, limitMs)
      // A timeout may be the machine's fault, and an error outside of a test may come from the mutant before.
      if (!result.isGreen && (result.isTimeout || !result.isByTest)) result = await run(path, job.id, 2 * limitMs)
      if (result.isGreen) continue
      if (pass === 'reloaded') forget()
      const control = await run(path, null, null)
      if (!control.isGreen) return answer('noise', path, control.failure)
      return answer(result.isTimeout ? 'timeout' : 'killed', path, result.failure)
    }
  }
  return answer('survived', job.files.length === 0 ? 'not reached' : job.isWhole ? 'all files' : 'some files')
}

init({
  post: (message) => process.send?.(message),
  on: (listener) => process.on('message', listener),
  off: (listener) => process.off('message', listener),
  setup: setupEnvironment,
  collectTests: () => undefined,
  runTests: async (state, traces) => {
    const run = createRun(state, traces)
    let job = await post(null)
    while (job) job = await post(await perform(run, () => forgetModules(state), job))
  },
})
