import { expect, it } from 'vitest'
import type { SwapEvents } from '../../../../engine/venues/venue.ts'
import { OVER_MS, PAID_IN, startMoneyBench } from '../../../support/moneyBench.ts'
import { closedAfterEach } from '../../../support/venueKit/benches.ts'
import { idOf, resets } from '../../chains/evidenceBench.ts'
import { payee } from '../../chains/evmBench.ts'
import { hashOf, logAt, searchBench } from '../../chains/searchBench.ts'

const start = closedAfterEach(startMoneyBench)
const HOUR = 3_600_000
const fakes = (height: number, length = 1_001) => Array.from({ length }, (_none, index) => logAt(height, index + 1, 2n ** 255n))

/** What an endpoint answers in the place of the logs of a range. */
const LIES: { readonly [lie: string]: ReturnType<typeof searchBench>['lies'][string] } = {
  'no logs': () => [],
  'no logs and a newest block that is not there yet': () => [],
  '1,001 large payments that never were, in its newest blocks': (logs, { to }) => (to % 1_800 > 1_700 ? fakes(to) : logs),
  'such payments in the place of the others, in each range': (_logs, { to }) => fakes(to),
  '110 large payments that never were, in each range': (logs, { to }) => [...logs, ...fakes(to, 110)],
  'errors for some ranges': (logs, { from }) => (from % 3 === 0 ? resets : logs),
}
const cases = Object.keys(LIES).flatMap((lie) => ['a', 'b', 'c'].map((liar) => [lie, liar] as const))

/** A swap whose refund came six hours ago, or never. */
const followed = async (lie: string, liar: string, isRefunded = true) => {
  const real = searchBench({ chainId: 1, blockMs: 12_000, logBlocks: { a: 100, b: 100, c: 100 } })
  const { head, clock, paid, lies, wrong } = real
  if (LIES[lie]) lies[liar] = LIES[lie]
  if (lie.includes('newest block that')) wrong.latest[liar] = 10
  const since = clock.at - 6 * HOUR
  const on = await start('DEPOSIT', {}, { caller: { partnerId: 'p' } })
  const { search } = on.chain
  const ofChain = { since, least: 1n }
  on.chain.search = (query, signal) =>
    query.recipient === payee ? real.evidence.search({ ...query, ...ofChain }, signal) : search(query, signal)
  on.chain.searchByTwo = (query, signal) => real.evidence.searchByTwo({ ...query, ...ofChain }, signal)
  const swap = await on.execute()
  on.pay(swap)
  const height = head() - 1_500
  if (isRefunded) paid.add(height)
  if (isRefunded) on.giveBack(swap, PAID_IN, { hash: idOf(1, hashOf(height)) })
  on.says('refunded')
  const found = async () => (await on.stateOf(swap)) === 'refunded'
  let minutes = 0
  for (; minutes < 30 && !(await found()); minutes += 1) {
    on.pass(60_000)
    real.pass(60_000)
  }
  return { minutes, reads: on.chain.reads.filter(({ method }) => method === 'transaction').length - minutes }
}

it.each(cases)('a refund is found where one of three endpoints answers %s: %s', async (lie, liar) => {
  expect((await followed(lie, liar)).minutes).toBeLessThan(5)
})

it('a status reads few of the many payments that one endpoint names and no endpoint shows', async () => {
  const { minutes, reads } = await followed('110 large payments that never were, in each range', 'b', false)
  expect(minutes).toBe(30)
  expect(reads).toBeLessThan(200)
})

/** The digits of an amount tell whose a payment to the shared address is. */
const EVENTS: SwapEvents = {
  inputs: async (seen, { order }) =>
    seen.movements
      .filter(({ amount }) => amount === PAID_IN)
      .map(({ place, amount }) => ({ place, orderId: seen.hash, took: { token: order.input.address, amount } })),
  outputs: async () => [],
  refunds: async () => [],
  named: async () => [],
}

it.each(
  [9, 1_001].flatMap((length) => ['a', 'b', 'c'].flatMap((liar) => [true, false].map((isPaid) => ({ length, liar, isPaid })))),
)('a shared address to which $liar invents $length payments in each range: the swap ends, paid: $isPaid', async (one) => {
  const { length, liar, isPaid } = one
  const real = searchBench({ chainId: 1, blockMs: 12_000, logBlocks: { a: 100, b: 100, c: 100 } })
  real.lies[liar] = (logs, { to }) => [...logs, ...fakes(to, length)]
  const since = real.clock.at - 2 * HOUR
  const profile = { amountCarriesReference: () => 99n }
  const on = await start('DEPOSIT', { events: EVENTS, profile }, { caller: { partnerId: 'p' } })
  const swap = await on.execute()
  const ofChain = { since, least: 1n, recipient: payee }
  on.chain.search = (query, signal) => real.evidence.search({ ...query, ...ofChain }, signal)
  on.chain.searchByTwo = async (query, signal) => {
    const found = await real.evidence.searchByTwo({ ...query, ...ofChain }, signal)
    return { ...found, until: (found.until ?? 0) + on.clock.at - real.clock.at }
  }
  const height = real.head() - 333
  real.paid.add(height)
  on.pay(swap, isPaid ? PAID_IN : 1n, { hash: idOf(1, hashOf(height)) })
  on.pass(OVER_MS + 1)
  for (let minute = 0; minute < 20 && (await on.payments(swap)).length === 0; minute += 1) {
    if ((await on.stateOf(swap)) === 'failed') break
    on.pass(60_000)
    real.pass(60_000)
  }
  expect(await on.stateOf(swap)).toBe(isPaid ? 'processing' : 'failed')
  expect(await on.payments(swap)).toMatchObject(isPaid ? [{ kind: 'input' }] : [])
  if (isPaid || liar === 'c') return
  const event = { event: 'chain.contradicted', endpoint: liar === 'a' ? 1 : 2 }
  expect(real.events.filter((one) => one.event === 'chain.contradicted')).toMatchObject([event])
})
