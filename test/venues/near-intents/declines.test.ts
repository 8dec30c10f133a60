import { expect, test } from 'vitest'
import { nearIntents } from '../../../engine/venues/near-intents/venue.ts'
import { anOrder } from '../../support/anOrder.ts'
import { closedAfterEach } from '../../support/venueKit/benches.ts'
import { never, refusalOf } from '../../support/venueKit/calls.ts'
import { type Answer, canned, toldBy } from '../../support/venueKit/canned.ts'
import refusals from './refusals.json' with { type: 'json' }
import { bitcoinToBase, openBench, USDC } from './support.ts'

const open = closedAfterEach(openBench)

const refusedWith = async (answer: Answer) => {
  const { sim } = await open()
  const telling = toldBy(sim)
  const { venue } = canned(nearIntents, (asked) => (asked.path === '/v0/quote' ? answer : telling(asked)), {
    settings: sim.settings,
  })
  return refusalOf(venue.quote(bitcoinToBase(), never()))
}

type Refusal = [message: string, status: number, means: { readonly kind: string; readonly minimum?: string | null }]

/** A swap that is screened is declined in the venue's own words, and is not held against it; nor taken for a refused key. */
test.each([...refusals.messages, ...refusals.screened, ...refusals.aboutTheKey] as Refusal[])(
  '1Click error "%s" with HTTP %i',
  async (message, status, { minimum, ...means }) => {
    const refusal = await refusedWith({ status, body: { message, correlationId: '2f7b6a0e', path: '/v0/quote' } })
    expect(refusal).toMatchObject(means)
    if (minimum !== undefined) expect(refusal.minimum).toBe(minimum === null ? null : BigInt(minimum))
  },
)

test.each(refusals.unreadable as [string, number, string, string][])('1Click error: %s', async (_name, status, raw, kind) => {
  expect((await refusedWith({ status, raw })).kind).toBe(kind)
})

test('quote: declines a token outside the token list without a request', async () => {
  const bench = await open()
  for (const order of [
    anOrder({ from: [8453, '0x4200000000000000000000000000000000000006'], to: [8453, USDC.base], amount: 10n ** 18n }),
    anOrder({ from: [8453, USDC.base], to: [1, '0x1111111111111111111111111111111111111111'], amount: 10n ** 9n }),
  ])
    expect((await refusalOf(bench.venue.quote(order, never()))).kind).toBe('unsupportedPair')
  expect(bench.sent.map(({ path }) => path)).toEqual(['/v0/tokens'])
})

test('quote: the reported minimum amount is accepted by the venue', async () => {
  const { venue } = await open()
  const dust = await refusalOf(venue.quote(bitcoinToBase({ amount: 300n }), never()))
  expect(dust).toMatchObject({ kind: 'amountTooSmall', minimum: 5_000n, isDecline: true })
  expect((await venue.quote(bitcoinToBase({ amount: dust.minimum ?? 0n }), never())).outputAmount).toBeGreaterThan(0n)
})
