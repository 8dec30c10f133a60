import { it } from 'vitest'
import { runKills } from '../../scripts/kills/runKills.ts'

/** A sample of `npm run kills`: a few of the classes, where that has hundreds of deaths. */
const KILLS = 5

it.concurrent.for([
  ['sqlite', '1', 0],
  ['postgresql', '2', 1],
] as const)(
  'a service over %s that is killed while in use loses and doubles nothing: seed %s [store-survives-kill]',
  { timeout: 300_000 },
  async ([database, seed, serverKills], { expect }) => {
    const { tally, counts, problems } = await runKills({ seed, database, kills: KILLS, serverKills })
    expect(problems).toEqual([])
    const deaths = Object.values(tally).reduce((sum, { point, time }) => sum + point + time, 0)
    expect(deaths).toBe(KILLS + serverKills)
    // Or nothing was at stake.
    expect(counts['ended success']).toBeGreaterThan(0)
    expect(counts['fees booked']).toBeGreaterThan(0)
  },
)
