import type { FacilitatorClient } from '@x402/core/server'
import { expect, it } from 'vitest'
import { FacilitatorError } from '../../../engine/x402/remoteFacilitator.ts'
import { watchFacilitator } from '../../../engine/x402/watchedFacilitator.ts'

const watched = () => {
  const answers = { verify: async (): Promise<object> => ({ isValid: true }), getSupported: async (): Promise<object> => ({}) }
  const events: unknown[] = []
  const time = { ms: 0 }
  const facilitator = {
    verify: () => answers.verify(),
    settle: () => answers.verify(),
    getSupported: () => answers.getSupported(),
  } as unknown as FacilitatorClient
  const client = watchFacilitator(facilitator, { observe: (event) => void events.push(event), now: () => time.ms })
  const times = async (count: number, call: () => Promise<unknown>) => {
    for (let i = 0; i < count; i += 1) await call().catch(() => undefined)
  }
  const verify = (count = 1) => times(count, () => client.verify({} as never, {} as never))
  const supported = (count = 1) => times(count, () => client.getSupported())
  return { answers, events, time, verify, supported }
}

const fails = (make: () => unknown) => () => Promise.reject(make())
const down = (reason: string) => ({ event: 'facilitator.health', healthy: false, reason })
const healthy = { event: 'facilitator.health', healthy: true, reason: null }

it('facilitator health: three failures of one call in a row are reported once, until that call succeeds', async () => {
  const { answers, events, verify, supported } = watched()
  answers.verify = fails(() => new FacilitatorError('timeout', 'verify'))
  await verify(2)
  expect(events).toEqual([])
  await verify(2)
  // Another call proves nothing about this one.
  await supported()
  expect(events).toEqual([down('verify: timeout')])
  answers.verify = async () => ({ isValid: false })
  await verify()
  expect(events).toEqual([down('verify: timeout'), healthy])
})

it.each([
  ['the refusal of a payment', () => new FacilitatorError('refused', 'verify', 400)],
  ['an unreadable answer to a payment', () => new FacilitatorError('malformed', 'verify', 200)],
  ['an error of this service', () => new Error('ours')],
])('facilitator health: %s is no failure of the facilitator', async (_what, error) => {
  const { answers, events, verify } = watched()
  answers.verify = fails(error)
  await verify(10)
  expect(events).toEqual([])
})

it('facilitator health: a cached error that is thrown again counts once', async () => {
  const { answers, events, supported } = watched()
  const once = new FacilitatorError('unreachable', 'supported')
  answers.getSupported = fails(() => once)
  await supported(10)
  expect(events).toEqual([])
  answers.getSupported = fails(() => new FacilitatorError('refused', 'supported', 401))
  await supported(2)
  expect(events).toEqual([down('supported: refused')])
})

it('facilitator health: failures of a call count no longer 15 minutes after the last one', async () => {
  const { answers, events, time, verify, supported } = watched()
  answers.verify = fails(() => new FacilitatorError('refused', 'verify', 503))
  await verify(3)
  time.ms += 15 * 60_000 - 1
  await supported()
  expect(events).toEqual([down('verify: refused')])
  time.ms += 1
  await supported()
  expect(events).toEqual([down('verify: refused'), healthy])
})
