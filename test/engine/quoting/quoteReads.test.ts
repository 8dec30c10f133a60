import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Environment } from '../../../engine/config/config.ts'
import { NATIVE } from '../../../engine/core/asset.ts'
import type { Venue } from '../../../engine/venues/venue.ts'
import { type OrderWish, WALLETS } from '../../support/anOrder.ts'
import { type ChainsScript, chainFails, chainHangs, createFakeChains, pair, TOKENS } from '../../support/fakeChains.ts'
import {
  addressFor,
  createFakeVenue,
  declines,
  delayed,
  fails,
  hangs,
  ignoresSignal,
  offers,
  pricesOf,
  TOY_CONTRACT,
} from '../../support/fakeVenue.ts'
import { HARD_MS, order, quoteOf, SOFT_MS, startEngine } from '../../support/quoteBench.ts'
import { advance, fakeTime, realTime, runQuote, settle, startQuote } from '../../support/raceTime.ts'
import { refusalOf, START_AT } from '../../support/testEngine.ts'

beforeEach(() => fakeTime())
afterEach(() => realTime())

const { usdcEthereum, usdtEthereum, usdcArbitrum } = TOKENS
const OTHER_CONTRACT = addressFor('evm', 'other contract')

/** Chains with some reads replaced. */
const chainsWith = (script: Partial<ChainsScript>) => {
  const chains = createFakeChains()
  Object.assign(chains.script, script)
  return chains
}
const never = () => new Promise<never>(() => undefined)

it('the chain reads of a quote start before a venue answers: both tokens, the fee price, and an allowance for each contract of the venues asked', async () => {
  const spenders = { contracts: { 1: [OTHER_CONTRACT, TOY_CONTRACT] } }
  const excluded = { contracts: { 1: [addressFor('evm', 'excluded contract')] } }
  const others = [createFakeVenue('b', { profile: spenders }), createFakeVenue('c', { profile: excluded })]
  const engine = await startEngine([createFakeVenue('a', { quote: hangs }), ...others])
  const race = startQuote(engine, order({ excludeVenues: ['c'] }))
  const { input } = order()
  const allowance = (spender: string) => ({ method: 'allowance', query: { asset: input, owner: WALLETS.evm, spender } })
  const reads = engine.chains.calls.map(({ method, query }) => ({ method, query }))
  expect(reads.sort((a, b) => (a.method < b.method ? -1 : 1))).toEqual([
    allowance(TOY_CONTRACT),
    allowance(OTHER_CONTRACT),
    { method: 'feePrice', query: 1 },
    { method: 'token', query: { chainId: 1, address: usdcEthereum.address } },
    { method: 'token', query: { chainId: 42161, address: usdcArbitrum.address } },
  ])
  await advance(HARD_MS)
  await settle(race)
})

it('the chain reads of a quote are aborted when the quote is decided: the slow allowance of a losing venue costs no time', async () => {
  const { allowance } = createFakeChains().script
  const chains = chainsWith({
    allowance: (query, signal) => (query.spender === OTHER_CONTRACT ? chainHangs(1)(query, signal) : allowance(query, signal)),
  })
  const losing = createFakeVenue('loser', { quote: offers(1_000n), profile: { contracts: { 1: [OTHER_CONTRACT] } } })
  const engine = await startEngine([createFakeVenue('good', { quote: offers(2_000n) }), losing], { chains })
  const race = await runQuote(engine, order())
  expect((await race.quote).venue.id).toBe('good')
  expect(race.elapsedMs()).toBe(0)
  expect(chains.calls.every(({ signal }) => signal.aborted)).toBe(true)
})

const decimals = { input: 6, output: 6 }
const asked = { approval: { amount: 1_000_000n, reset: null } }
it.each<[string, Partial<ChainsScript>, string, object | null]>([
  ['the fee price fails', { feePrice: chainFails('unreachable', 1) }, 'feePrice', { gas: null }],
  ['the fee price hangs', { feePrice: never }, 'feePrice', { gas: null }],
  ['the allowance fails', { allowance: chainFails('timeout', 1) }, 'allowance', asked],
  ['the tokens are unreachable', { token: chainFails('unreachable', 1) }, 'inputToken', null],
  ['the tokens hang', { token: never }, 'inputToken', null],
])('a quote ends in time when %s [quote-token-onchain]', async (_what, script, what, quote) => {
  const venue = createFakeVenue('a', { quote: offers(9n, { decimals }) })
  const engine = await startEngine([venue], { chains: chainsWith(script) })
  const race = startQuote(engine, order())
  await advance(HARD_MS)
  await settle(race)
  if (quote !== null) expect(await race.quote).toMatchObject(quote)
  else expect((await refusalOf(race.quote, 'INTERNAL')).details).toEqual({ chainId: 1, retryable: true })
  expect(race.elapsedMs()).toBeLessThanOrEqual(HARD_MS)
  const unread = { event: 'chain.unread', requestId: 'req-1', chainId: 1, what, reason: expect.any(String) }
  const other = { ...unread, what: 'outputToken', chainId: 42161 }
  expect(engine.reported('chain.unread')).toEqual(quote === null ? [unread, other] : [unread])
})

const unknown = addressFor('evm', 'no token')
const [from, to] = [{ from: [1, unknown] }, { to: [42161, unknown] }] as const
const onChain = { inputToken: 1, outputToken: 42161 } as const
type Path = keyof typeof onChain

const [both, priced] = [['inputToken', 'outputToken'] as const, createFakeVenue('priced')]

it.each<[string, Partial<OrderWish>, readonly Path[], Venue, readAfterMs: number | 'before']>([
  ['the input, while a venue hangs', from, ['inputToken'], createFakeVenue('a', { quote: hangs }), 0],
  ['both, although a venue offers a price', { ...from, ...to }, both, priced, 0],
  ['the input, read only after the race', from, ['inputToken'], priced, 500],
  ['the input, as read before, without a call', from, ['inputToken'], priced, 'before'],
  ['the output, as read before, without a call', to, ['outputToken'], priced, 'before'],
])('an address that is no token is UNSUPPORTED_TOKEN: %s [quote-token-onchain]', async (_what, wish, paths, venue, read) => {
  const ms = read === 'before' ? 0 : read
  const chains = chainsWith({ token: delayed(ms, createFakeChains().script.token) })
  if (read === 'before') for (const path of paths) chains.missing.add(`${onChain[path]}:${unknown}`)
  const engine = await startEngine([venue], { chains })
  const race = await runQuote(engine, order(wish))
  const { details } = await refusalOf(race.quote, 'UNSUPPORTED_TOKEN')
  const fields = paths.map((path) => ({ path, reason: `is not a token on chain ${onChain[path]}` }))
  expect([race.elapsedMs(), details]).toEqual([ms, { fields }])
  expect(engine.called('quote')).toHaveLength(read === 'before' ? 0 : 1)
  expect(engine.reported('quote.refused')).toMatchObject([{ code: 'UNSUPPORTED_TOKEN' }])
})

it('price lists cost a quote no time beyond the soft deadline when one hangs', async () => {
  const listing = createFakeVenue('listing', { prices: { usd: ignoresSignal } })
  const race = await runQuote(await startEngine([listing, createFakeVenue('good', { quote: offers(2_000_000n) })]), order())
  expect((await race.quote).venue.id).toBe('good')
  expect(race.elapsedMs()).toBeLessThanOrEqual(SOFT_MS)
})

it('price lists price the gas: the first list that has the coin counts', async () => {
  const lists = [{}, { [`1:${NATIVE}`]: '2500' }, { [`1:${NATIVE}`]: '9' }].map((one) => pricesOf(one))
  const venues = [{ usd: fails(new Error('no')) }, ...lists].map((prices, i) => createFakeVenue(`list${i}`, { prices }))
  const { gas } = await quoteOf(await startEngine(venues))
  expect(gas).toEqual({ native: 300_000_000_000_000n, nativeSymbol: 'ETH', usd: '0.75', isEstimated: false })
})

const [IN, OUT] = [pair(usdcEthereum).join(':'), pair(usdcArbitrum).join(':')]
const worth = (times: string) => pricesOf({ [IN]: times, [OUT]: '1' })
type Listing = readonly [id: string, output: bigint | null, prices: Venue['prices'], outcome: string]

it.each<[string, ...Listing[]]>([
  [
    'expose a venue that mistakes the decimals, by one other offer and the list of a third venue',
    ['wrong', 990_000n * 10n ** 12n, worth('1000000000000'), 'dropped'],
    ['right', 995_000n, null, 'offer'],
    ['list', null, worth('1'), 'decline'],
  ],
  [
    'drop no offer when each of two lists has one token only',
    ['right', 995_000n, null, 'offer'],
    ['thin', 9n, null, 'offer'],
    ['list a', null, pricesOf({ [IN]: '0.000001' }), 'decline'],
    ['list b', null, pricesOf({ [OUT]: '1' }), 'decline'],
  ],
])('price lists %s', async (_what, ...listings) => {
  const venues = listings.map(([id, output, prices]) =>
    createFakeVenue(id, { quote: output === null ? declines('noLiquidity') : offers(output), prices }),
  )
  const engine = await startEngine(venues)
  expect((await quoteOf(engine)).venue.id).toBe('right')
  expect(engine.called('quote').map(({ outcome }) => outcome)).toEqual(listings.map(([, , , outcome]) => outcome))
})

const wrong = (decimals: { readonly input: number | null; readonly output: number | null }) =>
  createFakeVenue('wrong', { quote: offers(9_000_000n, { decimals }) })
const declined = { venue: 'wrong', kind: 'rejected', check: 'wrong.contradictsChain', retryable: true }

it.each([
  ['the input', { input: 18, output: null }],
  ['the output', { input: null, output: 18 }],
])('decimals of %s that contradict the chain drop the offer each time [quote-token-onchain]', async (_side, decimals) => {
  const venue = wrong(decimals)
  const engine = await startEngine([venue])
  for (let i = 0; i < 10; i += 1)
    expect((await refusalOf(quoteOf(engine), 'NO_LIQUIDITY')).details).toEqual({ declines: [declined] })
  expect(venue.calls.quote).toHaveLength(10)
  expect(engine.called('quote')[0]).toMatchObject({ outcome: 'dropped', venue: 'wrong' })
})

it('decimals of an offer that contradict the chain end no race, and drop the offer also when the chain answers late [quote-token-onchain]', async () => {
  const slower = createFakeVenue('slower', { quote: delayed(SOFT_MS + 500, offers(1_000_000n)) })
  const race = await runQuote(await startEngine([wrong({ input: 18, output: 6 }), slower]), order())
  expect([(await race.quote).venue.id, race.elapsedMs()]).toEqual(['slower', SOFT_MS + 500])
  const chains = chainsWith({ token: delayed(SOFT_MS + 500, createFakeChains().script.token) })
  const engine = await startEngine([wrong({ input: 18, output: 6 }), createFakeVenue('slow', { quote: hangs })], { chains })
  const { details } = await refusalOf(quoteOf(engine), 'NO_LIQUIDITY')
  expect(details).toEqual({ declines: [declined, { venue: 'slow', kind: 'notAwaited', retryable: true }] })
})

const digits = (value: bigint) => value.toString(16).padStart(64, '0')
const approve = (amount: bigint) => `0x095ea7b3${digits(BigInt(TOY_CONTRACT))}${digits(amount)}`
const usdt = { from: pair(usdtEthereum) }
const deposit = { kind: 'DEPOSIT' } as const

it.each([
  ['the amount, without an allowance', {}, {}, 0n, 'approve'],
  ['the amount, with an allowance of a unit less', {}, {}, 999_999n, 'approve'],
  ['nothing, with an allowance of the amount', {}, {}, 1_000_000n, null],
  ['nothing, for a native coin', { from: [1, NATIVE] }, {}, 0n, null],
  ['nothing, for a deposit', {}, deposit, 0n, null],
  ['the amount after a reset, where the token refuses to change an allowance', usdt, {}, 1n, 'reset'],
  ['the amount without a reset, where that token has no allowance', usdt, {}, 0n, 'approve'],
] as const)('the approval of a quote allows %s [quote-approval-exact]', async (_what, wish, options, allowance, expected) => {
  const chains = createFakeChains()
  chains.allow(TOY_CONTRACT, allowance)
  const { approval } = await quoteOf(await startEngine([createFakeVenue('a', options)], { chains }), order(wish))
  const token = order(wish).input.address
  const send = (amount: bigint) => ({ chainId: 1, to: token, data: approve(amount), value: 0n })
  const whole = { token, spender: TOY_CONTRACT, amount: 1_000_000n, transaction: send(1_000_000n) }
  expect(approval).toEqual(expected && { ...whole, reset: expected === 'reset' ? send(0n) : null })
  if (token === NATIVE) expect(chains.calls.map(({ method }) => method)).not.toContain('allowance')
})

it.each<[string, number | null, number, Environment]>([
  ['exactly as long as its venue names', 30_000, 30_000, { NETWORK: 'mainnet' }],
  ['longer than its venue names, on the offline network', 30_000, 600_000, {}],
  ['as long as its venue names, where that is longer than on the offline network', 900_000, 900_000, {}],
  ['for QUOTE_LIFETIME_MS when its venue names no end', null, 45_000, { QUOTE_LIFETIME_MS: '45000' }],
])('a quote lasts %s [quote-lifetime]', async (_what, venueMs, lifetimeMs, env) => {
  const quote = offers(1n, { expiresAt: venueMs && START_AT + venueMs })
  expect((await quoteOf(await startEngine([createFakeVenue('a', { quote })], { env }))).expiresAt).toBe(START_AT + lifetimeMs)
})

it('a quote has the fee in the output token, and the time of its offer or a guess of 60 seconds [quote-lifetime]', async () => {
  const venue = createFakeVenue('a')
  const engine = await startEngine([venue], { caller: { feeBps: 25 } })
  const fee = { bps: 25, amount: 2_500n, token: usdcArbitrum }
  expect(await quoteOf(engine)).toMatchObject({ fee, estimatedTimeSeconds: 30, estimatedTimeIsGuess: false })
  venue.script.quote = offers(1n, { estimatedTimeSeconds: null })
  expect(await quoteOf(engine)).toMatchObject({ estimatedTimeSeconds: 60, estimatedTimeIsGuess: true })
})
