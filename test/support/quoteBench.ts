import { onTestFinished } from 'vitest'
import { toAmount } from '../../engine/core/amount.ts'
import type { Quote } from '../../engine/core/answers.ts'
import type { Offer } from '../../engine/core/offer.ts'
import type { Order } from '../../engine/core/order.ts'
import type { Venue } from '../../engine/venues/venue.ts'
import { usually } from './anOrder.ts'
import { pair, TOKENS } from './fakeChains.ts'
import { runQuote } from './raceTime.ts'
import { createTestEngine, type TestEngine, type TestEngineOptions } from './testEngine.ts'

/** The deadlines of a quote by default. */
export const [SOFT_MS, HARD_MS] = [1_500, 4_000]

/** USDC from Ethereum to Arbitrum. */
export const order = usually({ from: pair(TOKENS.usdcEthereum), to: pair(TOKENS.usdcArbitrum), amount: 1_000_000n })

/** An engine that is closed when its test ends. */
export const startEngine = async (venues: readonly Venue[], options: Omit<TestEngineOptions, 'venues'> = {}) => {
  const engine = await createTestEngine({ venues, ...options })
  onTestFinished(() => engine.close())
  return engine
}

export const asClient = (engine: TestEngine, client: string): TestEngine => ({
  ...engine,
  context: { ...engine.context, client },
})

/** A quote under faked time. */
export const quoteOf = async (engine: TestEngine, asked: Order = order()): Promise<Quote> => (await runQuote(engine, asked)).quote

export const executeToken = ({ engine, context }: TestEngine, quoteToken: string) =>
  engine.execute({ quoteToken, destinationAddress: null, refundAddress: null }, context)

export const offerOf = (venue: string, outputAmount: bigint, wish: Partial<Offer> = {}): Offer => ({
  venue,
  executionType: 'TRANSACTION',
  outputAmount: toAmount(outputAmount),
  fee: { bps: 0, amount: toAmount(0n) },
  slippage: null,
  gasUnits: null,
  spender: null,
  nativeFee: toAmount(0n),
  estimatedTimeSeconds: null,
  expiresAt: null,
  decimals: { input: null, output: null },
  carry: null,
  ...wish,
})

export const firm = (guaranteedMin: bigint): Offer['slippage'] => ({ isFirm: true, guaranteedMin: guaranteedMin as never })
