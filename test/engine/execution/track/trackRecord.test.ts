import { afterEach, expect, it } from 'vitest'
import { toAmount } from '../../../../engine/core/amount.ts'
import { createTrackRecord } from '../../../../engine/execution/track/trackRecord.ts'
import { anOrder } from '../../../support/anOrder.ts'
import { pair, TOKENS } from '../../../support/fakeChains.ts'
import { createFakeVenue, fails, statusOf } from '../../../support/fakeVenue.ts'
import { guardedVenue } from '../../../support/guardedVenue.ts'
import { createTestEngine, START_AT, type TestEngine } from '../../../support/testEngine.ts'

const HASH = `0x${'ab'.repeat(32)}`

let closer: TestEngine | null = null
afterEach(async () => {
  await closer?.close()
})

/** An executed swap of a toy venue, followed by its record alone. */
const bench = async (kind: 'DEPOSIT' | 'TRANSACTION' = 'DEPOSIT') => {
  const venue = createFakeVenue('toy', { kind, now: () => START_AT })
  const started = await createTestEngine({ venues: [venue] })
  closer = started
  const { engine, context, store, solana, clock } = started
  const order = anOrder({ from: pair(TOKENS.usdcEthereum), to: pair(TOKENS.usdcArbitrum), amount: 1_000_000n })
  const { quoteToken } = await engine.quote(order, context)
  const { statusRef } = await engine.execute({ quoteToken, destinationAddress: null, refundAddress: null }, context)
  const recordOf = async () => {
    const record = await store.swaps.byId(1)
    if (!record) throw new Error('nothing was stored')
    return record
  }
  const trackWith = (venues: readonly (typeof venue)[]) => {
    const guarded = new Map(venues.map((one) => [one.profile.id, guardedVenue(one)]))
    const trackRecord = createTrackRecord({ venues: guarded, store, solana, clock, evidence: 'trustVenues' })
    return async () => trackRecord(await recordOf(), { ...context, observe: () => undefined })
  }
  return {
    venue,
    recordOf,
    track: trackWith([venue]),
    trackWith,
    status: (ref: string = statusRef ?? '') => engine.status({ quoteToken, ref }, context),
  }
}

it('follows a swap to its end without its quote token, and /status tells that end', async () => {
  const { venue, track, status, recordOf } = await bench()
  venue.script.track = async () => statusOf('processing')
  expect(await track()).toEqual(statusOf('processing'))
  const success = statusOf('success', { deliveredAmount: toAmount(999_000n), txHash: HASH })
  venue.script.track = async () => success
  expect(await track()).toEqual(success)
  expect(await recordOf()).toMatchObject({ status: success })
  venue.script.track = fails(new Error('must not be asked'))
  expect(await status()).toMatchObject(success)
  expect(await track()).toEqual(success)
  expect(venue.calls.track).toHaveLength(2)
})

it('asks nobody of a transaction whose wallet has not named it yet, and goes by it once it is recognised', async () => {
  const { venue, track, status } = await bench('TRANSACTION')
  expect(await track()).toMatchObject({ state: 'pending' })
  expect(venue.calls.track).toEqual([])
  venue.script.track = async () => statusOf('processing')
  await status(HASH)
  expect(await track()).toMatchObject({ state: 'processing' })
  expect(venue.calls.track.map(({ ref }) => ref)).toEqual([HASH, HASH])
})

it('leaves a swap as it was last seen when its venue cannot be followed any more', async () => {
  const { venue, track, trackWith } = await bench()
  venue.script.track = async () => statusOf('processing')
  await track()
  expect(await trackWith([])()).toEqual(statusOf('processing'))
})
