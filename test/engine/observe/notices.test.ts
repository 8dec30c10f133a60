import { expect, test } from 'vitest'
import { createNotices, NOTICE_QUIET_MS, NOTICES_MAX } from '../../../engine/observe/notices.ts'
import type { EngineEvent } from '../../../engine/observe/observe.ts'
import { createTestClock } from '../../support/testEngine.ts'

const aVenue = () => {
  const events: EngineEvent[] = []
  const clock = createTestClock()
  return { notice: createNotices('toy', (event) => events.push(event), clock), events, clock }
}

test('what a venue was noticed for is told once an hour', () => {
  const { notice, events, clock } = aVenue()
  for (let i = 0; i < 1_000; i += 1) notice('odd')
  expect(events).toEqual([{ event: 'venue.noticed', venue: 'toy', what: 'odd' }])
  clock.at += NOTICE_QUIET_MS - 1
  notice('odd')
  expect(events).toHaveLength(1)
  clock.at += 1
  notice('odd')
  expect(events).toHaveLength(2)
})

test('a venue whose words never repeat cannot flood the log, nor the memory', () => {
  const { notice, events, clock } = aVenue()
  for (let i = 0; i < 10_000; i += 1) notice(`account ${i}`)
  expect(events).toHaveLength(NOTICES_MAX)
  clock.at += NOTICE_QUIET_MS
  notice('x'.repeat(100_000))
  expect(events).toHaveLength(NOTICES_MAX + 1)
  expect(JSON.stringify(events.at(-1)).length).toBeLessThan(400)
})
