import { expect, it } from 'vitest'
import { runKills } from '../../scripts/kills/runKills.ts'
import { lacks } from '../support/needs.ts'

/** A sample of `npm run kills -- --stage replicas`: three processes, one PostgreSQL, one Redis, one offline network. */
it.skipIf(lacks('redis-server'))(
  'three replicas share a limit, open one address for a quote that many execute at once, and lose and double nothing while they, Redis and PostgreSQL are killed and paused [store-replicas-agree]',
  { timeout: 300_000 },
  async () => {
    const { counts, problems } = await runKills({ stage: 'replicas', seed: '1', kills: 4, outages: 4, races: 15 })
    expect(problems).toEqual([])
    expect(counts['requests repeated']).toBeGreaterThan(15 * 19)
    expect(counts['ended success']).toBeGreaterThan(0)
    expect(counts['outages']).toBeGreaterThan(1)
  },
)
