import { expect, test } from 'vitest'
import { VENUE_DEFINITIONS } from '../../engine/venues/registry.ts'
import { anOrder, type OrderWish } from '../support/anOrder.ts'
import { renamed } from '../support/renamed.ts'
import { outcomeOf } from '../support/venueKit/calls.ts'
import { canned, toldBy } from '../support/venueKit/canned.ts'
import { withBigints } from '../support/withBigints.ts'
import { servedBy, withBench } from './everyVenue.ts'
import table from './settings.json' with { type: 'json' }

type Row = {
  readonly venue: string
  readonly what: string
  readonly wish?: Partial<OrderWish>
  readonly usual?: { readonly [name: string]: string }
  readonly settings: { readonly [name: string]: string }
  readonly names: readonly (readonly [from: string, to: string])[]
}

test.each(withBigints(table) as readonly Row[])(
  '$venue: $what that no release pins is sold by where a setting adds it, and rejected otherwise',
  async ({ venue: id, wish, usual, settings, names }) => {
    const definition = VENUE_DEFINITIONS.find((one) => one.id === id)
    if (!definition) throw new TypeError(`no venue ${id}`)
    await withBench(definition, async (bench) => {
      const outcome = async (added: Row['settings']) => {
        const answering = async (asked: Parameters<ReturnType<typeof toldBy>>[0]) =>
          renamed(await toldBy(bench.sim)(asked), names)
        const { API_KEY: apiKey, ...ofSim } = bench.sim.settings
        const set = { ...ofSim, ...usual, ...added }
        const { venue } = canned(definition, answering, { settings: set, chains: bench.chains, ...(apiKey && { apiKey }) })
        const [order] = servedBy({ venue })
        const own = wish?.from ? anOrder(wish as OrderWish) : order && { ...order, ...(wish as object) }
        return own && outcomeOf(venue, own)
      }
      expect([await outcome({}), await outcome(settings)]).toEqual(['rejected', 'signed'])
    })
  },
)
