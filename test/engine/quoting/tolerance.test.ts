import { describe, expect, it } from 'vitest'
import type { Order } from '../../../engine/core/order.ts'
import { createFakeVenue, offers } from '../../support/fakeVenue.ts'
import { executeToken, firm, order, startEngine } from '../../support/quoteBench.ts'
import { refusalOf, START_AT } from '../../support/testEngine.ts'

const tolerating = (slippageBps: number | null): Order => ({ ...order(), slippageBps })

describe('the tolerance that a venue receives [quote-executable-has-minimum]', () => {
  it.each([
    ['the tolerance of the caller', 37, 80, '300', 37],
    ['the documented default of the venue, when the caller names none', null, 80, '300', 80],
    ['at most 300 basis points by default', null, 2_500, '300', 300],
    ['at most what the operator allows by default', null, 80, '60', 60],
    ['the least that the venue accepts, for a smaller one', 1, 80, '300', 5],
    ['the most that the venue accepts, for a greater one', 5_000, 80, '300', 2_000],
  ])('is %s, at quote and at execute', async (_whose, given, defaultBps, most, sent) => {
    const slippage = () => ({ defaultBps, minBps: 5, maxBps: 2_000 })
    const quote = offers(1_000_000n, { slippage: firm(1_000_000n) })
    const venue = createFakeVenue('toy', { now: () => START_AT, quote, profile: { slippage } })
    const engine = await startEngine([venue], { env: { QUOTE_SLIPPAGE_BPS_MAX_DEFAULT: most } })
    await executeToken(engine, (await engine.engine.quote(tolerating(given), engine.context)).quoteToken)
    expect(venue.calls.quote.map((call) => call.order.slippageBps)).toEqual([sent])
    expect(venue.calls.execute.map(({ sealed }) => sealed.order.slippageBps)).toEqual([sent])
  })
})

describe('an offer that guarantees less than the tolerance [quote-executable-has-minimum]', () => {
  const liar = createFakeVenue('liar', { quote: offers(250_500_000n, { slippage: firm(1n) }) })

  it.each([null, 50])('loses to an offer that guarantees enough (slippageBps %s)', async (given) => {
    const honest = createFakeVenue('honest', { quote: offers(249_000_000n) })
    const { engine, context, called } = await startEngine([liar, honest])
    expect((await engine.quote(tolerating(given), context)).venue.id).toBe('honest')
    expect(called('quote').find(({ venue }) => venue === 'liar')).toMatchObject({ outcome: 'decline' })
  })

  it('is a decline with the reason boundTooWide, and leaves the venue healthy', async () => {
    const { engine, context } = await startEngine([liar])
    for (let i = 0; i < 6; i += 1) {
      const { details } = await refusalOf(engine.quote(tolerating(null), context), 'NO_LIQUIDITY')
      const decline = { venue: 'liar', kind: 'noLiquidity', reason: 'boundTooWide', retryable: true }
      expect(details).toEqual({ declines: [decline] })
    }
    expect((await engine.health()).isDegraded).toBe(false)
  })
})

it('slippage.bps: is the distance between output and guaranteed minimum, rounded up [quote-executable-has-minimum]', async () => {
  const quote = offers(1_000_000n, { slippage: firm(995_999n) })
  const { engine, context } = await startEngine([createFakeVenue('toy', { quote })])
  expect((await engine.quote(order(), context)).slippage).toEqual({ bps: 41, isFirm: true, guaranteedMin: 995_999n })
})
