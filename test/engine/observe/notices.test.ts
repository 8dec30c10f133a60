import { expect, test } from 'vitest'
import { createNotices, NOTICE_QUIET_MS, NOTICES_MAX } from '../../../engine/observe/notices.ts'
import type { EngineEvent } from '../../../engine/observe/observe.ts'
import { createTestClock } from '../../support/testEngine.ts'

test('notices: the same notice is reported once an hour, at most 20 different ones of a venue, each shortened', () => {
  const events: EngineEvent[] = []
  const clock = createTestClock()
  const notice = createNotices('toy', (event) => events.push(event), clock)
  for (const wait of [0, 0, NOTICE_QUIET_MS - 1, 1]) {
    clock.at += wait
    notice('odd')
  }
  expect(events).toEqual(Array(2).fill({ event: 'venue.noticed', venue: 'toy', what: 'odd' }))
  for (let i = 0; i < 1_000; i += 1) notice(`account ${i}`)
  expect(events).toHaveLength(1 + NOTICES_MAX)
  clock.at += NOTICE_QUIET_MS
  notice('x'.repeat(100_000))
  expect(events).toHaveLength(2 + NOTICES_MAX)
  expect(JSON.stringify(events.at(-1)).length).toBeLessThan(400)
})
