import type { ChainId } from '../../../core/chain.ts'
import { SLUGS } from '../../../venues/kyberswap/protocol.ts'
import * as fields from '../../kit/fields.ts'
import { found, Refusal, refuseIf } from '../../kit/refusal.ts'
import type { SimToken, SimTokens } from '../../kit/tokens.ts'

const refuse = ({ name, expects, kind }: fields.FieldProblem): Refusal =>
  new Refusal('4000', 'bad request', {
    details: [{ fieldViolations: [{ field: name, description: kind === 'missing' ? 'required' : `must be ${expects}` }] }],
  })

const address = fields.matching('an address', /^0x[0-9a-fA-F]{40}$/)

const ROUTES = {
  required: { tokenIn: address, tokenOut: address, amountIn: fields.amount },
  optional: {
    feeAmount: fields.matching('basis points below 10000', /^[1-9]\d{0,3}$/),
    isInBps: fields.oneOf('true'),
    chargeFeeBy: fields.oneOf('currency_out'),
    feeReceiver: address,
    excludeRFQSources: fields.oneOf('true', 'false'),
    origin: address,
  },
} as const

const BUILD = {
  required: {
    routeSummary: fields.type('an object', (value) => value ?? undefined),
    sender: address,
    recipient: address,
    slippageTolerance: fields.integer(0, 2_000),
    deadline: fields.integer(0, 4_294_967_295),
  },
  optional: { origin: address, source: fields.text(0, 256) },
} as const

/** A fee on the output. */
export type Fee = { readonly bps: bigint; readonly receiver: string }

export type RouteRequest = {
  readonly chainId: ChainId
  readonly input: SimToken
  readonly output: SimToken
  readonly amount: bigint
  readonly fee: Fee | null
  readonly isWithoutMakers: boolean
}

/** `/{chain}/api/v1/...` of the public host, and the same paths below `/swap` of the gateway. */
export const readPath = (path: string): { readonly chainId: ChainId; readonly call: string } => {
  const [, slug, call = ''] = /^(?:\/swap)?\/([a-z0-9-]+)\/api\/v1\/(routes|route\/build)$/.exec(path) ?? []
  const chainId = slug === undefined ? undefined : Object.entries(SLUGS).find(([, name]) => name === slug)?.[0]
  if (chainId === undefined) throw new Refusal(null, 'Not Found', { status: 404, path })
  return { chainId: Number(chainId) as ChainId, call }
}

/** The query of GET /{chain}/api/v1/routes. */
export const readRoutes = (query: URLSearchParams, chainId: ChainId, tokens: SimTokens): RouteRequest => {
  const read = fields.readFields(fields.queryFields(query), ROUTES, refuse)
  const { tokenIn, tokenOut, amountIn: amount, feeAmount, feeReceiver: receiver, isInBps, chargeFeeBy } = read
  const parts = [feeAmount, receiver, isInBps, chargeFeeBy].filter((part) => part !== undefined)
  refuseIf(parts.length % 4 !== 0, '4000', 'bad request')
  const tokenOf = (text: string): SimToken => {
    const token = found(tokens.find(chainId, text), '4011', 'token not found')
    refuseIf(token.takesTransferFee, '4011', 'token not found')
    return token
  }
  return {
    ...{ chainId, input: tokenOf(tokenIn), output: tokenOf(tokenOut), amount },
    fee: feeAmount === undefined || receiver === undefined ? null : { bps: BigInt(feeAmount), receiver },
    isWithoutMakers: read.excludeRFQSources === 'true',
  }
}

/** The body of POST /{chain}/api/v1/route/build. */
export const readBuild = (body: unknown) => fields.readFields(body, BUILD, refuse)

export type BuildRequest = ReturnType<typeof readBuild>
