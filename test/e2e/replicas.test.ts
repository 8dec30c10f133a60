import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createSimRandom } from '../../engine/simnet/kit/simRandom.ts'
import { createStage, type Stage } from '../../scripts/kills/stage.ts'
import { askBeyondLimit } from '../../scripts/replicas/limits.ts'
import { OUTAGES, sufferOutage } from '../../scripts/replicas/outages.ts'
import { raceExecutes } from '../../scripts/replicas/races.ts'
import { lacks } from '../support/needs.ts'

/** A sample of `npm run replicas`: three processes, one PostgreSQL, one Redis, one offline network. */

const REPLICAS = 3
const LIMIT = 60
let stage: Stage

describe.skipIf(lacks('redis-server'))('three replicas [store-replicas-agree]', () => {
  beforeAll(async () => {
    const wish = { RATE_LIMIT_ANONYMOUS_PER_MINUTE: String(LIMIT), TRUSTED_PROXIES: '127.0.0.1' }
    stage = await createStage('postgresql', '1', { replicas: REPLICAS, wish })
    stage.lives.start()
    for (let i = 0; i < REPLICAS; i += 1) await stage.lives.listening()
  }, 120_000)
  afterAll(() => stage?.close())

  it('share a limit', async () => {
    expect(await askBeyondLimit(stage, 150)).toBe(LIMIT)
  }, 60_000)

  it('open one address for a quote that many execute at once, and each reports its status', async () => {
    const { executes, opened, problems } = await raceExecutes(stage, 15, 20)
    expect([executes, opened, problems]).toEqual([300, 15, []])
  }, 120_000)

  it.each(OUTAGES.filter(({ name }) => /^(redis|postgres) (killed|paused)$/.test(name)))(
    'lose and double nothing while $name, and work again afterwards',
    async (outage) => {
      const wish = { outageMs: 600, afterMs: 1_000, clients: 6 }
      const { answers, problems } = await sufferOutage(stage, createSimRandom(outage.name), outage, wish)
      expect(problems).toEqual([])
      for (const [asked, told] of Object.entries(answers))
        for (const answer of Object.keys(told)) {
          expect(`${asked}: ${answer}`).toMatch(/ok$|500 INTERNAL$/)
          // Redis is nothing that an answer needs.
          if (outage.name.startsWith('redis') && answer !== 'ok') expect(told[answer]).toBeLessThan(told['ok'] ?? 0)
        }
      // They serve again.
      expect((await raceExecutes(stage, 3, 6)).problems).toEqual([])
    },
    120_000,
  )
})
