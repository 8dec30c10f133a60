import net from 'node:net'
import { text } from 'node:stream/consumers'
import { describe, expect, it, vi } from 'vitest'
import { createMonitorServer, type MonitorPorts } from '../../handlers/monitor/monitorServer.ts'
import { closing } from '../support/closing.ts'
import { listening } from '../support/listening.ts'

const own = closing()

const monitorPort = async (ports: Partial<MonitorPorts> = {}): Promise<number> => {
  const isReady = () => ({ ready: true, reasons: [] })
  const metrics = async () => ({ contentType: 'text/plain', text: 'swap_ready 1\n' })
  return own(await listening(createMonitorServer({ isReady, metrics, ...ports }))).port
}

const connect = async (port: number): Promise<net.Socket> => {
  const socket = net.connect(port, '127.0.0.1')
  socket.on('error', () => undefined)
  own({ close: () => socket.destroy() })
  await new Promise((resolve) => socket.once('connect', resolve))
  return socket
}

const say = async (port: number, request: string): Promise<string> => {
  const socket = await connect(port)
  socket.write(request)
  return text(socket)
}

const ask = (port: number, path: string, host = '127.0.0.1'): Promise<string> =>
  say(port, `GET ${path} HTTP/1.1\r\nhost: ${host}\r\nconnection: close\r\n\r\n`)

const samples = async () => []

const OK = /^HTTP\/1\.1 200 /

describe('the port of the operator', () => {
  it.each([
    ['say nothing', ''],
    ['send half a body', 'POST /live HTTP/1.1\r\nhost: x\r\ncontent-length: 9\r\n\r\nx'],
    ['ask and do not read', 'GET /metrics HTTP/1.1\r\nhost: x\r\n\r\n'.repeat(100)],
  ])('answers although 70 connections %s', async (_what, bytes) => {
    const port = await monitorPort({ metrics: async () => ({ contentType: 'text/plain', text: 'x'.repeat(100_000) }) })
    for (let i = 0; i < 70; i += 1) {
      const socket = await connect(port)
      socket.pause()
      socket.write(bytes)
    }
    expect(await ask(port, '/live')).toMatch(OK)
  })

  it('gathers metrics once for all requests of the same time [page-operator-cheap]', async () => {
    const gathered = Promise.withResolvers<void>()
    let gatherings = 0
    const metrics = async () => {
      gatherings += 1
      await gathered.promise
      return { contentType: 'text/plain', text: `gathering ${gatherings}` }
    }
    const port = await monitorPort({ metrics })
    const asked = Array.from({ length: 20 }, () => ask(port, '/metrics'))
    await expect.poll(() => gatherings).toBeGreaterThan(0)
    expect(await ask(port, '/live')).toMatch(OK)
    gathered.resolve()
    for (const page of await Promise.all(asked)) expect(page).toMatch(/gathering 1$/)
    expect(await ask(port, '/metrics')).toMatch(/gathering 2$/)
  })

  it('pauses after it has gathered metrics, so that endless requests leave the processor to callers', async () => {
    const seen: { readonly from: number; readonly to: number }[] = []
    const metrics = async () => {
      const from = performance.now()
      while (performance.now() < from + 5);
      seen.push({ from, to: performance.now() })
      return { contentType: 'text/plain', text: 'told' }
    }
    const port = await monitorPort({ metrics })
    for (let count = 0; count < 5; count += 1) expect(await ask(port, '/metrics')).toMatch(OK)
    expect(seen).toHaveLength(5)
    for (const [at, { from }] of seen.entries()) {
      const before = seen[at - 1]
      if (before) expect(from - before.to).toBeGreaterThan(Math.min(9 * (before.to - before.from), 100) - 2)
    }
  })

  it('explains one id at a time, and answers 503 after five seconds [page-operator-cheap]', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    own({ close: () => vi.useRealTimers() })
    const found = Promise.withResolvers<readonly string[]>()
    const searched: string[] = []
    const explain = (id: string) => {
      searched.push(id)
      return found.promise
    }
    const port = await monitorPort({ operator: { host: '127.0.0.1', explain, samples } })
    const first = ask(port, '/explain?id=a')
    await expect.poll(() => searched).toEqual(['a'])
    for (const id of ['a', 'b']) expect(await ask(port, `/explain?id=${id}`)).toMatch(/ 503 .*another explanation is under way/s)
    expect(await ask(port, '/live')).toMatch(OK)
    vi.advanceTimersByTime(5_000)
    expect(await first).toMatch(/ 503 .*could not be shown in time/s)
    expect(await ask(port, '/explain?id=b')).toMatch(/ 503 /)
    found.resolve(['line'])
    await found.promise
    expect(await ask(port, '/explain?id=c')).toMatch(/ 200 .*"line"/s)
    expect(searched).toEqual(['a', 'c'])
  })

  it.each([
    ['0.0.0.0', 200],
    ['127.0.0.1', 403],
    ['localhost', 403],
  ])('with a page, at %s: a request by a host name receives %i', async (host, status) => {
    const port = await monitorPort({ operator: { host, explain: async () => null, samples } })
    for (const path of ['/metrics', '/ready']) {
      expect(await ask(port, path, 'swap.internal')).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
      expect(await ask(port, path, `swap.internal\r\norigin: https://evil.example`)).toMatch(/^HTTP\/1\.1 403 /)
    }
    expect(await ask(port, '/live', 'swap.internal')).toMatch(OK)
    expect(await ask(port, '/', 'swap.internal')).toMatch(/^HTTP\/1\.1 403 /)
  })

  it.each(['127.0.0.1', '0.0.0.0'])(
    'answers probes of HTTP/1.0, which name no host, and shows them no page: %s',
    async (host) => {
      const port = await monitorPort({ operator: { host, explain: async () => ['told'], samples } })
      const answers: string[] = []
      for (const path of ['/ready', '/metrics', '/live', '/', '/explain?id=1'])
        answers.push((await say(port, `GET ${path} HTTP/1.0\r\n\r\n`)).slice(9, 12))
      expect(answers).toEqual(['200', '200', '200', '403', '403'])
      expect(await say(port, 'GET /ready HTTP/1.0\r\norigin: https://evil.example\r\n\r\n')).toMatch(/ 403 /)
    },
  )
})
