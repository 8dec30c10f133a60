import { describe, expect, it } from 'vitest'
import { anOrder } from '../../support/anOrder.ts'
import { pair, TOKENS } from '../../support/fakeChains.ts'
import { createFakeVenue, declines, type FakeVenue, offers } from '../../support/fakeVenue.ts'
import { createMemoryStore } from '../../support/memoryStore.ts'
import { createTestClock, createTestEngine, START_AT, type TestEngine } from '../../support/testEngine.ts'
import { closedAfterEach } from '../../support/venueKit/benches.ts'

const start = closedAfterEach(createTestEngine)
const now = () => START_AT
const order = anOrder({ from: pair(TOKENS.usdcEthereum), to: pair(TOKENS.usdcArbitrum), amount: 1_000_000n })
const field = (carry: string): readonly FakeVenue[] => [
  createFakeVenue('second', { now, quote: offers(990_000n) }),
  createFakeVenue('best', { now, quote: offers(1_000_000n, { carry }) }),
  createFakeVenue('none', { now, quote: declines('amountTooSmall') }),
]
const quoteAt = async ({ engine, context }: TestEngine) => (await engine.quote(order, context)).quoteToken
const executeAt = ({ engine, context }: TestEngine, quoteToken: string) =>
  engine.execute({ quoteToken, destinationAddress: null, refundAddress: null }, context)

describe('the race of a quote [ops-race-stored]', () => {
  it('race: is stored with the swap by another process, which never had the quote', async () => {
    const store = createMemoryStore(createTestClock())
    const [quoting, executing] = [await start({ venues: field('small') }), await start({ venues: field('small'), store })]
    await executeAt(executing, await quoteAt(quoting))
    const [swapId = 0] = executing.reported('swap.executed').map((event) => event.swapId)
    const elapsedMs = expect.any(Number)
    const offered = { outcome: 'offer', elapsedMs, minimum: expect.any(String) }
    expect(await store.operator.raceOf(swapId)).toEqual({
      mode: 'best_output',
      runs: [
        { venue: 'best', rank: 1, amount: '1000000', ...offered },
        { venue: 'second', rank: 2, amount: '990000', ...offered },
        { venue: 'none', outcome: 'decline', elapsedMs, kind: 'amountTooSmall' },
      ],
      unwilling: [],
      reference: null,
    })
  })

  it('race: is left out of a token without space for it, and the quote is executed', async () => {
    const engine = await start({ venues: field('x'.repeat(1_200)) })
    const quoteToken = await quoteAt(engine)
    await executeAt(engine, quoteToken)
    expect(quoteToken.length).toBeGreaterThan(2_000)
    expect(await engine.store.operator.raceOf(1)).toBeNull()
  })

  it('race: keeps the token below 2 KB with twenty venues', async () => {
    const many = Array.from({ length: 20 }, (_, i) => createFakeVenue(`venue-${i}`, { quote: offers(10n ** 18n + BigInt(i)) }))
    expect((await quoteAt(await start({ venues: many }))).length).toBeLessThan(2_048)
  })
})
