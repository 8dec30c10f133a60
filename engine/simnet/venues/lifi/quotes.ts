import { formatUsd, usdMicrosOf } from '../../kit/dollars.ts'
import { alteredTerms, misquotedBy, takesFor } from '../../kit/lies.ts'
import { Refusal, refuseIf } from '../../kit/refusal.ts'
import type { SimRequest } from '../../kit/simVenue.ts'
import type { SimToken } from '../../kit/tokens.ts'
import type { World } from '../../kit/world.ts'
import { callOf } from './calldata.ts'
import { EXCHANGE, tokenBody } from './networks.ts'
import { type Price, priceOf } from './pricing.ts'
import { type Question, readQuestion } from './question.ts'

/** A quote as it was given. */
export type Issued = { readonly transactionId: string; readonly question: Question; readonly price: Price }

/** How often the exchange can pay what one call tells it to. */
const STOCKED = 3n
const GAS = 350_000n
const GAS_PRICE = 1_000_000_000n

const hex = (value: bigint): string => `0x${value.toString(16)}`

const estimateBody = ({ market, tokens }: World, question: Question, price: Price, diamond: string) => {
  const { input, output, origin, amount } = question
  const body = (token: SimToken) => tokenBody(token, market.usdMicros(token))
  const usd = (token: SimToken, sum: bigint) => formatUsd(usdMicrosOf(market, token, sum))
  const coin = tokens.native(origin.chainId)
  const fee = (name: string, description: string, percentage: string, sum: bigint) => ({
    ...{ name, description, percentage, token: body(input), amount: sum.toString(), amountUSD: usd(input, sum), included: true },
  })
  return {
    tool: price.tool ?? 'lifidexaggregator',
    fromAmount: amount.toString(),
    fromAmountUSD: usd(input, amount),
    toAmount: price.expected.toString(),
    toAmountMin: price.minimum.toString(),
    toAmountUSD: usd(output, price.expected),
    approvalAddress: diamond,
    ...(input.refusesReapproval ? { approvalReset: true } : {}),
    executionDuration: price.seconds,
    feeCosts: [
      fee('LIFI Fixed Fee', 'Fixed LIFI fee, independent of any other fee', '0.0025', price.service),
      ...(price.integratorFee > 0n ? [fee('Integrator Fee', 'Fee shared with the integrator', '', price.integratorFee)] : []),
    ],
    gasCosts: [
      {
        ...{ type: 'SEND', price: GAS_PRICE.toString(), estimate: GAS.toString(), limit: ((GAS * 5n) / 4n).toString() },
        ...{ amount: (GAS * GAS_PRICE).toString(), amountUSD: usd(coin, GAS * GAS_PRICE), token: body(coin) },
      },
    ],
  }
}

/** GET /v1/quote: a price, and the transaction that takes it. */
export const answerQuote = async (world: World, venue: string, { query, path }: SimRequest, issue: (issued: Issued) => void) => {
  const { faults, random, clock, evm, market, tokens } = world
  const question = readQuestion(query, tokens)
  const takes = takesFor(faults, venue, path)
  if (takes('halt'))
    throw new Refusal('1002', 'No available quotes for the requested transfer', {
      status: 404,
      errors: { filteredOut: [], failed: [] },
    })
  const price = priceOf(question, world, misquotedBy(takes))
  const { origin, destination, input, output, amount, sender, recipient, slippage } = question
  const diamond = origin.diamond ?? ''
  refuseIf(diamond === '', '1002', 'No available quotes for the requested transfer', { status: 404 })
  const honest = { recipient, minimum: price.minimum, amount, contract: diamond }
  const { contract, ...terms } = alteredTerms(takes, honest, { origin, destination })
  const transactionId = `0x${random.hex(64)}`
  const minimum = terms.minimum === price.minimum ? null : terms.minimum
  const plan = {
    transactionId,
    recipient: terms.recipient,
    amount: terms.amount,
    minimum,
    nowSeconds: Math.floor(clock.now() / 1_000),
  }
  const { exchange } = price
  // The pool gives less than it is to, so that the diamond takes nothing.
  const pays = exchange === null ? 0n : takes('short-fill') ? exchange.minimum / 2n : exchange.expected
  const data = await callOf(question, price, plan, pays)
  if (exchange !== null)
    await evm.fund({ chainId: origin.chainId, token: exchange.to.address, holder: EXCHANGE, amount: pays * STOCKED })
  issue({ transactionId, question, price })
  const tool = price.tool ?? 'lifidexaggregator'
  const body = (token: SimToken) => tokenBody(token, market.usdMicros(token))
  return {
    type: 'lifi',
    id: `${random.hex(8)}:0`,
    tool,
    toolDetails: { key: tool, name: tool, logoURI: 'https://example.invalid/tool.svg' },
    action: {
      ...{ fromChainId: origin.id, toChainId: destination.id, fromToken: body(input), toToken: body(output) },
      ...{ fromAmount: amount.toString(), fromAddress: sender, toAddress: recipient, slippage: Number(slippage) / 1e18 },
    },
    estimate: estimateBody(world, question, price, diamond),
    includedSteps: [],
    transactionId,
    transactionRequest: {
      ...{ from: sender, to: contract, chainId: origin.id, data, value: hex(input.isNative ? terms.amount : 0n) },
      ...{ gasPrice: hex(GAS_PRICE), gasLimit: hex((GAS * 5n) / 4n) },
    },
  }
}
