import { unitsOf, usdMicrosOf } from '../../kit/dollars.ts'
import { Refusal, refuseIf } from '../../kit/refusal.ts'
import type { SimToken } from '../../kit/tokens.ts'
import type { World } from '../../kit/world.ts'
import { bridgeClassOf, bridgedTokenOn, cctpUsdc, contractOf, hasIntents } from './networks.ts'
import { ONE, type Question } from './question.ts'

const NO_QUOTE = '1002'
const MESSAGE = 'No available quotes for the requested transfer'
const MILLION = 1_000_000n

/** Of the input. */
const SERVICE_BPS = 25n
/** What pools keep, in millionths: less between tokens of one price. */
const CLOSE_PPM = 150n
const ORDINARY_PPM = 1_800n
const DEPTH_USD_MICROS = 3_000_000_000_000n

const TOOLS = ['across', 'polymer', 'polymerStandard', 'relaydepository', 'lifiIntents'] as const
export type Tool = (typeof TOOLS)[number]

/** One exchange before the delivery. */
export type Leg = { readonly to: SimToken; readonly amountIn: bigint; readonly expected: bigint; readonly minimum: bigint }

export type Price = {
  /** Null within one chain. */
  readonly tool: Tool | null
  readonly service: bigint
  readonly integratorFee: bigint
  /** What is left of the input. */
  readonly net: bigint
  readonly exchange: Leg | null
  /** What is given to the bridge, at least. */
  readonly bridged: bigint
  /** Output for a whole of it, in parts of ONE. */
  readonly multiplier: bigint
  readonly polymerFee: bigint
  readonly cctpFee: bigint
  readonly expected: bigint
  readonly minimum: bigint
  readonly seconds: number
}

const failed = (question: Question, tool: string, code: string): Refusal => {
  const { origin, destination, input, output } = question
  const path = `${origin.id}:${input.symbol}-${tool}-${destination.id}:${output.symbol}`
  const errors = {
    filteredOut: [],
    failed: [{ overallPath: path, subpaths: { [path]: [{ errorType: 'NO_QUOTE', code, tool, action: {}, message: code }] } }],
  }
  return new Refusal(NO_QUOTE, MESSAGE, { status: 404, errors })
}

const filtered = (reason: string): Refusal =>
  new Refusal(NO_QUOTE, MESSAGE, { status: 404, errors: { filteredOut: [{ overallPath: '*', reason }], failed: [] } })

const less = (amount: bigint, slippage: bigint): bigint => (amount * (ONE - slippage)) / ONE

const exchangeInto = (question: Question, { market }: World, to: SimToken, amountIn: bigint): Leg => {
  const { input, slippage } = question
  const kept = input.currency === to.currency ? CLOSE_PPM : ORDINARY_PPM
  const isDeep = usdMicrosOf(market, input, amountIn) > DEPTH_USD_MICROS
  if (isDeep) throw failed(question, 'lifidexaggregator', 'INSUFFICIENT_LIQUIDITY')
  const expected = (market.convert(input, amountIn, to) * (MILLION - kept)) / MILLION
  return { to, amountIn, expected, minimum: less(expected, slippage) }
}

/** What goes over the bridge, and what comes out of it. */
type Way = { readonly from: SimToken; readonly to: SimToken }

const wayOf = (tool: Tool, { origin, destination, input, output }: Question, { tokens }: World): Way | null => {
  if (tool === 'polymer' || tool === 'polymerStandard') {
    const [from, to] = [cctpUsdc(tokens, origin), cctpUsdc(tokens, destination)]
    return from && to === output ? { from, to } : null
  }
  if (tool === 'across' && (origin.spokePool === null || destination.spokePool === null)) return null
  const isIntent = tool === 'lifiIntents'
  if (isIntent && ![origin, destination].every(hasIntents)) return null
  const wanted = bridgeClassOf(output)
  if (wanted === null) return null
  // The facet of intents takes no coins.
  const from = bridgeClassOf(input) === wanted && !(isIntent && input.isNative) ? input : bridgedTokenOn(tokens, origin, wanted)
  return from && { from, to: output }
}

type Taken = Pick<Price, 'service' | 'integratorFee' | 'net'>

const bridgeBy = (tool: Tool, question: Question, world: World, taken: Taken, misquoted: bigint): Price | null => {
  const { market } = world
  const { input, destination, slippage } = question
  const way = wayOf(tool, question, world)
  if (way === null) return null
  const exchange = way.from === input ? null : exchangeInto(question, world, way.from, taken.net)
  const given = exchange?.expected ?? taken.net
  const bridged = exchange?.minimum ?? taken.net
  const isCctp = tool === 'polymer' || tool === 'polymerStandard'
  const gas = unitsOf(market, way.from, destination.chainId === 1 ? 1_400_000n : 30_000n)
  const polymerFee = isCctp ? unitsOf(market, way.from, 20_000n) : 0n
  const cctpFee = tool === 'polymer' ? given / 10_000n + 1n : 0n
  const fees = isCctp ? polymerFee + cctpFee : given / (tool === 'lifiIntents' ? 2_000n : 9_000n) + gas
  if (fees * 4n > given) throw failed(question, tool, isCctp ? 'FEES_HIGHER_THAN_AMOUNT' : 'AMOUNT_TOO_LOW')
  if (usdMicrosOf(market, way.from, given) > 4_000_000_000_000n) throw failed(question, tool, 'AMOUNT_TOO_HIGH')
  const out = market.convert(way.from, given - fees, way.to) * misquoted
  const multiplier = (out * ONE) / given
  const expected = isCctp ? out : (given * multiplier) / ONE
  const least = isCctp ? bridged - fees : (bridged * multiplier) / ONE
  const seconds = { across: 8, polymer: 20, polymerStandard: 1_080, relaydepository: 3, lifiIntents: 12 }[tool]
  // Across quotes what it gives, to the unit.
  const minimum = exchange !== null ? least : tool === 'across' ? expected : less(expected, slippage)
  return { ...taken, tool, exchange, bridged, multiplier, polymerFee, cctpFee, expected, minimum, seconds }
}

/** Every tool that is allowed and can do it; what a tool refuses is told where none is left. */
const candidates = (question: Question, world: World, taken: Taken, misquoted: bigint): readonly Price[] => {
  const { bridges, denied } = question
  const allowed = TOOLS.filter((tool) => (bridges === null || bridges.includes(tool)) && !denied.includes(tool))
  const refusals: Refusal[] = []
  const prices = allowed.flatMap((tool) => {
    try {
      return bridgeBy(tool, question, world, taken, misquoted) ?? []
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      refusals.push(error)
      return []
    }
  })
  const [first] = refusals
  if (prices.length === 0)
    throw (
      first ?? (allowed.length === 0 ? filtered('bridges not allowed') : failed(question, allowed[0] ?? '', 'NO_POSSIBLE_ROUTE'))
    )
  return prices
}

/** What a question gives now. `misquoted` is what a fault multiplies it by. Throws Refusal. */
export const priceOf = (question: Question, world: World, misquoted: bigint): Price => {
  const { amount, fee, input, output, origin, destination, slippage, isFastest } = question
  refuseIf(origin.diamond === null, NO_QUOTE, MESSAGE, { status: 404, errors: { filteredOut: [], failed: [] } })
  const service = (amount * SERVICE_BPS) / 10_000n
  const integratorFee = (amount * fee) / ONE
  const taken = { service, integratorFee, net: amount - service - integratorFee }
  if (service === 0n) throw failed(question, 'any', 'AMOUNT_TOO_LOW')
  if (origin === destination) {
    const isWrapping = contractOf(origin, input) === contractOf(origin, output)
    const leg = exchangeInto(question, world, output, taken.net)
    const expected = (isWrapping ? taken.net : leg.expected) * misquoted
    if (expected === 0n) throw failed(question, 'any', 'AMOUNT_TOO_LOW')
    const minimum = less(expected, slippage)
    const exchange = { to: output, amountIn: taken.net, expected, minimum }
    return {
      ...taken,
      tool: null,
      exchange,
      bridged: 0n,
      multiplier: 0n,
      polymerFee: 0n,
      cctpFee: 0n,
      expected,
      minimum,
      seconds: 3,
    }
  }
  const prices = candidates(question, world, taken, misquoted)
  const isBetter = (a: Price, b: Price) => (isFastest ? a.seconds - b.seconds : a.expected > b.expected ? -1 : 1)
  return prices.toSorted(isBetter)[0] as Price
}
