import { expect, test } from 'vitest'
import { chainFails } from '../../support/fakeChains.ts'
import { closedAfterEach } from '../../support/venueKit/benches.ts'
import { alteredBy, never, refusalOf } from '../../support/venueKit/calls.ts'
import type { Answer } from '../../support/venueKit/canned.ts'
import table from './declines.json' with { type: 'json' }
import { OTHER, openBench, orders, told, WITH_FEE } from './support.ts'

const open = closedAfterEach(openBench)
const refusedWith = async (answer: Answer) =>
  refusalOf(told(await open(), { instead: () => answer }).venue.quote(orders.usdc(), never()))

type Row = readonly [what: string, answer: Answer, refusal: object]
test.each(table.answers as unknown as readonly Row[])('quote: maps %s to an error kind', async (_what, answer, refusal) => {
  expect(await refusedWith(answer)).toMatchObject(refusal)
})

test('quote: the simulated Jupiter declines too much, one unit, and SOL for another wallet', async () => {
  const { venue, sent } = await open()
  expect((await refusalOf(venue.quote(orders.usdc({ amount: 10n ** 13n }), never()))).kind).toBe('noLiquidity')
  expect((await refusalOf(venue.quote(orders.sol({ amount: 1n }), never()))).kind).toBe('noLiquidity')
  const before = sent.length
  const refusal = await refusalOf(venue.quote(orders.toSol({ recipient: OTHER }), never()))
  expect(refusal).toMatchObject({ kind: 'badRequest', party: 'recipient' })
  const offer = await venue.quote(orders.toSol(), never())
  const bound = { recipient: OTHER, refundTo: orders.toSol().refundTo }
  expect((await refusalOf(venue.execute({ order: orders.toSol(), offer }, bound, never()))).party).toBe('recipient')
  expect(sent).toHaveLength(before + 1)
})

test.each([
  ['a missing mint', () => Promise.resolve(null), 'unsupportedPair'],
  ['an unreachable chain', chainFails('unreachable', -2), 'unavailable'],
  ['a slow chain', chainFails('timeout', -2), 'timeout'],
] as const)('quote: the token account of another wallet is unknown: %s', async (_what, read, kind) => {
  const bench = await open()
  bench.chains.script.solanaAccount = read
  expect((await refusalOf(bench.venue.quote(orders.usdc(), never()))).kind).toBe(kind)
})

/** Nothing is told as a limit of the service, or as too little, where anything else is refused. */
test.each(table.changes as unknown as readonly [string, number, object, object | null][])(
  'quote: accepts only a valid offer: an answer with %s, at a fee of %d',
  async (_what, feeBps, changes, refusal) => {
    const change = (body: never) => alteredBy(body, Object.entries(changes))
    const quoted = told(await open(), { change, settings: WITH_FEE }).venue.quote(orders.usdc({ feeBps }), never())
    if (refusal === null) expect((await quoted).outputAmount).toBeGreaterThan(0n)
    else expect(await refusalOf(quoted)).toMatchObject(refusal)
  },
)
