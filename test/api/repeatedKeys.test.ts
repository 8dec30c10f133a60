import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { Engine } from '../../engine/engine.ts'
import type { FieldProblem } from '../../engine/errors.ts'
import { aQuote, type EdgeServer, type Reply, startEdge } from '../support/edgeServer.ts'
import { USDC_SWAP } from '../support/swaps.ts'

const quote = vi.fn<Engine['quote']>(async () => aQuote())
let edge: EdgeServer

beforeAll(async () => {
  const GENEROUS = { tier: 'anonymous', partnerId: null, feeBps: null, requestsPerMinute: 1_000_000 } as const
  edge = await startEdge({ engine: { quote, identify: async () => GENEROUS } })
})
afterAll(() => edge.close())

const post = (body: string): Promise<Reply> =>
  edge.call('/api/v1/quote', { method: 'POST', body, headers: { 'content-length': String(Buffer.byteLength(body)) } })

const MINE = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const OTHER = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const QUOTE = JSON.stringify(USDC_SWAP).slice(1, -1)

describe('a JSON body', () => {
  it.each([
    ['plainly', `{${QUOTE},"destinationAddress":"${MINE}","destinationAddress":"${OTHER}"}`, ['destinationAddress']],
    ['escaped in two ways', `{${QUOTE},"\\u0073andbox":true,"s\\u0061ndbox":false}`, ['sandbox']],
    ['with white space between', `{${QUOTE}, "sandbox" : true ,\n\t"sandbox"\r\n:false}`, ['sandbox']],
    ['two of them', `{"sandbox":true,"slippageBps":1,${QUOTE},"slippageBps":2,"sandbox":1}`, ['slippageBps', 'sandbox']],
    ['below another field', `{${QUOTE},"memo":{"a":{"b":1,"b":2}}}`, ['memo.a.b']],
    ['in a list', `{${QUOTE},"excludeVenues":["cow",{"x":[],"id":1,"id":2}]}`, ['excludeVenues[1].id']],
    ['as __proto__', `{${QUOTE},"__proto__":1,"__proto__":2}`, ['__proto__']],
    ['as nothing', `{${QUOTE},"":1,"":2}`, ['body']],
    ['in surrogates', `{${QUOTE},"\\ud83e\\ude99":1,"🪙":2}`, ['🪙']],
  ])('with a key twice, %s, receives 400 with its path [error-repeated-key]', async (_how, body, paths) => {
    quote.mockClear()
    const reply = await post(body)
    expect([reply.status, reply.json.error?.code]).toEqual([400, 'INVALID_REQUEST'])
    const fields = reply.json.error.details['fields'] as FieldProblem[]
    expect(fields).toEqual(paths.map((path) => ({ path, reason: 'is given more than once' })))
    expect(quote).not.toHaveBeenCalled()
  })

  it('with 3,000 repeated keys receives the paths of 50', async () => {
    const keys = Array.from({ length: 3_000 }, (_, i) => `"k${i}":1`)
    const reply = await post(`{${[...keys, ...keys].join(',')}}`.slice(0, 64 * 1024))
    expect(reply.json.error.details['fields']).toHaveLength(50)
  })

  // Half a second is some hundred times what it takes, and a hundredth of what comparing every key with every other would.
  it.each([
    ['many escaped keys', `{${Array.from({ length: 5_000 }, (_, i) => `"\\n${i.toString(36)}":1`).join(',')}}`],
    ['one endless key', `{"${'\\\\'.repeat(32_000)}":1}`],
    ['a long list', `{"a":[${'{},'.repeat(20_000)}{}]}`],
  ])('of %s is checked within half a second', async (_what, body) => {
    const startedAt = performance.now()
    const reply = await post(body)
    expect(reply.status).toBe(400)
    expect(JSON.stringify(reply.json.error.details)).not.toContain('more than once')
    expect(performance.now() - startedAt).toBeLessThan(500)
  })

  it('may have the same key in two objects, keys within text, and keys that differ in case or by an escape', async () => {
    const body = `{${QUOTE},"Sandbox":1,"s\\u0062ndbox":1,"sandbox":true,"memo":[{"a":1},{"a":{"a":"\\"a\\":1,\\"a\\":2"}}]}`
    const { fields } = (await post(body)).json.error.details as { fields: FieldProblem[] }
    const reason = 'is not a known field'
    expect(fields.toSorted((a, b) => (a.path < b.path ? -1 : 1))).toEqual(
      ['Sandbox', 'memo', 'sbndbox'].map((path) => ({ path, reason })),
    )
  })
})
