import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Simnet, startSimnet } from '../../engine/simnet/simnet.ts'

/** What the offline network tells whoever listens. */
type Event = { readonly name: string; readonly data: unknown }

/** Reads server-sent events one by one; null once the stream has ended. */
const listen = async (url: string) => {
  const over = new AbortController()
  const response = await fetch(`${url}/events`, { signal: over.signal })
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
})
