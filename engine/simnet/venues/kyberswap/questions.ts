import type { ChainId } from '../../../core/chain.ts'
import * as fields from '../../kit/fields.ts'
import { found, Refusal, refuseIf } from '../../kit/refusal.ts'
import type { SimToken, SimTokens } from '../../kit/tokens.ts'

/** A field that is wrong, as the API says it. */
const violation = (field: string, description: string): Refusal =>
  new Refusal('4000', 'bad request', { details: [{ fieldViolations: [{ field, description }] }] })

/** Booleans are bound before anything is looked at. */
const BOOLEANS = [
  'excludeRFQSources',
  'onlyScalableSources',
  'onlyDirectPools',
  'onlySinglePath',
  'gasInclude',
  'isInBps',
] as const

const isBoolean = (name: string): boolean => BOOLEANS.some((one) => one === name)

const refuseQuery = ({ name, expects, kind }: fields.FieldProblem): Refusal =>
  isBoolean(name) && kind === 'wrong'
    ? new Refusal('4001', 'unable to bind query parameters')
    : violation(name, kind === 'missing' ? 'required' : `must be ${expects}`)

const address = fields.matching('an address', /^0x[0-9a-fA-F]{40}$/)
const word = fields.text(1, 512)

const QUERY = {
  required: { tokenIn: address, tokenOut: address, amountIn: fields.amount },
  optional: {
    ...fields.each(fields.oneOf('true', 'false'), ...BOOLEANS),
    ...fields.each(word, 'feeAmount', 'feeReceiver', 'includedSources', 'excludedSources'),
    chargeFeeBy: fields.oneOf('currency_in', 'currency_out'),
    origin: address,
    gasPrice: fields.amount,
  },
} as const

/** A share of the output for each receiver. */
export type Fee = { readonly bps: readonly bigint[]; readonly receivers: readonly string[] }

export type RouteQuestion = {
  readonly chainId: ChainId
  readonly input: SimToken
  readonly output: SimToken
  readonly amount: bigint
  readonly fee: Fee
  readonly isWithoutMakers: boolean
}

type Query = ReturnType<typeof fields.readFields<(typeof QUERY)['required'], (typeof QUERY)['optional']>>

/** All of it, or none of it. Fees that are no share of the output are the real one's, and not simulated. */
const readFee = ({ feeAmount, chargeFeeBy, isInBps, feeReceiver, amountIn }: Query): Fee => {
  if ([feeAmount, chargeFeeBy, isInBps, feeReceiver].every((part) => part === undefined)) return { bps: [], receivers: [] }
  if (feeAmount === undefined || chargeFeeBy === undefined || isInBps === undefined || feeReceiver === undefined)
    throw violation('feeAmount', 'feeAmount, chargeFeeBy, isInBps and feeReceiver go together')
  const [amounts, receivers] = [feeAmount.split(','), feeReceiver.split(',')]
  if (amounts.length !== receivers.length) throw violation('feeReceiver', 'as many as there are amounts')
  if (!amounts.every((one) => /^[0-9]{1,78}$/.test(one))) throw violation('feeAmount', 'digits')
  if (!receivers.every((one) => address.read(one) !== undefined)) throw violation('feeReceiver', 'addresses')
  const bps = amounts.map(BigInt)
  const sum = bps.reduce((all, one) => all + one, 0n)
  const isOfInput = chargeFeeBy === 'currency_in'
  refuseIf(isOfInput && sum >= (isInBps === 'true' ? 10_000n : amountIn), '4005', 'feeAmount is greater than amountIn')
  if (isInBps !== 'true' || isOfInput) throw violation('chargeFeeBy', 'only shares of the output are simulated')
  refuseIf(sum >= 10_000n, '4007', 'feeAmount is greater than amountOut')
  return { bps, receivers }
}

/** GET /{chain}/api/v1/routes */
export const readRouteQuestion = (query: URLSearchParams, chainId: ChainId, tokens: SimTokens): RouteQuestion => {
  const read = fields.readFields(fields.queryFields(query), QUERY, refuseQuery)
  const { tokenIn, tokenOut, amountIn: amount } = read
  if (tokenIn.toLowerCase() === tokenOut.toLowerCase()) throw violation('tokenOut', 'must differ from tokenIn')
  const fee = readFee(read)
  const tokenOf = (text: string): SimToken => {
    const token = found(tokens.find(chainId, text), '4011', 'token not found')
    refuseIf(token.takesTransferFee, '4011', 'token not found')
    return token
  }
  const isWithoutMakers = read.excludeRFQSources === 'true'
  return { chainId, input: tokenOf(tokenIn), output: tokenOf(tokenOut), amount, fee, isWithoutMakers }
}

const slippage = fields.type('basis points', (value) =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0 && value <= 10_000 ? value : undefined,
)

const BODY = {
  required: { routeSummary: fields.type('an object', (value) => value ?? undefined), sender: address, recipient: address },
  optional: {
    slippageTolerance: slippage,
    ...fields.each(fields.flag, 'ignoreCappedSlippage', 'enableGasEstimation'),
    deadline: fields.integer(0, 4_294_967_295),
    origin: address,
    ...fields.each(fields.text(0, 256), 'source', 'referral'),
  },
} as const

const SLIPPAGE_MAX = 2_000
const LIFE_SECONDS = 1_200

/** POST /{chain}/api/v1/route/build */
export const readBuildQuestion = (body: unknown, nowSeconds: number) => {
  const read = fields.readFields(body, BODY, ({ kind, name, expects }) =>
    kind === 'noObject'
      ? new Refusal('4002', 'unable to bind request body')
      : violation(name, kind === 'missing' ? 'required' : `must be ${expects}`),
  )
  const { slippageTolerance = 0, deadline = nowSeconds + LIFE_SECONDS, ignoreCappedSlippage } = read
  if (slippageTolerance > SLIPPAGE_MAX && ignoreCappedSlippage !== true)
    throw violation('slippageTolerance', `must be ${SLIPPAGE_MAX} or less`)
  if (deadline < nowSeconds) throw violation('deadline', 'in the past')
  const { routeSummary, sender, recipient, source = '', enableGasEstimation = false } = read
  return { routeSummary, sender, recipient, source, slippageTolerance, deadline, enableGasEstimation }
}

export type BuildQuestion = ReturnType<typeof readBuildQuestion>

/** A summary that is not what was answered, to the last field, or no longer. */
export const strangeSummary = (): Refusal => violation('routeSummary', 'invalid checksum')
