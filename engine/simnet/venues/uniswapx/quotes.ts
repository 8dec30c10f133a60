import { usdMicrosOf } from '../../kit/dollars.ts'
import { amount, each, flag, integer, listOf, lowerCase, matching, oneOf, readFields, record, type } from '../../kit/fields.ts'
import { alteredTerms, misquotedBy, type Takes, takesFor } from '../../kit/lies.ts'
import { found, ok, refuseIf } from '../../kit/refusal.ts'
import type { SimRequest, SimResponse } from '../../kit/simVenue.ts'
import type { SimToken } from '../../kit/tokens.ts'
import type { Book } from './book.ts'
import { type Kind, NATIVE_MARKER, ORDER_NETWORKS, type OrderNetwork, PERMIT2, ZERO_ADDRESS } from './networks.ts'
import { encodeOrder, type Output, orderHash, type Terms, typesOf, valuesOf } from './orderData.ts'
import { invalid, noQuotes, refuseField } from './refusal.ts'

const ADDRESS = lowerCase(
  type('an address', (value) => {
    const text = matching('', /^(0x)?[0-9a-fA-F]{40}$/).read(value)
    return text === undefined || text.startsWith('0x') ? text : `0x${text}`
  }),
)
const PERCENT = type('a percentage with two decimals at most', (value) =>
  typeof value === 'number' && value >= 0 && value <= 100 && /^[0-9]+(\.[0-9]{1,2})?$/.test(String(value)) ? value : undefined,
)
const BIPS = type('more than 0 and 500 at most', (value) =>
  typeof value === 'number' && value > 0 && value <= 500 ? value : undefined,
)
const UNISWAPX = ['UNISWAPX_V2', 'UNISWAPX_V3'] as const

const FIELDS = {
  required: {
    type: oneOf('EXACT_INPUT', 'EXACT_OUTPUT'),
    amount,
    ...each(integer(1, 2 ** 32), 'tokenInChainId', 'tokenOutChainId'),
    ...each(ADDRESS, 'tokenIn', 'tokenOut', 'swapper'),
  },
  optional: {
    slippageTolerance: PERCENT,
    autoSlippage: oneOf('DEFAULT'),
    protocols: listOf(oneOf('V2', 'V3', 'V4', 'UNISWAPX', ...UNISWAPX), 6),
    routingPreference: oneOf('BEST_PRICE', 'FASTEST'),
    recipient: ADDRESS,
    integratorFees: listOf(record({ required: { bips: BIPS, recipient: ADDRESS }, optional: {} }), 1),
    permitAmount: oneOf('FULL', 'EXACT'),
    spreadOptimization: oneOf('EXECUTION', 'PRICE'),
    urgency: oneOf('normal', 'fast', 'urgent'),
    generatePermitAsTransaction: flag,
  },
}

const readQuoteRequest = (body: unknown) => readFields(body, FIELDS, refuseField)
type QuoteRequest = ReturnType<typeof readQuoteRequest>

const demandOne = (isRight: boolean, detail: string): void => {
  if (!isRight) throw invalid(detail)
}

/** Tenths of a basis point that fillers keep, who pay for gas out of them. */
const SPREAD = { alike: 60n, other: 250n } as const
/** The largest order that anyone fills, in US dollars. */
const USD_MAX = 3_000_000n

type Pair = { readonly network: OrderNetwork; readonly kind: Kind; readonly from: SimToken; readonly to: SimToken }

const pairOf = ({ world: { tokens } }: Book, request: QuoteRequest): Pair => {
  const { tokenInChainId, tokenOutChainId, tokenIn, tokenOut, protocols = [], routingPreference } = request
  const asked = protocols.filter((protocol) => UNISWAPX.some((one) => one === protocol))
  demandOne(asked.length <= 1, '"protocols" takes one value of UniswapX')
  demandOne(protocols.length === 0 || routingPreference !== 'FASTEST', '"routingPreference" FASTEST goes without protocols')
  demandOne(tokenInChainId === tokenOutChainId, 'bridges are not simulated')
  const network = found(ORDER_NETWORKS.find(({ chainId }) => chainId === tokenInChainId) ?? null, ...NONE)
  const protocol = UNISWAPX.find((one) => asked.includes(one))
  const kind = found(protocol && network.kinds[protocol], ...NONE)
  refuseIf(tokenIn === ZERO_ADDRESS || tokenIn === tokenOut, ...NONE)
  refuseIf(tokenIn === network.wrappedNative && tokenOut === ZERO_ADDRESS, ...NONE)
  const tokenAt = (address: string) => tokens.find(tokenInChainId, address === ZERO_ADDRESS ? NATIVE_MARKER : address)
  const [from, to] = [found(tokenAt(tokenIn), ...NONE), found(tokenAt(tokenOut), ...NONE)]
  // What takes a share of its transfers cannot be promised to anybody.
  refuseIf(from.takesTransferFee || to.takesTransferFee, ...NONE)
  return { network, kind, from, to }
}
const NONE = ['ResourceNotFound', 'No quotes available', { status: 404 }] as const

/** What all of an input is worth to fillers, in the output token. */
export const worthOf = ({ world: { market } }: Book, from: SimToken, sold: bigint, to: SimToken): bigint => {
  const spread = from.currency === to.currency ? SPREAD.alike : SPREAD.other
  return (market.convert(from, sold, to) * (100_000n - spread)) / 100_000n
}

/** Orders live so long from their quote on. */
const LIFETIME_S = 300

const outputsOf = (total: bigint, request: QuoteRequest, recipient: string): readonly Output[] => {
  const { tokenOut: token, slippageTolerance = 0, integratorFees = [] } = request
  const floor = (start: bigint) => (start * BigInt(10_000 - Math.round(slippageTolerance * 100))) / 10_000n
  const output = (to: string, start: bigint): Output => ({ token, recipient: to, start, end: floor(start) })
  const fees = integratorFees.map((fee) => output(fee.recipient, (total * BigInt(Math.round(fee.bips * 100))) / 1_000_000n))
  const rest = fees.reduce((left, { start }) => left - start, total)
  return [output(recipient, rest), ...fees]
}

/** An order as it is, or as a fault has it. */
const lied = (terms: Terms, takes: Takes): Terms => {
  const [own, ...fees] = terms.outputs
  if (!own) return terms
  const honest = { recipient: own.recipient, minimum: own.end, amount: terms.amount, contract: terms.reactor }
  const told = alteredTerms(takes, honest, { origin: terms, destination: terms })
  const end = terms.kind === 'PRIORITY' && told.minimum !== own.end ? { start: told.minimum } : {}
  const outputs = [{ ...own, ...end, recipient: told.recipient.toLowerCase(), end: told.minimum }, ...fees]
  return { ...terms, amount: told.amount, reactor: told.contract.toLowerCase(), outputs }
}

const plainCurves = (values: ReturnType<typeof valuesOf>): unknown =>
  JSON.parse(JSON.stringify(values.witness), (name, value: unknown) => (name === 'relativeBlocks' ? [Number(value)] : value))

/** POST /quote. */
export const answerQuote = async (book: Book, { body, path }: SimRequest): Promise<SimResponse> => {
  const { clock, faults, market, random } = book.world
  const takes = takesFor(faults, 'uniswapx', path)
  const request = readQuoteRequest(body)
  const { slippageTolerance, autoSlippage, swapper, recipient = swapper, tokenIn: token } = request
  demandOne((slippageTolerance === undefined) !== (autoSlippage === undefined), 'one of slippageTolerance and autoSlippage')
  demandOne(request.integratorFees?.length !== 0, '"integratorFees" must have one entry')
  if (takes('halt') || autoSlippage !== undefined || request.type === 'EXACT_OUTPUT') throw noQuotes()
  const { network, kind, from, to } = pairOf(book, request)
  const usd = usdMicrosOf(market, from, request.amount) / 1_000_000n
  if (usd < network.usdMin || usd > USD_MAX) throw noQuotes()
  const total = worthOf(book, from, request.amount, to) * misquotedBy(takes)
  if (total === 0n) throw noQuotes()
  const outputs = outputsOf(total, request, recipient)
  const nonce = BigInt(`0x${random.hex(64)}`)
  const deadline = Math.floor(clock.now() / 1_000) + LIFETIME_S
  const { chainId } = network
  const own: Terms = {
    ...{ kind, chainId, reactor: network.reactors[kind] ?? ZERO_ADDRESS, swapper, nonce, deadline, token },
    ...{ amount: request.amount, outputs: kind === 'PRIORITY' ? outputs.map((one) => ({ ...one, end: one.start })) : outputs },
  }
  const terms = lied(own, takes)
  const values = valuesOf(terms)
  const { info, ...witness } = plainCurves(values) as { info: object }
  const orderId = await orderHash(terms)
  const quote = {
    orderId,
    quoteId: [8, 4, 4, 4, 12].map((length) => random.hex(length)).join('-'),
    encodedOrder: await encodeOrder(terms, null),
    orderInfo: { ...info, chainId, ...witness },
    slippageTolerance,
    deadlineBufferSecs: LIFETIME_S,
    classicGasUseEstimateUSD: '0.1',
  }
  book.quotes.set(orderId, { terms, text: JSON.stringify(quote) })
  const permitData = { domain: { name: 'Permit2', chainId, verifyingContract: PERMIT2 }, types: typesOf(kind), values }
  return ok({ requestId: random.hex(32), routing: kind, quote, permitData })
}
