import { parseAddress } from '../../../core/address.ts'
import { type ChainId, ecosystemOf } from '../../../core/chain.ts'
import {
  type FieldProblem,
  integer,
  matching,
  nullable,
  oneOf,
  queryFields,
  readFields,
  record,
  text,
  type,
} from '../../kit/fields.ts'
import { Refusal } from '../../kit/refusal.ts'
import type { SimTokens } from '../../kit/tokens.ts'
import { assetNamed, type CfAsset, tokenOf } from './networks.ts'
import type { Pair } from './pricing.ts'

const WORD = text(1, 64)
/** More than nothing, and less than 2^128. */
const AMOUNT = matching('a numeric string', /^[1-9][0-9]{0,37}$/)
const NUMERIC = matching('a numeric string', /^[0-9]{1,78}$/)
const FLAG = matching('a boolean', /^(true|false)$/)
const ASSET = record({ required: { chain: WORD, asset: WORD }, optional: {} })
const ACCOUNT = matching('an account of the State Chain', /^cF[1-9A-HJ-NP-Za-km-z]{47}$/)
const NONE = nullable(text(0, 0))

const QUOTE = {
  required: { srcChain: WORD, srcAsset: WORD, destChain: WORD, destAsset: WORD, amount: AMOUNT },
  optional: {
    brokerCommissionBps: matching('a numeric string', /^[0-9]{1,4}$/),
    isVaultSwap: FLAG,
    // Swaps within the State Chain are not played offline.
    isOnChain: oneOf('false'),
    dcaV2Enabled: FLAG,
    dcaEnabled: FLAG,
    brokerIdSs58: ACCOUNT,
    brokerAccount: ACCOUNT,
    expectedResponseTimeMs: NUMERIC,
  },
}

const FILL_OR_KILL = record({
  required: { retryDurationBlocks: integer(0, 14_400), refundAddress: text(1, 128), minPriceX128: NUMERIC },
  optional: { maxOraclePriceSlippage: nullable(integer(0, 10_000)), refundCcmMetadata: NONE },
})
const SWAP = { srcAsset: ASSET, destAsset: ASSET, destAddress: text(1, 128), amount: AMOUNT, fillOrKillParams: FILL_OR_KILL }
/** What a client was quoted: counted by the backend, and no term of the channel. */
const QUOTED = type('an object', (value) => (typeof value === 'object' && value !== null ? value : undefined))
/** Chainflip's own commission, which nobody here asks for. */
const NOT_TAKEN = type('false', (value) => (value === false ? value : undefined))
const CHANNEL = {
  required: SWAP,
  optional: { srcAddress: text(1, 128), maxBoostFeeBps: integer(0, 100), quote: QUOTED, takeCommission: NOT_TAKEN },
}
const VAULT_SWAP = {
  required: SWAP,
  optional: {
    srcAddress: text(1, 128),
    commissionBps: integer(0, 1_000),
    brokerAccount: ACCOUNT,
    maxBoostFeeBps: integer(0, 100),
    // Named by clients of before 2.3.
    network: oneOf('mainnet'),
  },
}

const pairOf = (src: CfAsset | null, dest: CfAsset | null, tokens: SimTokens): Pair | null =>
  src && dest && { src, dest, input: tokenOf(tokens, src), output: tokenOf(tokens, dest) }

/** GET /v2/quote. Whatever is wrong with the query, it is told in two words. */
export const readQuoteQuery = (query: URLSearchParams, tokens: SimTokens) => {
  const refuse = () => new Refusal(null, 'invalid request')
  const asked = readFields(queryFields(query), QUOTE, refuse)
  const pair = pairOf(assetNamed(asked.srcChain, asked.srcAsset), assetNamed(asked.destChain, asked.destAsset), tokens)
  if (pair === null) throw refuse()
  if (pair.src === pair.dest) throw new Refusal(null, 'Requested assets cannot be swapped')
  const brokerBps = Number(asked.brokerCommissionBps ?? 0)
  return { ...pair, amount: BigInt(asked.amount), isVaultSwap: asked.isVaultSwap === 'true', brokerBps }
}

/** As zod words it. */
const issue = (message: string, path: readonly string[]): Refusal =>
  new Refusal('ZodError', message, { issues: [{ code: 'custom', message, path }], name: 'ZodError' })

const refuseField = ({ kind, name }: FieldProblem): Refusal =>
  issue(kind === 'unknown' ? `Unrecognized key: "${name}"` : 'Invalid input', [name])

const checkAddress = (address: string, { chainId, chain }: CfAsset): void => {
  if (parseAddress(ecosystemOf(chainId as ChainId), address) === null)
    throw issue(`Address "${address}" is not a valid "${chain}" address for "mainnet"`, [])
}

type Body = ReturnType<typeof readFields<typeof SWAP, Record<never, never>>>

const checkSwap = ({ srcAsset, destAsset, destAddress, amount, fillOrKillParams }: Body, tokens: SimTokens) => {
  const pair = pairOf(assetNamed(srcAsset.chain, srcAsset.asset), assetNamed(destAsset.chain, destAsset.asset), tokens)
  if (pair === null) throw issue('Invalid input', ['srcAsset'])
  checkAddress(destAddress, pair.dest)
  checkAddress(fillOrKillParams.refundAddress, pair.src)
  return {
    ...{ pair, amount: BigInt(amount), recipient: destAddress, refundTo: fillOrKillParams.refundAddress },
    minPriceX128: BigInt(fillOrKillParams.minPriceX128),
    retryBlocks: fillOrKillParams.retryDurationBlocks,
  }
}

export const readChannelRequest = (body: unknown, tokens: SimTokens) => checkSwap(readFields(body, CHANNEL, refuseField), tokens)

export const readVaultSwapRequest = (body: unknown, tokens: SimTokens) => {
  const read = readFields(body, VAULT_SWAP, refuseField)
  const { commissionBps = 0, brokerAccount } = read
  // An assertion of the backend's, which it does not explain.
  if (brokerAccount === undefined && commissionBps > 0) throw new Refusal(null, 'unknown error', { status: 500 })
  return { ...checkSwap(read, tokens), brokerBps: commissionBps, broker: brokerAccount ?? null }
}
