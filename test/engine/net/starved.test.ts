import { execFileSync } from 'node:child_process'
import net from 'node:net'
import { fileURLToPath } from 'node:url'
import { expect, it, vi } from 'vitest'
import { HttpError } from '../../../engine/net/httpClient.ts'
import { createHttpClient } from '../../../engine/net/undiciClient.ts'
import { callVenue } from '../../../engine/venues/kit/callVenue.ts'
import { list, shape, text } from '../../../engine/venues/kit/shapes.ts'
import { anOrder } from '../../support/anOrder.ts'
import { pair, TOKENS } from '../../support/fakeChains.ts'
import { createFakeVenue } from '../../support/fakeVenue.ts'
import { lacks } from '../../support/needs.ts'
import { createTestEngine } from '../../support/testEngine.ts'

const CLIENT = fileURLToPath(new URL('../../../engine/net/undiciClient.ts', import.meta.url))

/** Calls a host by its address and another by its name, without a descriptor left. */
const STARVED = `
  import { openSync } from 'node:fs'
  import { createHttpClient } from '${CLIENT}'
  const client = createHttpClient()
  const signal = new AbortController().signal
  const ask = (url) => client.send({ method: 'GET', url, signal }).then(() => 'answered', ({ failure }) => failure)
  // A connection that closes late frees a descriptor, so free ones are taken before each call.
  const fill = () => { try { for (;;) openSync('/dev/null', 'r') } catch {} }
  const before = await ask('http://127.0.0.1:1')
  fill()
  const byAddress = await ask('http://127.0.0.1:1')
  fill()
  console.log([before, byAddress, await ask('http://venue.invalid')].join(' '))
  process.exit(0)`

const SUPPORT = fileURLToPath(new URL('../../support/', import.meta.url))

/** Delivers webhooks without a descriptor left: from the start of a pass, and from the resolution of a name. */
const STARVED_WEBHOOKS = `
  import { closeSync, openSync } from 'node:fs'
  import { anEvent, hookStage } from '${SUPPORT}hookStage.ts'
  import { startHookTarget } from '${SUPPORT}hookTarget.ts'
  const held = []
  const fill = () => { try { for (;;) held.push(openSync('/dev/null', 'r')) } catch {} }
  const free = () => { for (const one of held.splice(0)) closeSync(one) }
  let onResolve = () => undefined
  const target = await startHookTarget()
  const stage = hookStage({ resolve: async () => (onResolve(), ['127.0.0.1']) })
  await stage.addPartner('p1', target.url)
  const states = async () => (await stage.feedOf('p1')).map(({ delivery, attemptedAt }) => delivery + (attemptedAt === null ? '' : '!'))
  const told = []
  const pass = async () => {
    const { tried, isCut } = await stage.sender.deliverDue(new AbortController().signal)
    free()
    told.push([tried, isCut, ...(await states()), target.received.length].join(' '))
  }
  await stage.store.partnerEvents.add(anEvent('p1'))
  await pass()
  for (let i = 0; i < 2; i += 1) await stage.store.partnerEvents.add(anEvent('p1'))
  fill()
  await pass()
  onResolve = fill
  await pass()
  onResolve = () => undefined
  await pass()
  console.log(JSON.stringify(told))
  process.exit(0)`

/** Runs a script with so many descriptors. */
const run = (descriptors: number, script: string): string =>
  execFileSync('prlimit', [`--nofile=${descriptors}`, process.execPath, '--input-type=module', '-e', script], {
    encoding: 'utf8',
  })

it.each([
  ['2001:db8::1', 'unreachable'],
  ['192.0.2.1', 'starved'],
])('starved: a connection to %s without a local address is reported as %s', async (address, failure) => {
  const connect = vi.spyOn(net, 'connect').mockImplementation(() => {
    const error = Object.assign(new Error('connect'), { code: 'EADDRNOTAVAIL', address })
    return new net.Socket().destroy(error)
  })
  const { signal } = new AbortController()
  const client = createHttpClient()
  await expect(client.send({ method: 'GET', url: 'http://venue.invalid', signal })).rejects.toMatchObject({ failure })
  connect.mockRestore()
  await client.close()
})

it.skipIf(lacks('prlimit'))('starved: a process without descriptors reports starved, not an unreachable host', () => {
  expect(run(64, STARVED).trim()).toBe('unreachable starved starved')
})

it.skipIf(lacks('prlimit'))(
  'starved: webhooks stay due while no connection can be opened, and each is sent once later [webhook-starved-stays-due]',
  () => {
    expect(JSON.parse(run(96, STARVED_WEBHOOKS))).toEqual([
      '1 false answered! 1',
      '0 false answered! due due 1',
      '0 false answered! due due 1',
      '2 false answered! answered! answered! 3',
    ])
  },
)

it('starved: opens no breaker, so that the next quote calls every venue', async () => {
  const send = () => Promise.reject(new HttpError('starved', 'no descriptors left'))
  const venue = createFakeVenue('toy', {
    quote: async (_asked, signal) => {
      const request = { method: 'GET', url: 'http://venue.test/', signal } as const
      const answer = { shape: shape('answer', list(text())), refusal: () => null }
      await callVenue({ send, close: async () => undefined }, request, answer)
      return {}
    },
  })
  const { engine, context, close } = await createTestEngine({ venues: [venue] })
  const order = anOrder({ from: pair(TOKENS.usdcEthereum), to: pair(TOKENS.usdcArbitrum), amount: 1_000_000n })
  for (let i = 0; i < 12; i += 1) await expect(engine.quote(order, context)).rejects.toThrow()
  expect(venue.calls.quote).toHaveLength(12)
  expect(await engine.health()).toMatchObject({ isDegraded: false, venues: [{ trouble: null, off: null, rejecting: [] }] })
  await close()
})
