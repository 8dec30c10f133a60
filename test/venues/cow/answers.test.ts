import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { FaultName } from '../../../engine/simnet/kit/faults.ts'
import { VenueError } from '../../../engine/venues/venueError.ts'
import type { VenueBench } from '../../support/venueBench.ts'
import { never, refusalOf, swapOf } from '../../support/venueKit/calls.ts'
import lies from './lies.json' with { type: 'json' }
import {
  type Body,
  cannedCow,
  ETHER_SPENT,
  etherToUsdc,
  openBench,
  quoteAnswer,
  STRANGER,
  submitted,
  usdcToWeth,
} from './support.ts'

let bench: VenueBench
beforeEach(async () => {
  bench = await openBench()
})
afterEach(() => bench.close())

const quoteWith = async (change: { quote?: Body; top?: Body }, order = usdcToWeth()) => {
  const { venue } = cannedCow(({ body }) => ({ body: quoteAnswer(body as Body, change) }))
  return await venue.quote(order, never()).catch((error: unknown) => error)
}

const expectRejected = (outcome: unknown, check = expect.any(String)): void => {
  expect(outcome).toBeInstanceOf(VenueError)
  expect(outcome).toMatchObject({ kind: 'rejected', check })
}

describe('quote: an answer that differs from the request', () => {
  test('has a valid canned answer as the starting point', async () => {
    expect(await quoteWith({})).toMatchObject({ venue: 'cow' })
  })

  test.each(lies as unknown as [string, Body, string][])('is rejected with %s', async (_name, quote, check) => {
    expectRejected(await quoteWith({ quote }), check)
  })

  test('is rejected with another owner', async () => {
    expectRejected(await quoteWith({ top: { from: STRANGER } }))
  })

  test('is rejected for an on-chain order without a quote id', async () => {
    const order = etherToUsdc()
    expect(await quoteWith({ quote: ETHER_SPENT }, order)).toMatchObject({ executionType: 'TRANSACTION' })
    expectRejected(await quoteWith({ quote: ETHER_SPENT, top: { id: null } }, order), 'id')
  })

  test('is accepted for an ERC-20 order without a quote id', async () => {
    expect(await quoteWith({ top: { id: null } })).toMatchObject({ carry: { v: 1, quoteId: null } })
  })
})

test.each<[string, readonly unknown[]]>([
  // An integer, a decimal number below everything, a time.
  ['id', ['1', -1, 2 ** 60]],
  ['protocolFeeBps', ['10000', '-1', '1e2', '', 'x', 2]],
  ['expiration', ['soon', '2026-99-99T00:00:00Z', '2026-09-21', 1_790_000_000]],
])('quote: rejects a field of the wrong type or range: %s of %j', async (field, values) => {
  for (const value of values) expectRejected(await quoteWith({ top: { [field]: value } }))
})

test('quote: returns prices that are wrong by twelve decimals or a factor of 100 unchanged, for the race to check', async () => {
  const honest = await bench.venue.quote(usdcToWeth({ feeBps: 0 }), never())
  bench.faults.set('cow', 'price-x100', {}, 1)
  const dear = await bench.venue.quote(usdcToWeth({ feeBps: 0 }), never())
  expect(dear.outputAmount).toBe(honest.outputAmount * 100n)
  bench.faults.set('cow', 'wrong-decimals', { direction: 'up' }, 1)
  expect((await bench.venue.quote(usdcToWeth({ feeBps: 0 }), never())).outputAmount).toBe(honest.outputAmount * 10n ** 12n)
})

test.each<FaultName>(['wrong-recipient', 'wrong-amount', 'bad-signature'])(
  'execute: rejects a simulated book with the fault %s',
  async (fault) => {
    bench.faults.set('cow', fault, {}, 1)
    expect((await refusalOf(bench.venue.quote(usdcToWeth(), never()))).kind).toBe('rejected')
  },
)

test('submit: rejects an order created under another UID than the signed one', async () => {
  const swap = await swapOf(bench.venue, usdcToWeth())
  bench.faults.set('cow', 'bad-signature', {}, 1)
  expect((await refusalOf(submitted(bench.venue, swap))).kind).toBe('rejected')
})

test('execute: rejects app data registered under another hash for a native order', async () => {
  const { venue } = cannedCow(({ method, body }) =>
    method === 'PUT' ? { body: `0x${'1'.repeat(64)}` } : { body: quoteAnswer(body as Body, { quote: ETHER_SPENT }) },
  )
  expect((await refusalOf(swapOf(venue, etherToUsdc()))).kind).toBe('rejected')
})
