import { expect, it } from 'vitest'
import { PAID_IN, startMoneyBench } from '../../../support/moneyBench.ts'
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

it.each(cases)('a refund is found where one of three endpoints answers %s: %s [refund-not-hidden]', async (lie, liar) => {
  expect((await followed(lie, liar)).minutes).toBeLessThan(5)
})

it('a status reads few of the many payments that one endpoint names and no endpoint shows', async () => {
  const { minutes, reads } = await followed('110 large payments that never were, in each range', 'b', false)
  expect(minutes).toBe(30)
  expect(reads).toBeLessThan(200)
})
