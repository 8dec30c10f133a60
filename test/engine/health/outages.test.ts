import { expect, it } from 'vitest'
import { createLifecycle } from '../../../engine/health/lifecycle.ts'
import { createOutages } from '../../../engine/health/outages.ts'
import type { AnyEvent } from '../../../engine/observe/observe.ts'

it('outages: a chain is down while every one of its endpoints failed last', () => {
  const outages = createOutages()
  const rows = [
    [1, 1, false, []],
    [1, 2, false, [1]],
    [10, 1, false, [1]],
    [1, 1, true, []],
  ] as const
  for (const [chainId, endpoint, healthy, down] of rows) {
    outages.observe({ event: 'chain.health', chainId, endpoint, endpoints: 2, healthy, reason: null })
    expect(outages.chainsDown).toEqual(down)
  }
})

it('lifecycle: the log contains the cause while the instance accepts no requests', () => {
  const events: AnyEvent[] = []
  const lifecycle = createLifecycle((event) => events.push(event))
  for (const problems of [[], ['clock', 'venue']] as const) {
    lifecycle.serving(() => problems)
    lifecycle.state()
  }
  expect(events).toMatchObject([{ cause: [] }, { ready: false, cause: ['clock'], problems: ['clock', 'venue'] }])
})
