import { afterEach, describe, expect, it } from 'vitest'
import { toAmount } from '../../../engine/core/amount.ts'
import type { Order } from '../../../engine/core/order.ts'
import type { SlippageRule } from '../../../engine/venues/venue.ts'
import { anOrder } from '../../support/anOrder.ts'
import { pair, TOKENS } from '../../support/fakeChains.ts'
import { createFakeVenue, offers } from '../../support/fakeVenue.ts'
import { createTestEngine, refusalOf, type TestEngine, type TestEngineOptions } from '../../support/testEngine.ts'

const order = (slippageBps: number | null): Order => ({
  ...anOrder({ from: pair(TOKENS.usdcEthereum), to: pair(TOKENS.usdcArbitrum), amount: 1_000_000n }),
  slippageBps,
})

let open: TestEngine[] = []

afterEach(async () => {
  for (const engine of open) await engine.close()
  open = []
})

const start = async (options: TestEngineOptions): Promise<TestEngine> => {
  const engine = await createTestEngine(options)
  open.push(engine)
  return engine
}

const withRule = (rule: SlippageRule) => createFakeVenue('toy', { profile: { slippage: () => rule } })

/** What a liar offers: a fine price, of which nothing is guaranteed but one unit. */
const unbound = offers(250_500_000n, { slippage: { isFirm: true, guaranteedMin: toAmount(1n) } })

describe('every venue is asked for a tolerance [quote-executable-has-minimum]', () => {
  const DOCUMENTED = { defaultBps: 80, minBps: 5, maxBps: 2_000 }

  it.each<[string, number | null, SlippageRule, number]>([
    ['the caller’s', 37, DOCUMENTED, 37],
    ['the venue’s documented default, where the caller gives none', null, DOCUMENTED, 80],
    ['at most 300 basis points, where the venue’s default is more', null, { ...DOCUMENTED, defaultBps: 2_500 }, 300],
    ['the least the venue takes, where the caller’s is less', 1, DOCUMENTED, 5],
    ['the most the venue takes, where the caller’s is more', 5_000, DOCUMENTED, 2_000],
  ])('%s', async (_whose, given, rule, sent) => {
    const venue = withRule(rule)
    const { engine, context } = await start({ venues: [venue] })
    await engine.quote(order(given), context).catch(() => undefined)
    expect(venue.calls.quote.map((call) => call.order.slippageBps)).toEqual([sent])
  })

  it('at most what the operator allows for a default', async () => {
    const venue = withRule(DOCUMENTED)
    const { engine, context } = await start({ venues: [venue], env: { QUOTE_SLIPPAGE_BPS_MAX_DEFAULT: '60' } })
    await engine.quote(order(null), context)
    expect(venue.calls.quote[0]?.order.slippageBps).toBe(60)
  })

  it('and asked to execute with the same', async () => {
    const venue = withRule({ ...DOCUMENTED, defaultBps: 2_500 })
    const { engine, context, clock } = await start({ venues: [venue] })
    const { quoteToken } = await engine.quote(order(null), context)
    clock.at += 1_000
    await engine.execute({ quoteToken, destinationAddress: null, refundAddress: null }, context).catch(() => undefined)
    expect(venue.calls.execute.map(({ sealed }) => sealed.order.slippageBps)).toEqual([300])
  })
})

describe('no quote is executable without a bound [quote-executable-has-minimum]', () => {
  it.each([null, 50])('an offer that guarantees one unit loses to an honest one (slippageBps %s)', async (given) => {
    const liar = createFakeVenue('liar', { quote: unbound })
    const honest = createFakeVenue('honest', { quote: offers(249_000_000n) })
    const { engine, context, called } = await start({ venues: [liar, honest] })
    expect((await engine.quote(order(given), context)).venue.id).toBe('honest')
    expect(called('quote').find(({ venue }) => venue === 'liar')).toMatchObject({ outcome: 'decline' })
  })

  it('alone it is no liquidity, with the reason told and the venue’s health untouched', async () => {
    const { engine, context } = await start({ venues: [createFakeVenue('liar', { quote: unbound })] })
    for (let i = 0; i < 6; i += 1) {
      const { details } = await refusalOf(engine.quote(order(null), context), 'NO_LIQUIDITY')
      expect(details).toEqual({
        declines: [{ venue: 'liar', kind: 'noLiquidity', reason: 'boundTooWide', retryable: true }],
      })
    }
    expect((await engine.health()).isDegraded).toBe(false)
  })

  it('slippage.bps is what the guaranteed minimum leaves, rounded up', async () => {
    const quote = offers(1_000_000n, { slippage: { isFirm: true, guaranteedMin: toAmount(995_999n) } })
    const { engine, context } = await start({ venues: [createFakeVenue('toy', { quote })] })
    expect((await engine.quote(order(50), context)).slippage).toEqual({ bps: 41, isFirm: true, guaranteedMin: 995_999n })
  })
})
