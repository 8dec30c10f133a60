import { expect, test } from 'vitest'
import { Secret } from '../../../../engine/core/secret.ts'
import { type Exchange, recordExchanges } from '../../../../engine/net/exchanges.ts'
import type { HttpClient, HttpRequest } from '../../../../engine/net/httpClient.ts'
import { createVenueClient } from '../../../../engine/venues/kit/client.ts'
import { object, shape, text } from '../../../../engine/venues/kit/shapes.ts'
import { VenueError } from '../../../../engine/venues/venueError.ts'

const signal = new AbortController().signal
const thing = shape('thing', object({ id: text() }))
const isMissing = ({ status }: { readonly status: number }) => status === 404

/** A client whose venue always answers this, and what it was asked. */
const answering = (status: number, body: unknown, apiKey: Secret | null = new Secret('key-1')) => {
  const sent: HttpRequest[] = []
  const http: HttpClient = {
    send: async (request) => {
      sent.push(request)
      return { status, headers: {}, text: JSON.stringify(body) }
    },
    close: async () => undefined,
  }
  const client = createVenueClient({
    http,
    baseUrl: 'https://venue.example/api',
    apiKey,
    keyHeader: (key) => ({ 'x-key': key }),
    refusals: ({ status }) => (status === 418 ? new VenueError('noLiquidity', 'dry') : null),
  })
  return { client, sent }
}

const refusalOf = async (call: Promise<unknown>): Promise<VenueError> => {
  const error = await call.then(
    () => null,
    (thrown: unknown) => thrown,
  )
  if (error instanceof VenueError) return error
  throw new TypeError('no VenueError was thrown')
}

test('who asks is said with every call, an answer is heard as it came, and JSON in its own spelling is sent as it is', async () => {
  const texts: string[] = []
  const sent: HttpRequest[] = []
  const http: HttpClient = {
    send: async (request) => {
      sent.push(request)
      return { status: 200, headers: {}, text: '{ "id":"\\u0061" }' }
    },
    close: async () => undefined,
  }
  const headers = { 'x-client': 'us' }
  const client = createVenueClient({ http, baseUrl: 'https://venue.example', apiKey: null, keyHeader: () => ({}), headers })
  const heard = (told: string) => void texts.push(told)
  expect(await client.post('/things', { shape: thing, jsonText: '{ "n":1.0 }', heard, signal })).toEqual({ id: 'a' })
  expect(texts).toEqual(['{ "id":"\\u0061" }'])
  expect(sent).toEqual([{ method: 'POST', url: 'https://venue.example/things', headers, jsonText: '{ "n":1.0 }', signal }])
})

test('every call carries the key, the signal, the query and the body', async () => {
  const { client, sent } = answering(200, { id: 'a', more: 1 })
  await client.get('/things', { shape: thing, query: { of: 'a b' }, signal })
  await client.post('/things', { shape: thing, json: { n: 1 }, signal })
  await client.put('/things/a', { shape: thing, signal })
  const headers = { 'x-key': 'key-1' }
  expect(sent).toEqual([
    { method: 'GET', url: 'https://venue.example/api/things?of=a+b', headers, signal },
    { method: 'POST', url: 'https://venue.example/api/things', headers, json: { n: 1 }, signal },
    { method: 'PUT', url: 'https://venue.example/api/things/a', headers, signal },
  ])
})

test('only the refusal that says so is absence; every other one is thrown', async () => {
  expect(await answering(404, {}).client.get('/things/a', { shape: thing, absent: isMissing, signal })).toBeNull()
  const others = [
    [418, {}, 'noLiquidity'],
    [500, {}, 'unavailable'],
    [429, {}, 'rateLimited'],
    [200, { id: 1 }, 'rejected'],
    [200, { other: 1 }, 'badResponse'],
  ] as const
  for (const [status, body, kind] of others) {
    const call = answering(status, body).client.get('/things/a', { shape: thing, absent: isMissing, signal })
    expect((await refusalOf(call)).kind).toBe(kind)
  }
})

test('a call that does not ask for absence is refused by the same answer', async () => {
  expect((await refusalOf(answering(404, {}).client.get('/things/a', { shape: thing, signal }))).kind).toBe('badResponse')
})

test('the refusals of one call stand in for those of the client', async () => {
  const refusals = () => new VenueError('amountTooSmall', 'more')
  const call = answering(418, {}).client.post('/things', { shape: thing, refusals, signal })
  expect((await refusalOf(call)).kind).toBe('amountTooSmall')
})

test('a request that its recorder refuses is not sent, and ends with the error of the recorder', async () => {
  const { client, sent } = answering(200, { id: 'a' })
  const limit = new VenueError('rateLimited', 'no room', { nature: 'ownLimit' })
  const call = () => client.get('/things', { shape: thing, signal })
  const refuse = () => {
    throw limit
  }
  expect([await refusalOf(recordExchanges([], call, refuse)), sent]).toEqual([limit, []])
})

test.each([401, 403])('HTTP %s to a client without a key blames the address, and no key', async (status) => {
  const { message, nature } = await refusalOf(answering(status, {}, null).client.get('/things', { shape: thing, signal }))
  expect([message, nature]).toEqual([expect.stringMatching(`^HTTP ${status} without a key`), null])
})

test('a user name in the base URL is an ordinary word of answers, and hidden in the recorded copy alone', async () => {
  const exchanges: Exchange[] = []
  const send = async () => ({ status: 200, headers: {}, text: '{"id":"token"}' })
  const http = { send, close: async () => undefined } as never
  const { get } = createVenueClient({ http, baseUrl: 'https://token:sesame1@venue.example', apiKey: null, keyHeader: () => ({}) })
  expect(await recordExchanges(exchanges, () => get('/things', { shape: thing, signal }))).toEqual({ id: 'token' })
  expect(JSON.stringify(exchanges)).not.toMatch(/token|sesame1/)
})

test('a refusal that repeats our key does not bring it into the log [security-venue-key-hidden]', async () => {
  const http: HttpClient = {
    send: async ({ headers }) => ({
      status: 400,
      headers: {},
      text: JSON.stringify({ message: `who is ${JSON.stringify(headers)}?` }),
    }),
    close: async () => undefined,
  }
  const { get } = createVenueClient({
    http,
    baseUrl: 'https://venue.example/api',
    apiKey: new Secret('key-1'),
    keyHeader: (key) => ({ authorization: `Bearer ${key}` }),
    refusals: ({ body }) => new VenueError('badRequest', JSON.stringify(body)),
  })
  const { message } = await refusalOf(get('/things', { shape: thing, signal }))
  expect(message).toContain('Bearer [secret]')
  expect(message).not.toContain('key-1')
})

test.each(['key 1+/==', 'k~!*(1)'])(
  'nor does one that repeats the URL which carried it: %s [security-venue-key-hidden]',
  async (key) => {
    const repeating = (spell: (url: string) => string): HttpClient => ({
      send: async ({ url }) => ({ status: 400, headers: {}, text: JSON.stringify({ message: `no ${spell(url)}` }) }),
      close: async () => undefined,
    })
    for (const spell of [(url: string) => url, decodeURIComponent, () => encodeURIComponent(key)]) {
      const { get } = createVenueClient({
        http: repeating(spell),
        baseUrl: 'https://venue.example/api',
        apiKey: new Secret(key),
        keyHeader: () => ({}),
        refusals: ({ body }) => new VenueError('badRequest', JSON.stringify(body)),
      })
      const { message } = await refusalOf(get('/things', { query: { accesstoken: key, a: '1' }, shape: thing, signal }))
      for (const spelling of [key, encodeURIComponent(key), new URLSearchParams({ k: key }).toString().slice(2)])
        expect(message).not.toContain(spelling)
    }
  },
)
