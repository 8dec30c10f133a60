import { BoundedMap } from '../../kit/boundedMap.ts'
import { allowanceOf, balanceOf } from '../../kit/chainReads.ts'
import { unitsFor, usdMicrosOf } from '../../kit/dollars.ts'
import type { SettlementFault } from '../../kit/fate.ts'
import type { SimToken } from '../../kit/tokens.ts'
import type { World } from '../../kit/world.ts'
import type { Network } from './networks.ts'
import { refusing } from './refusal.ts'
import type { QuoteRequest } from './request.ts'

/** An order of JAM as it is signed. */
export type JamOrder = {
  readonly taker: string
  readonly receiver: string
  /** Unix seconds. */
  readonly expiry: bigint
  readonly exclusivityDeadline: bigint
  readonly nonce: bigint
  readonly executor: string
  readonly partnerInfo: bigint
  readonly sellToken: string
  readonly buyToken: string
  readonly sellAmount: bigint
  readonly buyAmount: bigint
  readonly hooksHash: string
}

/** A quote that may be signed, and what became of it once it was. */
export type Quoted = { readonly order: JamOrder; readonly pair: Pair; placed: Placed | null }

export type Placed = {
  readonly signature: string
  fate: SettlementFault | null
  /** Null while nothing was settled. */
  settled: { readonly txHash: string; readonly at: number } | null
  hasFailed: boolean
}

export type Pair = { readonly sell: SimToken; readonly buy: SimToken }

/** One chain of the venue: what it remembers, and the world it is in. */
export type Desk = {
  readonly world: World
  readonly network: Network
  readonly quotes: Map<string, Quoted>
  /** Tokens whose balance manager the solver has allowed. */
  readonly allowed: Set<string>
  /** What the contracts still hold of each token. */
  readonly stock: Map<string, bigint>
}

export const createDesk = (world: World, network: Network): Desk => ({
  ...{ world, network, quotes: new BoundedMap(), allowed: new Set(), stock: new Map() },
})

/** A number of the venue's own: bits of chance over a count, so that two are never alike. */
export const numberOf = ({ world: { random } }: Desk): bigint => BigInt(`0x1${random.hex(30)}`)

export const quoteIdOf = (desk: Desk): string => `121-${numberOf(desk)}`

export const expiryOf = ({ network, world }: Desk, { isShort, isKeyed }: QuoteRequest): number => {
  const { short, keyed, demo } = network.livesS
  return Math.floor(world.clock.now() / 1_000) + (isShort ? short : isKeyed ? keyed : demo)
}

/** The least and the most that anyone quotes, in millionths of a US dollar. */
const LEAST_USD_MICROS = 1_000_000n
const DEPTH_USD_MICROS = 2_000_000n * 1_000_000n

export const pairOf = ({ world, network }: Desk, sell: string, buy: string): Pair => {
  const [sold, bought] = [sell, buy].map((address) => world.tokens.find(network.chainId, address))
  if (!sold || !bought) throw refusing(105, `TokenNotSupported: ${sold ? buy : sell}`)
  return { sell: sold, buy: bought }
}

/** Tokens that follow one another trade closer. Tenths of a basis point. */
const spreadOf = ({ sell, buy }: Pair): bigint => (sell.currency === buy.currency ? 5n : 50n)

/** What is paid for an amount before any fee. `gasUsdMicros`: what whoever sends the transaction asks for it. */
export const grossOf = ({ world: { market } }: Desk, pair: Pair, amount: bigint, gasUsdMicros: bigint): bigint => {
  const worth = usdMicrosOf(market, pair.sell, amount)
  if (worth < LEAST_USD_MICROS) throw refusing(104, 'MinSize: the size is too small')
  if (worth > DEPTH_USD_MICROS) throw refusing(102, 'InsufficientLiquidity: nobody fills so much')
  const gross = (market.convert(pair.sell, amount, pair.buy) * (100_000n - spreadOf(pair))) / 100_000n
  const gas = gasUsdMicros === 0n ? 0n : unitsFor(market, pair.buy, gasUsdMicros)
  if (gas >= gross) throw refusing(106, 'GasExceedsSize: gas would cost more')
  return gross - gas
}

export const shareOf = (amount: bigint, bps: bigint): bigint => (amount * bps) / 10_000n

type Cover = { readonly token: string; readonly owner: string; readonly spender: string; readonly amount: bigint }

/** Refuses a taker who has less than is sold, or allows less of it. What no chain tells is taken as enough. */
export const checkCover = async ({ world, network: { chainId } }: Desk, { spender, amount, ...held }: Cover): Promise<void> => {
  const owned = { chainId, ...held }
  if (((await balanceOf(world, owned)) ?? amount) < amount) throw refusing(204, 'taker has insufficient balance')
  if (((await allowanceOf(world, owned, spender)) ?? amount) < amount) throw refusing(205, 'taker has insufficient approval')
}
