import { afterEach, describe, expect, it } from 'vitest'
import { type Asset, NATIVE } from '../../../engine/core/asset.ts'
import type { PayloadClaims } from '../../../engine/core/execution.ts'
import { pricedForms, type Sum } from '../../../engine/core/peg.ts'
import { compareClaims } from '../../../engine/execution/payloadProof.ts'
import { bridgedLeast, type Comparison } from '../../../engine/quoting/bridgedLeast.ts'
import type { Witness } from '../../../engine/quoting/quoteReads.ts'
import type { Venue } from '../../../engine/venues/venue.ts'
import { anOrder, assetOf } from '../../support/anOrder.ts'
import { pair, TOKENS } from '../../support/fakeChains.ts'
import { createFakeVenue, delayed, offers, pricesOf } from '../../support/fakeVenue.ts'
import { advance, fakeTime, realTime, settle, startQuote } from '../../support/raceTime.ts'
import { createTestEngine, refusalOf, START_AT, type TestEngine } from '../../support/testEngine.ts'

const { daiEthereum: DAI, usdcBase, usdtEthereum, wbtcEthereum } = TOKENS
const [WETH, ETHER] = [assetOf(1, '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2'), assetOf(42161, NATIVE)]
const WETH_ARBITRUM = '0x82aF49447D8a07e3bd95BD0d56f35241523fBab1'
const MINUTES_10 = 600_000

describe('the least that must be locked for 0.2 ETH', () => {
  const asked = { minimum: 2n * 10n ** 17n, decimals: { locked: 6, output: 18 }, costCents: 50n, venue: 'own', now: START_AT }
  const list = (venue: string, locked: string | null, output: string | null, readAt = START_AT): Witness => ({
    venue,
    locked: locked === null ? null : { usd: locked, readAt },
    output: output === null ? null : { usd: output, readAt },
  })
  const a = list('a', '1', '2500')

  it.each<[string, readonly Witness[], Partial<Comparison>, bigint | null]>([
    ['is 1 % and the fixed cost less than two agreeing lists say', [a, list('b', '1', '2500')], {}, 494_500_000n],
    ['is by the strictest of lists that agree', [a, list('b', '1', '2510')], {}, 496_480_000n],
    ['is known where lists lie 1 % apart', [a, list('b', '1', '2525')], {}, 499_450_000n],
    ['is unknown where lists lie 1.01 % apart on the output', [a, list('b', '1', '2525.25')], {}, null],
    ['is unknown where lists lie 1.01 % apart on the locked asset', [a, list('b', '1.0101', '2500')], {}, null],
    ['is known by lists of 10 minutes ago', [a, list('b', '1', '2500', START_AT - MINUTES_10)], {}, 494_500_000n],
    ['is unknown by an older list', [a, list('b', '1', '2500', START_AT - MINUTES_10 - 1)], {}, null],
    ['is unknown by a list of the future', [a, list('b', '1', '2500', START_AT + 1)], {}, null],
    ['is unknown by one list', [a], {}, null],
    ['is unknown by the venue’s own list beside another', [a, list('own', '1', '2500')], {}, null],
    ['is unknown by two lists of which one lacks an asset', [a, list('b', '1', null)], {}, null],
    ['ignores a third list that makes the output cheap', [list('c', '1', '1'), a, list('b', '1', '2500')], {}, 494_500_000n],
    [
      'ignores a third list that makes the locked asset dear',
      [list('c', '99', '2500'), a, list('b', '1', '2500')],
      {},
      494_500_000n,
    ],
    ['allows a fixed cost of 2 USD at most', [a, list('b', '1', '2500')], { costCents: 10_000n }, 493_000_000n],
    ['rounds up', [a, list('b', '1', '2500')], { minimum: 10n ** 12n + 1n, costCents: 0n }, 2_476n],
    ['is one unit where the cost is more than the output', [a, list('b', '1', '2500')], { minimum: 1n }, 1n],
  ])('%s', (_what, witnesses, change, least) => {
    expect(bridgedLeast({ ...asked, ...change }, witnesses)).toBe(least)
  })

  it('is one for one only while fewer than two lists have both assets: lists that disagree are no reason for it', () => {
    const [one, other] = [list('a', '1', '0.88'), list('b', '1', '0.90')]
    expect(bridgedLeast(asked, [one], 7n)).toBe(7n)
    expect(bridgedLeast(asked, [one, other], 7n)).toBe(null)
  })
})

const order = anOrder({ from: pair(wbtcEthereum), to: pair(ETHER), amount: 1_000_000n })
const MINIMUM = 199n * 10n ** 15n
const [OUT, LEAST] = [2n * 10n ** 17n, 492_025_000_000_000_000_000n]
const worth = (ether: string, readAt = START_AT, dai = '1') =>
  pricesOf({ [`1:${DAI.address}`]: dai, [`42161:${NATIVE}`]: ether }, readAt)

describe('compareClaims of an exchange before the bridge [quote-exchange-before-bridge]', () => {
  const claimed = async (bridged: Sum | null, sealed?: Sum, output: Asset = ETHER, minimum = MINIMUM) => {
    const venue = createFakeVenue('toy', { now: () => START_AT })
    const asked = anOrder({ from: pair(wbtcEthereum), to: pair(output), amount: 1_000_000n })
    const slippage = { isFirm: true, guaranteedMin: MINIMUM as never }
    const offer = {
      ...(await venue.quote(asked, new AbortController().signal)),
      slippage,
      ...(sealed && { bridgesLeast: sealed }),
    }
    const built = await venue.execute({ order: asked, offer }, asked, new AbortController().signal)
    const execution = { ...built, outputAmount: OUT as never }
    const claims: PayloadClaims = { ...(await venue.decode(execution)), bridged }
    const { profile } = venue
    const raised = { ...claims, output: { ...claims.output, minimum } }
    return compareClaims(raised, execution, { sealed: { order: asked, offer }, binding: asked, profile, now: START_AT })
  }
  const due = { asset: DAI, amount: LEAST }

  it.each<[string, Parameters<typeof claimed>, readonly string[]]>([
    ['the input itself', [null], []],
    ['ether for ether, to the unit', [{ asset: WETH, amount: MINIMUM }], []],
    [
      'a unit less of ether',
      [
        { asset: WETH, amount: MINIMUM - 1n },
        { asset: WETH, amount: 1n },
      ],
      ['bridged'],
    ],
    [
      'ether for the sealed minimum where the bytes deliver more',
      [{ asset: WETH, amount: MINIMUM }, due, ETHER, OUT],
      ['bridged'],
    ],
    [
      'ether for the sealed minimum where the bytes deliver less',
      [{ asset: WETH, amount: OUT - 1n }, due, ETHER, OUT],
      ['bridged'],
    ],
    ['dollars of six decimals for dollars of six', [{ asset: TOKENS.usdcEthereum, amount: MINIMUM }, due, usdcBase], []],
    ['the least that was sealed', [{ asset: DAI, amount: LEAST }, due], []],
    ['a unit less than was sealed', [{ asset: DAI, amount: LEAST - 1n }, due], ['bridged']],
    ['more of another asset than was sealed', [{ asset: usdtEthereum, amount: LEAST }, due], ['bridged']],
    ['what a quote of before this rule sealed nothing of', [{ asset: DAI, amount: 10n ** 30n }], ['bridged']],
  ])('%s', async (_what, args, found) => {
    expect(await claimed(...args)).toEqual(found)
  })
})

let test: TestEngine

/** One venue that exchanges first, and the price lists of others, which do not serve the route. */
const start = async (locked: Sum, lists: readonly ReturnType<typeof worth>[], rivals: readonly Venue[] = []) => {
  const asked: Asset[] = []
  const others = lists.map((prices, at) =>
    createFakeVenue(`list${at}`, {
      profile: { serves: () => false },
      prices: {
        usd: (asset, signal) => {
          asked.push(asset)
          return prices.usd(asset, signal)
        },
      },
    }),
  )
  const slippage = { isFirm: true, guaranteedMin: MINIMUM as never }
  const venue = createFakeVenue('first', {
    now: () => START_AT,
    profile: { deliveryCostCents: () => 50n },
    quote: offers(OUT, { slippage, bridges: locked }),
  })
  test = await createTestEngine({ venues: [venue, ...others, ...rivals] })
  const quote = () => test.engine.quote(order, test.context)
  const execute = async (bridged: Sum) => {
    venue.script.decode = async (claims) => ({ ...claims, bridged })
    const { quoteToken } = await quote()
    const before = asked.length
    const call = test.engine.execute({ quoteToken, destinationAddress: null, refundAddress: null }, test.context)
    await call.catch(() => undefined)
    expect(asked).toHaveLength(before)
    return call
  }
  const declined = async () => (await refusalOf(quote(), 'NO_LIQUIDITY').catch(() => refusalOf(quote(), 'INTERNAL'))).details
  return { quote, execute, declined, asked }
}

describe('a quote of a venue that exchanges first', () => {
  afterEach(() => test.close())
  const agreeing = [worth('2500'), worth('2500')]
  const own = (rest: object) => ({ declines: expect.arrayContaining([expect.objectContaining({ venue: 'first', ...rest })]) })

  it('seals the least, which execute compares without a call [quote-exchange-before-bridge]', async () => {
    const { execute } = await start({ asset: DAI, amount: LEAST }, agreeing)
    await execute({ asset: DAI, amount: LEAST })
    expect(test.reported('payload.refused')).toEqual([])
    await refusalOf(execute({ asset: DAI, amount: LEAST - 1n }), 'INTERNAL')
    expect(test.reported('payload.refused')).toMatchObject([{ mismatches: ['bridged'] }])
  })

  it.each([
    ['one list', [worth('2500')]],
    ['lists that disagree', [worth('2500'), worth('2525.25')]],
    ['a list of 10 minutes and a millisecond ago', [worth('2500'), worth('2500', START_AT - MINUTES_10 - 1)]],
  ])('is declined as not sold by %s, which counts against no venue', async (_what, lists) => {
    const { declined } = await start({ asset: DAI, amount: 10n ** 30n }, lists)
    for (let i = 0; i < 12; i += 1)
      expect(await declined()).toMatchObject(own({ kind: 'unsupportedPair', reason: 'notSold', retryable: false }))
  })

  it.each([
    ['prices', { asset: DAI, amount: LEAST - 1n }],
    ['one for one', { asset: WETH, amount: MINIMUM - 1n }],
  ])('is the venue’s fault where it locks too little, %s', async (_what, locked) => {
    const { declined } = await start(locked, agreeing)
    expect(await declined()).toMatchObject(own({ kind: 'rejected' }))
  })

  it.each([
    ['locks too little', { asset: DAI, amount: 1n }, agreeing],
    ['cannot be compared', { asset: DAI, amount: 10n ** 30n }, []],
  ])('ends no race with an offer that %s: a slower venue wins, and is not called slow', async (_what, locked, lists) => {
    const slower = createFakeVenue('slower', { now: () => START_AT, quote: delayed(2_000, offers(OUT)) })
    await start(locked, lists, [slower])
    fakeTime()
    const race = startQuote(test, order)
    for (let i = 0; i < 5; i += 1) await advance(500)
    await settle(race)
    realTime()
    expect((await race.quote).venue.id).toBe('slower')
  })

  it('waits for no price where one class holds both assets', async () => {
    const { quote, asked } = await start({ asset: WETH, amount: MINIMUM }, agreeing)
    await quote()
    expect(asked).toEqual([])
  })
})

describe('an asset is priced by', () => {
  const WBNB = '0xbb4CdB9CBd36B01bD1cBaEBF2De08d9173bc095c'
  it.each<[string, Asset, readonly Asset[]]>([
    ['its form on Ethereum', TOKENS.usdcSolana, [TOKENS.usdcSolana, TOKENS.usdcEthereum]],
    ['its coin where it wraps one', assetOf(56, WBNB), [assetOf(56, WBNB), assetOf(56, NATIVE)]],
    ['forms of its class on its chain and on Ethereum', ETHER, [ETHER, assetOf(1, NATIVE), WETH, assetOf(42161, WETH_ARBITRUM)]],
    ['nothing else, not even a token of the same symbol', assetOf(8453, DAI.address), [assetOf(8453, DAI.address)]],
  ])('%s', (_what, asset, forms) => {
    expect(pricedForms(asset)).toEqual(forms.map(({ chainId, address }) => ({ chainId, address })))
  })
})
