import { expect, it } from 'vitest'
import { PAID_IN } from '../../../support/moneyBench.ts'
import { idOf, resets } from '../../chains/evidenceBench.ts'
import { payee } from '../../chains/evmBench.ts'
import { hashOf, logAt, searchBench } from '../../chains/searchBench.ts'
import { openScene } from './scenes.ts'

const HOUR_MS = 3_600_000
const fakes = (height: number, length = 1_001) => Array.from({ length }, (_none, index) => logAt(height, index + 1, 2n ** 255n))

/** What an endpoint answers instead of the logs of a range. */
const LIES: { readonly [lie: string]: ReturnType<typeof searchBench>['lies'][string] } = {
  'no logs and a newest block that is not there yet': () => [],
  '1,001 large payments that never were, in its newest blocks': (logs, { to }) => (to % 1_800 > 1_700 ? fakes(to) : logs),
  '110 large payments that never were, in each range': (logs, { to }) => [...logs, ...fakes(to, 110)],
  'errors for some ranges': (logs, { from }) => (from % 3 === 0 ? resets : logs),
}

/** Follows a swap whose refund came six hours ago, or never. */
const followed = async (lie: string, liar: string, isRefunded = true) => {
  const real = searchBench({ chainId: 1, blockMs: 12_000, logBlocks: { a: 100, b: 100, c: 100 } })
  const { head, clock, paid, lies, wrong } = real
  if (LIES[lie]) lies[liar] = LIES[lie]
  if (lie.includes('newest block that')) wrong.latest[liar] = 10
  const ofChain = { since: clock.at - 6 * HOUR_MS, least: 1n }
  const { a, chain, pass } = await openScene({ kind: 'DEPOSIT', change: { caller: { partnerId: 'p' } } })
  const { search } = chain
  chain.search = (query, signal) =>
    query.recipient === payee ? real.evidence.search({ ...query, ...ofChain }, signal) : search(query, signal)
  chain.searchByTwo = (query, signal) => real.evidence.searchByTwo({ ...query, ...ofChain }, signal)
  const height = head() - 1_500
  if (isRefunded) {
    paid.add(height)
    a.giveBack(PAID_IN, { hash: idOf(1, hashOf(height)) })
  }
  a.says('refunded')
  let minutes = 0
  for (; minutes < 30 && (await a.told()).state !== 'refunded'; minutes += 1) {
    pass(60_000)
    real.pass(60_000)
  }
  return { minutes, reads: chain.reads.filter(({ method }) => method === 'transaction').length - minutes }
}

const CASES = Object.keys(LIES).flatMap((lie) => ['a', 'b', 'c'].map((liar) => [lie, liar] as const))
it.each(CASES)(
  'refund: is found within minutes when one of three endpoints answers %s: %s [refund-not-hidden]',
  async (lie, liar) => {
    expect((await followed(lie, liar)).minutes).toBeLessThan(5)
  },
)

it('refund: a status reads few of the many payments that one endpoint alone names', async () => {
  const { minutes, reads } = await followed('110 large payments that never were, in each range', 'b', false)
  expect(minutes).toBe(30)
  expect(reads).toBeLessThan(200)
})
