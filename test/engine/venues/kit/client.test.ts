import { describe, expect, test } from 'vitest'
import { Secret } from '../../../../engine/core/secret.ts'
import { type Exchange, recordExchanges } from '../../../../engine/net/exchanges.ts'
import type { HttpRequest, HttpResponse } from '../../../../engine/net/httpClient.ts'
import { createVenueClient, type VenueClientOptions } from '../../../../engine/venues/kit/client.ts'
import { anything, object, shape, text } from '../../../../engine/venues/kit/shapes.ts'
import { VenueError } from '../../../../engine/venues/venueError.ts'
import { verdictOf } from '../../../../engine/venues/venueOutcome.ts'

const { signal } = new AbortController()
const thing = shape('thing', object({ id: text() }))
const any = shape('answer', anything)

type Respond = (request: HttpRequest) => Partial<HttpResponse>

/** A client whose venue responds so, and the requests that it sent. */
const clientOf = (respond: Respond, options: Partial<VenueClientOptions> = {}) => {
  const sent: HttpRequest[] = []
  const send = async (request: HttpRequest): Promise<HttpResponse> => {
    sent.push(request)
    return { status: 200, headers: {}, text: '{}', ...respond(request) }
  }
  const http = { send, close: async () => undefined }
  const key = { apiKey: new Secret('key-1'), keyHeader: (apiKey: string) => ({ 'x-key': apiKey }) }
  return { ...createVenueClient({ http, baseUrl: 'https://venue.example/api', ...key, ...options }), sent }
}

const errorOf = async (call: Promise<unknown>): Promise<VenueError> => {
  const error = await call.catch((thrown: unknown) => thrown)
  if (error instanceof VenueError) return error
  throw new TypeError('expected a VenueError')
}

describe('a call of a venue', () => {
  test('sends key, headers, query and body', async () => {
    const { get, post, put, sent } = clientOf(() => ({ text: '{"id":"a","more":1}' }), { headers: { 'x-client': 'us' } })
    await get('/things', { shape: thing, query: { of: 'a b' }, signal })
    await post('/things', { shape: thing, json: { n: 1 }, signal })
    expect(await put('/things/a', { shape: thing, signal })).toEqual({ id: 'a', more: 1 })
    const url = 'https://venue.example/api/things'
    const headers = { 'x-key': 'key-1', 'x-client': 'us' }
    expect(sent).toEqual([
      { method: 'GET', url: `${url}?of=a+b`, headers, signal },
      { method: 'POST', url, headers, json: { n: 1 }, signal },
      { method: 'PUT', url: `${url}/a`, headers, signal },
    ])
  })

  test('sends JSON text unchanged, and reports the unchanged text of the answer', async () => {
    const texts: string[] = []
    const { post, sent } = clientOf(() => ({ text: '{ "id":"\\u0061" }' }), { apiKey: null })
    const heard = (answer: string) => void texts.push(answer)
    expect(await post('', { shape: thing, jsonText: '{ "n":1.0 }', heard, signal })).toEqual({ id: 'a' })
    expect(texts).toEqual(['{ "id":"\\u0061" }'])
    expect(sent).toEqual([{ method: 'POST', url: 'https://venue.example/api', headers: {}, jsonText: '{ "n":1.0 }', signal }])
  })

  test('is not sent when its recorder refuses it, and ends with the error of the recorder', async () => {
    const { get, sent } = clientOf(() => ({}))
    const limit = new VenueError('rateLimited', 'no room', { nature: 'ownLimit' })
    const refuse = () => {
      throw limit
    }
    expect([await errorOf(recordExchanges([], () => get('', { shape: any, signal }), refuse)), sent]).toEqual([limit, []])
  })

  test.each([
    ['{"a":12345678901234567890,"b":[9007199254740993]}', { a: '12345678901234567890', b: ['9007199254740993'] }],
    ['{"a":9007199254740991,"b":1.5,"c":1e300}', { a: Number.MAX_SAFE_INTEGER, b: 1.5, c: 1e300 }],
    ['{"a":"12345678901234567890","b":123456789012345.25}', { a: '12345678901234567890', b: 123456789012345.25 }],
    [
      String.raw`["\"\\", 12345678901234567890 ,"[12345678901234567890]"]`,
      ['"\\', '12345678901234567890', '[12345678901234567890]'],
    ],
    ['[-10000000000000000000,10000000000000000000e1]', [-1e19, 1e20]],
  ])('reads every digit of %s', async (body, read) => {
    expect(await clientOf(() => ({ text: body })).get('', { shape: any, signal })).toEqual(read)
  })
})

describe('a refusal of a venue', () => {
  const refusals: VenueClientOptions['refusals'] = ({ status }) => (status === 418 ? new VenueError('noLiquidity', 'dry') : null)
  const absent = ({ status }: { readonly status: number }) => status === 404

  test.each([
    ['absence, where the call names it so', 404, '{}', { absent }, null],
    ['an undocumented refusal, where the call does not', 404, '{}', {}, 'badResponse'],
    ['what the table of the client says', 418, '{}', { absent }, 'noLiquidity'],
    [
      'what the table of the call says',
      418,
      '{}',
      { refusals: () => new VenueError('amountTooSmall', 'more') },
      'amountTooSmall',
    ],
    ['a failure', 500, '{}', { absent }, 'unavailable'],
    ['a rate limit', 429, '{}', { absent }, 'rateLimited'],
    ['a rejected answer with a wrong field', 200, '{"id":1}', { absent }, 'rejected'],
    ['no answer without any of the fields', 200, '{"other":1}', { absent }, 'badResponse'],
  ])('is %s', async (_what, status, body, options, kind) => {
    const call = clientOf(() => ({ status, text: body }), { refusals }).get('/things/a', { shape: thing, signal, ...options })
    if (kind === null) expect(await call).toBeNull()
    else expect((await errorOf(call)).kind).toBe(kind)
  })

  test.each([
    ['of the table', new VenueError('noLiquidity', 'dry'), 'noLiquidity'],
    ['of no answer, without an entry', null, 'badResponse'],
  ])('in a 2xx is %s', async (_what, meaning, kind) => {
    const isRefusal = (body: unknown) => Object.hasOwn(body as object, 'error')
    const call = (body: string) =>
      clientOf(() => ({ text: body }), { refusals: () => meaning, isRefusal }).get('', { shape: any, signal })
    expect((await errorOf(call('{"error":1}'))).kind).toBe(kind)
    expect(await call('{}')).toEqual({})
  })

  test.each([
    [401, '{}', 'keyRefused'],
    [403, '<html>', 'keyRefused'],
    [429, '', 'answer'],
    [418, '{"code":"NEW"}', 'answer'],
    [404, '["gone"]', 'answer'],
    [404, '<html>', 'failure'],
    [302, '{}', 'failure'],
    [500, '{"code":"NEW"}', 'failure'],
    [408, '{}', 'failure'],
    [200, 'no JSON', 'failure'],
    [200, '[]', 'failure'],
  ])('without documents, HTTP %s with the body %s, has the verdict %s', async (status, body, verdict) => {
    expect(verdictOf(await errorOf(clientOf(() => ({ status, text: body })).get('', { shape: thing, signal })))).toBe(verdict)
  })

  test.each([401, 403])('HTTP %s to a client without a key blames the address, and no key', async (status) => {
    const { message, nature } = await errorOf(clientOf(() => ({ status }), { apiKey: null }).get('', { shape: any, signal }))
    expect([message, nature]).toEqual([expect.stringMatching(`^HTTP ${status} without a key`), null])
  })

  const date = 'Sun, 22 Nov 2026 12:00:00 GMT'
  test.each<[string, { [name: string]: string }, number | null]>([
    ['the seconds of Retry-After', { 'retry-after': '7' }, 7_000],
    ['the date of Retry-After, by the clock of the venue', { 'retry-after': 'Sun, 22 Nov 2026 12:00:30 GMT', date }, 30_000],
    ['0 for a past date', { 'retry-after': 'Sun, 22 Nov 2026 11:00:00 GMT', date }, 0],
    ['no time for another text', { 'retry-after': 'soon' }, null],
    ['endless for 400 digits', { 'retry-after': '9'.repeat(400) }, Number.POSITIVE_INFINITY],
    ['no time for a negative number', { 'retry-after': '-5' }, null],
    ['no time without a header', {}, null],
    ['the Unix second at which the limit resets', { 'x-ratelimit-reset': '1795348820', date }, 20_000],
    ['0 for a limit that was reset', { 'x-ratelimit-reset': '1795348799', date }, 0],
    ['no time for a reset in another unit', { 'x-ratelimit-reset': '20', date }, null],
    ['no time for another text beside a reset', { 'retry-after': 'soon', 'x-ratelimit-reset': '1795348820', date }, null],
  ])('by HTTP 429 asks for a pause of %s', async (_what, headers, retryAfterMs) => {
    const error = await errorOf(clientOf(() => ({ status: 429, headers })).get('', { shape: any, signal }))
    expect(error).toMatchObject({ kind: 'rateLimited', retryAfterMs })
  })
})

describe('an answer that repeats a secret of the service [security-venue-key-hidden]', () => {
  const refusals: VenueClientOptions['refusals'] = ({ body }) => new VenueError('badRequest', JSON.stringify(body))

  test('brings no key of a header into the log', async () => {
    const echo: Respond = ({ headers }) => ({
      status: 400,
      text: JSON.stringify({ message: `who is ${JSON.stringify(headers)}?` }),
    })
    const keyHeader = (key: string) => ({ authorization: `Bearer ${key}` })
    const { message } = await errorOf(clientOf(echo, { keyHeader, refusals }).get('', { shape: any, signal }))
    expect(message).toContain('Bearer [secret]')
    expect(message).not.toContain('key-1')
  })

  test.each(['key 1+/==', 'k~!*(1)'])('brings no key of a query into the log: %s', async (key) => {
    const inQuery = new URLSearchParams({ k: key }).toString().slice(2)
    const encoded = ['base64', 'hex'].map((encoding) =>
      Buffer.from(key)
        .toString(encoding as 'hex')
        .replaceAll('=', ''),
    )
    for (const spell of [(url: string) => url, decodeURIComponent, () => encodeURIComponent(key), () => encoded.join(' ')]) {
      const echo: Respond = ({ url }) => ({ status: 400, text: JSON.stringify({ message: `no ${spell(url)}` }) })
      const { get } = clientOf(echo, { apiKey: new Secret(key), keyHeader: () => ({}), refusals })
      const { message } = await errorOf(get('', { query: { accesstoken: key, a: '1' }, shape: any, signal }))
      for (const spelling of [key, encodeURIComponent(key), inQuery, ...encoded]) expect(message).not.toContain(spelling)
    }
  })

  test('keeps words of the base URL for the adapter, and hides them in the recorded copy', async () => {
    const exchanges: Exchange[] = []
    const { get } = clientOf(() => ({ text: '{"id":"token"}' }), { baseUrl: 'https://token:sesame1@venue.example', apiKey: null })
    expect(await recordExchanges(exchanges, () => get('', { shape: thing, signal }))).toEqual({ id: 'token' })
    expect(JSON.stringify(exchanges)).not.toMatch(/token|sesame1/)
    expect(exchanges).toMatchObject([{ method: 'GET', status: 200, request: null }])
  })
})
