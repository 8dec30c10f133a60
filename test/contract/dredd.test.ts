import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type OpenApiDocument, operationsOf } from '../../scripts/contract/document.ts'
import { openDocument } from '../../scripts/contract/strictDocument.ts'
import { documentOf, knownContracts } from '../clients/generatedClients.ts'
import { isOverPostgres } from '../support/postgres/ownDatabase.ts'
import { CORRUPTIONS, type Recorder, type Spoilable, startBrokenServer, startRecorder } from './brokenServer.ts'
import { expectedTransactions, type Outcome, ReplayError, replayContract } from './dredd.ts'
import { createJudge, type Judge } from './dreddJudge.ts'
import { openStage, type Stage } from './dreddStage.ts'

const names = expectedTransactions().map(({ name }) => name)

const judge = createJudge()
let stage: Stage

const redOf = (outcomes: readonly Outcome[]): readonly string[] =>
  outcomes.filter(({ problems }) => problems.length > 0).map(({ name }) => name)

let recorder: Recorder
/** Of the run against the service. */
let outcomes: readonly Outcome[]

beforeAll(async () => {
  stage = await openStage()
  recorder = await startRecorder(stage.service.url)
  outcomes = await replayContract({ endpoint: recorder.url, stage, judge })
  expect(recorder.answers).toHaveLength(names.length)
}, 120_000)

/** The answers are there already: nothing needs provoking. */
const scenarioOf = () => () => ({})

/** A run against these answers, as the service gave them. */
const replayHonest = async (answers: readonly Spoilable[], hookFile?: string): Promise<readonly Outcome[]> => {
  const honest = await startBrokenServer(answers, () => false)
  const options = { endpoint: honest.url, stage, judge, scenarioOf }
  return replayContract(hookFile === undefined ? options : { ...options, hookFile }).finally(() => honest.close())
}

afterAll(async () => {
  await recorder.close()
  await stage.close()
})

describe('Dredd', () => {
  test(`finds all ${names.length} documented responses as documented [contract-all-responses]`, () => {
    expect(outcomes.filter(({ problems }) => problems.length > 0)).toEqual([])
    expect(outcomes.map(({ name }) => name)).toEqual(names)
    expect(new Set(names).size).toBe(names.length)
  })
})

/** What a landed contract promised and today's answers do not keep, by the operation and status: each with its reason. */
const TAKEN_BACK: { readonly [answer: string]: readonly string[] } = {
  // Caches share this answer, and would tell one caller's standing to all others.
  'chains 200': ['header RateLimit is missing', 'header RateLimit-Policy is missing'],
  // There were no keys to be looked up then.
  'chains 500': ['status 500 is not documented'],
  // It was answered then too, for other reasons than lateness, and nobody had written it down.
  'submitSignature 410': ['status 410 is not documented'],
  // Overload was met by answering late, and worse, to everybody: a client takes a 503 by its HTTP status.
  'quote 503': ['status 503 is not documented'],
  'execute 503': ['status 503 is not documented'],
  'submitSignature 503': ['status 503 is not documented'],
  'submitTransaction 503': ['status 503 is not documented'],
  'status 503': ['status 503 is not documented'],
}

const nameOf = ({ located, status }: Spoilable): string => `${located.operation.operationId} ${status}`

const landed = (await knownContracts()).filter(({ isLanded }) => isLanded)

describe.each(isOverPostgres() ? [] : landed)('every response, compared with the contract $label', (known) => {
  let judgeThen: Judge
  /** The answers to what could be asked by it. */
  let answersThen: Spoilable[]

  beforeAll(async () => {
    const document = JSON.parse(await documentOf(known)) as OpenApiDocument
    judgeThen = createJudge(openDocument(document))
    const ids = operationsOf(document).map(({ operation }) => operation.operationId)
    answersThen = recorder.answers.filter(({ located }) => ids.includes(located.operation.operationId))
  })

  const problemsOf = ({ located, status, headers, text }: Spoilable): readonly string[] =>
    judgeThen(located, { statusCode: status, headers, body: text })

  test('matches it, except for fields added since', () => {
    expect(landed.length).toBeGreaterThan(0)
    for (const answer of answersThen) {
      const name = nameOf(answer)
      expect([name, problemsOf(answer)]).toEqual([name, TAKEN_BACK[name] ?? []])
    }
  })

  test('is reported when a required field is missing, and not when a field is added', () => {
    const spoiled = answersThen.map((honest) => ({ ...honest, headers: { ...honest.headers } }))
    const broken = spoiled.filter((answer) => CORRUPTIONS['a required field is missing']?.(answer))
    expect(broken.length).toBeGreaterThan(answersThen.length / 2)
    for (const answer of broken) expect(problemsOf(answer), answer.text).not.toEqual([])
    const added = answersThen.map((honest) => ({ ...honest, text: honest.text.replace('"meta":{', '"meta":{"later":1,') }))
    for (const answer of added.filter((each) => !(nameOf(each) in TAKEN_BACK)))
      expect([answer.text.includes('later'), problemsOf(answer)]).toEqual([true, []])
  })
})

// What is proved of the run itself needs no second database.
if (!isOverPostgres())
  describe('a Dredd run fails when', () => {
    test.each(Object.entries(CORRUPTIONS))('%s', async (_name, corruption) => {
      const broken = await startBrokenServer(recorder.answers, corruption)
      try {
        const red = redOf(await replayContract({ endpoint: broken.url, stage, judge, scenarioOf }))
        expect(broken.spoiled).toHaveLength(names.length)
        expect(broken.spoiled).toContain(true)
        expect(red).toEqual(names.filter((_transaction, i) => broken.spoiled[i]))
      } finally {
        await broken.close()
      }
    })

    test('the server does not listen', async () => {
      const gone = await startBrokenServer([], () => true)
      await gone.close()
      expect(redOf(await replayContract({ endpoint: gone.url, stage, judge, scenarioOf }))).toEqual(names)
    })

    test('no response is altered: then it passes', async () => {
      expect(redOf(await replayHonest(recorder.answers))).toEqual([])
    })
  })

if (!isOverPostgres())
  describe('a Dredd run reports failure for', () => {
    const withHooks = async (source: string, run: (hookFile: string) => Promise<void>): Promise<void> => {
      const directory = await mkdtemp(join(tmpdir(), 'dredd-hooks-'))
      try {
        const hookFile = join(directory, 'hooks.cjs')
        await writeFile(hookFile, source)
        await run(hookFile)
      } finally {
        await rm(directory, { recursive: true, force: true })
      }
    }
    const REGISTER = "const hooks = require('hooks')\nhooks.configuration.custom.register(hooks)\n"

    test('a hook file that fails to load', () =>
      withHooks("throw new Error('typo')", async (hookFile) => {
        const run = replayHonest(recorder.answers, hookFile)
        await expect(run).rejects.toThrow(ReplayError)
        await expect(run).rejects.toThrow('not loaded')
      }))

    test('a hook that never calls back', () =>
      withHooks(`${REGISTER}hooks.beforeEach(() => {})`, async (hookFile) => {
        const run = replayContract({ endpoint: stage.service.url, stage, judge, hookFile, deadlineMs: 1_000 })
        await expect(run).rejects.toThrow('did not finish')
      }))

    test('a skipped transaction', () =>
      withHooks(
        `${REGISTER}hooks.beforeEach((transaction) => { transaction.skip = transaction.name.includes('413') })`,
        async (hookFile) => {
          const isSkipped = (name = '') => name.includes('413')
          const asked = recorder.answers.filter((_answer, i) => !isSkipped(names[i]))
          expect(asked.length).toBeLessThan(names.length)
          expect(redOf(await replayHonest(asked, hookFile))).toEqual(names.filter((name) => isSkipped(name)))
        },
      ))

    test('a documented response without a scenario', async () => {
      const scenarioOf = () => {
        throw new ReplayError('no scenario')
      }
      expect(redOf(await replayContract({ endpoint: stage.service.url, stage, judge, scenarioOf }))).toEqual(names)
    })
  })
