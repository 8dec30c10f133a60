import { describe, expect, test } from 'vitest'
import type { VenueOrder } from '../../engine/core/order.ts'
import { judgePayload, mismatchError } from '../../engine/execution/payloadProof.ts'
import { checkOffer } from '../../engine/quoting/offerRules.ts'
import { DRIFT_FAULTS, driftsOf } from '../../engine/simnet/kit/drift.ts'
import type { AnswerCall } from '../../engine/venues/answerBook.ts'
import type { GuardedVenue } from '../../engine/venues/guard.ts'
import { VENUE_DEFINITIONS } from '../../engine/venues/registry.ts'
import { VenueError } from '../../engine/venues/venueError.ts'
import { anOrder } from '../support/anOrder.ts'
import { guardedVenue } from '../support/guardedVenue.ts'
import { never, type Swap, swapOf } from '../support/venueKit/calls.ts'
import REJECTIONS from './drifts.json' with { type: 'json' }
import { type AnyBench, pay, servedBy, withBench } from './everyVenue.ts'

/**
 * For each venue and each change of `engine/simnet/kit/drift.json`, the adapter accepts every answer, or the venue is reported as
 * rejecting within 20 calls and still called.
 */

type Rejections = { readonly [venue: string]: { readonly [drift: string]: { readonly [call: string]: string } } }

const CALLS = 20
const CALLERS = 3
const MANY = 1_000_000

type Outcome = { readonly accepted: number; readonly reported: readonly string[] }

/** USDC to WETH on Ethereum: a second pair of venues that sell no coins. */
const TO_WETH = anOrder({
  from: [1, '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'],
  to: [1, '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2'],
  amount: 400_000_000n,
})

/** The venue's first two pairs; the second is the first turned round where the venue serves one pair only. */
const pairsOf = (bench: AnyBench): readonly VenueOrder[] => {
  const served = [...servedBy(bench), TO_WETH].filter((order) => bench.venue.profile.serves(order))
  const [first] = served
  if (!first) throw new Error('serves nothing')
  const reversed = { ...first, input: first.output, output: first.input, sender: first.recipient, recipient: first.sender }
  const pair = ({ input, output }: VenueOrder): string => JSON.stringify([input, output])
  return [first, served.find((order) => pair(order) !== pair(first)) ?? reversed]
}

const calling = (client: string) => ({ observe: () => undefined, client, signal: never() })

const thrown = async (work: () => Promise<unknown>): Promise<VenueError | null> => {
  try {
    await work()
    return null
  } catch (error) {
    if (error instanceof VenueError) return error
    throw error
  }
}

const quoteOnce = async (venue: GuardedVenue, order: VenueOrder, client: string, now: number): Promise<VenueError | null> => {
  const { profile } = venue
  const answer = await venue.quote(
    order,
    async (offer) => checkOffer({ offer, order, asked: order, profile, now }),
    calling(client),
  )
  const error = answer.result === 'error' ? answer.error : null
  expect(answer.result, 'the breaker is closed').not.toBe('skipped')
  venue.answers.record({ call: 'quote', client, order }, error)
  return error
}

const executeOnce = (venue: GuardedVenue, swap: Swap, client: string, now: number): Promise<VenueError | null> =>
  thrown(async () => {
    const execution = await venue.execute(swap, swap.binding, calling(client))
    const { mismatches, proved } = await judgePayload(venue, execution, { sealed: swap, binding: swap.binding, now })
    const error = mismatches.length === 0 ? null : mismatchError(mismatches, proved)
    venue.proved(swap, error, calling(client), execution)
    if (error) throw error
  })

/** Makes 20 calls of one kind and says how many were accepted, and what the venue is reported for. */
const callsOf = async (bench: AnyBench, call: AnswerCall, swaps: readonly Swap[], refs: readonly string[]): Promise<Outcome> => {
  const venue = guardedVenue(bench.afresh())
  const now = bench.clock.now()
  let accepted = 0
  for (let i = 0; i < CALLS; i += 1) {
    const client = `caller ${i % CALLERS}`
    const swap = swaps[i % swaps.length] as Swap
    const error = await {
      quote: () => quoteOnce(venue, swap.order, client, now),
      execute: () => executeOnce(venue, swap, client, now),
      status: () => thrown(async () => venue.tracker?.track(refs[i % refs.length] ?? '', swap, calling(client))),
    }[call]()
    if (error === null) accepted += 1
  }
  expect([venue.trouble, venue.isResting]).toEqual([null, false])
  return { accepted, reported: venue.answers.rejecting.flatMap((one) => (one.call === call && one.isWhole ? [one.check] : [])) }
}

describe.each(VENUE_DEFINITIONS.map((definition) => [definition.id, definition] as const))('%s', (id, definition) => {
  const drifts = Object.keys(driftsOf(id))

  test('has at least two drift faults', () => {
    expect(drifts.length).toBeGreaterThanOrEqual(2)
    for (const drift of drifts) expect(DRIFT_FAULTS).toContain(drift)
  })

  test.each(drifts)('%s: accepts every answer, or reports rejections by the venue [venue-drift-tolerated]', (drift) =>
    withBench(definition, async (bench) => {
      const swaps: Swap[] = []
      for (const order of pairsOf(bench)) swaps.push(await swapOf(bench.venue, order))
      const refs: string[] = []
      for (const swap of swaps) refs.push(await pay(bench, swap))
      bench.clock.advance(6_000)
      const honest = await callsOf(bench, 'quote', swaps, refs)
      expect(honest).toEqual({ accepted: CALLS, reported: [] })
      bench.faults.set(id, drift as never, {}, MANY)
      const rejections: { [call: string]: string } = {}
      for (const call of ['quote', 'execute', 'status'] as const) {
        const { accepted, reported } = await callsOf(bench, call, swaps, refs)
        expect(accepted === CALLS || reported.length > 0, `${call}: ${accepted} accepted, reported ${reported}`).toBe(true)
        if (reported[0] !== undefined) rejections[call] = reported[0]
      }
      expect(bench.faults.list()[0]?.remaining, 'no answer was changed').toBeLessThan(MANY)
      expect(rejections).toEqual((REJECTIONS as Rejections)[id]?.[drift])
    }),
  )
})
