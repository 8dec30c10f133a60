import { parseAddress } from '../../../core/address.ts'
import { ecosystemOf } from '../../../core/chain.ts'
import * as fields from '../../kit/fields.ts'
import { found, Refusal, refuseIf } from '../../kit/refusal.ts'
import type { SimToken, SimTokens } from '../../kit/tokens.ts'
import { findToken, type Network, networkById } from './networks.ts'

export const VALIDATION = '1011'
const NOT_FOUND = '1003'

/** The one integrator that is registered here: the name, and the wallet that the portal knows for it. */
export const REGISTERED = { name: 'ourswap', wallet: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8' } as const

const invalid = (field: string, why: string): Refusal => new Refusal(VALIDATION, `[ValidationError] /${field} ${why}`)

const word = fields.text(1, 512)
const decimal = fields.matching('a number from 0 to 1', /^(?:0(?:\.[0-9]{1,18})?|\.[0-9]{1,18})$/)
const bool = fields.oneOf('true', 'false')

const QUERY = {
  required: { ...fields.each(word, 'fromChain', 'toChain', 'fromToken', 'toToken', 'fromAddress'), fromAmount: fields.amount },
  optional: {
    toAddress: word,
    slippage: decimal,
    order: fields.oneOf('FASTEST', 'CHEAPEST', 'RECOMMENDED', 'SAFEST'),
    integrator: fields.matching('^[a-zA-Z0-9-_]+$', /^[a-zA-Z0-9-_]+$/),
    fee: decimal,
    referrer: word,
    ...fields.each(word, 'allowBridges', 'denyBridges', 'preferBridges', 'allowExchanges', 'denyExchanges', 'preferExchanges'),
    allowDestinationCall: bool,
    fromAmountForGas: fields.amount,
    maxPriceImpact: decimal,
    skipSimulation: bool,
    executionType: fields.oneOf('transaction', 'message', 'all'),
    ...fields.each(word, 'swapStepTimingStrategies', 'routeTimingStrategies', 'preset'),
  },
} as const

/** Shares are counted in so many parts. */
export const ONE = 10n ** 18n

const shareOf = (text: string): bigint => {
  const [, fraction = ''] = text.split('.')
  return BigInt(fraction.padEnd(18, '0'))
}

/** Sent to whoever does not say. */
const USUAL_SLIPPAGE = '0.005'

export type Question = {
  readonly origin: Network
  readonly destination: Network
  readonly input: SimToken
  readonly output: SimToken
  readonly amount: bigint
  readonly sender: string
  readonly recipient: string
  readonly slippage: bigint
  readonly integrator: string
  readonly fee: bigint
  readonly isFastest: boolean
  /** Null: any. */
  readonly bridges: readonly string[] | null
  readonly denied: readonly string[]
}

const listOf = (text: string | undefined): readonly string[] => (text ?? '').split(',').filter((key) => key !== '')

/** GET /v1/quote */
export const readQuestion = (query: URLSearchParams, tokens: SimTokens): Question => {
  const read = fields.readFields(fields.queryFields(query), QUERY, ({ name, kind, expects }) =>
    invalid(name, kind === 'missing' ? 'is required' : `must be ${expects}`),
  )
  const networkIn = (field: 'fromChain' | 'toChain'): Network => {
    const network = networkById(read[field])
    if (network === null) throw invalid(field, 'must be a valid chain')
    return network
  }
  const [origin, destination] = [networkIn('fromChain'), networkIn('toChain')]
  const tokenIn = (network: Network, field: 'fromToken' | 'toToken'): SimToken => {
    refuseIf(/^0xe{40}$/i.test(read[field]), VALIDATION, `[ValidationError] /${field} must be a valid token`)
    const token = found(findToken(tokens, network, read[field]), NOT_FOUND, `${field} not found`, { status: 404 })
    refuseIf(token.takesTransferFee, NOT_FOUND, `${field} not found`, { status: 404 })
    return token
  }
  const [input, output] = [tokenIn(origin, 'fromToken'), tokenIn(destination, 'toToken')]
  if (input === output) throw invalid('toToken', 'must differ from fromToken')
  const addressIn = ({ chainId }: Network, field: 'fromAddress' | 'toAddress', text: string): string => {
    if (parseAddress(ecosystemOf(chainId), text) === null) throw invalid(field, 'must be a valid address')
    return text
  }
  const isOther = ecosystemOf(origin.chainId) !== ecosystemOf(destination.chainId)
  if (isOther && read.toAddress === undefined) throw invalid('toAddress', 'is required')
  const { integrator = 'lifi-api', fee = '0', slippage = USUAL_SLIPPAGE, allowBridges } = read
  refuseIf(read.fee !== undefined && integrator !== REGISTERED.name, VALIDATION, `Integrator ${integrator} is not registered`)
  return {
    ...{ origin, destination, input, output, amount: read.fromAmount },
    sender: addressIn(origin, 'fromAddress', read.fromAddress),
    recipient: addressIn(destination, 'toAddress', read.toAddress ?? read.fromAddress),
    ...{ slippage: shareOf(slippage), integrator, fee: shareOf(fee), isFastest: read.order === 'FASTEST' },
    bridges: allowBridges === undefined || allowBridges === 'all' || allowBridges === 'default' ? null : listOf(allowBridges),
    denied: listOf(read.denyBridges),
  }
}
