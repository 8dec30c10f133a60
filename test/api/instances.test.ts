import { describe, expect, it } from 'vitest'
import { closing } from '../support/closing.ts'
import { createFakeVenue } from '../support/fakeVenue.ts'
import { type KeysStage, startKeys } from '../support/keysStage.ts'
import { createMemoryStore } from '../support/memoryStore.ts'
import { ask, createMigratedDatabase, dropDatabase } from '../support/postgres/database.ts'
import { USDC_SWAP } from '../support/swaps.ts'
import { createTestClock } from '../support/testEngine.ts'

/** Instances of the service that share one PostgreSQL database, over HTTP. */

const own = closing()

/** Two instances over one database. */
const start = async () => {
  const url = await createMigratedDatabase()
  own({ close: () => dropDatabase(url) })
  const clock = createTestClock()
  const venue = createFakeVenue('toy', { kind: 'DEPOSIT', now: clock.now })
  const startOne = async () => own(await startKeys({ venues: [venue], clock, store: createMemoryStore(clock, url) }))
  return { url, stages: [await startOne(), await startOne()] as const }
}

const execute = ({ edge }: KeysStage, quoteToken: string) =>
  edge.call('/api/v1/execute', { method: 'POST', body: { quoteToken } })

const RAISING = (what: string) => `
  CREATE FUNCTION raise_it() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${what} RETURN NEW; END $$;
  CREATE TRIGGER trouble BEFORE INSERT ON swaps FOR EACH ROW EXECUTE FUNCTION raise_it()`
const HEALED = 'DROP TRIGGER trouble ON swaps; DROP FUNCTION raise_it'

describe('a database in trouble', () => {
  it.each([
    ['disk is full', `RAISE EXCEPTION 'full' USING ERRCODE = '53100';`],
    ['transactions never commit', `RAISE EXCEPTION 'again' USING ERRCODE = '40001';`],
    ['server is going down', `RAISE EXCEPTION 'down' USING ERRCODE = '57P01';`],
  ])(
    'whose %s fails the executions with a retryable 500, and no longer once it works again',
    async (_what, raise) => {
      const { url, stages } = await start()
      const { json: quoted } = await stages[0].edge.call('/api/v1/quote', { method: 'POST', body: USDC_SWAP })
      const quoteToken = String(quoted.data['quoteToken'])
      await ask(url, RAISING(raise))
      for (const stage of stages) {
        const { status: code, json } = await execute(stage, quoteToken)
        expect([code, json.error.code, json.error.details]).toEqual([500, 'INTERNAL', { retryable: true }])
        expect(JSON.stringify(json)).not.toMatch(/full|again|down|postgres/)
      }
      await ask(url, HEALED)
      const replies = await Promise.all(stages.map((stage) => execute(stage, quoteToken)))
      expect(replies.map(({ status: code }) => code)).toEqual([200, 200])
      expect(replies[0]?.json.data).toEqual(replies[1]?.json.data)
    },
    60_000,
  )
})
