import { type Address, parseAddress } from '../../../core/address.ts'
import { type ChainId, ecosystemOf, isEvmChainId } from '../../../core/chain.ts'
import { assetOfBytes, bytesOf, fromWireChain, PROTOCOL_FEE_BPS, toWireToken } from '../../../venues/debridge/protocol.ts'
import { MICROS, unitsFor, usdMicrosOf } from '../../kit/dollars.ts'
import { amount, each, matching, oneOf, queryFields, readFields, text } from '../../kit/fields.ts'
import { found, Refusal, refuseIf } from '../../kit/refusal.ts'
import type { SimToken, SimTokens } from '../../kit/tokens.ts'
import type { World } from '../../kit/world.ts'

const NAME = text(1, 128)
const NUMBER = matching('a number', /^[0-9]{1,10}$/)

/** Only market orders whose parties are all named: the adapter asks for no others. */
const FIELDS = {
  required: {
    ...each(NUMBER, 'srcChainId', 'dstChainId'),
    ...each(NAME, 'srcChainTokenIn', 'dstChainTokenOut', 'senderAddress', 'srcChainOrderAuthorityAddress'),
    ...each(NAME, 'srcChainRefundAddress', 'srcAllowedCancelBeneficiary'),
    ...each(NAME, 'dstChainTokenOutRecipient', 'dstChainOrderAuthorityAddress'),
    srcChainTokenInAmount: amount,
    dstChainTokenOutAmount: oneOf('auto'),
    prependOperatingExpenses: oneOf('false'),
  },
  optional: {
    affiliateFeePercent: matching('a percentage up to 10', /^(10|[0-9](\.[0-9]{1,4})?)$/),
    affiliateFeeRecipient: NAME,
    referralCode: NUMBER,
    accesstoken: text(8, 256),
  },
}

const INVALID = 'INVALID_QUERY_PARAMETERS'

const addressOn = (chainId: ChainId, name: string): Address => {
  const spelled = isEvmChainId(chainId) ? name.toLowerCase() : name
  return found(parseAddress(ecosystemOf(chainId), spelled), INVALID, `${name} is not an address`)
}

/** A token in deBridge's notation. */
export const nameOf = ({ chainId, address }: SimToken): string =>
  toWireToken({ chainId: chainId as ChainId, address: address as Address })

/** The query of GET /dln/order/create-tx. Throws Refusal. */
const readQuestion = (search: URLSearchParams, tokens: SimTokens) => {
  const query = readFields(queryFields(search), FIELDS, ({ name, expects }) => new Refusal(INVALID, `${name}: ${expects}`))
  const { affiliateFeePercent: percent, affiliateFeeRecipient: feeTo } = query
  refuseIf((percent === undefined) !== (feeTo === undefined), INVALID, 'affiliateFeePercent and affiliateFeeRecipient')
  const origin = found(fromWireChain(BigInt(query.srcChainId)), INVALID, 'srcChainId is not supported')
  const destination = found(fromWireChain(BigInt(query.dstChainId)), INVALID, 'dstChainId is not supported')
  refuseIf(origin === destination, 'SOURCE_AND_DESTINATION_CHAINS_ARE_EQUAL', 'Source and destination chains are equal')
  const tokenNamed = (chainId: ChainId, name: string, side: 'IN' | 'OUT'): SimToken => {
    const asset = assetOfBytes(chainId, bytesOf(chainId, addressOn(chainId, name)))
    return found(asset && tokens.find(chainId, asset.address), `UNSUPPORTED_TOKEN_${side}`, 'Unsupported token')
  }
  addressOn(origin, query.srcChainRefundAddress)
  return {
    ...{ origin, destination, amount: query.srcChainTokenInAmount },
    input: tokenNamed(origin, query.srcChainTokenIn, 'IN'),
    output: tokenNamed(destination, query.dstChainTokenOut, 'OUT'),
    maker: addressOn(origin, query.senderAddress),
    authority: addressOn(origin, query.srcChainOrderAuthorityAddress),
    beneficiary: addressOn(origin, query.srcAllowedCancelBeneficiary),
    recipient: addressOn(destination, query.dstChainTokenOutRecipient) as string,
    canceller: addressOn(destination, query.dstChainOrderAuthorityAddress),
    /** Parts of a million. */
    fee: feeTo === undefined ? null : { recipient: addressOn(origin, feeTo), ppm: Math.round(Number(percent) * 10_000) },
    referralCode: Number(query.referralCode ?? 0),
  }
}

/** What the solver keeps of an order, and what filling and unlocking cost it, in millionths of a dollar. */
const MARGIN_BPS = 4n
const expenseOn = (chainId: ChainId): bigint => (chainId === 1 ? 900_000n : 60_000n)
/** What a pool keeps. */
const SWAP_BPS = 5n
const DEPTH_MICROS = 5_500_000n * MICROS

/** The token an order is made of: the input itself where solvers hold it, or what it is swapped for before. */
const givenOf = (origin: ChainId, input: SimToken, tokens: SimTokens): SimToken => {
  if (['USDC', 'USDT'].includes(input.symbol) || (input.isNative && isEvmChainId(origin))) return input
  const usdc = tokens.all.find(({ chainId, symbol }) => chainId === origin && symbol === 'USDC')
  if (!usdc || !isEvmChainId(origin)) throw new Refusal('IMPOSSIBLE_ROUTE', 'No route to a reserve asset')
  return usdc
}

/** A request with its price. `misquoted` is the factor of a fault. Throws Refusal for too little and too much. */
export const dealOf = (search: URLSearchParams, { tokens, market }: World, misquoted: bigint) => {
  const question = readQuestion(search, tokens)
  const { input, output, fee, origin, destination } = question
  const given = givenOf(origin, input, tokens)
  refuseIf(usdMicrosOf(market, input, question.amount) > DEPTH_MICROS, 'IMPOSSIBLE_ROUTE', 'No liquidity for that much')
  const swapped = (market.convert(input, question.amount, given) * (10_000n - SWAP_BPS)) / 10_000n
  const gross = given === input ? question.amount : swapped
  const protocolFee = (gross * BigInt(PROTOCOL_FEE_BPS)) / 10_000n
  const affiliateFee = fee === null ? 0n : (gross * BigInt(fee.ppm)) / MICROS
  const net = gross - protocolFee - affiliateFee
  const cost = unitsFor(market, given, expenseOn(origin) + expenseOn(destination))
  refuseIf(cost * 2n > net, 'ERROR_LOW_GIVE_AMOUNT', 'The give amount does not cover the operating expenses')
  const takeAmount = (market.convert(given, net - cost, output) * (10_000n - MARGIN_BPS) * misquoted) / 10_000n
  refuseIf(takeAmount === 0n, 'INCLUDED_GAS_FEE_NOT_COVERED_BY_INPUT_AMOUNT', 'Nothing would be left')
  return { ...question, given, gross, affiliateFee, net, takeAmount }
}

export type Deal = ReturnType<typeof dealOf>
