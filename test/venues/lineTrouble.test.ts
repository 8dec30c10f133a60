import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { SwapStatus } from '../../engine/core/swapStatus.ts'
import type { FaultName } from '../../engine/simnet/kit/faults.ts'
import type { SimResponse } from '../../engine/simnet/kit/simVenue.ts'
import { VENUE_DEFINITIONS } from '../../engine/venues/registry.ts'
import type { Venue } from '../../engine/venues/venue.ts'
import type { VenueErrorKind } from '../../engine/venues/venueError.ts'
import { never, refusalOf } from '../support/venueKit/calls.ts'
import {
  type AnyBench,
  type CallName,
  callsOf,
  isBeside,
  openAnyBench,
  pathKind,
  type Stage,
  stagesOf,
  steadyPath,
  type VenueCall,
} from './everyVenue.ts'

/** Faults on each path of each venue call must cause a VenueError of the right kind, never a decline or a state. */

const page = (status: number): SimResponse => ({ status, body: '<html>a gateway</html>', contentType: 'text/html' })

const TROUBLES: readonly (readonly [FaultName | SimResponse, VenueErrorKind])[] = [
  ['reset', 'unavailable'],
  ['truncated-body', 'unavailable'],
  ['http-500', 'unavailable'],
  [page(502), 'unavailable'],
  [page(503), 'unavailable'],
  [page(408), 'unavailable'],
  ['http-429', 'rateLimited'],
  ['malformed-body', 'badResponse'],
  ['huge-body', 'badResponse'],
  ['wrong-shape', 'badResponse'],
  [page(200), 'badResponse'],
  [page(301), 'badResponse'],
  [{ status: 200, body: '', contentType: 'application/json' }, 'badResponse'],
  [{ status: 200, body: null }, 'badResponse'],
]

type Line = { readonly stage: Stage; readonly name: CallName; readonly call: VenueCall; readonly path: string }

/** The calls with the paths they ask, each kind of path once for each execution type. */
const linesOf = async (bench: AnyBench): Promise<readonly Line[]> => {
  const lines = new Map<string, Line>()
  for (const stage of await stagesOf(bench)) {
    for (const [name, call] of callsOf(stage, bench.venue)) {
      const asks = (path: string) => {
        const kind = [stage.swap.offer.executionType, name, pathKind(path)].join()
        if (!lines.has(kind)) lines.set(kind, { stage, name, call, path })
      }
      await call(bench.afresh({ asks }), never())
    }
  }
  return [...lines.values()]
}

describe.each(VENUE_DEFINITIONS.map((definition) => [definition.id, definition] as const))('faults of %s', (id, definition) => {
  let bench: AnyBench
  let lines: readonly Line[]
  beforeAll(async () => {
    bench = await openAnyBench(definition, { apiKey: 'a-key-0123456789' })
    lines = await linesOf(bench)
  })
  afterAll(() => bench.close())

  const during = async (trouble: FaultName | SimResponse, { call, path }: Line, venue: Venue, signal = never()) => {
    if (typeof trouble === 'string') bench.faults.set(id, trouble, { path: steadyPath(path) }, null)
    else bench.instead = (asked) => (steadyPath(asked) === steadyPath(path) ? trouble : null)
    try {
      return await call(venue, signal)
    } finally {
      bench.faults.clear(id)
      bench.instead = () => null
    }
  }
  const essential = () => lines.filter((line) => !isBeside(id, line))
  const told = ({ name, path, stage }: Line) => `${name} of ${stage.swap.execution.payload.executionType}: ${path}`

  test('cover every call of the adapter', () => {
    const names = new Set(lines.map(({ name }) => name))
    const { submitter, tracker, prices } = bench.venue
    expect(names).toContain('quote')
    expect([names.has('submit'), names.has('track'), names.has('prices')]).toEqual([!!submitter, !!tracker, !!prices])
    // One call each for a price, for what is built, and for where it stands, where a venue tells that.
    expect(essential().length).toBeGreaterThanOrEqual(tracker ? 3 : 2)
  })

  test.each(TROUBLES.map(([trouble, kind]) => [JSON.stringify(trouble), kind, trouble] as const))(
    'of the kind %s fail as %s',
    async (_name, kind, trouble) => {
      for (const line of essential()) {
        const { kind: found, isDecline } = await refusalOf(during(trouble, line, bench.afresh()))
        expect([found, isDecline], told(line)).toEqual([kind, false])
      }
    },
  )

  test('abort a call that hangs by the signal of the caller', async () => {
    for (const line of essential()) {
      const startedAt = performance.now()
      expect((await refusalOf(during('hang', line, bench.afresh(), AbortSignal.timeout(50)))).kind, told(line)).toBe('timeout')
      expect(performance.now() - startedAt, told(line)).toBeLessThan(1_000)
    }
  })

  test('send nothing with an aborted signal', async () => {
    for (const line of essential()) {
      const before = bench.sent.length
      expect((await refusalOf(line.call(bench.afresh(), AbortSignal.abort()))).kind, told(line)).toBe('timeout')
      expect(bench.sent).toHaveLength(before)
    }
  })

  test('in an auxiliary call keep the swap state [venue-line-faults]', async () => {
    for (const line of lines.filter((line) => isBeside(id, line))) {
      const { state } = (await line.call(bench.afresh(), never())) as SwapStatus
      for (const [trouble] of TROUBLES) expect(await during(trouble, line, bench.afresh()), told(line)).toMatchObject({ state })
    }
  })

  test('have no effect once cleared: the same adapter answers again [venue-line-faults]', async () => {
    const venue = bench.afresh()
    for (const line of essential()) {
      await during('http-500', line, venue).catch(() => null)
      await line.call(venue, never())
    }
  })
})
