import net from 'node:net'
import { describe, expect, it } from 'vitest'
import type { Environment } from '../../engine/config/config.ts'
import { createSocketNetwork } from '../../handlers/http/clientAddress.ts'
import { closing } from '../support/closing.ts'
import { startEdge } from '../support/edgeServer.ts'
import { only, startService } from '../support/service.ts'

const own = closing()

const start = async (env: Environment): Promise<number> =>
  Number(new URL(own(await startService({ ...only('across'), ...env })).url).port)

const connect = (port: number, localAddress = '127.0.0.1') => {
  const socket = net.connect({ port, host: '127.0.0.1', localAddress })
  own({ close: () => socket.destroy() })
  socket.on('error', () => undefined)
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  return {
    /** The first line of the answer to a request on it; null when it is closed unanswered. */
    ask: (request = 'GET /api/v1/health HTTP/1.1\r\nhost: x\r\n\r\n') => {
      socket.write(request)
      return new Promise<string | null>((resolve) => {
        socket.once('data', (bytes) => resolve(bytes.toString('latin1').split('\r\n', 1)[0] ?? null))
        void closed.then(() => resolve(null))
      })
    },
    close: async () => {
      socket.destroy()
      await closed
    },
    closed,
  }
}

const [OK, REFUSED] = ['HTTP/1.1 200 OK', 'HTTP/1.1 503 Service Unavailable']

describe('connections from one address', () => {
  it('beyond CONNECTIONS_PER_ADDRESS_MAX receive 503, and other addresses are served [connections-per-address]', async () => {
    const port = await start({ CONNECTIONS_PER_ADDRESS_MAX: '2' })
    const [first, second] = [connect(port), connect(port)]
    expect([await first.ask(), await second.ask()]).toEqual([OK, OK])
    expect(await connect(port).ask()).toBe(REFUSED)
    expect(await connect(port, '127.0.0.2').ask()).toBe(OK)
    expect(await first.ask()).toBe(OK)
    await first.close()
    await expect.poll(() => connect(port).ask()).toBe(OK)
  })

  it('are unlimited for a trusted proxy', async () => {
    const port = await start({ CONNECTIONS_PER_ADDRESS_MAX: '1', TRUSTED_PROXIES: '127.0.0.2/32' })
    const proxied = Array.from({ length: 5 }, () => connect(port, '127.0.0.2'))
    expect(await Promise.all(proxied.map((connection) => connection.ask()))).toEqual(Array(5).fill(OK))
    expect(await connect(port).ask()).toBe(OK)
    expect(await connect(port).ask()).toBe(REFUSED)
  })

  it.each([{ connectionsPerAddressMax: 1 }, { connectionsMax: 1 }])(
    'beyond %j receive 503, are closed and are logged',
    async (limits) => {
      const edge = own(await startEdge({ server: { limits } }))
      const held = connect(edge.port)
      await held.ask()
      for (const headers of [{}, { expect: '100-continue' }]) {
        const reply = await edge.call('/api/v1/quote', { method: 'POST', headers, body: 'x'.repeat(1_000_000) })
        expect([reply.status, reply.headers['connection']]).toEqual([503, 'close'])
        const details = { retryAfterSec: Number(reply.headers['retry-after']), retryable: true }
        expect(reply.json.error).toMatchObject({ code: 'OVERLOADED', details })
      }
      const uploading = connect(edge.port)
      expect(await uploading.ask('POST /api/v1/quote HTTP/1.1\r\nhost: x\r\ncontent-length: 900\r\n\r\n{')).toBe(REFUSED)
      await uploading.closed
      const [last, ...silent] = Array.from({ length: 129 }, () => connect(edge.port)).reverse()
      // As many as may wait do: one more is closed at once.
      expect(await last?.ask()).toBeNull()
      await Promise.all(silent.map(({ closed }) => closed))
      expect([await connect(edge.port).ask(), await held.ask()]).toEqual([REFUSED, OK])
      const reports = edge.logs.filter(({ event }) => event === 'connections.refused')
      expect(reports.map(({ level }) => level)).toEqual(['warn', ...Array(132).fill('debug')])
    },
  )
})

const networkOf = createSocketNetwork(['10.0.0.0/8', '2001:db8:1::/48'])

it.each([
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['2001:db8:0:1::1', '2001:db8:0:1::/64'],
  ['10.1.2.3', null],
  ['2001:db8:1:5::1', null],
  [undefined, 'unknown'],
])('an address of %s counts as %s', (remoteAddress, network) => {
  expect(networkOf(remoteAddress)).toBe(network)
})
