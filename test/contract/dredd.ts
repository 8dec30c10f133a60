import { EventEmitter } from 'node:events'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Ask } from '../../scripts/client/service.ts'
import { dereference, type LocatedOperation, projectRoot } from '../../scripts/contract/document.ts'
import { contract, documentedOperations } from '../support/documentedOperations.ts'
import type { Judge, RealAnswer } from './dreddJudge.ts'
import { type Scenario, scenarios } from './dreddScenarios.ts'
import type { Stage } from './dreddStage.ts'

/** The parts of Dredd's transaction object that hooks may read and change. */
type Transaction = {
  readonly name: string
  readonly request: { readonly method: string; body: string; headers: Record<string, string> }
  readonly expected: { readonly statusCode: string; readonly headers: Record<string, string> }
  readonly real?: RealAnswer
  fullPath: string
  skip: boolean
  fail?: string | boolean
}

type Hooks = {
  beforeEach(hook: (transaction: Transaction, done: () => void) => void): void
  beforeEachValidation(hook: (transaction: Transaction) => void): void
  afterEach(hook: (transaction: Transaction, done: () => void) => void): void
}

type Stats = {
  readonly tests: number
  readonly passes: number
  readonly failures: number
  readonly errors: number
  readonly skipped: number
}
type DreddTest = { readonly message: string; readonly title: string; readonly errors?: readonly { readonly message: string }[] }
type Description = { readonly apiElements?: unknown; readonly content?: unknown; readonly transactions: unknown }
type Described = (error: Error | null, descriptions?: readonly Description[]) => void
type Dredd = {
  run(callback: (error: Error | null, stats: Stats) => void): void
  /** Reads the document, and makes the transactions it gives. */
  prepareAPIdescriptions(callback: Described): void
}
type DreddClass = new (configuration: object) => Dredd

/** One documented answer, replayed. */
export type Outcome = {
  /** As Dredd names it: path, summary, status, media type. */
  readonly name: string
  /** What Dredd and the schemas found; empty when it passed. */
  readonly problems: readonly string[]
}

/** The run itself cannot be believed, whatever it says of the answers. */
export class ReplayError extends Error {
  override readonly name = 'ReplayError'
}

export type ReplayOptions = {
  /** Where Dredd sends the transactions. */
  readonly endpoint: string
  readonly stage: Stage
  readonly judge: Judge
  /** Replaced by the tests of this runner. */
  readonly hookFile?: string
  readonly scenarioOf?: typeof firstScenario
  readonly deadlineMs?: number
}

type Expected = { readonly name: string; readonly located: LocatedOperation; readonly status: string }

/** Every transaction the document gives: each request media type with each media type of each response. */
export const expectedTransactions = (): readonly Expected[] =>
  documentedOperations.all.flatMap((located) => {
    const { path, operation } = located
    const requestTypes = Math.max(1, Object.keys(dereference(contract, operation.requestBody ?? {}).content ?? {}).length)
    return Object.entries(operation.responses).flatMap(([status, response]) => {
      const types = Object.keys(dereference(contract, response).content ?? {})
      const names = (types.length > 0 ? types : ['']).map((type) =>
        [path, operation.summary, status, type].filter(Boolean).join(' > '),
      )
      return Array.from({ length: requestTypes }, () => names)
        .flat()
        .map((name) => ({ name, located, status }))
    })
  })

/** The scenario behind the first example of a response, which is the one Dredd replays. */
export const firstScenario = (operationId: string, status: string): Scenario => {
  const ofOperation: { readonly [status: string]: { readonly [code: string]: Scenario } } | undefined =
    scenarios[operationId as keyof typeof scenarios]
  const [scenario] = Object.values(ofOperation?.[status] ?? {})
  if (!scenario) throw new ReplayError(`no scenario for ${operationId} ${status}`)
  return scenario
}

const applyAsk = (transaction: Transaction, { path }: LocatedOperation, { body, query, headers }: Ask): void => {
  if (body !== undefined) transaction.request.body = typeof body === 'string' ? body : JSON.stringify(body)
  if (query !== undefined) {
    transaction.fullPath = `${path}?${new URLSearchParams(Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]))}`
  }
  for (const [name, value] of Object.entries(headers ?? {})) {
    // Dredd's own spelling may differ, and both would be sent. An empty one is not to be sent at all.
    for (const own of Object.keys(transaction.request.headers))
      if (own.toLowerCase() === name) delete transaction.request.headers[own]
    if (value !== '') transaction.request.headers[name] = value
  }
}

/** Dredd demands every header that is documented. Those that may be left out are judged where they are there, by the schemas. */
const dropOptionalHeaders = ({ expected }: Transaction, { operation }: LocatedOperation, status: string): void => {
  const response = operation.responses[status]
  for (const [name, header] of Object.entries((response && dereference(contract, response).headers) ?? {})) {
    if (dereference(contract, header as { readonly required?: boolean }).required) continue
    for (const own of Object.keys(expected.headers)) if (own.toLowerCase() === name.toLowerCase()) delete expected.headers[own]
  }
}

/** Dredd calls the rest of the run from `done`, and takes what that throws for the hook's own failure. */
const afterwards = (work: Promise<void>, transaction: Transaction, done: () => void): void => {
  const fail = (error: unknown) => {
    transaction.fail = error instanceof Error ? (error.stack ?? error.message) : String(error)
  }
  void work.catch(fail).finally(() => setImmediate(done))
}

const hooksOf = (
  { stage, judge, scenarioOf = firstScenario }: ReplayOptions,
  expected: readonly Expected[],
  problems: Map<string, string[]>,
) => {
  const byName = new Map(expected.map((transaction) => [transaction.name, transaction]))
  const find = ({ name }: Transaction): Expected => {
    const found = byName.get(name)
    if (!found) throw new ReplayError(`Dredd replays a transaction that is not in the document: ${name}`)
    return found
  }
  const prepare = async (transaction: Transaction): Promise<void> => {
    const { located, status } = find(transaction)
    dropOptionalHeaders(transaction, located, status)
    const ask = await scenarioOf(located.operation.operationId, status)(stage)
    applyAsk(transaction, located, { ...ask, headers: { ...stage.visitor(), ...ask.headers } })
  }
  const check = (transaction: Transaction): void => {
    const found = transaction.real ? judge(find(transaction).located, transaction.real) : ['there was no answer']
    problems.get(transaction.name)?.push(...found)
    if (found.length > 0) transaction.fail = found.join('; ')
  }
  return (hooks: Hooks): void => {
    hooks.beforeEach((transaction, done) => afterwards(prepare(transaction), transaction, done))
    hooks.beforeEachValidation((transaction) => check(transaction))
    hooks.afterEach((transaction, done) => {
      // Dredd counts a skipped transaction as no failure.
      if (transaction.skip) Object.assign(transaction, { skip: false, fail: 'skipped' })
      afterwards(stage.reset(), transaction, done)
    })
  }
}

const DEADLINE_MS = 110_000

/** What Dredd made of the document: to read it takes longer than all calls of a run, and gives the same every time. */
let known: readonly Description[] | undefined

/** Of the document as Dredd parsed it, which nothing needs any more, it would make a copy in every run. */
const withoutSource = ({ apiElements: _parsed, content: _text, ...description }: Description): Description => description

const readOnce = (dredd: Dredd): Dredd => {
  const read = dredd.prepareAPIdescriptions.bind(dredd)
  dredd.prepareAPIdescriptions = (callback) => {
    // A copy: hooks and Dredd itself change the transactions they are given.
    if (known) return process.nextTick(callback, null, structuredClone(known))
    read((error, descriptions = []) => {
      if (error) return callback(error)
      known = descriptions.map(withoutSource)
      callback(null, structuredClone(known))
    })
  }
  return dredd
}

/** Dredd tells nobody when it gives up in the middle; then only the deadline does. */
const runDredd = (configuration: object, deadlineMs: number): Promise<Stats> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new ReplayError(`Dredd did not finish within ${deadlineMs} ms`)), deadlineMs)
    const require = createRequire(import.meta.url)
    const DreddRunner = require('dredd') as DreddClass
    // Its reporter cannot be turned off; what it would print is in the outcomes.
    require('dredd/build/reporters/reporterOutputLogger').default.transports.console.silent = true
    readOnce(new DreddRunner(configuration)).run((error, stats) => {
      clearTimeout(timer)
      if (error) reject(new ReplayError(`Dredd failed: ${error.message}`, { cause: error }))
      else resolve(stats)
    })
  })

const differences = (expected: readonly string[], seen: readonly string[]): readonly string[] => [
  ...expected.filter((name) => !seen.includes(name)).map((name) => `not replayed: ${name}`),
  ...seen.filter((name, i) => seen.indexOf(name) !== i).map((name) => `replayed twice: ${name}`),
]

/**
 * Replays every operation and every documented response against a running service, in the order of the document, and
 * judges each answer by Dredd and by the schemas Dredd leaves out. Throws ReplayError when a transaction was left out,
 * skipped or unprepared: only then do the outcomes mean anything.
 */
export const replayContract = async (options: ReplayOptions): Promise<readonly Outcome[]> => {
  const expected = expectedTransactions()
  const problems = new Map<string, string[]>(expected.map(({ name }) => [name, []]))
  const seen: string[] = []
  const emitter = new EventEmitter()
  const note = (name: string, ...found: readonly string[]) => problems.get(name)?.push(...found)
  emitter.on('test start', ({ message }: DreddTest) => seen.push(message))
  emitter.on('test fail', ({ message, errors = [] }: DreddTest) =>
    note(seen.at(-1) ?? '', message, ...errors.map((error) => error.message)),
  )
  emitter.on('test error', (error: Error) => note(seen.at(-1) ?? '', `Dredd: ${error.message}`))
  emitter.on('test skip', () => note(seen.at(-1) ?? '', 'skipped'))
  let isRegistered = false
  const register = hooksOf(options, expected, problems)
  const configuration = {
    endpoint: options.endpoint,
    path: [join(projectRoot, 'generated/openapi.json')],
    hookfiles: [options.hookFile ?? join(projectRoot, 'test/contract/dreddHooks.cjs')],
    reporter: [],
    emitter,
    loglevel: 'silent',
    custom: {
      cwd: projectRoot,
      register: (hooks: Hooks) => {
        isRegistered = true
        register(hooks)
      },
    },
  }
  const stats = await runDredd(configuration, options.deadlineMs ?? DEADLINE_MS)
  if (!isRegistered) throw new ReplayError('the hook file was not loaded')
  const names = expected.map(({ name }) => name)
  const faults = differences(names, seen)
  if (faults.length > 0) throw new ReplayError(faults.join('\n'))
  if (stats.tests !== expected.length) throw new ReplayError(`${stats.tests} transactions instead of ${expected.length}`)
  if (stats.skipped > 0) throw new ReplayError(`${stats.skipped} transactions were skipped`)
  const outcomes = names.map((name) => ({
    name,
    problems: [...new Set((problems.get(name) ?? []).map((text) => text.trim()).filter(Boolean))],
  }))
  const failed = outcomes.filter((outcome) => outcome.problems.length > 0).length
  if (failed !== stats.failures + stats.errors)
    throw new ReplayError(`${failed} outcomes failed, Dredd counts ${JSON.stringify(stats)}`)
  return outcomes
}
