import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { SwapStatus } from '../../engine/core/swapStatus.ts'
import { VENUE_DEFINITIONS } from '../../engine/venues/registry.ts'
import { altered, never, outcomeOf, refusalOf } from '../support/venueKit/calls.ts'
import { type Answer, type Answering, canned, changing, toldBy } from '../support/venueKit/canned.ts'
import { AMOUNT, findIn, isFitting, isObject, listenToShapes, type Place, placesOf } from '../support/venueKit/shapesRead.ts'
import {
  type AnyBench,
  type CallName,
  callsOf,
  isBeside,
  openAnyBench,
  pathKind,
  servedBy,
  stagesOf,
  type VenueCall,
  withBench,
} from './everyVenue.ts'

/** The tested fields are those of the adapter's JSON schemas and the values that it reads. */

const shapes = listenToShapes()
afterAll(() => void vi.restoreAllMocks())

/** The fewest places of answers that are spoilt, and how often. Fewer: a schema that asks for less, or an answer nobody reads. */
const LEAST: { readonly [venue: string]: { readonly places: number; readonly spoilt: number } } = {
  across: { places: 52, spoilt: 297 },
  bebop: { places: 48, spoilt: 364 },
  chainflip: { places: 62, spoilt: 357 },
  cow: { places: 34, spoilt: 156 },
  debridge: { places: 30, spoilt: 165 },
  kyberswap: { places: 22, spoilt: 137 },
  jupiter: { places: 31, spoilt: 236 },
  lifi: { places: 40, spoilt: 282 },
  mayan: { places: 71, spoilt: 348 },
  'near-intents': { places: 59, spoilt: 396 },
  relay: { places: 140, spoilt: 858 },
  thorchain: { places: 60, spoilt: 278 },
  zerox: { places: 103, spoilt: 745 },
  uniswapx: { places: 40, spoilt: 336 },
}

const ODD = [{ odd: true }, null, -1.5]
/** A number of smallest units has one spelling. */
const NOT_AMOUNTS = ['', '-1', '1.0', '1e6', ' 1', '01', '0x10', '9'.repeat(79)]
const API_KEY = 'a-key-0123456789'

/** One field of one answer, that to `path`, in one call. */
type Spot = Place & { readonly name: CallName; readonly call: VenueCall; readonly path: string }

const isAmount = ({ at, value, schema }: Place): boolean =>
  typeof value === 'string' && AMOUNT.test(value) && !isFitting(schema, 'x') && !/chainid$/i.test(at)

/** What is refused there. A field that may be left out is not read as another type all the same. */
const oddValuesOf = (spot: Place, isFirstLook: boolean): readonly unknown[] => [
  ...(spot.isRequired ? [undefined] : []),
  ...(spot.isRequired ? ODD : ODD.slice(0, 1)).filter((odd) => !isFitting(spot.schema, odd)),
  ...(isObject(spot.value) ? [[]] : []),
  ...(isFirstLook && isAmount(spot) ? NOT_AMOUNTS : []),
]

describe.each(VENUE_DEFINITIONS.map((definition) => [definition.id, definition] as const))('%s', (id, definition) => {
  let bench: AnyBench
  const spots = new Map<string, Spot>()
  // Without a key NEAR Intents adds its own fee to the echo, whose fields are read.
  const withKey = id === 'near-intents' ? {} : { apiKey: API_KEY }

  /** What the simulator says, asked once for all that ask the same. */
  const kept = new Map<string, Promise<Answer>>()
  const telling: Answering = async (asked) => {
    const question = JSON.stringify([asked.method, asked.path, String(asked.query), asked.body])
    const answer = kept.get(question) ?? Promise.resolve(toldBy(bench.sim)(asked))
    kept.set(question, answer)
    return answer
  }
  const told = (answering: Answering) =>
    canned(definition, answering, { settings: bench.sim.settings, ...withKey, now: bench.clock.now, chains: bench.chains }).venue

  /** Every place of every answer that the call asks for and reads. */
  const spotsOf = async (name: CallName, call: VenueCall): Promise<readonly Spot[]> => {
    const answers: { readonly path: string; readonly body: unknown }[] = []
    const venue = told(async (asked) => {
      const answer = await telling(asked)
      if ((answer.status ?? 200) < 300) answers.push({ path: asked.path, body: answer.body })
      return answer
    })
    const readings = await shapes.during(() => call(venue, never()))
    return readings.flatMap((reading) =>
      answers.flatMap(({ path, body }) => {
        const under = findIn(body, reading.value)
        return under === null ? [] : placesOf(reading, under).map((place): Spot => ({ ...place, name, call, path }))
      }),
    )
  }

  beforeAll(async () => {
    bench = await openAnyBench(definition, withKey)
    for (const stage of await stagesOf(bench)) {
      for (const [name, call] of callsOf(stage, bench.venue)) {
        for (const spot of await spotsOf(name, call)) {
          // Beside the way with our record, an answer may be all there is without it.
          const beside = isBeside(id, spot) ? ['beside'] : []
          const kind = [name.replace(' without our record', ''), pathKind(spot.path), spot.at, ...beside].join(' ')
          if (!spots.has(kind)) spots.set(kind, spot)
        }
      }
    }
  }, 60_000)
  afterAll(() => bench.close())

  const outcomeOf = ({ call, path, at }: Spot, odd: unknown): Promise<unknown> =>
    call(told(changing(telling, { [path]: (body: never) => altered(body, at, odd) })), never())

  test('rejects an answer with a missing or wrongly typed field, or ignores it [venue-broken-answers]', async () => {
    const looked = new Set<string>()
    let spoilt = 0
    for (const [kind, spot] of spots) {
      if (isBeside(id, spot)) continue
      const place = `${pathKind(spot.path)} ${spot.at}`
      for (const odd of oddValuesOf(spot, !looked.has(place))) {
        spoilt += 1
        // A row of a list that cannot be read may be left out: what is sought is then not listed, or has no price.
        const isOfList = spot.at.includes('*')
        const outcome = outcomeOf(spot, odd)
        if (isOfList && (await outcome.catch(() => false)) === null) continue
        const refusal = await refusalOf(outcome)
        const isUnlisted = isOfList && refusal.isDecline
        const isRefused = refusal.kind === 'badResponse' || refusal.kind === 'rejected'
        if (!isUnlisted) expect(isRefused, `${kind} = ${JSON.stringify(odd)?.slice(0, 80)}: ${refusal.kind}`).toBe(true)
      }
      looked.add(place)
    }
    process.stdout.write(`broken answers ${id}: ${looked.size} places, spoilt ${spoilt} times\n`)
    expect(looked.size).toBeGreaterThanOrEqual(LEAST[id]?.places ?? Number.POSITIVE_INFINITY)
    expect(spoilt).toBeGreaterThanOrEqual(LEAST[id]?.spoilt ?? Number.POSITIVE_INFINITY)
  }, 60_000)

  test('keeps the swap state when an auxiliary answer is damaged', async () => {
    for (const [kind, spot] of spots) {
      if (!isBeside(id, spot)) continue
      const { state } = (await spot.call(bench.afresh(), never())) as SwapStatus
      for (const odd of oddValuesOf(spot, true)) expect(await outcomeOf(spot, odd), kind).toMatchObject({ state })
    }
  })
})

describe('a list with 10,000 additional rows', () => {
  /** Of other tokens and chains: whatever names something names another. */
  const other = (value: unknown, i: number): unknown =>
    typeof value === 'number'
      ? value + 1_000_000 + i
      : typeof value === 'string' && !/^[0-9.]+$/.test(value)
        ? `${value}${i}`
        : value
  const grown = (value: unknown): unknown => {
    if (!Array.isArray(value)) return value
    const rows = Array.from({ length: 10_000 }, (_, i) => Object.entries(value[0]).map(([name, one]) => [name, other(one, i)]))
    return [...value, ...rows.map((row) => Object.fromEntries(row))]
  }
  const LISTS = /\/v0\/tokens$|\/pools$|\/networkInfo$|\/chains$|\/init$/

  test.each(['chainflip', 'mayan', 'near-intents', 'relay', 'thorchain'])('of %s is read, with the same offer', async (id) => {
    const definition = VENUE_DEFINITIONS.find((one) => one.id === id) as (typeof VENUE_DEFINITIONS)[number]
    await withBench(definition, async ({ sim, chains, ...bench }) => {
      const { venue, asked } = canned(
        definition,
        async (question) => {
          const { body, ...answer } = await toldBy(sim)(question)
          if (!LISTS.test(question.path)) return { ...answer, body }
          const fields = Object.entries(body as object).map(([name, value]) => [name, grown(value)])
          return { ...answer, body: Array.isArray(body) ? grown(body) : Object.fromEntries(fields) }
        },
        { settings: sim.settings, chains },
      )
      const [order] = servedBy(bench)
      expect(order && (await outcomeOf(venue, order))).toBe('signed')
      expect(asked.some(({ path }) => LISTS.test(path))).toBe(true)
    })
  })
})
