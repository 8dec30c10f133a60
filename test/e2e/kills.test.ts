import { describe, expect, it } from 'vitest'
import { runKills } from '../../scripts/kills/runKills.ts'

/** A sample of `npm run kills`: few of each class, where that has hundreds. */
const KILLS = 6

describe.each(['sqlite', 'postgresql'] as const)('a service over %s that is killed while it is used', (database) => {
  it.each(['1', '2'])('has lost nothing and doubled nothing: seed %s', { timeout: 300_000 }, async (seed) => {
    const serverKills = database === 'postgresql' ? 1 : 0
    const { tally, counts, problems } = await runKills({ seed, database, kills: KILLS, serverKills })
    expect(problems).toEqual([])
    const deaths = Object.values(tally).reduce((sum, { point, time }) => sum + point + time, 0)
    expect(deaths).toBe(KILLS + serverKills)
    // Or nothing was at stake.
    expect(counts['ended success']).toBeGreaterThan(0)
    expect(counts['fees booked']).toBeGreaterThan(0)
  })
})
