import { afterEach, describe, expect, it } from 'vitest'
import type { BuiltSwap } from '../../engine/core/answers.ts'
import { isNative } from '../../engine/core/asset.ts'
import { BITCOIN } from '../../engine/core/chain.ts'
import type { VenueOrder } from '../../engine/core/order.ts'
import { SwapError } from '../../engine/errors.ts'
import { VENUE_DEFINITIONS } from '../../engine/venues/registry.ts'
import { createTestEngine, type TestEngine } from '../support/testEngine.ts'
import { swapOf } from '../support/venueKit/calls.ts'
import { openAnyBench, servedBy } from './everyVenue.ts'

const closers: (() => Promise<void>)[] = []

afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

const start = async (definition: (typeof VENUE_DEFINITIONS)[number]) => {
  const bench = await openAnyBench(definition)
  const { clock } = bench
  const testClock = { at: 0, now: () => clock.now() }
  // Not to be told apart by a limit of one a second.
  const env = { [`VENUE_${definition.id.toUpperCase().replaceAll('-', '_')}_REQUESTS_PER_MINUTE`]: '1000000' }
  const engine = await createTestEngine({ venues: [bench.venue], clock: testClock, env })
  closers.push(bench.close, engine.close)
  return { bench, engine }
}

const executed = async ({ engine, context }: TestEngine, order: VenueOrder): Promise<BuiltSwap> => {
  const { quoteToken } = await engine.quote({ ...order, excludeVenues: [], unnamed: [], sandbox: false } as never, context)
  return engine.execute({ quoteToken, destinationAddress: null, refundAddress: null }, context)
}

const outcomeOf = async (call: Promise<BuiltSwap>): Promise<string> => {
  try {
    await call
    return 'handed out'
  } catch (error) {
    if (!(error instanceof SwapError)) throw error
    return `${error.code} ${String(error.details?.['reason'])}`
  }
}

const kindOf = ({ input, output }: VenueOrder): string => `${input.chainId}:${input.address} to ${output.chainId}`

/**
 * Told apart by what the payload says, and so alike where two say the same in the same moment. CoW's orders for native
 * coins are kept apart by a unit of their minimum.
 */
const OUR_OWN: readonly string[] = ['across', 'cow', 'jupiter', 'thorchain']

/** What the venue names itself tells apart. */
const isOurOwn = (id: string, { input }: VenueOrder): boolean =>
  OUR_OWN.includes(id) && !(id === 'thorchain' && input.chainId === BITCOIN)

describe.each(VENUE_DEFINITIONS.map((definition) => [definition.id, definition] as const))('%s', (id, definition) => {
  it('has at least one uniqueness key for each swap, derived from the payload alone', async () => {
    const { bench } = await start(definition)
    for (const order of servedBy(bench)) {
      const swap = await swapOf(bench.venue, order)
      const keys = await bench.venue.profile.toldApartBy(swap)
      expect(keys.length, kindOf(order)).toBeGreaterThan(0)
      for (const { value } of keys) expect(value).toMatch(/^\S{10,200}$/)
      // By what was built alone, so that a second look says the same.
      expect(await bench.venue.profile.toldApartBy(swap)).toEqual(keys)
    }
  })

  it('executes two equal orders at the same time only with distinct uniqueness keys, and both a second later [execute-two-alike-410]', async () => {
    const { bench, engine } = await start(definition)
    for (const order of servedBy(bench)) {
      expect(await outcomeOf(executed(engine, order)), kindOf(order)).toBe('handed out')
      const isAlike = isOurOwn(id, order) && !(id === 'cow' && isNative(order.input))
      const second = await outcomeOf(executed(engine, order))
      expect(second, kindOf(order)).toBe(isAlike ? 'QUOTE_EXPIRED sameAsAnotherSwap' : 'handed out')
      bench.clock.advance(1_000)
      expect(await outcomeOf(executed(engine, order)), kindOf(order)).toBe('handed out')
      // Some venues take few calls a second.
      bench.clock.advance(1_000)
    }
  })
})
