import { once } from 'node:events'
import net from 'node:net'
import { describe, expect, it, vi } from 'vitest'
import type { RequestContext } from '../../engine/core/caller.ts'
import { parseTraceparent } from '../../engine/core/trace.ts'
import type { Engine } from '../../engine/engine.ts'
import { SwapError } from '../../engine/errors.ts'
import type { HttpClient, HttpRequest } from '../../engine/net/httpClient.ts'
import { createTracing } from '../../engine/net/tracing.ts'
import { bindContext } from '../../engine/observe/callContext.ts'
import type { EngineEvent } from '../../engine/observe/observe.ts'
import { closing } from '../support/closing.ts'
import { ANONYMOUS, aQuote, type EdgeServer, type EdgeWish, startEdge } from '../support/edgeServer.ts'
import { USDC_SWAP } from '../support/swaps.ts'

const own = closing()
const start = async (wish?: EdgeWish) => own(await startEdge(wish))

const STATUS = '/api/v1/status?quoteToken=t&ref=r'
const quoteOf = (edge: EdgeServer) => edge.call('/api/v1/quote', { method: 'POST', body: USDC_SWAP })

describe('x-request-id [error-envelope]', () => {
  const MADE = 'made-here'
  it.each([
    ['abc-DEF_1.2', 'abc-DEF_1.2'],
    ['y'.repeat(64), 'y'.repeat(64)],
    ['y'.repeat(65), MADE],
    ['', MADE],
    ['a b', MADE],
    ['ä', MADE],
  ])('%j of the caller: the response has %j', async (id, expected) => {
    const edge = await start({ app: { randomId: () => MADE } })
    const reply = await edge.call('/nowhere', { headers: { 'x-request-id': Buffer.from(id).toString('latin1') } })
    expect(reply.headers['x-request-id']).toBe(expected)
  })

  it('the engine receives the id of the response', async () => {
    const status = vi.fn<Engine['status']>(() => Promise.reject(new SwapError('QUOTE_INVALID', 'no')))
    const reply = await (await start({ engine: { status } })).call(STATUS)
    expect(status.mock.calls[0]?.[1].requestId).toBe(reply.json.meta.requestId)
  })
})

describe('500', () => {
  it.each([
    ['an error', new Error('the password is hunter2')],
    ['nothing', undefined],
  ])(
    'reveals nothing of %s thrown by mistake, which the log has beside the request id [error-envelope]',
    async (_what, thrown) => {
      const edge = await start({ engine: { status: () => Promise.reject(thrown) } })
      const reply = await edge.call(STATUS)
      const message = 'The service failed to handle this request. Report the request id to the operator.'
      expect([reply.status, reply.json.error]).toEqual([500, { code: 'INTERNAL', message }])
      const record = await edge.logged('request.failed')
      expect(record).toMatchObject({ level: 'error', requestId: reply.headers['x-request-id'], code: 'INTERNAL' })
      if (thrown !== undefined) expect(record['reason']).toContain('hunter2')
    },
  )

  const halfARequest = async () => ({ ...ANONYMOUS, requestsPerMinute: 1.5 })
  it.each<[string, Partial<Engine>, string]>([
    ['a wrong value', { quote: async () => aQuote({ estimatedTimeSeconds: -1 }) }, 'estimatedTimeSeconds'],
    ['an undocumented failure', { quote: () => Promise.reject(new SwapError('NOT_CONFIGURED', 'no')) }, 'details'],
    ['a wrong header', { identify: halfARequest }, 'RateLimit-Policy'],
  ])('replaces, in development, an answer with %s', async (_what, engine, problem) => {
    const edge = await start({ engine })
    const { status, json } = await quoteOf(edge)
    expect([status, json.error.code]).toEqual([500, 'INTERNAL'])
    expect(json.error.message).toContain('response does not match the contract of quote')
    const record = await edge.logged('contract.mismatch')
    expect(record).toMatchObject({ level: 'error', operationId: 'quote', requestId: json.meta.requestId })
    expect(JSON.stringify(record['problems'])).toContain(problem)
  })

  it('replaces no answer in production, which makes no such check', async () => {
    const quote = async () => aQuote({ estimatedTimeSeconds: -1 })
    expect((await quoteOf(await start({ engine: { quote }, app: { validateResponses: false } }))).status).toBe(200)
  })
})

describe('the log', () => {
  it('has one record of a request, without query, body, key and address [security-log-no-bodies]', async () => {
    const edge = await start({ app: { clock: { now: () => 1_000 } } })
    const reply = await edge.call('/api/v1/status?quoteToken=secret&ref=secret', {
      headers: { 'x-api-key': 'secret', 'user-agent': 'secret' },
    })
    const request = { requestId: reply.headers['x-request-id'], method: 'GET', path: '/api/v1/status', operationId: 'status' }
    const outcome = { status: 401, ms: 0, tier: 'anonymous', code: 'UNAUTHORIZED' }
    expect(await edge.logged('request')).toEqual({ level: 'info', event: 'request', ...request, ...outcome })
    expect(edge.logs).toHaveLength(1)
  })

  it.each([
    ['failing venues as a warning', 'warn', 'INTERNAL', { isOutage: true }],
    ['a pending payment as information', 'info', 'PAYMENT_PENDING', { isRetry: true }],
  ] as const)('has %s, without a stack', async (_what, level, code, marks) => {
    const cause = new Error('the venue is down', { cause: new TypeError('no JSON') })
    const quote = () => Promise.reject(new SwapError(code, 'Repeat.', { cause, isOutage: level === 'warn' }))
    const edge = await start({ engine: { quote } })
    await quoteOf(edge)
    const reason = 'Error: the venue is down\ncaused by TypeError: no JSON'
    const record = { level, event: 'request.failed', requestId: expect.any(String), code, ...marks, reason }
    expect(await edge.logged('request.failed')).toEqual(record)
    expect(await edge.logged('request')).toMatchObject({ code, ...(level === 'warn' && marks) })
  })

  it('has the reason in the details of a failure, no code of a success, and 200 characters of a path', async () => {
    const details = { venue: 'across', reason: 'priceMoved' }
    const edge = await start({ engine: { quote: () => Promise.reject(new SwapError('QUOTE_EXPIRED', 'Gone.', { details })) } })
    await quoteOf(edge)
    expect(await edge.logged('request', { code: 'QUOTE_EXPIRED' })).toMatchObject({ reason: 'priceMoved' })
    await edge.call('/api/v1/health')
    expect(await edge.logged('request', { status: 200 })).not.toHaveProperty('code')
    await edge.call(`/${'x'.repeat(5_000)}`)
    expect(String((await edge.logged('request', { status: 404 }))['path'])).toHaveLength(200)
  })
})

it('a client that disconnects within its body is no error', async () => {
  const edge = await start()
  const socket = net.connect(edge.port, '127.0.0.1')
  const head = 'POST /api/v1/quote HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n'
  socket.write(`${head}expect: 100-continue\r\ncontent-length: 50\r\n\r\n{`)
  // 100 Continue shows that the server has begun to read.
  await once(socket, 'data')
  socket.destroy()
  expect(await edge.logged('request')).toMatchObject({ status: null, aborted: true })
  expect((await edge.call('/api/v1/chains')).status).toBe(200)
  expect(edge.logs.filter(({ level }) => level !== 'info')).toEqual([])
})

const TRACE_ID = '0af7651916cd43dd8448eb211c80319c'
const GIVEN = `00-${TRACE_ID}-b7ad6b7169203331-01`

/** Two hosts of which one is the operator's own. */
const openHosts = () => {
  const sent: HttpRequest[] = []
  const http: HttpClient = {
    send: async (request) => {
      sent.push(request)
      return { status: 200, headers: {}, text: '' }
    },
    close: async () => undefined,
  }
  const tracing = createTracing(['https://own.example'], () => '00f067aa0ba902b7')
  const client = tracing.over(http)
  const ask = (url: string) => client.send({ method: 'GET', url, headers: { accept: 'x' }, signal: new AbortController().signal })
  return { sent, tracing, ask }
}

describe('a traceparent', () => {
  it.each([
    [GIVEN, true],
    [`cc${GIVEN.slice(2)}-of-a-later-version`, true],
    [TRACE_ID, false],
    [`${GIVEN}-more`, false],
    [GIVEN.toUpperCase(), false],
    [`ff${GIVEN.slice(2)}`, false],
    [GIVEN.replace(TRACE_ID, '0'.repeat(32)), false],
    [GIVEN.replace('b7ad6b7169203331', '0'.repeat(16)), false],
    [`cc${GIVEN.slice(2)}-${'x'.repeat(300)}`, false],
  ])('%j is accepted: %s', (header, isAccepted) => {
    expect(parseTraceparent(header)).toEqual(isAccepted ? { traceId: TRACE_ID, flags: '01' } : null)
  })

  it('appears in the log of its request and in its events, and not in the response [ops-trace-context]', async () => {
    const events: EngineEvent[] = []
    const quote = async (_order: unknown, request: RequestContext) => {
      bindContext(request, (event) => void events.push(event)).observe({ event: 'store.failed', reason: 'a test' })
      return aQuote()
    }
    const edge = await start({ engine: { quote } })
    const reply = await edge.call('/api/v1/quote', { method: 'POST', body: USDC_SWAP, headers: { traceparent: GIVEN } })
    expect(reply.status).toBe(200)
    expect(await edge.logged('request')).toMatchObject({ traceId: TRACE_ID })
    expect(events).toMatchObject([{ event: 'store.failed', traceId: TRACE_ID }])
    expect(JSON.stringify([reply.headers, reply.text])).not.toContain(TRACE_ID)
  })

  it('reaches the origins of TRACE_ORIGINS alone, with a span of the service [ops-trace-context]', async () => {
    const { sent, tracing, ask } = openHosts()
    const quote = async () => {
      await ask('https://own.example/price')
      await ask('https://venue.example/quote?to=https://own.example')
      await ask('https://own.example.evil/quote')
      return aQuote()
    }
    const edge = await start({ engine: { quote }, app: { tracing } })
    await edge.call('/api/v1/quote', { method: 'POST', body: USDC_SWAP, headers: { traceparent: GIVEN } })
    await edge.call('/api/v1/quote', { method: 'POST', body: USDC_SWAP })
    const born = sent.map(({ headers }) => headers?.['traceparent'] ?? null)
    expect(born).toEqual([`00-${TRACE_ID}-00f067aa0ba902b7-01`, null, null, null, null, null])
    expect(sent.every(({ headers }) => headers?.['accept'] === 'x')).toBe(true)
  })
})
