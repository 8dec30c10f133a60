import { onTestFinished } from 'vitest'
import type { BuiltSwap, Quote } from '../../engine/core/answers.ts'
import { NATIVE } from '../../engine/core/asset.ts'
import type { Order } from '../../engine/core/order.ts'
import { anOrder, type OrderWish, WALLETS } from './anOrder.ts'
import { pair, TOKENS } from './fakeChains.ts'
import { createFakeVenue, type FakeVenue, type FakeVenueOptions } from './fakeVenue.ts'
import { createTestClock, createTestEngine, type TestEngine, type TestEngineOptions } from './testEngine.ts'

const AMOUNT = 1_000_000n

/** The usual routes; the recipient of each is an EVM wallet. */
export const ROUTES = {
  evm: { from: pair(TOKENS.usdcEthereum), to: pair(TOKENS.usdcArbitrum), amount: AMOUNT },
  coins: { from: [1, NATIVE], to: pair(TOKENS.usdcArbitrum), amount: AMOUNT },
  solana: { from: pair(TOKENS.usdcSolana), to: pair(TOKENS.usdcEthereum), amount: AMOUNT, recipient: WALLETS.evm },
  bitcoin: { from: [-1, NATIVE], to: pair(TOKENS.usdcEthereum), amount: AMOUNT, recipient: WALLETS.evm },
} as const satisfies { [name: string]: OrderWish }

/** The order of a usual route, with the wishes of a test. */
export const orderOn = (route: OrderWish, wish: Partial<Order> = {}): Order => ({ ...anOrder(route), ...wish })

export type GivenAddresses = { readonly destinationAddress?: string; readonly refundAddress?: string }

export type SwapStage = TestEngine & {
  readonly venue: FakeVenue
  quote(order?: Order): Promise<Quote>
  /** The token of a fresh quote. */
  token(order?: Order): Promise<string>
  execute(quoteToken: string, given?: GivenAddresses): Promise<BuiltSwap>
  /** Executes a fresh quote. */
  swap(order?: Order): Promise<BuiltSwap>
}

/** An engine with one toy venue, closed when the test ends. Give `store` and `clock` of another stage for a second process. */
export const startSwaps = async (
  toy: FakeVenueOptions = {},
  options: Partial<TestEngineOptions> & { readonly venue?: FakeVenue } = {},
): Promise<SwapStage> => {
  const { clock = createTestClock(), venue = createFakeVenue('toy', { now: clock.now, ...toy }), ...rest } = options
  const test = await createTestEngine({ venues: [venue], ...rest, clock })
  onTestFinished(() => test.close())
  const quote = (order = orderOn(ROUTES.evm)) => test.engine.quote(order, test.context)
  const token = async (order?: Order) => (await quote(order)).quoteToken
  const execute = (quoteToken: string, given: GivenAddresses = {}) =>
    test.engine.execute({ quoteToken, destinationAddress: null, refundAddress: null, ...given }, test.context)
  return { ...test, venue, quote, token, execute, swap: async (order) => execute(await token(order)) }
}

/** The paths of the fields that a request is refused for. */
export const fieldsOf = ({ details }: { readonly details: unknown }): string[] =>
  (details as { fields: { path: string }[] }).fields.map(({ path }) => path)
