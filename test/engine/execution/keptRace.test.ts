import { afterEach, describe, expect, it } from 'vitest'
import { anOrder } from '../../support/anOrder.ts'
import { pair, TOKENS } from '../../support/fakeChains.ts'
import { createFakeVenue, declines, type FakeVenue, offers } from '../../support/fakeVenue.ts'
import { createMemoryStore } from '../../support/memoryStore.ts'
import { createTestClock, createTestEngine, START_AT, type TestEngine, type TestEngineOptions } from '../../support/testEngine.ts'

const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

const start = async (options: TestEngineOptions): Promise<TestEngine> => {
  const engine = await createTestEngine(options)
  closers.push(() => engine.close())
  return engine
}

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
  it('is kept with the swap that another process executes, though the quote was never stored', async () => {
    const store = createMemoryStore(createTestClock())
    const quoting = await start({ venues: field('small') })
    const executing = await start({ venues: field('small'), store })
    await executeAt(executing, await quoteAt(quoting))
    const [swapId] = executing.reported('swap.executed').map((event) => event.swapId)
    expect(await store.operator.raceOf(swapId ?? 0)).toEqual({
      mode: 'best_output',
      runs: [
        {
          venue: 'best',
          outcome: 'offer',
          elapsedMs: expect.any(Number),
          rank: 1,
          amount: '1000000',
          minimum: expect.any(String),
        },
        {
          venue: 'second',
          outcome: 'offer',
          elapsedMs: expect.any(Number),
          rank: 2,
          amount: '990000',
          minimum: expect.any(String),
        },
        { venue: 'none', outcome: 'decline', elapsedMs: expect.any(Number), kind: 'amountTooSmall' },
      ],
      unwilling: [],
      reference: null,
    })
  })

  it('gives way where the token has no room for it: the quote is executed without', async () => {
    const engine = await start({ venues: field('x'.repeat(1_200)) })
    const quoteToken = await quoteAt(engine)
    await executeAt(engine, quoteToken)
    expect(quoteToken.length).toBeGreaterThan(2_000)
    expect(await engine.store.operator.raceOf(1)).toBeNull()
  })

  it('leaves the token below 2 KB, however many venues took part', async () => {
    const many = Array.from({ length: 20 }, (_, i) => createFakeVenue(`venue-${i}`, { quote: offers(10n ** 18n + BigInt(i)) }))
    const quoteToken = await quoteAt(await start({ venues: many }))
    expect(quoteToken.length).toBeLessThan(2_048)
  })
})
