import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { Engine } from '../../engine/engine.ts'
import type { FieldProblem } from '../../engine/errors.ts'
import { aQuote, type EdgeServer, type Reply, startEdge } from '../support/edgeServer.ts'

const quote = vi.fn<Engine['quote']>(async () => aQuote())
let edge: EdgeServer

beforeAll(async () => {
  const GENEROUS = { tier: 'anonymous', partnerId: null, feeBps: null, requestsPerMinute: 1_000_000 } as const
  edge = await startEdge({ engine: { quote, identify: async () => GENEROUS } })
})
afterAll(() => edge.close())

const post = (body: string): Promise<Reply> =>
  edge.call('/api/v1/quote', { method: 'POST', body, headers: { 'content-length': String(Buffer.byteLength(body)) } })

const QUOTE =
  '"inputChainId":1,"outputChainId":10,"inputToken":"0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48","inputAmount":"25000000",' +
  '"outputToken":"0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE","userAddress":"0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266"'

const MINE = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const OTHER = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

describe('400', () => {
  it.each([
    ['plainly', `{${QUOTE},"destinationAddress":"${MINE}","destinationAddress":"${OTHER}"}`, ['destinationAddress']],
    ['with the same value', `{${QUOTE},"sandbox":true,"sandbox":true}`, ['sandbox']],
    ['once escaped', `{${QUOTE},"sandbox":true,"s\\u0061ndbox":false}`, ['sandbox']],
    ['escaped in two ways', `{${QUOTE},"\\u0073andbox":true,"s\\u0061ndbox":false}`, ['sandbox']],
    ['with white space between', `{${QUOTE}, "sandbox" : true ,\n\t"sandbox"\r\n:false}`, ['sandbox']],
    ['three times', `{${QUOTE},"sandbox":true,"sandbox":true,"sandbox":true}`, ['sandbox']],
    ['two of them', `{"sandbox":true,"slippageBps":1,${QUOTE},"slippageBps":2,"sandbox":1}`, ['slippageBps', 'sandbox']],
    ['below another field', `{${QUOTE},"memo":{"a":{"b":1,"b":2}}}`, ['memo.a.b']],
    ['in a list', `{${QUOTE},"excludeVenues":["cow",{"x":[],"id":1,"id":2}]}`, ['excludeVenues[1].id']],
    ['in a list of lists', `{${QUOTE},"memo":[[1,2],[{},[3],{"a":1,"a":2}]]}`, ['memo[1][2].a']],
    ['as __proto__', `{${QUOTE},"__proto__":1,"__proto__":2}`, ['__proto__']],
    ['as nothing', `{${QUOTE},"":1,"":2}`, ['body']],
    ['in surrogates', `{${QUOTE},"\\ud83e\\ude99":1,"🪙":2}`, ['🪙']],
  ])('refuses a key given twice %s, naming it [error-repeated-key]', async (_how, body, paths) => {
    quote.mockClear()
    const reply = await post(body)
    expect([reply.status, reply.json.error?.code]).toEqual([400, 'INVALID_REQUEST'])
    const fields = reply.json.error.details['fields'] as FieldProblem[]
    expect(fields).toEqual(paths.map((path) => ({ path, reason: 'is given more than once' })))
    expect(quote).not.toHaveBeenCalled()
  })

  it('lists 50 of however many, in time that grows with the body and no faster', async () => {
    const keys = Array.from({ length: 3_000 }, (_, i) => `"k${i}":1`)
    const reply = await post(`{${[...keys, ...keys].join(',')}}`.slice(0, 64 * 1024))
    expect(reply.json.error.details['fields']).toHaveLength(50)
  })

  // Half a second is some hundred times what it takes, and a hundredth of what comparing every key with every other would.
  it.each([
    ['many keys', `{${Array.from({ length: 7_500 }, (_, i) => `"${i.toString(36)}":1`).join(',')}}`],
    ['many escaped keys', `{${Array.from({ length: 5_000 }, (_, i) => `"\\n${i.toString(36)}":1`).join(',')}}`],
    ['one endless key', `{"${'\\\\'.repeat(32_000)}":1}`],
    ['a long list', `{"a":[${'{},'.repeat(20_000)}{}]}`],
    ['objects 16 deep', `${'{"a":'.repeat(16)}1${'}'.repeat(16)}`],
  ])('reads %s fast', async (_what, body) => {
    const startedAt = performance.now()
    const reply = await post(body)
    expect(reply.status).toBe(400)
    expect(JSON.stringify(reply.json.error.details)).not.toContain('more than once')
    expect(performance.now() - startedAt).toBeLessThan(500)
  })
})

describe('200', () => {
  it.each([
    ['the same key in two objects', { excludeVenues: ['cow'], destinationAddress: MINE }],
    ['text that looks like keys', { destinationAddress: MINE, excludeVenues: [] }],
  ])('takes %s', async (_what, more) => {
    const body = `{${QUOTE},${JSON.stringify(more).slice(1, -1)}}`
    expect((await post(body)).status).toBe(200)
  })

  it('takes the same key in two objects, and text that looks like one', async () => {
    const reply = await post(`{${QUOTE},"memo":[{"a":1},{"a":{"a":"\\"a\\":1,\\"a\\":2"}}]}`)
    expect(reply.json.error.details['fields']).toEqual([{ path: 'memo', reason: 'is not a known field' }])
  })

  it('takes keys that differ in case or by an escape of another letter', async () => {
    const reply = await post(`{${QUOTE},"Sandbox":1,"s\\u0062ndbox":1,"sandbox":true}`)
    const paths = (reply.json.error.details['fields'] as FieldProblem[]).map(({ path }) => path)
    expect(paths.toSorted()).toEqual(['Sandbox', 'sbndbox'])
  })
})
