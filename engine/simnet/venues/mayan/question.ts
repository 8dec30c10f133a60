import { base58 } from '@scure/base'
import { amount, type FieldProblem, flag, integer, matching, queryFields, readFields, text, type } from '../../kit/fields.ts'
import { found, Refusal, refuseIf } from '../../kit/refusal.ts'
import type { SimRequest } from '../../kit/simVenue.ts'
import type { SimTokens } from '../../kit/tokens.ts'
import { findToken, networkNamed } from './networks.ts'

const number = type('a number', (value) =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined,
)
const address = matching('an address', /^(0x[0-9a-fA-F]{40}|[1-9A-HJ-NP-Za-km-z]{32,44})$/)
const solanaKey = type('a Solana address', (value) => {
  try {
    return typeof value === 'string' && base58.decode(value).length === 32 ? value : undefined
  } catch {
    return undefined
  }
})
const slippage = type('basis points up to 500, or auto', (value) => (value === 'auto' ? 100 : integer(0, 500).read(value)))

const FLAGS = [
  'swift',
  'mctp',
  'fastMctp',
  'wormhole',
  'shuttle',
  'monoChain',
  'gasless',
  'onlyDirect',
  'fullList',
  'guaranteedOutput',
] as const
const flags = Object.fromEntries(FLAGS.map((name) => [name, flag])) as { readonly [name in (typeof FLAGS)[number]]: typeof flag }

const FIELDS = {
  required: { fromToken: address, toToken: address, fromChain: text(1, 32), toChain: text(1, 32), slippageBps: slippage },
  optional: {
    ...flags,
    amountIn64: amount,
    amountIn: number,
    gasDrop: number,
    referrer: solanaKey,
    referrerBps: integer(0, 255),
    destinationAddress: text(1, 128),
    solanaProgram: solanaKey,
    forwarderAddress: address,
    sdkVersion: matching('a version', /^\d+_\d+_\d+$/),
  },
}

const NUMBERS = ['amountIn', 'gasDrop', 'referrerBps', 'slippageBps', 'slippage']
/** Sent by older clients, and of no use to anybody. */
const IGNORED = ['apiKey', 'slippage', 'payload', 'memoHex']

const typed = (name: string, value: unknown): unknown => {
  if (value === 'true' || value === 'false') return value === 'true'
  return NUMBERS.includes(name) && typeof value === 'string' && /^[0-9.]+$/.test(value) ? Number(value) : value
}

/** What a GET asks is all text. */
const ofQuery = (query: URLSearchParams): { readonly [name: string]: unknown } =>
  Object.fromEntries(
    Object.entries(queryFields(query))
      .filter(([name]) => !IGNORED.includes(name))
      .map(([name, value]) => [name, typed(name, value)]),
  )

const refuseField = ({ name, expects, kind }: FieldProblem) => new Refusal(null, `${kind} ${name}: ${expects}`)

/** A question for prices. Throws Refusal. */
export const readQuestion = ({ method, query, body }: SimRequest, tokens: SimTokens) => {
  const asked = readFields(method === 'GET' ? ofQuery(query) : body, FIELDS, refuseField)
  const [origin, destination] = [asked.fromChain, asked.toChain].map((name) =>
    found(networkNamed(name), null, `unknown chain ${name}`),
  )
  if (!origin || !destination) throw new Refusal(null, 'unknown chain')
  const { amountIn64, amountIn, referrer, referrerBps = 0, slippageBps } = asked
  refuseIf(amountIn64 === undefined && amountIn === undefined, null, 'amountIn64 or amountIn is required')
  refuseIf(referrerBps > 200, null, 'referrerBps is too high')
  refuseIf(referrerBps > 0 && referrer === undefined, null, 'referrer is required')
  const [input, output] = [findToken(tokens, origin, asked.fromToken), findToken(tokens, destination, asked.toToken)]
  const whole = input && amountIn !== undefined ? BigInt(Math.round(amountIn * 1e6)) * 10n ** BigInt(input.decimals) : 0n
  const wantsAll = asked.fullList === true
  return {
    origin,
    destination,
    input,
    output,
    amount: amountIn64 ?? whole / 1_000_000n,
    slippageBps,
    referrerBps,
    wantsSwift: asked.swift !== false,
    wantsAll,
  }
}

export type Question = ReturnType<typeof readQuestion>

const SWAP_FIELDS = {
  required: {
    forwarderAddress: address,
    slippageBps: slippage,
    fromToken: address,
    middleToken: address,
    chainName: text(1, 32),
    amountIn64: amount,
  },
  optional: { referrerAddress: address, sdkVersion: text(1, 32) },
}

/** A question for what makes of an input what an order is paid in. Throws Refusal. */
export const readSwapQuestion = (query: URLSearchParams, tokens: SimTokens) => {
  const asked = readFields(ofQuery(query), SWAP_FIELDS, refuseField)
  const network = found(networkNamed(asked.chainName), null, 'unknown chain')
  const input = found(findToken(tokens, network, asked.fromToken), null, 'Route not found', { status: 406 })
  const middle = found(findToken(tokens, network, asked.middleToken), null, 'Route not found', { status: 406 })
  return { network, input, middle, amount: asked.amountIn64, slippageBps: asked.slippageBps }
}
