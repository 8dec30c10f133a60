import { expect, it } from 'vitest'
import { closing } from '../support/closing.ts'
import { createFakeVenue } from '../support/fakeVenue.ts'
import { startKeys } from '../support/keysStage.ts'
import { createMemoryStore } from '../support/memoryStore.ts'
import { ask, createMigratedDatabase, dropDatabase } from '../support/postgres/database.ts'
import { USDC_SWAP } from '../support/swaps.ts'
import { createTestClock } from '../support/testEngine.ts'

const own = closing()

it.each([
  ['disk is full', `RAISE EXCEPTION 'full' USING ERRCODE = '53100';`],
  ['transactions never commit', `RAISE EXCEPTION 'again' USING ERRCODE = '40001';`],
  ['server is going down', `RAISE EXCEPTION 'down' USING ERRCODE = '57P01';`],
])('execute: a PostgreSQL database whose %s leads to a retryable 500, and to 200 once it works again', async (_what, raise) => {
  const url = await createMigratedDatabase()
  own({ close: () => dropDatabase(url) })
  const clock = createTestClock()
  const venues = [createFakeVenue('toy', { kind: 'DEPOSIT', now: clock.now })]
  const { edge } = own(await startKeys({ venues, clock, store: createMemoryStore(clock, url) }))
  const post = (path: string, body: object) => edge.call(`/api/v1/${path}`, { method: 'POST', body })
  const { quoteToken } = (await post('quote', USDC_SWAP)).json.data
  const begin = `CREATE FUNCTION raise_it() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${raise} RETURN NEW; END $$;`
  await ask(url, `${begin} CREATE TRIGGER trouble BEFORE INSERT ON swaps FOR EACH ROW EXECUTE FUNCTION raise_it()`)
  const { status, json, text } = await post('execute', { quoteToken })
  expect([status, json.error.code, json.error.details]).toEqual([500, 'INTERNAL', { retryable: true }])
  expect(text).not.toMatch(/full|again|down|postgres/)
  await ask(url, 'DROP TRIGGER trouble ON swaps; DROP FUNCTION raise_it')
  expect((await post('execute', { quoteToken })).status).toBe(200)
})
