import { test } from 'vitest'
import { relay } from '../../../engine/venues/relay/venue.ts'
import type { VenueDefinition } from '../../../engine/venues/venue.ts'
import { type Cases, readCases, runCase } from '../../support/venueKit/runCase.ts'
import { withBench } from '../everyVenue.ts'
import json from './cases.json' with { type: 'json' }
import { idOf } from './support.ts'

/** An answer whose order id is the hash of its order, wherever the answer states the id. */
const rehashed = async (text: string): Promise<string> => {
  const { orderId, orderData } = JSON.parse(text).protocol?.v2 ?? {}
  return orderData ? text.replaceAll(orderId.slice(2), (await idOf(orderData)).slice(2)) : text
}

/** The adapter of a venue that lies consistently. */
const consistent: VenueDefinition = {
  ...relay,
  create: (config, { http, ...ports }) => {
    const send: typeof http.send = async (request) => {
      const answer = await http.send(request)
      return { ...answer, text: await rehashed(answer.text) }
    }
    return relay.create(config, { ...ports, http: { ...http, send } })
  },
}

const { forged, ...all } = json
const cases: Cases = readCases({ ...all, cases: forged })

test.each(cases.cases.map((one) => [one.title, one] as const))('quote: %s [venue-relay]', (_title, one) =>
  withBench(relay, (bench) => runCase(consistent, bench, cases, one)),
)
