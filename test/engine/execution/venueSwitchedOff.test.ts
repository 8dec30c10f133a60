import { privateKeyToAccount } from 'viem/accounts'
import { afterEach, describe, expect, it } from 'vitest'
import type { Engine } from '../../../engine/engine.ts'
import { anOrder } from '../../support/anOrder.ts'
import { pair, TOKENS } from '../../support/fakeChains.ts'
import { createFakeVenue, type FakeVenue, type FakeVenueOptions, statusOf } from '../../support/fakeVenue.ts'
import { createTestEngine, refusalOf, START_AT, type TestEngine } from '../../support/testEngine.ts'

/** A well-known development key; nobody's money. */
const ALICE = privateKeyToAccount('0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80')
const ORDER = anOrder({ from: pair(TOKENS.usdcEthereum), to: pair(TOKENS.usdcArbitrum), amount: 1_000_000n })

const closers: (() => Promise<void>)[] = []

afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

type Stage = { readonly before: TestEngine; readonly after: TestEngine; readonly venue: FakeVenue; readonly quoteToken: string }

/** A quote of a toy venue, and the engine as it is started again without that venue. */
const stage = async (kind: NonNullable<FakeVenueOptions['kind']>): Promise<Stage> => {
  const venue = createFakeVenue('toy', { kind, now: () => START_AT })
  const before = await createTestEngine({ venues: [venue] })
  closers.push(() => before.close())
  const { quoteToken } = await before.engine.quote(ORDER, before.context)
  const venues = [venue, createFakeVenue('other')]
  const after = await createTestEngine({ venues, venuesEnabled: ['other'], store: before.store })
  return { before, after, venue, quoteToken }
}

const execute = ({ engine, context }: TestEngine, quoteToken: string): ReturnType<Engine['execute']> =>
  engine.execute({ quoteToken, destinationAddress: null, refundAddress: null }, context)

describe('a venue that is switched off [execute-venue-disabled-410]', () => {
  it('still tells where its swaps stand', async () => {
    const { before, after, venue, quoteToken } = await stage('DEPOSIT')
    const { statusRef } = await execute(before, quoteToken)
    venue.script.track = async () => statusOf('processing')
    const told = await after.engine.status({ quoteToken, ref: statusRef ?? '' }, after.context)
    expect(told).toMatchObject({ venue: 'toy', isTracked: true, state: 'processing' })
  })

  it('still takes the signatures of what was executed', async () => {
    const { before, after, venue, quoteToken } = await stage('SIGNATURE')
    const { payload } = await execute(before, quoteToken)
    if (payload.executionType !== 'SIGNATURE') throw new TypeError('expected a SIGNATURE')
    const signature = await ALICE.signTypedData(payload.typedData as unknown as Parameters<typeof ALICE.signTypedData>[0])
    const submitted = await after.engine.submitSignature({ quoteToken, signature, approvalSignature: null }, after.context)
    expect(submitted).toEqual({ venue: 'toy', statusRef: 'toy-order-1' })
    expect(venue.calls.submit).toHaveLength(1)
  })

  it('executes nothing: neither a quote that has not expired nor one that was executed before', async () => {
    const { before, after, venue, quoteToken } = await stage('DEPOSIT')
    const refused = async () => (await refusalOf(execute(after, quoteToken), 'QUOTE_EXPIRED')).details
    expect(await refused()).toEqual({ venue: 'toy', reason: 'venueDisabled' })
    await execute(before, quoteToken)
    expect(await refused()).toEqual({ venue: 'toy', reason: 'venueDisabled' })
    expect(venue.calls.execute).toHaveLength(1)
  })

  it('is neither quoted nor part of the health, and may be named among those to leave out', async () => {
    const { after, venue } = await stage('TRANSACTION')
    expect((await after.engine.quote(ORDER, after.context)).venue.id).toBe('other')
    expect(venue.calls.quote).toHaveLength(1)
    expect((await after.engine.health()).venues.map(({ id }) => id)).toEqual(['other'])
    expect(after.engine.venueIds).toEqual(['toy', 'other'])
  })
})
