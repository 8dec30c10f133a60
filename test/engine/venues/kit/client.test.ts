import { describe, expect, test } from 'vitest'
import { Secret } from '../../../../engine/core/secret.ts'
import { type Exchange, recordExchanges } from '../../../../engine/net/exchanges.ts'
import type { HttpRequest, HttpResponse } from '../../../../engine/net/httpClient.ts'
import { type Absent, createVenueClient, type VenueCall, type VenueClientOptions } from '../../../../engine/venues/kit/client.ts'
import { meaningOf, meaningsBy } from '../../../../engine/venues/kit/refusals.ts'
import { anything, object, shape, text } from '../../../../engine/venues/kit/shapes.ts'
import { VenueError } from '../../../../engine/venues/venueError.ts'

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
    [
      String.raw`["\"\\", 12345678901234567890 ,"[12345678901234567890]"]`,
      ['"\\', '12345678901234567890', '[12345678901234567890]'],
    ],
    ['[-10000000000000000000,10000000000000000000e1]', [-1e19, 1e20]],
  ])('reads every digit of %s', async (body, read) => {
    expect(await clientOf(() => ({ text: body })).get('', { shape: any, signal })).toEqual(read)
  })
})

test.each(['constructor', '__proto__', 'toString'])('a table of refusals has no meaning for the code %s', (code) => {
  expect(meaningOf(meaningsBy(['noLiquidity', 'DRY']), code)).toBeUndefined()
})

describe('a refusal of a venue', () => {
  const dry = () => new VenueError('noLiquidity', 'dry')
  const more = () => new VenueError('amountTooSmall', 'more')
  const absent = ({ status }: { readonly status: number }) => status === 404
  const isRefusal = (body: unknown) => Object.hasOwn(body as object, 'error')
  const keyless = { apiKey: null }

  test.each<[string, number, string, Partial<VenueClientOptions>, Partial<Absent & VenueCall<never>>, object | null]>([
    ['absence, where the call names it so', 404, '{}', {}, { absent }, null],
    ['what the table of the client says', 418, '{}', { refusals: dry }, { absent }, { kind: 'noLiquidity' }],
    ['what the table of the call says', 418, '{}', { refusals: dry }, { refusals: more }, { kind: 'amountTooSmall' }],
    ['what the table says of a 2xx', 200, '{"error":1}', { refusals: dry, isRefusal }, {}, { kind: 'noLiquidity' }],
    ['a bad response in a 2xx without an entry', 200, '{"error":1}', { isRefusal }, {}, { kind: 'badResponse' }],
    ['a rejected answer with a wrong field', 200, '{"id":1}', {}, { absent }, { kind: 'rejected' }],
    ['no answer without any of the fields', 200, '{"other":1}', {}, { absent }, { kind: 'badResponse' }],
    ['undocumented, in JSON', 418, '{"code":"NEW"}', {}, {}, { kind: 'badResponse', nature: 'unexplained' }],
    ['not the venue, in HTML', 404, '<html>', {}, {}, { kind: 'badResponse', nature: null }],
    ['of our key', 401, '{}', {}, {}, { kind: 'unavailable', nature: 'keyRefused' }],
    ['of our address, without a key', 403, '{}', keyless, {}, { nature: null, message: expect.stringMatching(/without a key/) }],
  ])('is %s', async (_what, status, text, options, call, error) => {
    const answer = clientOf(() => ({ status, text }), options).get('/things/a', { shape: thing, signal, ...call })
    if (error === null) expect(await answer).toBeNull()
    else expect(await errorOf(answer)).toMatchObject(error)
  })

  const date = 'Sun, 22 Nov 2026 12:00:00 GMT'
  test.each<[string, { [name: string]: string }, number | null]>([
    ['the seconds of Retry-After', { 'retry-after': '7' }, 7_000],
    ['the date of Retry-After, by the clock of the venue', { 'retry-after': 'Sun, 22 Nov 2026 12:00:30 GMT', date }, 30_000],
    ['0 for a past date', { 'retry-after': 'Sun, 22 Nov 2026 11:00:00 GMT', date }, 0],
    ['endless for 400 digits', { 'retry-after': '9'.repeat(400) }, Number.POSITIVE_INFINITY],
    ['no time without a header', {}, null],
    ['the Unix second at which the limit resets', { 'x-ratelimit-reset': '1795348820', date }, 20_000],
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
