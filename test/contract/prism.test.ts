import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isPass, judgeExchanges, readExchanges, tellJudgement } from '../support/judgeExchanges.ts'
import { type Prism, type RecordedAnswer, startPrism } from '../support/prism.ts'
import { startRecorder as recordTo } from '../support/recorder.ts'
import { CORRUPTIONS, type Spoilable, startRecorder } from './brokenServer.ts'
import { expectedTransactions, replayContract } from './dredd.ts'
import { createJudge } from './dreddJudge.ts'
import { openStage, type Stage } from './dreddStage.ts'

let stage: Stage
let prism: Prism
let answers: readonly Spoilable[]

beforeAll(async () => {
  stage = await openStage()
  prism = await startPrism()
  const recorder = await startRecorder(stage.service.url)
  await replayContract({ endpoint: recorder.url, stage, judge: createJudge() })
  await recorder.close()
  answers = recorder.answers
}, 120_000)

afterAll(async () => {
  await prism.close()
  await stage.close()
})

const toRecorded = ({ located, status, headers, text }: Spoilable): RecordedAnswer => ({
  operationId: located.operation.operationId,
  status,
  rawHeaders: Object.entries(headers).flat(),
  body: text,
})

/** What Prism has no opinion on: the document says nothing of it, or Prism is lenient. */
const UNSEEN: readonly string[] = [
  'meta has another request id',
  'the status is replaced by another documented one',
  'the content type has a charset',
]

describe('Prism', () => {
  test(`accepts all ${expectedTransactions().length} documented responses`, async () => {
    expect(answers).toHaveLength(expectedTransactions().length)
    for (const answer of answers) expect(await prism.judge(toRecorded(answer)), answer.text).toBeNull()
  })

  test.each(Object.entries(CORRUPTIONS).filter(([name]) => !UNSEEN.includes(name)))(
    'reports that %s',
    async (_name, corruption) => {
      const spoiled = answers
        .map((honest) => ({ ...honest, headers: { ...honest.headers } }))
        .filter((answer) => corruption(answer))
      expect(spoiled.length).toBeGreaterThan(0)
      for (const answer of spoiled)
        expect(await prism.judge(toRecorded(answer)), `${answer.status} ${answer.text}`).not.toBeNull()
    },
  )
})

describe('the recorder of responses', () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'swap-recorded-'))
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  test('forwards responses unchanged and stores one of each documented kind', async () => {
    const recorder = await recordTo(stage.service.url, join(folder, 'all.jsonl'))
    const headers = stage.visitor()
    const direct = await fetch(`${stage.service.url}/api/v1/chains`, { headers })
    for (const _again of [1, 2]) {
      const through = await fetch(`${recorder.url}/api/v1/chains`, { headers })
      expect([through.status, await through.text()]).toEqual([200, expect.stringContaining('"chainId":1')])
      const namesOf = (answer: Response) => [...answer.headers.keys()].filter((name) => !/^(connection|keep-alive)$/.test(name))
      expect(namesOf(through)).toEqual(expect.arrayContaining(namesOf(direct)))
    }
    expect((await fetch(`${recorder.url}/api/v1/health`)).status).toBe(200)
    expect((await fetch(`${recorder.url}/api/v1/nowhere`, { headers: stage.visitor() })).status).toBe(404)
    await recorder.close()
    const kept = (await readExchanges(folder)).map(({ answer: { operationId, status } }) => [operationId, status])
    expect(kept.toSorted()).toEqual([
      ['chains', 200],
      ['health', 200],
    ])
  })

  test('passes when Prism reports nothing, and fails when one response breaks the contract', async () => {
    const exchanges = await readExchanges(folder)
    const fine = await judgeExchanges(prism, exchanges)
    expect([isPass(fine, 2), isPass(fine, 3)]).toEqual([true, false])
    expect(tellJudgement(fine)).toBe('Prism judged 2 answers of 2 documented kinds: 0 broke the contract')
    const [first, ...others] = exchanges
    if (!first) throw new Error('nothing was recorded')
    const body = first.answer.body.replaceAll(/"(chainId|status)":/g, '"misnamed":')
    const broken = await judgeExchanges(prism, [{ ...first, answer: { ...first.answer, body } }, ...others])
    expect(isPass(broken, 1)).toBe(false)
    expect(tellJudgement(broken)).toContain('1 broke the contract\n  ')
  })

  test('fails without recordings or without Prism', async () => {
    expect(isPass(await judgeExchanges(prism, []), 0)).toBe(false)
    const gone = { judge: () => fetch('http://127.0.0.1:9').then(() => null) }
    const unjudged = await judgeExchanges(gone, await readExchanges(folder))
    expect([isPass(unjudged, 1), unjudged.violations.length]).toEqual([false, 2])
  })
})
