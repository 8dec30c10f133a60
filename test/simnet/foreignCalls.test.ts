import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Simnet, startSimnet } from '../../engine/simnet/simnet.ts'

/** Raw requests, since no HTTP client sends most of them. */
let simnet: Simnet
let port: string

beforeAll(async () => {
  simnet = await startSimnet({ controlPort: 0, seed: '1', venues: ['near-intents'] })
  port = new URL(simnet.controlUrl).port
})
afterAll(() => simnet.close())

type Raw = { readonly head: readonly string[]; readonly body?: string }

/** The status, and the rest as text; the connection is one of its own. */
const send = ({ head, body = '' }: Raw): Promise<{ readonly status: number; readonly text: string }> =>
  new Promise((resolve, reject) => {
    const lines = [...head, 'Connection: close', ...(body === '' ? [] : [`Content-Length: ${body.length}`]), '', body]
    let text = ''
    const socket = connect(Number(port), '127.0.0.1', () => socket.write(lines.join('\r\n').replaceAll('PORT', port)))
    socket.setEncoding('utf8').on('data', (got: string) => {
      text += got
    })
    socket.on('error', reject)
    socket.on('close', () => resolve({ status: Number(text.slice(9, 12)), text }))
  })

const HOST = 'Host: 127.0.0.1:PORT'
const GET = 'GET /state HTTP/1.1'
const JUMP = { start: 'POST /clock HTTP/1.1', body: '{"advanceMs":3600000}' }
const JSON_BODY = 'Content-Type: application/json'
type Row = [what: string, status: number, head: readonly string[]]
/** No page can have the origin of an extension: wallets call the chains from theirs. */
const EXTENSIONS = ['chrome-extension://nkbihfbeogaeaoehlefnkodbefgpgknn', 'moz-extension://0f1c2d3e-aaaa-bbbb-cccc-000000000000']
const LINK = ['Accept: text/html', 'Sec-Fetch-Site: cross-site', 'Sec-Fetch-Mode: navigate']
const IMAGE = ['Sec-Fetch-Site: cross-site', 'Sec-Fetch-Mode: no-cors', 'Sec-Fetch-Dest: image']

describe('the simnet control server [offline-no-foreign-pages]', () => {
  it.each<Row>([
    ['its own address', 200, [GET, HOST]],
    ['its name in capitals', 200, [GET, 'Host: LOCALHOST:PORT']],
    ['its name in capitals, its own page', 200, [GET, 'Host: LOCALHOST:PORT', 'Origin: http://localhost:PORT']],
    ['its address of IPv6', 200, [GET, 'Host: [::1]:PORT']],
    ['a name with a trailing dot', 403, [GET, 'Host: localhost.:PORT']],
    ['a name that leads to loopback', 403, [GET, 'Host: 127.0.0.1.nip.io:PORT']],
    ['another spelling of loopback', 403, [GET, 'Host: 2130706433:PORT']],
    ['a name behind an at sign', 403, [GET, 'Host: evil@localhost:PORT']],
    ['no host name', 403, ['GET /state HTTP/1.0']],
    ['two host names, its own first', 400, [GET, HOST, 'Host: evil.example']],
    ['two host names, its own last', 400, [GET, 'Host: evil.example', HOST]],
    ['a target that names another host', 400, ['GET http://evil.example/state HTTP/1.1', HOST]],
    ['a target that names its host', 400, ['GET http://127.0.0.1:PORT/state HTTP/1.1', HOST]],
    ['a target that is not a path', 400, ['GET http://[ HTTP/1.1', HOST]],
    ['a path that looks like a host', 404, ['GET //evil.example/state HTTP/1.1', HOST]],
    ['an empty path', 404, ['GET // HTTP/1.1', HOST]],
    ['an origin with a path', 403, [GET, HOST, 'Origin: http://127.0.0.1:PORT/x']],
    ['an empty origin', 403, [GET, HOST, 'Origin:']],
    ...['https://evil.example', 'null', 'http://127.0.0.1:1', 'https://127.0.0.1:PORT', `http://localhost:PORT`].flatMap(
      (origin) =>
        ['/', '/state', '/events', '/balances?address=0x0000000000000000000000000000000000000001'].map(
          (path): Row => [`a page of ${origin} at ${path}`, 403, [`GET ${path} HTTP/1.1`, HOST, `Origin: ${origin}`]],
        ),
    ),
    ...EXTENSIONS.map((origin): Row => [`${origin}, which may call only chains`, 403, [GET, HOST, `Origin: ${origin}`]]),
    ['two origins', 403, [GET, HOST, 'Origin: http://127.0.0.1:PORT', 'Origin: http://evil.example']],
    ['a page of another port', 403, [GET, HOST, 'Sec-Fetch-Site: same-site', 'Sec-Fetch-Mode: no-cors']],
    ['its own page and another at once', 403, [GET, HOST, 'Sec-Fetch-Site: same-origin', 'Sec-Fetch-Site: cross-site']],
    ['a preflight', 403, ['OPTIONS /clock HTTP/1.1', HOST, 'Origin: http://evil.example', 'Access-Control-Request-Method: POST']],
    ['a WebSocket upgrade', 403, ['GET / HTTP/1.1', HOST, 'Origin: http://evil.example', 'Upgrade: websocket']],
    ...['/', '/state', '/events', '/prices', '/faults', '/rpc/-1/blocks/tip/height', '/files/x', '/facilitator/supported'].map(
      (path): Row => [`an image of ${path}`, 403, [`GET ${path} HTTP/1.1`, HOST, ...IMAGE]],
    ),
    ['a link to its JSON', 403, [GET, HOST, ...LINK, 'Sec-Fetch-Dest: document']],
    ['a frame of its page', 403, ['GET / HTTP/1.1', HOST, ...LINK, 'Sec-Fetch-Dest: iframe']],
    ['a link to its page', 200, ['GET / HTTP/1.1', HOST, ...LINK, 'Sec-Fetch-Dest: document']],
  ])('answers a request by %s: %i', async (_what, status, head) => {
    const answer = await send({ head })
    expect(answer.status).toBe(status)
    if (status !== 200) expect(answer.text).not.toMatch(/"chains"|"venues"/)
    expect(answer.text).not.toMatch(/access-control-allow/i)
  })

  it.each<Row>([
    ['a form of plain text', 400, [JUMP.start, HOST, 'Content-Type: text/plain']],
    ['a form', 400, [JUMP.start, HOST, 'Content-Type: application/x-www-form-urlencoded']],
    ['a type that only begins like JSON', 400, [JUMP.start, HOST, 'Content-Type: application/jsonp']],
    ['a page without a content type', 400, [JUMP.start, HOST]],
    ['a form of another site', 403, [JUMP.start, HOST, JSON_BODY, 'Sec-Fetch-Site: cross-site']],
    ['a page of another origin', 403, [JUMP.start, HOST, JSON_BODY, 'Origin: https://evil.example']],
    ['an extension', 403, [JUMP.start, HOST, JSON_BODY, `Origin: ${EXTENSIONS[0]}`]],
    ['two origins', 403, [JUMP.start, HOST, JSON_BODY, 'Origin: http://evil.example', 'Origin: http://127.0.0.1:PORT']],
    ['a PUT with X-HTTP-Method-Override: POST', 404, ['PUT /clock HTTP/1.1', HOST, JSON_BODY, 'X-HTTP-Method-Override: POST']],
  ])('does not change the clock for %s: %i', async (_what, status, head) => {
    const before = simnet.clock.now()
    expect((await send({ head, body: JUMP.body })).status).toBe(status)
    expect(simnet.clock.now() - before).toBeLessThan(3_600_000)
  })

  it('changes the clock for JSON with any spelling of its content type', async () => {
    const before = simnet.clock.now()
    const head = [JUMP.start, HOST, 'Content-Type: Application/JSON; charset=utf-8']
    expect((await send({ head, body: JUMP.body })).status).toBe(200)
    expect(simnet.clock.now() - before).toBeGreaterThanOrEqual(3_600_000)
  })

  it.each<[origin: string, status: number]>([
    ...EXTENSIONS.map((origin): [string, number] => [origin, 200]),
    ...['chrome-extension://', 'chrome-extension://a.b', 'evil-extension://abc', 'https://chrome-extension'].map(
      (origin): [string, number] => [origin, 403],
    ),
    ['https://evil.example', 403],
  ])('answers a chain request from %s: %i [offline-no-foreign-pages]', async (origin, status) => {
    const head = ['POST /rpc/1 HTTP/1.1', HOST, JSON_BODY, `Origin: ${origin}`, 'Sec-Fetch-Site: cross-site']
    const body = '{"jsonrpc":"2.0","id":1,"method":"eth_chainId","params":[]}'
    expect((await send({ head, body })).status).toBe(status)
  })
})
