import { describe, expect, it } from 'vitest'
import { createOutages } from '../../../engine/health/outages.ts'
import type { AnyEvent } from '../../../engine/observe/observe.ts'

const endpoint = (chainId: number, position: number, healthy: boolean): AnyEvent => ({
  event: 'chain.health',
  chainId,
  endpoint: position,
  endpoints: 2,
  healthy,
  reason: null,
})

describe('a chain', () => {
  it('is down while every endpoint it has failed last', () => {
    const outages = createOutages()
    outages.observe(endpoint(1, 1, false))
    expect(outages.chainsDown).toEqual([])
    outages.observe(endpoint(1, 2, false))
    outages.observe(endpoint(10, 1, false))
    expect(outages.chainsDown).toEqual([1])
    outages.observe(endpoint(1, 1, true))
    expect(outages.chainsDown).toEqual([])
  })
})
