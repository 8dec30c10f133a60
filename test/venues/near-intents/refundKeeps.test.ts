import { expect, test } from 'vitest'
import { closedAfterEach } from '../../support/venueKit/benches.ts'
import { altered, said, swapOf } from '../../support/venueKit/calls.ts'
import { bitcoinToBase, openBench, toldBySigner, usdcToSolana } from './support.ts'

const open = closedAfterEach(openBench)

// Refunds of the simulated venue cost what its quote says: settles.test.ts.
test.each([
  ['the signed cost', '86690', 86_690n],
  ['zero without a signed cost', null, 0n],
  ['at most half of the input', '999999999', 500_000_000n],
  ['the signed cost, up to half', '500000000', 500_000_000n],
])('refunds: the deduction is %s', async (_what, refundFee, amount) => {
  const bench = await open()
  const { venue } = toldBySigner(bench, (answer) => altered(answer, 'quote.refundFee', refundFee))
  const swap = await swapOf(venue, usdcToSolana())
  expect(venue.profile.refundKeeps(swap)).toEqual({ amount, bps: 0 })
})

test('refunds: unreadable or incomplete evidence allows no deduction', async () => {
  const { venue } = await open()
  const swap = await swapOf(venue, bitcoinToBase())
  expect(venue.profile.refundKeeps(swap)).toEqual({ amount: 1_900n, bps: 0 })
  for (const [path, value] of [
    ['execution.evidence', null],
    ['execution.evidence.words', {}],
    ['execution.evidence.words.refundFee', '1.5'],
    ['execution.evidence.words.refundFee', -1],
  ] as const)
    expect(venue.profile.refundKeeps(altered(swap, path, value))).toEqual({ amount: 0n, bps: 0 })
})

const DAY = 86_400_000
const TO_COME = '2026-11-23T00:00:00.000Z'

// Recorded quotes have the same time twice.
test.each([
  ['both', TO_COME, TO_COME, TO_COME],
  ['the later one', TO_COME, '2026-11-24T00:00:00.000Z', '2026-11-24T00:00:00.000Z'],
  ['the deadline alone', TO_COME, null, TO_COME],
])('near-intents: a deposit address is final after %s', async (_what, deadline, timeWhenInactive, dead) => {
  const bench = await open()
  const { venue } = toldBySigner(bench, (answer) =>
    altered(altered(answer, 'quote.deadline', deadline), 'quote.timeWhenInactive', timeWhenInactive),
  )
  const { deadlineAt, fee } = await venue.decode((await swapOf(venue, usdcToSolana())).execution)
  expect(deadlineAt).toBe(Date.parse(dead))
  expect(said(fee)).toBeNull()
})

test('near-intents: a deposit address past its deadline is final, whatever the retention', async () => {
  const bench = await open()
  const { venue } = toldBySigner(bench, (answer) => altered(answer, 'quote.timeWhenInactive', '2026-12-10T00:00:00.000Z'))
  const { execution } = await swapOf(venue, usdcToSolana())
  expect(await venue.decode(execution)).toMatchObject({ deadlineAt: Date.parse('2026-12-10T00:00:00.000Z') })
  bench.clock.advance(10 * DAY)
  const { deadlineAt } = await venue.decode(execution)
  expect(deadlineAt).toBeLessThan(bench.clock.now())
})
