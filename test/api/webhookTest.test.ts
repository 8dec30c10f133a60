import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { closing } from '../support/closing.ts'
import { type HookTargetOptions, postLocally, startHookTarget } from '../support/hookTarget.ts'
import { startKeys } from '../support/keysStage.ts'
import type { TestEngineOptions } from '../support/testEngine.ts'

const own = closing()

const start = async (options: Partial<TestEngineOptions> = {}) => {
  const stage = own(await startKeys({ postToTarget: postLocally(), ...options }))
  const ask = (apiKey: string) =>
    stage.edge.call('/api/v1/keys/webhook-test', {
      method: 'POST',
      headers: { 'x-request-id': 'ask-1', 'x-api-key': apiKey },
    })
  const register = async (webhookUrl: string) => {
    const apiKey = await stage.signUp()
    const { json } = await stage.call('PATCH', { webhookUrl }, apiKey)
    return { apiKey, secret: String(json.data['webhookSecret']) }
  }
  return { stage, ask, register }
}

const startTarget = async (options?: HookTargetOptions) => own(await startHookTarget(options))

describe('POST /api/v1/keys/webhook-test [webhook-test]', () => {
  test('sends a webhook.test at once, signed with the registered secret, and returns what was sent', async () => {
    const { stage, ask, register } = await start()
    const target = await startTarget({ answer: (response) => response.writeHead(202).end('words of the target') })
    const { apiKey, secret } = await register(target.url)
    const { status, text, json } = await ask(apiKey)
    expect(status).toBe(200)
    const { at } = stage.engine.clock
    expect(json.data['delivery']).toEqual({ state: 'answered', attemptedAt: at, httpStatus: 202, failure: null })
    const [{ body, headers }] = target.received as [(typeof target.received)[0]]
    const partnerId = (await stage.account(apiKey))['partnerId']
    const about = { event: 'webhook.test', requestId: 'ask-1', partnerId, venue: 'test' }
    const sent = { ...about, deliveredOut: null, slippageBps: null, ts: at }
    expect(JSON.parse(body.toString())).toEqual(sent)
    expect(json.data['sent']).toEqual(sent)
    expect(headers['x-service-signature']).toBe(`sha256=${createHmac('sha256', secret).update(body).digest('hex')}`)
    expect(text).not.toContain('words of the target')
    expect(text).not.toContain(secret)
  })

  test('returns the reason of a failure without the address', async () => {
    const { ask, register } = await start({
      postToTarget: postLocally({ resolve: async () => ['10.1.2.3'], mayConnect: () => false }),
    })
    const { apiKey } = await register('https://inside.example/')
    const { status, text, json } = await ask(apiKey)
    expect([status, json.data['delivery']]).toMatchObject([
      200,
      { state: 'failed', httpStatus: null, failure: 'noPublicAddress' },
    ])
    expect(text).not.toContain('10.1.2.3')
  })

  test('adds no event to the feed, and the job sends it no second time', async () => {
    const { stage, ask, register } = await start()
    const target = await startTarget()
    const { apiKey } = await register(target.url)
    await ask(apiKey)
    await stage.engine.engine.settlement.runOnce()
    expect((await stage.events(apiKey)).map(({ event }) => event)).toEqual(['webhook.changed'])
    expect(target.received).toHaveLength(1)
  })

  test.each([
    [404, 'selfServe', 'NOT_FOUND'],
    [404, 'enterprise', 'NOT_FOUND'],
  ] as const)('receives %i with the key %s, which has no webhook', async (expected, kind, code) => {
    const { stage, ask } = await start()
    const { status, json } = await ask(await stage.issue(kind))
    expect([status, json.error.code]).toEqual([expected, code])
  })

  test('receives 429 for the sixth of a key in a minute, and 200 for another key', async () => {
    const { ask, register } = await start()
    const target = await startTarget()
    const [one, other] = [await register(target.url), await register(target.url)]
    for (let i = 0; i < 5; i += 1) expect((await ask(one.apiKey)).status).toBe(200)
    const { status, json, headers } = await ask(one.apiKey)
    expect([status, json.error.code, headers['ratelimit-policy']]).toEqual([429, 'RATE_LIMITED', '"webhook-test";q=5;w=60'])
    expect(Number(headers['retry-after'])).toBeGreaterThan(0)
    expect((await ask(other.apiKey)).status).toBe(200)
    expect(target.received).toHaveLength(6)
  })

  test('receives a retryable 500 while the store fails, and sends nothing', async () => {
    const { stage, ask, register } = await start()
    const target = await startTarget()
    const { apiKey } = await register(target.url)
    stage.engine.store.fails = (call) => call === 'webhooks.find'
    expect((await ask(apiKey)).json.error).toMatchObject({ code: 'INTERNAL', details: { retryable: true } })
    expect(target.connections).toBe(0)
  })
})
