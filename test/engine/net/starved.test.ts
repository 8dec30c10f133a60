import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import net from 'node:net'
import { fileURLToPath } from 'node:url'
import { expect, it, onTestFinished, vi } from 'vitest'
import { HttpError } from '../../../engine/net/httpClient.ts'
import { createHttpClient } from '../../../engine/net/undiciClient.ts'
import { callVenue } from '../../../engine/venues/kit/callVenue.ts'
import { list, shape, text } from '../../../engine/venues/kit/shapes.ts'
import { closing } from '../../support/closing.ts'
import { createFakeVenue } from '../../support/fakeVenue.ts'
import { lacks } from '../../support/needs.ts'
import { order } from '../../support/quoteBench.ts'
import { createTestEngine } from '../../support/testEngine.ts'

const own = closing()

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

it.each([
  ['EADDRNOTAVAIL', '2001:db8::1', true, 'unreachable'],
  ['EADDRNOTAVAIL', '192.0.2.1', true, 'starved'],
  ['EMFILE', '192.0.2.1', true, 'starved'],
  ['ENOTFOUND', '', true, 'unreachable'],
  ['ENOTFOUND', '', false, 'starved'],
])(
  'starved: a call that ends with %s (address "%s", a file can be opened: %s) is %s',
  async (code, address, canOpen, failure) => {
    const error = Object.assign(new Error('scripted'), { code, address })
    vi.spyOn(net, 'connect').mockImplementation(() => new net.Socket().destroy(error))
    if (!canOpen)
      vi.spyOn(fs, 'openSync').mockImplementation(() => {
        throw error
      })
    syncBuiltinESMExports()
    onTestFinished(() => {
      vi.restoreAllMocks()
      syncBuiltinESMExports()
    })
    const client = own(createHttpClient())
    const { signal } = new AbortController()
    await expect(client.send({ method: 'GET', url: 'http://venue.invalid', signal })).rejects.toMatchObject({ failure })
  },
)

it.skipIf(lacks('prlimit'))(
  'starved: webhooks stay due while no connection can be opened, and each is sent once later [webhook-starved-stays-due]',
  () => {
    const program = ['--nofile=96', process.execPath, '--input-type=module', '-e', STARVED_WEBHOOKS]
    expect(JSON.parse(execFileSync('prlimit', program, { encoding: 'utf8' }))).toEqual([
      '1 false answered! 1',
      '0 false answered! due due 1',
      '0 false answered! due due 1',
      '2 false answered! answered! answered! 3',
    ])
  },
)

it('starved: opens no breaker, so that the next quote calls every venue', async () => {
  const send = () => Promise.reject(new HttpError('starved', 'no descriptors left'))
  const http = { send, close: async () => undefined }
  const answer = { shape: shape('answer', list(text())), refusal: () => null }
  const venue = createFakeVenue('toy', {
    quote: (_asked, signal) => callVenue(http, { method: 'GET', url: 'http://venue.test/', signal }, answer) as Promise<never>,
  })
  const { engine, context } = own(await createTestEngine({ venues: [venue] }))
  for (let i = 0; i < 12; i += 1) await expect(engine.quote(order(), context)).rejects.toThrow()
  expect(venue.calls.quote).toHaveLength(12)
  expect(await engine.health()).toMatchObject({ isDegraded: false, venues: [{ trouble: null, off: null, rejecting: [] }] })
})
