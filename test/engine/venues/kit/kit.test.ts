import { describe, expect, test } from 'vitest'
import { Secret } from '../../../../engine/core/secret.ts'
import { type Exchange, recordExchanges } from '../../../../engine/net/exchanges.ts'
import { HttpError, type HttpRequest, type HttpResponse } from '../../../../engine/net/httpClient.ts'
import { type Absent, createVenueClient, type VenueCall, type VenueClientOptions } from '../../../../engine/venues/kit/client.ts'
import { createKeptList } from '../../../../engine/venues/kit/keptList.ts'
import { meaningOf, meaningsBy } from '../../../../engine/venues/kit/refusals.ts'
import { grossUp, tighterSlippageBps } from '../../../../engine/venues/kit/reprice.ts'
import {
  amount,
  anything,
  closed,
  count,
  evmAddress,
  list,
  object,
  orNull,
  shape,
  text,
} from '../../../../engine/venues/kit/shapes.ts'
import { verbatim } from '../../../../engine/venues/kit/verbatim.ts'
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
  test('is not sent when its recorder refuses it, and ends with the error of the recorder', async () => {
    const { get, sent } = clientOf(() => ({}))
    const limit = new VenueError('rateLimited', 'no room', { nature: 'ownLimit' })
    const refuse = () => {
      throw limit
    }
    expect([await errorOf(recordExchanges([], () => get('', { shape: any, signal }), refuse)), sent]).toEqual([limit, []])
  })

  test('counts as not sent when the service has no socket left for it', async () => {
    const starved = () => {
      throw new HttpError('starved', 'no descriptors left')
    }
    const error = await errorOf(clientOf(starved).get('', { shape: any, signal }))
    expect(error).toMatchObject({ kind: 'unavailable', nature: 'notSent' })
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

const swap = shape(
  'swap',
  object(
    { id: text({ maxLength: 4 }), paid: amount, to: evmAddress },
    { legs: list(closed({ bps: count(10_000) })), note: orNull(text()) },
  ),
)

const GOOD = { id: 'a', paid: '1', to: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC' }

test('a shape reads a value unchanged, with fields that it does not name', () => {
  const whole = { ...GOOD, more: 1, legs: [{ bps: 10_000 }], note: null }
  expect(swap.read(whole)).toBe(whole)
})

test.each([
  ['a field left out', { id: 'a', to: GOOD.to }, 'swap: / must have required property'],
  ['a text that is too long', { ...GOOD, id: 'secret' }, 'swap: /id must NOT have more than 4'],
  ['an amount with a sign', { ...GOOD, paid: '-1' }, 'swap: /paid must match format'],
  ['an amount with a leading zero', { ...GOOD, paid: '01' }, 'swap: /paid must match format'],
  ['an amount of 2^256', { ...GOOD, paid: `${1n << 256n}` }, 'swap: /paid must match format'],
  ['a number for an amount', { ...GOOD, paid: 1 }, 'swap: /paid must be string'],
  ['a short address', { ...GOOD, to: '0x12' }, 'swap: /to must match pattern'],
  ['more than the most', { ...GOOD, legs: [{ bps: 10_001 }] }, 'swap: /legs/0/bps must be <= 10000'],
  ['another field in a closed object', { ...GOOD, legs: [{ bps: 3, more: 1 }] }, 'swap: /legs/0 must NOT have additional'],
])('a shape rejects %s by place and rule, without the value', (_what, value, message) => {
  expect(swap.readOrNull(value)).toBeNull()
  expect(() => swap.read(value)).toThrow(
    expect.objectContaining({ name: 'VenueError', message: expect.stringContaining(message) }),
  )
  expect(() => swap.read(value)).not.toThrow(/secret|0x12|-1/)
})

const ODD = '{ "10": 1.0, "2":123456789012345678901234567890 ,"a\\u003c" : [1e3, {"x":"}]\\\\\\""}],\n"b":null}'

test.each([
  ['its own spelling', ` {\t"x":"\\"data\\":", "d\\u0061ta" : { "x":[{"route":1}], "route" : ${ODD} , "y":"," } } `, ODD],
  ['the last of two', '{"data":{"route":1,"route":2}}', '2'],
  ['null when it is deeper', '{"data":{"a":{"route":1}}}', null],
  ['null in a list', '{"data":[{"route":1}]}', null],
])('a member of a JSON text has %s', (_what, json, found) => {
  expect(verbatim(json, ['data', 'route'])).toBe(found)
})

test.each([
  ['null while the minimum holds', 1_000n, 990n, 990n, 1, null],
  ['null for a price below the quoted minimum', 989n, 980n, 990n, 1, null],
  ['null for less than the venue accepts', 1_000n, 980n, 1_000n, 1, null],
  ['0 where the venue accepts 0', 1_000n, 980n, 1_000n, 0, 0],
  ['the distance to the quoted minimum, rounded down', 1_003n, 980n, 990n, 1, 129],
] as const)('the slippage that still guarantees a quote is %s', (_what, expected, minimum, quoted, leastBps, bps) => {
  expect(tighterSlippageBps({ expected, minimum }, quoted, { leastBps })).toBe(bps)
})

test.each([
  [9_980n, 20, 20, 20n],
  [9_960n, 20, 40, 20n],
  [999n, 30, 30, 3n],
])('of %s units after fees, %i of %i bps were worth %s', (net, bps, totalBps, worth) => {
  expect(grossUp(net, bps, totalBps)).toBe(worth)
})

/** A list that was loaded once, whose loads end when a test says so. */
const keptList = async () => {
  const [time, loads] = [{ now: 0 }, [] as PromiseWithResolvers<string>[]]
  const load = () => {
    const next = Promise.withResolvers<string>()
    loads.push(next)
    return next.promise
  }
  const list = createKeptList({ clock: { now: () => time.now }, freshMs: 60_000, load })
  const end = async (at: number, outcome: string | VenueError) => {
    if (typeof outcome === 'string') loads[at]?.resolve(outcome)
    else loads[at]?.reject(outcome)
    await new Promise(setImmediate)
  }
  const leaving = new AbortController()
  const [first, second] = [list.read(leaving.signal), list.read(null)]
  leaving.abort()
  await expect(first).rejects.toMatchObject({ name: 'VenueError', kind: 'timeout' })
  await end(0, 'one')
  expect([await second, loads.length]).toEqual(['one', 1])
  return { list, loads, time, end }
}

const down = new VenueError('unavailable', 'down')

test('a public list of a venue: a first load that fails is not kept, and an old list serves for 15 seconds after another, without a load', async () => {
  let [now, loads, isDown] = [0, 0, true]
  const load = async () => {
    loads += 1
    if (isDown) throw down
    return `list ${loads}`
  }
  const list = createKeptList({ clock: { now: () => now }, freshMs: 60_000, load })
  const readAt = async (at: number) => {
    now = at
    const told = await list.read(null)
    await new Promise(setImmediate)
    return [told, loads]
  }
  await expect(list.read(null)).rejects.toBe(down)
  isDown = false
  expect([await readAt(0), await readAt(59_999)]).toEqual(Array(2).fill(['list 2', 2]))
  isDown = true
  expect([await readAt(60_000), await readAt(74_999), await readAt(75_000)]).toEqual([3, 3, 4].map((count) => ['list 2', count]))
})

test.each(['one', down])(
  'a public list of a venue: callers share a load, also when one leaves; a renewal loads anew after a load under way that ends with %s',
  async (earlier) => {
    const { list, time, loads, end } = await keptList()
    const renew = () => list.renew(AbortSignal.timeout(60_000))
    time.now = 60_000
    expect([await list.read(null), loads.length]).toEqual(['one', 2])
    const both = [renew(), renew()]
    expect(loads).toHaveLength(2)
    await end(1, earlier)
    await end(2, 'halted')
    expect([...(await Promise.all(both)), await list.read(null), loads.length]).toEqual(['halted', 'halted', 'halted', 3])
    const failing = expect(renew()).rejects.toBe(down)
    await end(3, down)
    await failing
    expect([await list.read(null), loads.length]).toEqual(['halted', 4])
  },
)
