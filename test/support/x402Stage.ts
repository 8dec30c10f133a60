import type { Clock } from '../../engine/core/clock.ts'
import type { EngineEvent } from '../../engine/observe/observe.ts'
import type { Store } from '../../engine/store/store.ts'
import { createForgetAnswers, createLeftCalls } from '../../engine/x402/leftCalls.ts'
import { createPaidCalls } from '../../engine/x402/paidCalls.ts'
import { aQuote, type EdgeServer, type EdgeWish, type Reply, startEdge } from './edgeServer.ts'
import { createMemoryStore } from './memoryStore.ts'
import { createTestClock } from './testEngine.ts'
import { createPayer, createX402Bench, type Payer, type X402Bench } from './x402Bench.ts'

export const BODY = {
  inputChainId: 8453,
  outputChainId: 42161,
  inputToken: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
  outputToken: '0xaf88d065e77c8cC2239327C5EDb3A432268e5831',
  inputAmount: '25000000',
  userAddress: '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045',
} as const

export type Paying = { readonly 'payment-signature': string }
export type Headers = { readonly [name: string]: string }

export type X402Instance = {
  readonly edge: EdgeServer
  /** Asks a paid quote. */
  post(body: object | string, headers?: Headers, path?: string): Promise<Reply>
  /** What the settlement job does beside the swaps. */
  lookAfter(): Promise<void>
}

export type X402Stage = X402Bench &
  X402Instance & {
    readonly clock: Clock & { at: number }
    readonly store: Store
    /** Of all instances, in the order they were asked. */
    readonly quotes: unknown[]
    /** What all instances reported of payments. */
    readonly events: EngineEvent[]
    readonly payer: Payer
    /** Another process over the same records. */
    instance(wish?: EdgeWish): Promise<X402Instance>
    /** A payment for what a 402 asks for, by the stage's payer or another, as a header. */
    sign(by?: Payer): Promise<Paying>
    /** What was booked. */
    booked(): Promise<readonly { readonly [field: string]: unknown }[]>
    close(): Promise<void>
  }

export type X402Wish = EdgeWish & { readonly openStore?: (clock: Clock) => Store | Promise<Store>; readonly bench?: X402Bench }

/** The edge over payments on a toy chain: instances of it share their records and that chain. */
export const openX402 = async ({
  openStore = createMemoryStore,
  bench = createX402Bench(),
  ...first
}: X402Wish = {}): Promise<X402Stage> => {
  const clock = createTestClock()
  const store = await openStore(clock)
  const startedAt = clock.at
  // Wallets sign by real time: this is that, moved by as much as the other.
  const walletClock: Clock = { now: () => Date.now() + clock.at - startedAt }
  const quotes: unknown[] = []
  const events: EngineEvent[] = []
  const edges: EdgeServer[] = []

  const instance = async ({ engine = {}, app = {} }: EdgeWish = {}): Promise<X402Instance> => {
    const observe = (event: EngineEvent) => void events.push(event)
    const parts = { ports: bench.ports, store, clock: walletClock, holder: `holder-${edges.length}`, observe }
    const quote = async (order: unknown) => {
      quotes.push(order)
      return aQuote({ quoteToken: `token-${quotes.length}` })
    }
    const edge = await startEdge({ engine: { quote, paidCalls: createPaidCalls(parts), ...engine }, app })
    edges.push(edge)
    return {
      edge,
      post: (body, headers = {}, path = 'quote') => edge.call(`/api/v1/x402/${path}`, { method: 'POST', body, headers }),
      lookAfter: async () => {
        for (const create of [createLeftCalls, createForgetAnswers])
          await create({ ...parts, holder: 'job', clock }).run(new AbortController().signal)
      },
    }
  }

  const one = await instance(first)
  const payer = createPayer(bench.chain)
  const { headers } = await (await instance()).post(BODY)
  const required = headers['payment-required'] ?? ''
  return {
    ...bench,
    ...one,
    clock,
    store,
    quotes,
    events,
    payer,
    instance,
    sign: async (by = payer) => ({ 'payment-signature': await by.sign(required) }),
    booked: async () => (await store.ledger.rawAfter(0, 5_000)).map(({ document }) => JSON.parse(document)),
    close: async () => {
      for (const edge of edges) await edge.close()
      await store.close()
    },
  }
}

export const codeOf = ({ status, json }: Reply): readonly [number, string | undefined] => [status, json.error?.code]

export const reasonOf = ({ json }: Reply): unknown => json.error?.details?.['reason']
