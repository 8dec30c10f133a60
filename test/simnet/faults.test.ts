import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { HttpError } from '../../engine/net/httpClient.ts'
import { createHttpClient } from '../../engine/net/undiciClient.ts'
import { createFaults, type FaultName, type FaultParams, type Faults } from '../../engine/simnet/kit/faults.ts'
import { type ServedVenue, serveVenue } from '../../engine/simnet/kit/serveVenue.ts'
import type { SimRequest, SimVenue } from '../../engine/simnet/kit/simVenue.ts'

const http = createHttpClient({ bytesMax: 100_000 })
let faults: Faults
let handled: SimRequest[]
let served: ServedVenue

const venue: SimVenue = {
  id: 'echo',
  settings: {},
  pricePaths: [],
  onDeposit: () => false,
  onTransaction: () => false,
  handle: (request) => {
    handled.push(request)
    return { status: 201, body: { path: request.path, body: request.body } }
  },
}

beforeEach(async () => {
  faults = createFaults()
  handled = []
  served = await serveVenue(venue, faults)
})

afterEach(() => served.close())

const call = (signal: AbortSignal = new AbortController().signal, path = '/v1/orders') =>
  http.send({ method: 'POST', url: `${served.baseUrl}${path}?dry=true`, json: { amount: '1' }, signal })

const failure = async (promise: Promise<unknown>): Promise<string> => {
  const error: unknown = await promise.catch((reason: unknown) => reason)
  return error instanceof HttpError ? error.failure : 'none'
}

const commit = (fault: FaultName, params: FaultParams = {}, count: number | null = 1) => faults.set('echo', fault, params, count)

describe('a simulated venue behind HTTP', () => {
  it('receives the request unchanged, and names its network in every response', async () => {
    const { status, headers, text } = await call()
    expect({ status, text }).toEqual({ status: 201, text: '{"path":"/v1/orders","body":{"amount":"1"}}' })
    expect(headers['service-network']).toBe('simnet')
    expect(served.received).toEqual(handled)
    expect(handled[0]?.query.get('dry')).toBe('true')
    expect(handled[0]?.rawBody).toBe('{"amount":"1"}')
  })

  it('rejects an oversized body', async () => {
    const signal = new AbortController().signal
    const { status } = await http.send({ method: 'POST', url: served.baseUrl, json: 'x'.repeat(1024 * 1024), signal })
    expect(status).toBe(413)
    expect(handled).toEqual([])
  })

  it('answers 500 when the simulator itself fails', async () => {
    const broken = await serveVenue({ ...venue, handle: () => Promise.reject(new Error('boom')) })
    const { status, headers } = await http.send({ method: 'GET', url: broken.baseUrl, signal: new AbortController().signal })
    expect({ status, network: headers['service-network'] }).toEqual({ status: 500, network: 'simnet' })
    await broken.close()
  })
})

describe('the simnet fault', () => {
  it('http-500 returns an HTML error page, and the venue receives no request', async () => {
    commit('http-500')
    const { status, headers, text } = await call()
    expect(status).toBe(500)
    expect(headers['content-type']).toMatch(/^text\/html/)
    expect(headers['service-network']).toBe('simnet')
    expect(text).toMatch(/^<!DOCTYPE html>/)
    expect(handled).toEqual([])
  })

  it('http-429 rejects the call', async () => {
    commit('http-429')
    expect((await call()).status).toBe(429)
    expect(handled).toEqual([])
  })

  it('malformed-body damages a real response', async () => {
    commit('malformed-body')
    const { status, text } = await call()
    expect(status).toBe(201)
    expect(() => JSON.parse(text)).toThrow()
    expect(handled).toHaveLength(1)
  })

  it('wrong-shape returns JSON of an unknown form', async () => {
    commit('wrong-shape')
    expect(JSON.parse((await call()).text)).toEqual({ unexpected: [{ shape: true }] })
  })

  it('truncated-body cuts the response after the venue has handled the call', async () => {
    commit('truncated-body')
    expect(await failure(call())).toBe('unreachable')
    expect(handled).toHaveLength(1)
  })

  it('reset closes the connection before or after the venue handles the call', async () => {
    commit('reset')
    expect(await failure(call())).toBe('unreachable')
    expect(handled).toHaveLength(0)
    commit('reset', { when: 'after' })
    expect(await failure(call())).toBe('unreachable')
    expect(handled).toHaveLength(1)
  })

  it('huge-body sends the configured size, and stops when the client disconnects', async () => {
    commit('huge-body', { bytes: 100_000 })
    expect((await call()).text).toHaveLength(100_000)
    commit('huge-body', { bytes: 1e15 })
    expect(await failure(call())).toBe('tooLarge')
  })

  it('hang waits until the client disconnects', async () => {
    commit('hang')
    expect(await failure(call(AbortSignal.timeout(50)))).toBe('aborted')
    expect(handled).toEqual([])
  })

  it('latency delays the real response', async () => {
    commit('latency', { ms: 60 })
    const startedAt = performance.now()
    expect((await call()).status).toBe(201)
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(55)
  })

  it('applies the configured number of times, and only below its path', async () => {
    commit('http-500', { path: '/v1/orders' }, 2)
    const statuses = []
    for (const path of ['/v1/tokens', '/v1/orders', '/v1/orders/7', '/v1/orders'])
      statuses.push((await call(new AbortController().signal, path)).status)
    expect(statuses).toEqual([201, 500, 500, 201])
  })
})
