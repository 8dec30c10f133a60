import { afterEach, describe, expect, it } from 'vitest'
import type { RequestContext } from '../../engine/core/caller.ts'
import { parseTraceparent } from '../../engine/core/trace.ts'
import type { HttpClient, HttpRequest } from '../../engine/net/httpClient.ts'
import { createTracing } from '../../engine/net/tracing.ts'
import { bindContext } from '../../engine/observe/callContext.ts'
import type { EngineEvent } from '../../engine/observe/observe.ts'
import { aQuote, type EdgeServer, startEdge } from '../support/edgeServer.ts'
import { BODY } from '../support/x402Stage.ts'

const TRACE_ID = '0af7651916cd43dd8448eb211c80319c'
const GIVEN = `00-${TRACE_ID}-b7ad6b7169203331-01`

let edge: EdgeServer
afterEach(() => edge?.close())

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
    [GIVEN, '01'],
    [`cc${GIVEN.slice(2)}-of-a-later-version`, '01'],
  ])('%s is accepted', (header, flags) => {
    expect(parseTraceparent(header)).toEqual({ traceId: TRACE_ID, flags })
  })

  it.each([
    TRACE_ID,
    `${GIVEN}-more`,
    GIVEN.toUpperCase(),
    `ff${GIVEN.slice(2)}`,
    GIVEN.replace(TRACE_ID, '0'.repeat(32)),
    GIVEN.replace('b7ad6b7169203331', '0'.repeat(16)),
    `cc${GIVEN.slice(2)}-${'x'.repeat(300)}`,
  ])('%j is ignored', (header) => {
    expect(parseTraceparent(header)).toBeNull()
  })

  it('appears in the log of its request and in its events, and not in the response [ops-trace-context]', async () => {
    const events: EngineEvent[] = []
    const quote = async (_order: unknown, request: RequestContext) => {
      bindContext(request, (event) => void events.push(event)).observe({ event: 'store.failed', reason: 'a test' })
      return aQuote()
    }
    edge = await startEdge({ engine: { quote } })
    const reply = await edge.call('/api/v1/quote', { method: 'POST', body: BODY, headers: { traceparent: GIVEN } })
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
    edge = await startEdge({ engine: { quote }, app: { tracing } })
    await edge.call('/api/v1/quote', { method: 'POST', body: BODY, headers: { traceparent: GIVEN } })
    await edge.call('/api/v1/quote', { method: 'POST', body: BODY })
    const born = sent.map(({ headers }) => headers?.['traceparent'] ?? null)
    expect(born).toEqual([`00-${TRACE_ID}-00f067aa0ba902b7-01`, null, null, null, null, null])
    expect(sent.every(({ headers }) => headers?.['accept'] === 'x')).toBe(true)
  })
})
