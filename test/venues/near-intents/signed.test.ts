import { expect, test } from 'vitest'
import { nativeAsset } from '../../../engine/core/asset.ts'
import { nearIntents } from '../../../engine/venues/near-intents/venue.ts'
import { START_OF_TIME } from '../../support/venueBench.ts'
import { closedAfterEach } from '../../support/venueKit/benches.ts'
import {
  altered,
  type Change,
  changed,
  depositOf,
  never,
  prove,
  refusalOf,
  said,
  swapOf,
  track,
} from '../../support/venueKit/calls.ts'
import { canned } from '../../support/venueKit/canned.ts'
import { API_KEY, FEE_ACCOUNT, openBench, orders, toldBySigner } from './support.ts'

const open = closedAfterEach(openBench)

/** A venue that changes its real quotes and signs the change. */
const signing = async (change: Change, order = orders.usdc()) => {
  const bench = await open()
  const { venue } = toldBySigner(bench, (answer) => (answer.quoteRequest['dry'] === false ? changed(answer, change) : answer))
  return { bench, venue, swap: () => swapOf(venue, order) }
}

test.each<[string, string, unknown]>([
  ['missing', 'depositAddress', '<absent>'],
  ['null', 'depositAddress', null],
  ['empty', 'depositAddress', ''],
  ['of another chain', 'depositAddress', 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'],
  ['with a wrong checksum', 'depositAddress', '0xf39fd6e51aad88F6F4ce6aB8827279cffFb92266'],
  ['without a deadline', 'deadline', '<absent>'],
  ['with a deadline before ours', 'deadline', '2026-11-20T00:29:59.000Z'],
  ['soon inactive', 'timeWhenInactive', '2026-11-20T00:10:00.000Z'],
  ['with a memo', 'depositMemo', '991'],
])('execute: a deposit address that is %s is rejected even when signed [venue-near-intents]', async (_what, field, value) => {
  const { swap } = await signing({ [`quote.${field}`]: value })
  expect(await refusalOf(swap())).toMatchObject({ isDecline: false, message: expect.stringContaining(field) })
})

test.each([
  [1, []],
  [3, []],
  [30, []],
  [31, ['deadline']],
])('execute: a deposit address with a lifetime of %i days has the objections %j', async (days, objections) => {
  const until = new Date(START_OF_TIME + days * 86_400_000).toISOString()
  const { venue, swap } = await signing({ 'quote.deadline': until, 'quote.timeWhenInactive': until }, orders.btc())
  expect(await prove(venue, await swap())).toEqual(objections)
})

// 981,362,695 expected, at 100 bps, as the live venue was found to answer.
test.each([
  ['rounded to fewer digits', '971549000', []],
  ['with the withdrawal fee taken after the tolerance', '971548834', []],
  ['two basis points below the requested one', '971352795', ['output.minimum']],
])('execute: a minimum %s', async (_what, minAmountOut, objections) => {
  const bench = await open()
  const { venue } = toldBySigner(bench, (answer) => altered(answer, 'quote.minAmountOut', minAmountOut))
  const swap = await swapOf(venue, orders.btc())
  expect(swap.offer.slippage?.guaranteedMin).toBe(BigInt(minAmountOut))
  const sealed = altered(swap, 'offer.slippage.guaranteedMin', 971_548_834n)
  expect(await prove(venue, sealed)).toEqual(objections)
})

test.each([
  ['the signed cost', '86690', 86_690n],
  ['zero without a signed cost', null, 0n],
  ['at most half of the input', '999999999', 500_000_000n],
  ['the signed cost, up to half', '500000000', 500_000_000n],
])('refunds: the deduction is %s', async (_what, refundFee, amount) => {
  const { venue, swap } = await signing({ 'quote.refundFee': refundFee })
  expect(venue.profile.refundKeeps(await swap())).toEqual({ amount, bps: 0 })
})

test('refunds: unreadable or incomplete evidence allows no deduction', async () => {
  const { venue } = await open()
  const swap = await swapOf(venue, orders.btc())
  expect(venue.profile.refundKeeps(swap)).toEqual({ amount: 1_900n, bps: 0 })
  for (const [path, value] of Object.entries({ '': null, '.words': {}, '.words.refundFee': -1 }))
    expect(venue.profile.refundKeeps(altered(swap, `execution.evidence${path}`, value))).toEqual({ amount: 0n, bps: 0 })
})

const [THIRD, FOURTH] = ['2026-11-23T00:00:00.000Z', '2026-11-24T00:00:00.000Z']
test.each([
  ['both', THIRD, THIRD, THIRD],
  ['the later one', THIRD, FOURTH, FOURTH],
  ['the deadline alone', THIRD, null, THIRD],
])(
  'decode: a deposit address is final after %s, and after its deadline whatever the retention',
  async (_what, deadline, inactive, end) => {
    const { bench, venue, swap } = await signing({ 'quote.deadline': deadline, 'quote.timeWhenInactive': inactive })
    const { execution } = await swap()
    const { deadlineAt, fee } = await venue.decode(execution)
    expect([deadlineAt, said(fee)]).toEqual([Date.parse(end), null])
    bench.clock.advance(3 * 86_400_000)
    expect((await venue.decode(execution)).deadlineAt).toBe(Date.parse(THIRD))
  },
)

test('decode: a payload is decoded after a restart from its evidence and the public token list', async () => {
  const bench = await open({ settings: { FEE_ACCOUNT, REFERRAL: 'acme' } })
  const { execution, offer } = await swapOf(bench.venue, orders.btc({ feeBps: 30 }))
  const evidence = JSON.stringify(execution.evidence)
  expect([evidence.length < 2_048, offer.carry]).toEqual([true, null])
  expect(await bench.afresh().decode({ ...execution, evidence: JSON.parse(evidence) })).toEqual(
    await bench.venue.decode(execution),
  )
})

test('execute: opens a new deposit address for every execution, and status requests it in the spelling of the venue', async () => {
  const bench = await open()
  const [one, other] = [await swapOf(bench.venue, orders.usdc()), await swapOf(bench.venue, orders.usdc())]
  const { address } = depositOf(one.execution)
  expect(depositOf(other.execution).address).not.toBe(address)
  await track(bench.venue, address.toLowerCase(), one)
  expect(bench.sent.at(-1)?.query.toString()).toBe(`depositAddress=${address}`)
})

const TOKEN = 'eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJhY21lIn0.c2lnbmF0dXJl'
test.each([
  ['a token', { apiKey: TOKEN }, ['authorization']],
  ['a key', { apiKey: API_KEY }, ['x-api-key']],
  ['no key', {}, []],
])('quote: of %s no other header is sent', async (_what, options, names) => {
  const { venue, sent } = await open(options)
  await venue.quote(orders.btc(), never())
  for (const { headers } of sent)
    expect(['authorization', 'x-api-key'].filter((name) => headers[name] !== undefined)).toEqual(names)
})

test('near-intents: the venue holds every input, takes the fee on trust, and a short key stops the start', async () => {
  const { profile } = (await open({ settings: { FEE_ACCOUNT } })).venue
  const order = orders.sol()
  expect([profile.holdsInput(order, 'DEPOSIT'), profile.feeRecipient(order)]).toEqual([true, FEE_ACCOUNT])
  expect(profile.takesOnTrust.map(({ executionType, parts }) => [executionType, parts])).toEqual([['DEPOSIT', ['fee']]])
  expect([profile.slippage(order), profile.deadlineMsMax]).toEqual([
    { defaultBps: 100, minBps: 1, maxBps: 10_000 },
    // An hour for a deposit in bitcoin, thirty days after it, and a quarter of an hour for the clocks.
    ((30 * 24 + 1) * 60 + 15) * 60_000,
  ])
  const { input } = orders.usdc()
  const others = [orders.usdc().output, input, ...([999, 4663, 59144] as const).map(nativeAsset)]
  expect(others.map((output) => profile.serves({ input, output }))).toEqual([true, false, false, false, false])
  const settings = { PUBLIC_KEY: `ed25519:${'2'.repeat(40)}` }
  expect(() => canned(nearIntents, () => ({}), { settings })).toThrow(/PUBLIC_KEY/)
})
