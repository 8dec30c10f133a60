import { describe, expect, it } from 'vitest'
import { anOrder } from '../../support/anOrder.ts'
import { pair, TOKENS } from '../../support/fakeChains.ts'
import { createFakeVenue, hangs } from '../../support/fakeVenue.ts'
import { createTestEngine } from '../../support/testEngine.ts'

const order = anOrder({ from: pair(TOKENS.usdcEthereum), to: pair(TOKENS.usdcArbitrum), amount: 1_000_000n })

describe('a quote whose caller leaves before there is an offer', () => {
  it('is told as that, and not as a route that nobody serves', async () => {
    const test = await createTestEngine({ venues: [createFakeVenue('slow', { quote: hangs })] })
    const caller = new AbortController()
    const quote = test.engine.quote(order, { ...test.context, signal: caller.signal })
    caller.abort()
    await expect(quote).rejects.toThrow()
    expect(test.reported('quote.left')).toMatchObject([{ inputAmount: '1000000', requestId: 'req-1' }])
    expect(test.reported('quote.refused')).toEqual([])
    await test.close()
  })
})
