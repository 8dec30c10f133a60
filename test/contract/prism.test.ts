import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Prism, startPrism } from '../support/prism.ts'
import { type RecordedAnswer, startPrismFront } from '../support/prismFront.ts'
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
})

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
  'meta is of another request',
  'the status is another documented one',
  'the content type has a charset',
]

describe('Prism', () => {
  test(`finds all ${expectedTransactions().length} documented answers as documented`, async () => {
    expect(answers).toHaveLength(expectedTransactions().length)
    for (const answer of answers) expect(await prism.judge(toRecorded(answer)), answer.text).toBeNull()
  })

  test.each(Object.entries(CORRUPTIONS).filter(([name]) => !UNSEEN.includes(name)))(
    'notices that %s',
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

describe('a suite that runs through Prism', () => {
  const GATEWAY_GONE = 'http://127.0.0.1:9'

  test('gets the answers of the service unchanged, and a violation instead of a broken one', async () => {
    const gateway = createServer((_incoming, outgoing) =>
      outgoing.end(JSON.stringify({ violation: isBroken ? 'chainId is missing' : null })),
    )
    await new Promise<void>((resolve) => gateway.listen(0, '127.0.0.1', resolve))
    let isBroken = false
    const { port } = gateway.address() as AddressInfo
    const front = await startPrismFront(stage.service.url, `http://127.0.0.1:${port}`)
    const direct = await fetch(`${stage.service.url}/api/v1/chains`, { headers: stage.visitor() })
    const through = await fetch(`${front.url}/api/v1/chains`, { headers: stage.visitor() })
    expect(await through.text()).not.toBe('')
    expect([...through.headers.keys()].filter((name) => !['connection', 'transfer-encoding'].includes(name))).toEqual(
      expect.arrayContaining([...direct.headers.keys()].filter((name) => name !== 'connection' && name !== 'keep-alive')),
    )
    isBroken = true
    const refused = await fetch(`${front.url}/api/v1/chains`, { headers: stage.visitor() })
    expect([refused.status, await refused.text()]).toEqual([500, 'Prism: chains 200: chainId is missing'])
    expect(front.violations).toEqual(['chains 200: chainId is missing'])
    await front.close()
    gateway.close()
    gateway.closeAllConnections()
  })

  test('fails when nobody judges', async () => {
    const front = await startPrismFront(stage.service.url, GATEWAY_GONE)
    expect((await fetch(`${front.url}/api/v1/health`)).status).toBe(500)
    expect(front.violations).toHaveLength(1)
    await front.close()
  })

  test('meets what is outside the contract as it is', async () => {
    const front = await startPrismFront(stage.service.url, GATEWAY_GONE)
    const answer = await fetch(`${front.url}/api/v1/nowhere`, { headers: stage.visitor() })
    expect([answer.status, front.violations]).toEqual([404, []])
    await front.close()
  })
})
