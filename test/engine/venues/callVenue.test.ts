import { describe, expect, it } from 'vitest'
import type { HttpClient, HttpResponse } from '../../../engine/net/httpClient.ts'
import { callVenue } from '../../../engine/venues/kit/callVenue.ts'
import { text as anyText, list, shape } from '../../../engine/venues/kit/shapes.ts'
import { VenueError } from '../../../engine/venues/venueError.ts'
import { verdictOf } from '../../../engine/venues/venueOutcome.ts'

const answering = (response: Partial<HttpResponse>): HttpClient => ({
  send: async () => ({ status: 200, headers: {}, text: '{}', ...response }),
  close: async () => undefined,
})

/** What a call ends with, by a venue whose own documents explain nothing. */
const errorFor = async (response: Partial<HttpResponse>): Promise<VenueError> => {
  const request = { method: 'GET', url: 'http://venue.test/', signal: new AbortController().signal } as const
  const call = callVenue(answering(response), request, { shape: shape('answer', list(anyText())), refusal: () => null })
  const error: unknown = await call.catch((thrown: unknown) => thrown)
  if (!(error instanceof VenueError)) throw new TypeError('expected a VenueError')
  return error
}

describe('a 429', () => {
  const DATE = 'Sun, 22 Nov 2026 12:00:00 GMT'

  it.each([
    ['seconds', { 'retry-after': '7' }, 7_000],
    ['a date, by the clock of who wrote it', { 'retry-after': 'Sun, 22 Nov 2026 12:00:30 GMT', date: DATE }, 30_000],
    ['a date that is over', { 'retry-after': 'Sun, 22 Nov 2026 11:00:00 GMT', date: DATE }, 0],
    ['nonsense', { 'retry-after': 'soon' }, null],
    ['more seconds than anybody lives', { 'retry-after': '9'.repeat(400) }, Number.POSITIVE_INFINITY],
    ['a negative number', { 'retry-after': '-5' }, null],
    ['nothing', {}, null],
    ['nothing, and its limit over in a second of Unix time', { 'x-ratelimit-reset': '1795348820', date: DATE }, 20_000],
    ['nothing, and its limit over already', { 'x-ratelimit-reset': '1795348799', date: DATE }, 0],
    ['nothing, and its limit over in some unit of its own', { 'x-ratelimit-reset': '20', date: DATE }, null],
    ['nonsense, whatever else is told', { 'retry-after': 'soon', 'x-ratelimit-reset': '1795348820', date: DATE }, null],
  ])('tells how long to wait, where its Retry-After is %s', async (_what, headers, retryAfterMs) => {
    expect(await errorFor({ status: 429, headers })).toMatchObject({ kind: 'rateLimited', retryAfterMs })
  })
})

describe('a status that no document explains', () => {
  it.each([
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
    [200, '{}', 'failure'],
  ] as const)('%s with the body %s is taken for: %s', async (status, text, verdict) => {
    expect(verdictOf(await errorFor({ status, text }))).toBe(verdict)
  })
})

const request = { method: 'GET', url: 'http://venue.test/', signal: new AbortController().signal } as const
const whatever = shape('answer', {})

describe('a body', () => {
  it.each<[string, unknown]>([
    ['{"a":12345678901234567890,"b":[9007199254740993]}', { a: '12345678901234567890', b: ['9007199254740993'] }],
    ['{"a":9007199254740991,"b":1.5,"c":1e300}', { a: Number.MAX_SAFE_INTEGER, b: 1.5, c: 1e300 }],
    ['{"a":"12345678901234567890","b":123456789012345.25}', { a: '12345678901234567890', b: 123456789012345.25 }],
    [
      String.raw`["\"\\", 12345678901234567890 ,"[12345678901234567890]"]`,
      ['"\\', '12345678901234567890', '[12345678901234567890]'],
    ],
    ['[-10000000000000000000,10000000000000000000e1]', [-1e19, 1e20]],
  ])('%s is read to the last digit', async (text, read) => {
    const answer = await callVenue(answering({ text }), request, { shape: whatever, refusal: () => null })
    expect(JSON.parse(JSON.stringify(answer))).toEqual(read)
  })

  it('of a 2xx that the venue means as a refusal is told by the venue’s own table, or is none of its answers', async () => {
    const isRefusal = (body: unknown) => typeof body === 'object' && body !== null && 'error' in body
    const refusals = [new VenueError('noLiquidity', 'nobody'), null]
    for (const refusal of refusals) {
      const options = { shape: whatever, refusal: () => refusal, isRefusal }
      const error: unknown = await callVenue(answering({ text: '{"error":1}' }), request, options).catch(
        (thrown: unknown) => thrown,
      )
      expect(error).toMatchObject({ kind: refusal?.kind ?? 'badResponse' })
    }
    expect(await callVenue(answering({ text: '{}' }), request, { shape: whatever, refusal: () => null, isRefusal })).toEqual({})
  })
})
