import { it } from 'vitest'
import { runKills } from '../../scripts/kills/runKills.ts'

/** A sample of `npm run kills`: a few of the aims, where that has hundreds of kills. */
const KILLS = 5

it.concurrent.for([
  ['sqlite', '1', 0],
  ['postgresql', '2', 1],
] as const)(
  'a service over %s that is killed while in use loses and doubles nothing: seed %s [store-survives-kill]',
  { timeout: 300_000 },
  async ([stage, seed, outages], { expect }) => {
    const { counts, problems } = await runKills({ stage, seed, kills: KILLS, outages, races: 0 })
    expect(problems).toEqual([])
    const deaths = Object.entries(counts).filter(([what]) => what.startsWith('killed'))
    expect(deaths.reduce((sum, [, count]) => sum + count, 0)).toBe(KILLS)
    expect(counts['fees booked']).toBeGreaterThan(0)
  },
)
