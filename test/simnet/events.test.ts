import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startLoopbackServer } from '../../engine/simnet/kit/loopbackServer.ts'
import { type Simnet, startSimnet } from '../../engine/simnet/simnet.ts'
import { createListeners } from '../../engine/simnet/watch/listeners.ts'
import type { PricesTold, StateTold } from '../../engine/simnet/watch/told.ts'

/** What the offline network tells whoever listens. */
type Event = { readonly name: string; readonly data: unknown }

/** Reads server-sent events one by one; null once the stream has ended. */
const listen = async (url: string, headers: { readonly [name: string]: string } = {}) => {
  const over = new AbortController()
  const response = await fetch(`${url}/events`, { signal: over.signal, headers })
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  const next = async (): Promise<Event | null> => {
    for (;;) {
      const end = text.indexOf('\n\n')
      if (end >= 0) {
        const block = text.slice(0, end)
        text = text.slice(end + 2)
        const [, name] = /^event: (.*)$/m.exec(block) ?? []
        const [, data] = /^data: (.*)$/m.exec(block) ?? []
        if (name !== undefined && data !== undefined) return { name, data: JSON.parse(data) }
        continue
      }
      const read = await reader?.read()
      if (!read || read.done) return null
      text += read.value
    }
  }
  /** The next of this name. */
  const until = async (name: string): Promise<unknown> => {
    for (;;) {
      const event = await next()
      if (event === null) throw new Error(`the stream ended without ${name}`)
      if (event.name === name) return event.data
    }
  }
  return { response, next, until, leave: () => over.abort() }
}

/** Asks, and never reads a byte of the answer. */
const listenAndNotRead = (url: string): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const { port, host } = new URL(url)
    const socket = connect(Number(port), '127.0.0.1', () => {
      socket.pause()
      socket.write(`GET /events HTTP/1.1\r\nHost: ${host}\r\n\r\n`, () => resolve(socket))
    })
    // It is cut off.
    socket.on('error', (error: NodeJS.ErrnoException) => (error.code === 'ECONNREFUSED' ? reject(error) : undefined))
  })

describe('those who listen to the offline network', () => {
  let simnet: Simnet
  const post = (path: string, body: object) =>
    fetch(`${simnet.controlUrl}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })

  beforeAll(async () => {
    simnet = await startSimnet({ controlPort: 0, seed: '1' })
  })
  afterAll(() => simnet.close())

  it('are told everything first, and then what is set: faults, prices, the clock', async () => {
    const listener = await listen(simnet.controlUrl)
    expect(listener.response.headers.get('content-type')).toBe('text/event-stream')
    const first = await listener.next()
    expect(first).toMatchObject({ name: 'state', data: { races: [], swaps: [], faults: [], service: { url: null } } })
    await post('/faults', { venue: 'relay', fault: 'halt', count: 2 })
    expect(await listener.until('faults')).toEqual([{ venue: 'relay', fault: 'halt', params: {}, remaining: 2 }])
    await post('/prices', { currency: 'ETH', usd: '4000.5' })
    expect(await listener.until('prices')).toMatchObject({ ETH: '4000.5' })
    await post('/clock', { advanceMs: 60_000 })
    expect(await listener.until('clock')).toMatchObject({ aheadMs: 60_000 })
    listener.leave()
  })

  it('are as many as there is room for; who leaves makes room', async () => {
    const all = await Promise.all(Array.from({ length: 16 }, () => listen(simnet.controlUrl)))
    for (const { response } of all) expect(response.status).toBe(200)
    const more = await fetch(`${simnet.controlUrl}/events`)
    expect([more.status, await more.json()]).toEqual([503, { error: 'there are 16 listeners already' }])
    all[0]?.leave()
    await expect
      .poll(async () => {
        const { response, leave } = await listen(simnet.controlUrl)
        leave()
        return response.status
      })
      .toBe(200)
    for (const { leave } of all.slice(1)) leave()
  })

  it('are let go when it ends, which does not wait for them', async () => {
    const other = await startSimnet({ controlPort: 0, seed: '2' })
    const listener = await listen(other.controlUrl)
    await listener.until('state')
    await other.close()
    const last = await listener.next().catch(() => null)
    expect(last).toBeNull()
  })

  it('are let go when it ends, those among them who never read', async () => {
    const other = await startSimnet({ controlPort: 0, seed: '2', venues: ['near-intents'] })
    const deaf = await listenAndNotRead(other.controlUrl)
    const listener = await listen(other.controlUrl)
    await listener.until('state')
    await other.close()
    expect(await listener.next().catch(() => null)).toBeNull()
    deaf.destroy()
  })

  it('are told everything anew when they come back, whatever they say they know', async () => {
    await post('/prices', { currency: 'SOL', usd: '123.5' })
    const listener = await listen(simnet.controlUrl, { 'last-event-id': '999999' })
    expect(await listener.next()).toMatchObject({ name: 'state', data: { prices: { SOL: '123.5' } } })
    listener.leave()
  })
})

it('a listener who does not read is cut off, the others hear all, and what waits for it is bounded', async () => {
  const unreadBytesMax = 1024 * 1024
  const listeners = createListeners({ state: async () => ({}) as StateTold, unreadBytesMax, gatherMs: 1 })
  const held: (() => number)[] = []
  const server = await startLoopbackServer(async (_request, response) => {
    held.push(() => response.writableLength)
    await listeners.attach(response)
  })
  const listener = await listen(server.origin)
  await listener.until('state')
  const deaf = await listenAndNotRead(server.origin)
  await expect.poll(() => listeners.count).toBe(2)
  const large = 'x'.repeat(unreadBytesMax)
  let most = 0
  // More than the buffers of any system between two sockets hold.
  for (let told = 1; told <= 64 && listeners.count === 2; told += 1) {
    listeners.tell('prices', '', (): PricesTold => ({ told: String(told), large }))
    expect(await listener.until('prices')).toMatchObject({ told: String(told) })
    most = Math.max(most, ...held.map((bytes) => bytes()))
  }
  expect(listeners.count).toBe(1)
  expect(most).toBeLessThan(3 * unreadBytesMax)
  listeners.tell('prices', '', (): PricesTold => ({ told: 'the last' }))
  expect(await listener.until('prices')).toEqual({ told: 'the last' })
  listeners.close()
  deaf.destroy()
  await server.close()
})
