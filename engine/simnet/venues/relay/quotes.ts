import { COMPUTE_BUDGET_PROGRAM, TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../../../chains/solana/solanaCodec.ts'
import { type Address, parseAddress } from '../../../core/address.ts'
import { type Asset, nativeAsset } from '../../../core/asset.ts'
import { BITCOIN, CHAIN_IDS, type ChainId, ecosystemOf, SOLANA } from '../../../core/chain.ts'
import * as protocol from '../../../venues/relay/protocol.ts'
import { wordOf } from '../../kit/abiWords.ts'
import { littleEndian } from '../../kit/anchor.ts'
import { callData, ERC20 } from '../../kit/callData.ts'
import { MICROS, unitsFor, usdMicrosOf } from '../../kit/dollars.ts'
import * as fields from '../../kit/fields.ts'
import { freshAddress } from '../../kit/freshAddress.ts'
import { alteredTerms, type PayloadTerms, takesFor } from '../../kit/lies.ts'
import type { Market } from '../../kit/market.ts'
import { found, Refusal, refuseIf } from '../../kit/refusal.ts'
import type { SimToken } from '../../kit/tokens.ts'
import type { World } from '../../kit/world.ts'

/** Requests to `/price` and `/quote/v2`: the price of a swap, its order, and the steps to its deposit. */

const TEXT = fields.text(1, 256)
const BPS = fields.matching('basis points', /^([0-9]{1,4}|10000)$/)
const CHAIN = fields.type('a chain of Relay', (id) => CHAIN_IDS.find((chainId) => protocol.toWireChain(chainId) === id))
const FEE = fields.record({ required: { recipient: TEXT, fee: BPS }, optional: {} })

const PRICE = {
  required: {
    ...fields.each(TEXT, 'user', 'originCurrency', 'destinationCurrency'),
    ...fields.each(CHAIN, 'originChainId', 'destinationChainId'),
    ...{ amount: fields.amount, tradeType: fields.oneOf('EXACT_INPUT') },
  },
  optional: {
    ...fields.each(TEXT, 'recipient', 'refundTo', 'referrer'),
    ...{ slippageTolerance: BPS, useDepositAddress: fields.flag, appFees: fields.listOf(FEE, 8) },
  },
}
const OPTIONS = fields.each(fields.flag, 'strict', 'disableOriginSwaps')
const QUOTE: typeof PRICE = { ...PRICE, optional: { ...PRICE.optional, ...OPTIONS } }

export const refuseField = ({ kind, name, expects }: fields.FieldProblem): Refusal =>
  new Refusal(null, kind === 'unknown' ? `body must NOT have additional properties: ${name}` : `body/${name} must be ${expects}`)

/** An address in Relay's spelling, as answers and orders have it. */
export const spelledOn = ({ chainId }: { readonly chainId: number }, address: string): string =>
  protocol.spelled(chainId as ChainId, address)

/** Tokens of the offline network have valid addresses. */
const assetOf = (token: SimToken): Asset => token as unknown as Asset

export const currencyOf = (token: SimToken): string => spelledOn(token, protocol.toCurrency(assetOf(token)))

const SOLVER_SYMBOLS = new Set(['USDC', 'USDT', 'USDG'])

/** Whether the solver holds it, and takes it without a swap. */
const isSolverCurrency = ({ isNative, symbol }: SimToken): boolean => isNative || SOLVER_SYMBOLS.has(symbol)

type Asked = { readonly isPrice: boolean; readonly isKeyed: boolean }

export const readQuoteRequest = (raw: unknown, tokens: World['tokens'], { isPrice, isKeyed }: Asked) => {
  const body = fields.readFields(raw, isPrice ? PRICE : QUOTE, refuseField)
  const { originChainId: origin, destinationChainId: destination, slippageTolerance = '200', appFees = [] } = body
  refuseIf(body.referrer !== undefined && !isKeyed, 'UNAUTHORIZED_QUOTE', 'Please provide an api key', { status: 401 })
  const isPaidTo = body.useDepositAddress === true
  refuseIf(isPaidTo !== (origin === BITCOIN), null, 'offline, bitcoin is paid to an address, and nothing else is')
  const token = (chainId: ChainId, currency: string): SimToken => {
    const one = tokens.all.find((each) => each.chainId === chainId && currencyOf(each) === protocol.spelled(chainId, currency))
    return found(one, 'UNSUPPORTED_CURRENCY', `Unknown currency ${currency}`)
  }
  const [input, output] = [token(origin, body.originCurrency), token(destination, body.destinationCurrency)]
  const isPlayed = origin !== destination && isSolverCurrency(input)
  refuseIf(!isPlayed, 'NO_SWAP_ROUTES_FOUND', 'no exchange on one chain is played offline')
  const address = (chainId: ChainId, text: string): string =>
    found(parseAddress(ecosystemOf(chainId), text), 'INVALID_ADDRESS', `Invalid address ${text}`)
  const user = address(origin, body.user)
  const recipient = address(destination, body.recipient ?? user)
  refuseIf(tokens.find(destination, recipient) !== null, 'INVALID_RECIPIENT', 'recipient is a token contract')
  const refundTo = body.refundTo === undefined ? user : address(origin, body.refundTo)
  const rates = { slippageBps: Number(slippageTolerance), feeBps: appFees.map(({ fee }) => BigInt(fee)) }
  return { user, recipient, refundTo, input, output, amount: body.amount, origin, destination, ...rates }
}

type QuoteRequest = Readonly<ReturnType<typeof readQuoteRequest>>

const FLAT_MICROS = 20_000n
const GAS_MICROS: { readonly [chainId: number]: bigint } = { 1: 1_200_000n, '-1': 1_500_000n, '-2': 10_000n }
const OTHER_GAS_MICROS = 4_000n
const DEPTH_MICROS = 1_500_000n * MICROS
/** A swap moves the price by one more millionth for every this many dollars. */
const DOLLARS_PER_PPM = 100n
/** The solver waits for blocks, and holds bitcoin meanwhile. */
const BITCOIN_BPS = 25n
/** The cost of collecting a deposit from its own address. */
const SWEEP_SATOSHI = 1_300n

/**
 * A request with its price. The fee is in smallest units of the input, the others of the output. A fault multiplies the output by
 * `misquoted`. Throws Refusal below the minimum and beyond the depth.
 */
export const priced = <R extends QuoteRequest>(request: R, market: Market, misquoted = 1n) => {
  const { origin, destination, input, output, amount: paid, feeBps, slippageBps } = request
  const worth = usdMicrosOf(market, input, paid)
  refuseIf(worth > DEPTH_MICROS, 'INSUFFICIENT_LIQUIDITY', 'The solver has not enough of that')
  const ofPair = input.currency !== output.currency ? 6n : input.currency === 'USD' ? 1n : 0n
  const bitcoin = origin === BITCOIN || destination === BITCOIN ? BITCOIN_BPS : 0n
  const sharePpm = (ofPair + bitcoin) * 100n + worth / MICROS / DOLLARS_PER_PPM
  const flat = FLAT_MICROS + (GAS_MICROS[destination] ?? OTHER_GAS_MICROS)
  const relayerFee = unitsFor(market, input, flat) + (paid * sharePpm) / MICROS + (origin === BITCOIN ? SWEEP_SATOSHI : 0n)
  const appFee = feeBps.reduce((sum, bps) => sum + (paid * bps) / 10_000n, 0n)
  const swapped = paid - relayerFee - appFee
  const expected = market.convert(input, swapped, output) * misquoted
  const isTooLow = swapped * 2n < paid || expected === 0n
  refuseIf(isTooLow, 'AMOUNT_TOO_LOW', 'Swap output amount is too small to cover fees required to execute swap')
  const minimum = (expected * BigInt(10_000 - slippageBps)) / 10_000n
  return { ...request, expected, minimum, appFee }
}

export type Deal = ReturnType<typeof priced<QuoteRequest>>

export const currencyBody = (token: SimToken) => ({
  ...{ chainId: protocol.toWireChain(token.chainId as ChainId), address: currencyOf(token) },
  ...{ symbol: token.symbol, name: token.name, decimals: token.decimals },
})

export const amountBody = (token: SimToken, units: bigint, minimum = units) => ({
  ...{ currency: currencyBody(token), amount: units.toString(), minimumAmount: minimum.toString() },
})

/** `details` and `fees`: the answer of `/price`, and a part of that of `/quote/v2`. */
export const priceBody = ({ user, recipient, input, output, amount: paid, origin, expected, minimum, appFee }: Deal) => ({
  fees: { app: amountBody(input, appFee) },
  details: {
    ...{ sender: user, recipient },
    currencyIn: amountBody(input, paid),
    currencyOut: amountBody(output, expected, minimum),
    timeEstimate: origin === BITCOIN ? 900 : origin === 1 ? 12 : 2,
  },
})

const nameOf = (chainId: ChainId): string => protocol.PINNED[chainId].name

/** The newest router of a chain, which deliveries and refunds in coins go through; null where there is none. */
export const routerOf = (chainId: ChainId): string | null => protocol.PINNED[chainId].routers[0]?.toLowerCase() ?? null

/** As in every order that was published. */
const WEEK_SECONDS = 7 * 86_400

/** The contract a delivery or a refund goes through: `encodeOrderExtraData` of relay-protocol-sdk. */
const extraDataOf = (chainId: ChainId): string => (routerOf(chainId) === null ? '0x' : `0x${wordOf(routerOf(chainId) ?? '')}`)

/** `protocol.v2.orderData`. */
const orderOf = (deal: Deal, terms: PayloadTerms, { clock, random }: World) => {
  const { origin, destination, input, output, amount, expected, refundTo, recipient } = deal
  const deadline = Math.floor(clock.now() / 1_000) + WEEK_SECONDS
  const payment = { chainId: nameOf(origin), currency: currencyOf(input), amount: amount.toString(), weight: '1' }
  // On either chain, as in the orders of the vendor's examples; another token is given back as what the solver holds.
  const refund = (chainId: ChainId, token: SimToken, to: string) => ({
    ...{ chainId: nameOf(chainId), recipient: spelledOn({ chainId }, to), minimumAmount: '0', deadline },
    currency: isSolverCurrency(token) ? currencyOf(token) : spelledOn(token, protocol.toCurrency(nativeAsset(chainId))),
    extraData: extraDataOf(chainId),
  })
  const onOther = ecosystemOf(origin) === ecosystemOf(destination) ? refundTo : recipient
  const delivery = {
    ...{ recipient: spelledOn(output, terms.recipient), currency: currencyOf(output) },
    ...{ minimumAmount: terms.minimum.toString(), expectedAmount: expected.toString() },
  }
  return {
    ...{ version: 'v1', solverChainId: 'base', solver: protocol.SOLVER.toLowerCase(), salt: `0x${random.hex(64)}` },
    inputs: [{ payment, refunds: [refund(origin, input, refundTo), refund(destination, output, onOther)] }],
    output: { chainId: nameOf(destination), payments: [delivery], calls: [], deadline, extraData: extraDataOf(destination) },
    fees: [],
  }
}

/** A deal with what it takes to pay for it. */
export type Payable = Deal & {
  readonly requestId: string
  readonly orderId: string
  /** Bitcoin is paid to an address of the request's own; null elsewhere. */
  readonly depositAddress: string | null
}

/** What the wallet is to do, faults included. */
type Paid = Payable & Pick<PayloadTerms, 'contract'>

const STEP = { kind: 'transaction', action: 'Confirm transaction in your wallet', description: 'of the swap' }

const depositStep = ({ requestId, depositAddress }: Payable, data: object) => {
  const check = { endpoint: `/intents/status/v3?requestId=${requestId}`, method: 'GET' }
  return {
    ...STEP,
    id: 'deposit',
    requestId,
    depositAddress: depositAddress ?? '',
    items: [{ status: 'incomplete', data, check }],
  }
}

/** More than the nodes of the offline network ask for a unit of gas: 1 gwei at first, and less with every empty block. */
const FEES = { maxFeePerGas: '3000000000', maxPriorityFeePerGas: '1000000' }

const evmSteps = async (paid: Paid) => {
  const { requestId, orderId, user, input, contract: to, amount } = paid
  const from = { from: user.toLowerCase(), chainId: input.chainId, ...FEES }
  const data = await protocol.depositCall({ asset: assetOf(input), amount }, user, orderId)
  if (input.isNative) return [depositStep(paid, { ...from, to, data, value: amount.toString(), gas: '42000' })]
  const approval = { ...from, to: currencyOf(input), data: await callData(ERC20.approve, [to, amount]), value: '0' }
  const approve = { ...STEP, id: 'approve', requestId, items: [{ status: 'incomplete', data: approval }] }
  return [approve, depositStep(paid, { ...from, to, data, value: '0', gas: '78000' })]
}

/** SetComputeUnitLimit of 120,000. */
const BUDGET = { keys: [], programId: COMPUTE_BUDGET_PROGRAM, data: '02c0d40100' }

const svmSteps = (paid: Paid) => {
  const { orderId, user, input, contract: programId, amount } = paid
  const owner = input.program === 'token-2022' ? TOKEN_2022_PROGRAM : TOKEN_PROGRAM
  const accounts = protocol.solanaDepositAccounts(protocol.SOLANA_DEPOSITORY, assetOf(input), user as Address, owner)
  const written = input.isNative ? [1, 3] : [1, 5, 6]
  const keys = accounts.map((pubkey, at) => ({ pubkey, isSigner: at === 1, isWritable: written.includes(at) }))
  const kind = protocol.SOLANA_DEPOSIT[input.isNative ? 'native' : 'token']
  const data = `${kind}${littleEndian(8, amount).toString('hex')}${wordOf(orderId)}`
  return [depositStep(paid, { instructions: [BUDGET, { keys, programId, data }], addressLookupTableAddresses: [] })]
}

const stepsOf = (paid: Paid) => {
  if (paid.origin === SOLANA) return svmSteps(paid)
  return paid.origin === BITCOIN ? [depositStep(paid, { amount: paid.amount.toString() })] : evmSteps(paid)
}

/** POST /quote/v2: the answer, and the deal as the venue will know it. */
export const quoteBody = async (world: World, venue: string, deal: Deal) => {
  const { random, faults } = world
  const { origin, refundTo } = deal
  const takes = takesFor(faults, venue, '/quote/v2')
  const contract = spelledOn({ chainId: origin }, protocol.PINNED[origin].depository)
  const terms = alteredTerms(takes, { ...deal, contract }, { origin: deal.input, destination: deal.output })
  const order = orderOf(deal, terms, world)
  const [honest = ''] = await protocol.orderIds(order, (name) => protocol.PINNED_NAMES.get(name) as ChainId)
  const orderId = takes('bad-signature') ? `0x${random.hex(64)}` : honest
  const address = terms.contract === contract ? freshAddress(origin, random) : refundTo
  const depositAddress = origin === BITCOIN ? address : null
  const entry: Payable = { ...deal, requestId: `0x${random.hex(64)}`, orderId: honest, depositAddress }
  const steps = await stepsOf({ ...entry, ...terms, orderId })
  return { body: { steps, ...priceBody(deal), protocol: { v2: { orderId, orderData: order } } }, entry }
}
