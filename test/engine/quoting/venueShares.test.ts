import { describe, expect, it } from 'vitest'
import type { Tier } from '../../../engine/core/caller.ts'
import { createFakeVenue, offers } from '../../support/fakeVenue.ts'
import { order, startEngine } from '../../support/quoteBench.ts'

/** As Relay publishes. */
const PER_MINUTE = 50

type Asking = readonly [tier: Tier, partnerId: string | null, client: string]

/** The best venue is limited; the other one serves the callers without a share. Returns whether a caller got the best one. */
const start = async () => {
  const best = createFakeVenue('best', { profile: { limits: { requestsPerMinute: PER_MINUTE } }, quote: offers(2_000n) })
  const { engine, context, clock } = await startEngine([best, createFakeVenue('other', { quote: offers(1_999n) })])
  const quote = async ([tier, partnerId, client]: Asking): Promise<boolean> => {
    const caller = { tier, partnerId, feeBps: null, requestsPerMinute: 120 }
    return (await engine.quote(order(), { ...context, caller, client })).venue.id === 'best'
  }
  return { best, clock, quote }
}

/** The /64 networks of one /48. */
const attackerNetwork = (at: number): string => `2001:db8:bad:${at.toString(16)}::/64`

/** Each of twenty networks asks 28 times a minute, below the public limit of 30. */
const ATTACKS: readonly (readonly [string, (at: number) => Asking])[] = [
  ['anonymous networks of one /48', (at) => ['anonymous', null, attackerNetwork(at)]],
  ['twenty self-serve keys of one /48', (at) => ['selfServe', `key-${at}`, attackerNetwork(at)]],
]

describe.each(ATTACKS)('the limit of a venue under load by %s', (_attack, attacker) => {
  it.each<[string, Asking]>([
    ['an enterprise key', ['enterprise', 'big', 'partner big']],
    ['a self-serve key of another network', ['selfServe', 'small', '2001:db8:900d:1::/64']],
    ['an anonymous caller of another /48', ['anonymous', null, '2001:db8:900d:2::/64']],
    ['an anonymous caller of IPv4', ['anonymous', null, '192.0.2.1']],
  ])('serves %s within five seconds, each time [venue-limit-shared-fairly]', async (_honest, honest) => {
    const { best, clock, quote } = await start()
    const waits: number[] = []
    let [waitsSince, attackersServed]: [number | null, number] = [null, 0]
    for (let second = 0; second < 120; second += 1) {
      for (let at = 0; at < 20; at += 1) if (second % 2 === 0 && (await quote(attacker(at)))) attackersServed += 1
      if (second > 0 && second % 10 === 0) waitsSince ??= second
      if (waitsSince !== null && (await quote(honest))) {
        waits.push(second - waitsSince)
        waitsSince = null
      }
      clock.at += 1_000
    }
    expect(waits).toHaveLength(11)
    expect(Math.max(...waits)).toBeLessThanOrEqual(5)
    expect(attackersServed).toBeGreaterThan(0)
    expect(best.calls.quote.length).toBeLessThanOrEqual((2 * PER_MINUTE * 4) / 5)
  })
})
