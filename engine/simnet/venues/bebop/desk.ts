import type { ChainId } from '../../../core/chain.ts'
import type { TypedData } from '../../../core/execution.ts'
import { BALANCE_MANAGER, JAM_SETTLEMENT, PATHS, ROUTER, SETTLEMENT } from '../../../venues/bebop/protocol.ts'
import { BoundedMap } from '../../kit/boundedMap.ts'
import { unitsFor, usdMicrosOf } from '../../kit/dollars.ts'
import type { SettlementFault } from '../../kit/fate.ts'
import { alteredTerms, misquotedBy, takesFor } from '../../kit/lies.ts'
import { ok } from '../../kit/refusal.ts'
import type { SimRequest } from '../../kit/simVenue.ts'
import type { SimToken } from '../../kit/tokens.ts'
import type { World } from '../../kit/world.ts'
import { readQuoteRequest, refusing } from './request.ts'

/** The same on every chain. */
export const CONTRACTS = { router: ROUTER, settlement: SETTLEMENT, jam: JAM_SETTLEMENT, manager: BALANCE_MANAGER } as const

/** Keys of the offline network alone, each the hash of its name. */
export const ROUTER_SIGNER = {
  key: 'b210147724715b67e7bd99cf65b5ab01227b5821a17288be455d7a480e77f40d',
  address: '0xf8Bb599f5Fe3a904Fa032c83da7352E9aBEE5667',
} as const
export const MAKER = {
  key: '062b828b70fdac21eb1a35d66357ce0e212a393522b1a190cb26622cc3c7a729',
  address: '0x37b7D5F6C8117093f1bb7b9cf6B67f137646D872',
} as const

export type Network = { readonly chainId: ChainId; readonly path: string }
export const NETWORKS: readonly Network[] = Object.entries(PATHS).map(([id, path]) => ({ chainId: Number(id) as ChainId, path }))

/** The price of settling one order, in millionths of a US dollar. */
const GAS_USD_MICROS: { readonly [chainId: number]: bigint } = { 1: 1_500_000n, 56: 60_000n, 42161: 40_000n, 43114: 60_000n }
export const gasOf = ({ network }: Desk): bigint => GAS_USD_MICROS[network.chainId] ?? 20_000n

/** An order as it is signed: numbers as digits. */
export type JamOrder = TypedData['message'] & {
  readonly [name in 'taker' | 'receiver' | 'expiry' | 'partnerInfo']: string
} & {
  readonly [name in 'sellTokens' | 'buyTokens' | 'sellAmounts' | 'buyAmounts']: readonly [string]
}

/** A quote, and the order once it was placed. */
export type Quoted = { readonly order: JamOrder; readonly pair: Pair; placed: Placed | null }

export type Placed = {
  readonly signature: string
  fate: SettlementFault | null
  /** Null before the settlement. */
  settled: { readonly txHash: string; readonly at: number } | null
  hasFailed: boolean
}

/** One chain of the venue. */
export type Desk = {
  readonly world: World
  readonly network: Network
  readonly quotes: Map<string, Quoted>
  /** The rest of each token in the settlement. */
  readonly stock: Map<string, bigint>
}
export const createDesk = (world: World, network: Network): Desk => ({
  ...{ world, network, quotes: new BoundedMap(), stock: new Map() },
})

/** A unique number. */
export const numberOf = ({ world: { random } }: Desk): bigint => BigInt(`0x1${random.hex(30)}`)

export type Pair = { readonly sell: SimToken; readonly buy: SimToken }

/** The least and the most of one quote, in millionths of a US dollar. */
const LEAST_USD_MICROS = 1_000_000n
const DEPTH_USD_MICROS = 2_000_000n * 1_000_000n

/** The output before any fee. `gasUsdMicros`: the gas that the sender of the transaction takes from it. */
export const grossOf = ({ world: { market } }: Desk, pair: Pair, amount: bigint, gasUsdMicros: bigint): bigint => {
  const worth = usdMicrosOf(market, pair.sell, amount)
  if (worth < LEAST_USD_MICROS) throw refusing(104, 'MinSize')
  if (worth > DEPTH_USD_MICROS) throw refusing(102, 'InsufficientLiquidity')
  // Tokens of one currency trade closer. Tenths of a basis point.
  const spread = pair.sell.currency === pair.buy.currency ? 5n : 50n
  const gross = (market.convert(pair.sell, amount, pair.buy) * (100_000n - spread)) / 100_000n
  const gas = gasUsdMicros === 0n ? 0n : unitsFor(market, pair.buy, gasUsdMicros)
  if (gas >= gross) throw refusing(106, 'GasExceedsSize')
  return gross - gas
}

export const shareOf = (amount: bigint, bps: bigint): bigint => (amount * bps) / 10_000n

/** The guaranteed part of an amount. */
export const minimumOf = (amount: bigint, slippageBps: bigint): bigint => amount - (amount * slippageBps + 9_999n) / 10_000n

/** What both APIs make of a request. `haltCode`: the refusal of a halted market. */
export const startQuote = (desk: Desk, sent: SimRequest, haltCode: number) => {
  const { world, network } = desk
  const { chainId } = network
  const takes = takesFor(world.faults, 'bebop', sent.path)
  if (takes('halt')) throw refusing(haltCode, 'halted')
  const request = readQuoteRequest(sent)
  const { sell, buy, sold, isKeyed, taker, receiver } = request
  const [input, output] = [sell, buy].map((address) => world.tokens.find(chainId, address))
  if (!input || !output) throw refusing(105, 'TokenNotSupported')
  const pair: Pair = { sell: input, buy: output }
  // A quote without a key ends sooner.
  const [keyed, demo] = chainId === 1 ? [75, 30] : [60, 10]
  const expiry = Math.floor(world.clock.now() / 1_000) + (isKeyed ? keyed : demo)
  return {
    ...{ ...request, pair, expiry, takes },
    /** Before any fee. */
    gross: (gasUsdMicros: bigint): bigint => grossOf(desk, pair, sold, gasUsdMicros) * misquotedBy(takes),
    /** The terms as the faults that are on leave them. */
    terms: (minimum: bigint, contract: string) =>
      alteredTerms(takes, { recipient: receiver, minimum, amount: sold, contract }, { origin: network, destination: network }),
    answer: (quoteId: string, amount: bigint, minimum: bigint, rest: object) =>
      ok({
        ...{ quoteId, chainId, taker, receiver, expiry, ...rest },
        buyTokens: { [buy]: { amount: String(amount), minimumAmount: String(minimum), decimals: output.decimals } },
        sellTokens: { [sell]: { amount: String(sold), decimals: input.decimals } },
      }),
  }
}
