import type { FacilitatorClient } from '@x402/core/server'
import { describe, expect, it } from 'vitest'
import { FacilitatorError } from '../../../engine/x402/remoteFacilitator.ts'
import { watchFacilitator } from '../../../engine/x402/watchedFacilitator.ts'

type Answers = { verify: () => Promise<never> | Promise<object>; getSupported: () => Promise<object> }

const watched = () => {
  const answers: Answers = { verify: async () => ({ isValid: true }), getSupported: async () => ({ kinds: [] }) }
  const told: unknown[] = []
  const time = { ms: 0 }
  const facilitator = {
    verify: () => answers.verify(),
    settle: () => answers.verify(),
    getSupported: () => answers.getSupported(),
  } as unknown as FacilitatorClient
  const observe = (event: unknown) => void told.push(event)
  const client = watchFacilitator(facilitator, { observe, now: () => time.ms })
  const verify = () => client.verify({} as never, {} as never).catch(() => undefined)
  return { answers, told, time, verify, supported: () => client.getSupported().catch(() => undefined) }
}

const fails = (make: () => unknown) => () => Promise.reject(make())

describe('a facilitator that is watched', () => {
  it('is told to be down after three failures of one kind in a row, once, and to be well with the next answer of that kind', async () => {
    const { answers, told, verify, supported } = watched()
    answers.verify = fails(() => new FacilitatorError('timeout', 'verify'))
    await verify()
    await verify()
    expect(told).toEqual([])
    await verify()
    await verify()
    expect(told).toEqual([{ event: 'facilitator.health', healthy: false, reason: 'verify: timeout' }])
    // What it supports says nothing of what it verifies.
    await supported()
    expect(told).toHaveLength(1)
    answers.verify = async () => ({ isValid: false })
    await verify()
    expect(told.slice(1)).toEqual([{ event: 'facilitator.health', healthy: true, reason: null }])
  })

  it.each([
    ['refuses what a payer sent', () => new FacilitatorError('refused', 'verify', 400)],
    ['answers a payer what nobody understands', () => new FacilitatorError('malformed', 'verify', 200)],
    ['is not what failed', () => new Error('ours')],
  ])('is in no trouble where it %s', async (_what, error) => {
    const { answers, told, verify } = watched()
    answers.verify = fails(error)
    for (let i = 0; i < 10; i += 1) await verify()
    expect(told).toEqual([])
  })

  it('is not held to one failure that is told again and again', async () => {
    const { answers, told, supported } = watched()
    const once = new FacilitatorError('unreachable', 'supported')
    answers.getSupported = fails(() => once)
    for (let i = 0; i < 10; i += 1) await supported()
    expect(told).toEqual([])
    answers.getSupported = fails(() => new FacilitatorError('refused', 'supported', 401))
    await supported()
    await supported()
    expect(told).toEqual([{ event: 'facilitator.health', healthy: false, reason: 'supported: refused' }])
  })

  it('is not held for ever to what nobody asks any more', async () => {
    const { answers, told, time, verify, supported } = watched()
    answers.verify = fails(() => new FacilitatorError('refused', 'verify', 503))
    for (let i = 0; i < 3; i += 1) await verify()
    time.ms += 15 * 60_000
    await supported()
    expect(told.map((event) => (event as { healthy: boolean }).healthy)).toEqual([false, true])
  })
})
