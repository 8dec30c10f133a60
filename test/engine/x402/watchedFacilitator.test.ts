import type { FacilitatorClient } from '@x402/core/server'
import { expect, it } from 'vitest'
import { FacilitatorError } from '../../../engine/x402/remoteFacilitator.ts'
import { watchFacilitator } from '../../../engine/x402/watchedFacilitator.ts'

const watched = () => {
  const answers = { verify: async (): Promise<object> => ({ isValid: true }), getSupported: async (): Promise<object> => ({}) }
  const events: unknown[] = []
  const time = { ms: 0 }
  const facilitator = { verify: () => answers.verify(), getSupported: () => answers.getSupported() }
  const observe = (event: unknown) => void events.push(event)
  const client = watchFacilitator(facilitator as unknown as FacilitatorClient, { observe, now: () => time.ms })
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

it('facilitator health: three failures of one call in a row are reported once, until that call succeeds or 15 minutes pass', async () => {
  const { answers, events, time, verify, supported } = watched()
  const timesOut = fails(() => new FacilitatorError('timeout', 'verify'))
  answers.verify = timesOut
  await verify(2)
  expect(events).toEqual([])
  await verify(2)
  // Another call proves nothing about this one.
  await supported()
  expect(events).toEqual([down('verify: timeout')])
  answers.verify = async () => ({ isValid: false })
  await verify()
  expect(events.splice(0)).toEqual([down('verify: timeout'), healthy])
  answers.verify = timesOut
  await verify(3)
  time.ms += 15 * 60_000 - 1
  await supported()
  expect(events).toEqual([down('verify: timeout')])
  time.ms += 1
  await supported()
  expect(events).toEqual([down('verify: timeout'), healthy])
})

const cached = new FacilitatorError('unreachable', 'supported')
it.each<[string, 'verify' | 'supported', () => unknown, object[]]>([
  ['the refusal of a payment is no failure', 'verify', () => new FacilitatorError('refused', 'verify', 400), []],
  ['an unreadable answer to a payment is no failure', 'verify', () => new FacilitatorError('malformed', 'verify', 200), []],
  ['an error of this service is no failure', 'verify', () => new Error('ours'), []],
  ['a cached error counts once', 'supported', () => cached, []],
  [
    'HTTP 401 of its kinds is a failure',
    'supported',
    () => new FacilitatorError('refused', 'supported', 401),
    [down('supported: refused')],
  ],
])('facilitator health: %s', async (_what, call, error, reported) => {
  const { answers, events, ...calls } = watched()
  answers[call === 'verify' ? 'verify' : 'getSupported'] = fails(error)
  await calls[call](10)
  expect(events).toEqual(reported)
})
