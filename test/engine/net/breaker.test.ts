import { expect, it } from 'vitest'
import { BreakerOpen, createBreaker } from '../../../engine/net/breaker.ts'

const open = (failuresMax: number) => createBreaker({ failuresMax, openMs: 60_000, judge: () => 'failure', onChange: () => {} })

const fail = () => Promise.reject(new Error('down'))

it('opens after failures in a row', async () => {
  const breaker = open(3)
  for (let i = 0; i < 3; i += 1) await expect(breaker.run(fail)).rejects.toThrow('down')
  await expect(breaker.run(fail)).rejects.toThrow(BreakerOpen)
})

it('counts calls that fail together once, and gives each its own error', async () => {
  const breaker = open(3)
  const burst = () =>
    Promise.allSettled(Array.from({ length: 100 }, (_, i) => breaker.run(() => Promise.reject(new Error(`down ${i}`)))))
  const reasons = (await burst()).map((outcome) => (outcome.status === 'rejected' ? (outcome.reason as Error).message : 'none'))
  expect(reasons).toEqual(Array.from({ length: 100 }, (_, i) => `down ${i}`))
  expect(breaker.isHealthy).toBe(true)
  await burst()
  expect(breaker.isHealthy).toBe(true)
  await burst()
  expect(breaker.isHealthy).toBe(false)
})
