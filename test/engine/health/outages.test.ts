import { beforeEach, describe, expect, it } from 'vitest'
import { createOutages, type Outages } from '../../../engine/health/outages.ts'
import type { AnyEvent, VenueCall, VenueOutcome } from '../../../engine/observe/observe.ts'

const MINUTE_MS = 60_000

let at: number
let outages: Outages
beforeEach(() => {
  at = 0
  outages = createOutages(() => at)
})

const call = (kind: VenueCall, outcome: VenueOutcome, times = 1, more: { readonly unexplained?: true } = {}) => {
  for (let i = 0; i < times; i += 1)
    outages.observe({ event: 'venue.call', requestId: 'r', venue: 'toy', call: kind, outcome, elapsedMs: 1, ...more })
}
const endpoint = (chainId: number, position: number, healthy: boolean): AnyEvent => ({
  event: 'chain.health',
  chainId,
  endpoint: position,
  endpoints: 2,
  healthy,
  reason: null,
})

describe('a venue', () => {
  it.each(['execute', 'submit', 'track'] as const)(
    'is failing by five failures of %s in a row, whatever else goes well',
    (kind) => {
      call(kind, 'failure', 4)
      call('quote', 'offer', 3)
      expect(outages.isFailing('toy')).toBe(false)
      call(kind, 'timeout')
      call('quote', 'offer', 3)
      expect(outages.isFailing('toy')).toBe(true)
      call(kind, 'answer')
      expect(outages.isFailing('toy')).toBe(false)
    },
  )

  it.each(['execute', 'submit', 'track'] as const)('is well again when nobody has made a %s for a quarter of an hour', (kind) => {
    call(kind, 'failure', 5)
    at = 15 * MINUTE_MS - 1
    expect(outages.isFailing('toy')).toBe(true)
    at += 1
    expect(outages.isFailing('toy')).toBe(false)
  })

  it('is not failing by what is no sign of trouble', () => {
    for (const outcome of ['decline', 'rejected'] as const) call('execute', outcome, 9)
    call('quote', 'dropped', 9)
    call('execute', 'failure', 9, { unexplained: true })
    call('execute', 'skipped', 9)
    call('prices', 'failure', 9)
    expect(outages.isFailing('toy')).toBe(false)
  })
})

describe('a chain', () => {
  it('is down while every endpoint it has failed last', () => {
    outages.observe(endpoint(1, 1, false))
    expect(outages.chainsDown).toEqual([])
    outages.observe(endpoint(1, 2, false))
    outages.observe(endpoint(10, 1, false))
    expect(outages.chainsDown).toEqual([1])
    outages.observe(endpoint(1, 1, true))
    expect(outages.chainsDown).toEqual([])
  })
})
