import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { VENUE_DEFINITIONS } from '../../engine/venues/registry.ts'
import { type Case, type Cases, readCases, runCase } from '../support/venueKit/runCase.ts'
import { withBench } from './everyVenue.ts'

/** Runs the cases of each venue: an order, other answers than the simulator's, what must be sent, and the outcome. */

const FOLDER = new URL('.', import.meta.url)
const withCases = VENUE_DEFINITIONS.flatMap((definition) => {
  const folder = new URL(`${definition.id}/`, FOLDER)
  if (!readdirSync(folder).includes('cases.json')) return []
  const json: unknown = JSON.parse(readFileSync(new URL('cases.json', folder), 'utf8'))
  return Array.isArray((json as Cases).cases) ? [{ definition, cases: readCases(json) }] : []
})

test('there are cases', () => expect(withCases.length).toBeGreaterThan(0))

describe.each(withCases)('$definition.id', ({ definition, cases }) => {
  const rows = cases.cases.map((one): readonly [string, Case] => [`${one.call}: ${one.title}`, one])
  test.each(rows)('%s', (_title, one) => withBench(definition, (bench) => runCase(definition, bench, cases, one)))
})
