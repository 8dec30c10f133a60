import { describe, expect, it } from 'vitest'
import { createLifecycle } from '../../../engine/health/lifecycle.ts'
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

it('the log has the cause of an instance that takes no requests', () => {
  const events: AnyEvent[] = []
  const lifecycle = createLifecycle((event) => events.push(event))
  for (const problems of [[], ['clock', 'venue']] as const) {
    lifecycle.serving(() => problems)
    lifecycle.state()
  }
  expect(events).toMatchObject([{ cause: [] }, { ready: false, cause: ['clock'], problems: ['clock', 'venue'] }])
})
