import { afterEach, describe, expect, it } from 'vitest'
import type { Caller, RequestContext, Tier } from '../../../engine/core/caller.ts'
import { anOrder } from '../../support/anOrder.ts'
import { pair, TOKENS } from '../../support/fakeChains.ts'
import { createFakeVenue, offers } from '../../support/fakeVenue.ts'
import { createTestEngine, type TestEngine } from '../../support/testEngine.ts'

const order = anOrder({ from: pair(TOKENS.usdcEthereum), to: pair(TOKENS.usdcArbitrum), amount: 1_000_000n })
/** As Relay publishes. */
const PER_MINUTE = 50

let open: TestEngine[] = []

afterEach(async () => {
  for (const engine of open) await engine.close()
  open = []
})

/** The best venue is limited; the other one answers whoever does not get it. */
const start = async () => {
  const best = createFakeVenue('best', { profile: { limits: { requestsPerMinute: PER_MINUTE } }, quote: offers(2_000n) })
  const engine = await createTestEngine({ venues: [best, createFakeVenue('other', { quote: offers(1_999n) })] })
  open.push(engine)
  const quote = async (tier: Tier, partnerId: string | null, client: string): Promise<boolean> => {
    const caller: Caller = { tier, partnerId, feeBps: null, requestsPerMinute: 120 }
    const context: RequestContext = { ...engine.context, caller, client }
    return (await engine.engine.quote(order, context)).venue.id === 'best'
  }
  return { best, clock: engine.clock, quote }
}

type Stage = Awaited<ReturnType<typeof start>>

/** The /64 networks of one /48. */
const attackerNetwork = (at: number): string => `2001:db8:bad:${at.toString(16)}::/64`

/** Each of twenty networks asks 28 times a minute, below the public limit of 30. */
const ATTACKS: { readonly [name: string]: (stage: Stage, at: number) => Promise<boolean> } = {
  'anonymous networks of one /48': ({ quote }, at) => quote('anonymous', null, attackerNetwork(at)),
  'twenty self-serve keys of one /48': ({ quote }, at) => quote('selfServe', `key-${at}`, attackerNetwork(at)),
}

const HONEST: { readonly [name: string]: (stage: Stage) => Promise<boolean> } = {
  'an enterprise key': ({ quote }) => quote('enterprise', 'big', 'partner big'),
  'a self-serve key elsewhere': ({ quote }) => quote('selfServe', 'small', '2001:db8:900d:1::/64'),
  'an anonymous caller of another /48': ({ quote }) => quote('anonymous', null, '2001:db8:900d:2::/64'),
  'an anonymous caller of IPv4': ({ quote }) => quote('anonymous', null, '192.0.2.1'),
}

describe.each(Object.entries(ATTACKS))('venue budget under attack by %s', (_attack, attack) => {
  it.each(Object.entries(HONEST))(
    'still serves %s, who gets the venue within 5 seconds every time [venue-limit-shared-fairly]',
    async (_honest, honest) => {
      const stage = await start()
      const served = { attackers: 0, honest: 0 }
      const waits: number[] = []
      let waitsSince: number | null = null
      for (let second = 0; second < 120; second += 1) {
        for (let at = 0; at < 20; at += 1) if (second % 2 === 0 && (await attack(stage, at))) served.attackers += 1
        if (second > 0 && second % 10 === 0) waitsSince ??= second
        if (waitsSince !== null && (await honest(stage))) {
          waits.push(second - waitsSince)
          served.honest += 1
          waitsSince = null
        }
        stage.clock.at += 1_000
      }
      expect(served.honest).toBe(11)
      expect(Math.max(...waits)).toBeLessThanOrEqual(5)
      expect(served.attackers).toBeGreaterThan(0)
      expect(stage.best.calls.quote.length).toBeLessThanOrEqual((2 * PER_MINUTE * 4) / 5)
    },
  )
})
