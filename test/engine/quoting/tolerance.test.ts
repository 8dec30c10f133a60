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

it.each([null, 50])(
  'an offer that guarantees less than the tolerance is declined (slippageBps %s) [quote-executable-has-minimum]',
  async (given) => {
    const liar = createFakeVenue('liar', { quote: offers(250_500_000n, { slippage: firm(1n) }) })
    const { engine, context } = await startEngine([liar])
    const { details } = await refusalOf(engine.quote(tolerating(given), context), 'NO_LIQUIDITY')
    expect(details).toEqual({ declines: [{ venue: 'liar', kind: 'noLiquidity', reason: 'boundTooWide', retryable: true }] })
  },
)

it('slippage.bps: is the distance between output and guaranteed minimum, rounded up [quote-executable-has-minimum]', async () => {
  const quote = offers(1_000_000n, { slippage: firm(995_999n) })
  const { engine, context } = await startEngine([createFakeVenue('toy', { quote })])
  expect((await engine.quote(order(), context)).slippage).toEqual({ bps: 41, isFirm: true, guaranteedMin: 995_999n })
})
