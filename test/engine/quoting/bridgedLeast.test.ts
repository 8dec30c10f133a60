import { expect, it, onTestFinished } from 'vitest'
import { type Asset, NATIVE } from '../../../engine/core/asset.ts'
import { pricedForms, type Sum } from '../../../engine/core/peg.ts'
import { compareClaims } from '../../../engine/execution/payloadProof.ts'
import { bridgedLeast, type Comparison } from '../../../engine/quoting/bridgedLeast.ts'
import type { Witness } from '../../../engine/quoting/quoteReads.ts'
import type { Venue } from '../../../engine/venues/venue.ts'
import { anOrder, assetOf } from '../../support/anOrder.ts'
import { pair, TOKENS } from '../../support/fakeChains.ts'
import { createFakeVenue, delayed, offers, pricesOf } from '../../support/fakeVenue.ts'
import { executeToken, firm, startEngine } from '../../support/quoteBench.ts'
import { fakeTime, realTime, runQuote } from '../../support/raceTime.ts'
import { refusalOf, START_AT } from '../../support/testEngine.ts'

const { daiEthereum: DAI, usdcBase, usdcEthereum, usdtEthereum, wbtcEthereum } = TOKENS
const [WETH, ETHER] = [assetOf(1, '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2'), assetOf(42161, NATIVE)]
const WETH_ARBITRUM = assetOf(42161, '0x82aF49447D8a07e3bd95BD0d56f35241523fBab1')
const [WBNB, BNB] = [assetOf(56, '0xbb4CdB9CBd36B01bD1cBaEBF2De08d9173bc095c'), assetOf(56, NATIVE)]
const OLDEST = START_AT - 600_000

const asked = { minimum: 2n * 10n ** 17n, decimals: { locked: 6, output: 18 }, costCents: 50n, venue: 'own', now: START_AT }
const list = (venue: string, locked: string | null, output: string | null, readAt = START_AT): Witness => ({
  venue,
  locked: locked === null ? null : { usd: locked, readAt },
  output: output === null ? null : { usd: output, readAt },
})
const [a, b] = [list('a', '1', '2500'), list('b', '1', '2500')]
const [low, high] = [list('a', '1', '0.88'), list('b', '1', '0.90')]

it.each<[string, readonly Witness[], Partial<Comparison>, least: bigint | null, alike?: bigint]>([
  ['1 % and the cost less than two lists that agree', [a, b], {}, 494_500_000n],
  ['the strictest of two lists that agree', [a, list('b', '1', '2510')], {}, 496_480_000n],
  ['known for lists 1 % apart', [a, list('b', '1', '2525')], {}, 499_450_000n],
  ['unknown for lists 1.01 % apart on the output', [a, list('b', '1', '2525.25')], {}, null],
  ['unknown for lists 1.01 % apart on the locked asset', [a, list('b', '1.0101', '2500')], {}, null],
  ['known for a list of 10 minutes ago', [a, list('b', '1', '2500', OLDEST)], {}, 494_500_000n],
  ['unknown for an older list', [a, list('b', '1', '2500', OLDEST - 1)], {}, null],
  ['unknown for a list of the future', [a, list('b', '1', '2500', START_AT + 1)], {}, null],
  ['unknown for one list and that of the venue itself', [a, list('own', '1', '2500')], {}, null],
  ['unknown where one of two lists lacks an asset', [a, list('b', '1', null)], {}, null],
  ['not changed by a third list with a cheap output', [list('c', '1', '1'), a, b], {}, 494_500_000n],
  ['reduced by a cost of at most 2 USD', [a, b], { costCents: 10_000n }, 493_000_000n],
  ['rounded up', [a, b], { minimum: 10n ** 12n + 1n, costCents: 0n }, 2_476n],
  ['one unit where the cost exceeds the output', [a, b], { minimum: 1n }, 1n],
  ['one for one while fewer than two lists have both assets', [low], {}, 7n, 7n],
  ['unknown, not one for one, for two lists that disagree', [low, high], {}, null, 7n],
])('the least to lock for 0.2 ETH at 2,500 USD, with a cost of 0.50 USD, is %s', (_what, witnesses, change, least, alike) => {
  expect(bridgedLeast({ ...asked, ...change }, witnesses, alike)).toBe(least)
})

const order = anOrder({ from: pair(wbtcEthereum), to: pair(ETHER), amount: 1_000_000n })
const MINIMUM = 199n * 10n ** 15n
const [OUT, LEAST] = [2n * 10n ** 17n, 492_025_000_000_000_000_000n]
const [dai, weth] = [(amount: bigint): Sum => ({ asset: DAI, amount }), (amount: bigint): Sum => ({ asset: WETH, amount })]

it.each<[string, Sum | null, sealed: Sum | undefined, Asset, minimum: bigint, isAccepted: boolean]>([
  ['ether for ether', weth(MINIMUM), undefined, ETHER, MINIMUM, true],
  ['a unit less of ether', weth(MINIMUM - 1n), weth(1n), ETHER, MINIMUM, false],
  ['a unit less of ether than the bytes deliver', weth(OUT - 1n), dai(LEAST), ETHER, OUT, false],
  ['dollars for dollars, of six decimals', { asset: usdcEthereum, amount: MINIMUM }, dai(LEAST), usdcBase, MINIMUM, true],
  ['the sealed least', dai(LEAST), dai(LEAST), ETHER, MINIMUM, true],
  ['a unit less than the sealed least', dai(LEAST - 1n), dai(LEAST), ETHER, MINIMUM, false],
  ['another asset than the sealed one', { asset: usdtEthereum, amount: LEAST }, dai(LEAST), ETHER, MINIMUM, false],
  ['any amount without a sealed least', dai(10n ** 30n), undefined, ETHER, MINIMUM, false],
])('payload proof of an exchange before the bridge: %s', async (_what, bridged, sealed, output, minimum, isAccepted) => {
  const venue = createFakeVenue('toy', { now: () => START_AT })
  const asked = anOrder({ from: pair(wbtcEthereum), to: pair(output), amount: 1_000_000n })
  const { signal } = new AbortController()
  const offer = { ...(await venue.quote(asked, signal)), slippage: firm(MINIMUM), ...(sealed && { bridgesLeast: sealed }) }
  const execution = { ...(await venue.execute({ order: asked, offer }, asked, signal)), outputAmount: OUT as never }
  const honest = await venue.decode(execution)
  const claims = { ...honest, bridged, output: { ...honest.output, minimum } }
  const against = { sealed: { order: asked, offer }, binding: asked, profile: venue.profile, now: START_AT }
  expect(compareClaims(claims, execution, against)).toEqual(isAccepted ? [] : ['bridged'])
})

const worth = (ether: string) => pricesOf({ [`1:${DAI.address}`]: '1', [`42161:${NATIVE}`]: ether }, START_AT)
type Lists = readonly ReturnType<typeof worth>[]
const agreeing = [worth('2500'), worth('2500')]
const tooLittle = { kind: 'rejected', check: 'first.bridged' }
const notSold = { kind: 'unsupportedPair', reason: 'notSold', retryable: false }

/** A venue that exchanges the input before it locks it. The price lists are those of venues that do not serve the route. */
const start = async (bridges: Sum, lists: Lists, rivals: readonly Venue[] = []) => {
  const others = lists.map((prices, at) => createFakeVenue(`list${at}`, { profile: { serves: () => false }, prices }))
  const venue = createFakeVenue('first', {
    now: () => START_AT,
    profile: { deliveryCostCents: () => 50n },
    quote: offers(OUT, { slippage: firm(MINIMUM), bridges }),
  })
  const engine = await startEngine([venue, ...others, ...rivals])
  return { venue, engine, quote: () => engine.engine.quote(order, engine.context) }
}

it('an exchange before the bridge: the quote seals the least, and execute compares the payload with it [quote-exchange-before-bridge]', async () => {
  const { venue, engine, quote } = await start(dai(LEAST), agreeing)
  const { quoteToken } = await quote()
  const executing = (bridged: Sum) => {
    venue.script.decode = async (claims) => ({ ...claims, bridged })
    return executeToken(engine, quoteToken)
  }
  await refusalOf(executing(dai(LEAST - 1n)), 'INTERNAL')
  expect(engine.reported('payload.refused')).toMatchObject([{ mismatches: ['bridged'] }])
  await executing(dai(LEAST))
})

it.each<[string, Sum, Lists, decline: object | null]>([
  ['offer that locks a unit too little by prices is declined', dai(LEAST - 1n), agreeing, tooLittle],
  ['offer that locks a unit too little, one for one, is declined', weth(MINIMUM - 1n), [], tooLittle],
  ['offer is declined while lists disagree', dai(10n ** 30n), [worth('2500'), worth('2525.25')], notSold],
  ['offer that locks the same by class needs no price', weth(MINIMUM), [], null],
])('an exchange before the bridge: an %s, each time [quote-exchange-before-bridge]', async (_what, locked, lists, decline) => {
  const { quote } = await start(locked, lists)
  for (let i = 0; i < 12; i += 1) {
    if (decline === null) expect((await quote()).venue.id).toBe('first')
    else {
      const { declines } = (await refusalOf(quote())).details as { declines: readonly object[] }
      expect(declines).toContainEqual(expect.objectContaining({ venue: 'first', ...decline }))
    }
  }
})

it('an exchange before the bridge: an offer that locks too little ends no race, and a slower venue wins', async () => {
  const slower = createFakeVenue('slower', { now: () => START_AT, quote: delayed(2_000, offers(OUT)) })
  const { engine } = await start(dai(1n), agreeing, [slower])
  fakeTime()
  onTestFinished(realTime)
  expect((await (await runQuote(engine, order)).quote).venue.id).toBe('slower')
})

it.each<[string, Asset, readonly Asset[]]>([
  ['its form on Ethereum', TOKENS.usdcSolana, [TOKENS.usdcSolana, usdcEthereum]],
  ['the coin that it wraps', WBNB, [WBNB, BNB]],
  ['the forms of its class on its chain and on Ethereum', ETHER, [ETHER, assetOf(1, NATIVE), WETH, WETH_ARBITRUM]],
  ['no token that only has the same address', assetOf(8453, DAI.address), [assetOf(8453, DAI.address)]],
])('an asset without a listed price is priced by %s', (_what, asset, forms) => {
  expect(pricedForms(asset)).toEqual(forms.map(({ chainId, address }) => ({ chainId, address })))
})
