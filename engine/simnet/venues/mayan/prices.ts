import { keccakText } from '../../../chains/evm/evmCodec.ts'
import { ZERO_EVM_ADDRESS } from '../../../core/address.ts'
import { CHAIN_IDS, type ChainId, chainOf, SOLANA } from '../../../core/chain.ts'
import type { Hex } from '../../../core/execution.ts'
import { addressOfWord, pinned, SWIFT, SWIFT_PROGRAM, unitOf, ZERO_WORD } from '../../../venues/mayan/protocol.ts'
import { formatUnits, MICROS, unitsFor, usdMicrosOf } from '../../kit/dollars.ts'
import { amount, each, type FieldProblem, matching, oneOf, readFields, text, type } from '../../kit/fields.ts'
import { alteredTerms, misquotedBy, type Takes } from '../../kit/lies.ts'
import type { Market } from '../../kit/market.ts'
import { found, Refusal } from '../../kit/refusal.ts'
import type { SimToken, SimTokens } from '../../kit/tokens.ts'
import { keccakBytes, signDigest } from '../../kit/typedHash.ts'
import type { World } from '../../kit/world.ts'

const LEAST_MICROS = 500_000n
const DEPTH_MICROS = 1_500_000n * MICROS
/** For the driver, beside its gas on the other chain. */
const FLAT_MICROS = 20_000n
const GAS_MICROS: { readonly [chainId: number]: bigint } = { 1: 1_500_000n, [SOLANA]: 15_000n }
const OTHER_GAS_MICROS = 5_000n
/** What the contract adds to an order. */
export const PROTOCOL_BPS = 3
const DRIVER_BPS = 1n
/** Of every swap in a pool, on either side. */
const POOL_BPS = 5n
/** What a driver takes for an exact sum. */
const EXACT_BPS = 2n
const DEADLINE_MS = 90 * 60_000
const CANCEL_MICROS = 9_000n
const REFUND_MICROS = 700n

/** A token as Mayan names it: zeros for coins on every chain, Solana too, where the mint means wrapped ones. */
const findToken = (tokens: SimTokens, chainId: number, contract: string): SimToken | null => {
  if (contract === ZERO_EVM_ADDRESS) return tokens.native(chainId)
  const token = tokens.find(chainId, contract)
  return token?.isNative ? null : token
}

export const contractOf = ({ isNative, address }: SimToken): string => (isNative ? ZERO_EVM_ADDRESS : address)

export const tokenOfWord = (tokens: SimTokens, chainId: ChainId, word: Hex): SimToken | null =>
  findToken(tokens, chainId, word === ZERO_WORD ? ZERO_EVM_ADDRESS : (addressOfWord(chainId, word) ?? ''))

/** The fields of a query and of a body, as texts. */
const textsOf = (asked: URLSearchParams | object): { readonly [name: string]: unknown } => {
  const fields =
    asked instanceof URLSearchParams ? [...asked] : Object.entries(asked).map(([name, value]) => [name, String(value)])
  return Object.fromEntries(fields.filter(([name]) => name !== 'apiKey'))
}

const refuse = ({ name, expects, kind }: FieldProblem) => new Refusal(null, `${kind} ${name}: ${expects}`)
const address = matching('an address', /^(0x[0-9a-fA-F]{40}|[1-9A-HJ-NP-Za-km-z]{32,44})$/)
const whole = (most: number) =>
  type(`an integer up to ${most}`, (value) =>
    /^\d{1,4}$/.test(String(value)) && Number(value) <= most ? Number(value) : undefined,
  )
const chain = type('a chain', (value) => CHAIN_IDS.find((chainId) => pinned(chainId)?.name === value))
const FLAGS = ['mctp', 'fastMctp', 'wormhole', 'shuttle', 'monoChain', 'gasless', 'onlyDirect', 'guaranteedOutput'] as const
const QUESTION = {
  required: { fromToken: address, toToken: address, fromChain: text(1, 32), toChain: text(1, 32), slippageBps: whole(500) },
  optional: {
    ...each(oneOf('true', 'false'), ...FLAGS, 'swift', 'fullList'),
    ...each(address, 'referrer', 'destinationAddress', 'solanaProgram', 'forwarderAddress'),
    ...{ amountIn64: amount, gasDrop: whole(0), referrerBps: whole(200), sdkVersion: text(5, 32) },
  },
}

/** A request for prices. Throws Refusal. */
export const readQuestion = (asked: URLSearchParams | object, tokens: SimTokens) => {
  const { fromToken, toToken, fullList, referrerBps = 0, slippageBps, ...fields } = readFields(textsOf(asked), QUESTION, refuse)
  const chainNamed = (name: string) => found(chain.read(name), null, `unknown chain ${name}`)
  const [origin, destination] = [chainNamed(fields.fromChain), chainNamed(fields.toChain)]
  const [input, output] = [findToken(tokens, origin, fromToken), findToken(tokens, destination, toToken)]
  const locks = found(fields.amountIn64, null, 'amountIn64 or amountIn is required')
  return { origin, destination, input, output, amount: locks, slippageBps, referrerBps, wantsAll: fullList === 'true' }
}

const SWAP_QUESTION = {
  required: {
    ...each(address, 'forwarderAddress', 'fromToken', 'middleToken'),
    ...{ slippageBps: whole(500), chainName: chain, amountIn64: amount },
  },
  optional: { referrerAddress: address, sdkVersion: text(1, 32) },
}

/** A request for the swap of an input into the token that pays an order. Throws Refusal. */
export const readSwapQuestion = (query: URLSearchParams, tokens: SimTokens) => {
  const { chainName: chainId, fromToken, middleToken, amountIn64 } = readFields(textsOf(query), SWAP_QUESTION, refuse)
  const tokenAt = (contract: string) => found(findToken(tokens, chainId, contract), null, 'Route not found', { status: 406 })
  return { chainId, input: tokenAt(fromToken), middle: tokenAt(middleToken), amount: amountIn64 }
}

const wrappedOn = (tokens: SimTokens, chainId: ChainId): SimToken | null => {
  const wrapped = chainOf(chainId).wrappedNative
  return wrapped === null ? null : tokens.find(chainId, wrapped)
}

/** What orders are paid in there: ether and SOL as such, wrapped ether for ether, and else dollars where the chain has them. */
const lockedToken = (tokens: SimTokens, chainId: ChainId, input: SimToken, output: SimToken): SimToken | null => {
  if (input.isNative && (input.currency === 'ETH' || chainId === SOLANA)) return input
  const wrapped = wrappedOn(tokens, chainId)
  if (input.currency === 'ETH' && output.currency === 'ETH' && wrapped?.currency === 'ETH') return wrapped
  return tokens.all.find((token) => token.chainId === chainId && token.symbol === 'USDC') ?? wrapped
}

const less = (sum: bigint, bps: bigint): bigint => (sum * (10_000n - bps)) / 10_000n
const isWrap = (from: SimToken, to: SimToken): boolean => from.isNative && to.currency === from.currency

/** What a swap before the order leaves. */
export const swapped = (market: Market, from: SimToken, sum: bigint, to: SimToken): bigint =>
  from === to || isWrap(from, to) ? sum : less(market.convert(from, sum, to), POOL_BPS)

type Locked = { readonly locked: SimToken; readonly amount: bigint; readonly output: SimToken; readonly referrerBps: number }

/** What a driver gives today for what an order has locked; below zero where its costs are more than that. */
export const worthOf = (market: Market, { locked, amount: sum, output, referrerBps }: Locked): bigint => {
  const flat = unitsFor(market, locked, FLAT_MICROS + (GAS_MICROS[output.chainId] ?? OTHER_GAS_MICROS))
  const given = market.convert(locked, less(sum, BigInt(PROTOCOL_BPS + referrerBps) + DRIVER_BPS) - flat, output)
  return locked.currency === output.currency ? given : less(given, POOL_BPS)
}

export type Deal = NonNullable<ReturnType<typeof priced>>

/** Null without a route. Throws Refusal below the least amount. */
export const priced = (question: ReturnType<typeof readQuestion>, { market, tokens }: Pick<World, 'market' | 'tokens'>) => {
  const { origin, destination, input, output, amount: sum, referrerBps } = question
  if (!input || !output || origin === destination) return null
  const worth = usdMicrosOf(market, input, sum)
  const least = Number(formatUnits(unitsFor(market, input, LEAST_MICROS), input.decimals))
  // The least is not reported for every chain.
  const data = origin === SOLANA ? {} : { data: { minAmountIn: least } }
  if (worth < LEAST_MICROS)
    throw new Refusal('AMOUNT_TOO_SMALL', `Amount too small (min ~${least} ${input.symbol})`, { ...data, status: 406 })
  const locked = lockedToken(tokens, origin, input, output)
  if (worth > DEPTH_MICROS || locked === null) return null
  const middle = swapped(market, input, sum, locked)
  const expected = worthOf(market, { locked, amount: middle, output, referrerBps })
  return expected > 0n ? { ...question, input, output, locked, middle, expected } : null
}

const tokenBody = (chainId: ChainId, token: SimToken) => ({
  ...{ name: token.name, symbol: token.symbol, mint: chainId === SOLANA ? token.address : '', contract: contractOf(token) },
  ...{ chainId: chainId === SOLANA ? 0 : chainId, wChainId: pinned(chainId)?.wormholeId, decimals: token.decimals },
  ...{ standard: token.isNative ? 'native' : chainId === SOLANA ? 'spl' : 'erc20', supportsPermit: false },
  ...{ logoURI: '', coingeckoId: '', verified: true },
})

const wholeOf = (sum: bigint, { decimals }: SimToken): number => Number(formatUnits(sum, decimals))
const cut = (sum: bigint, { decimals }: SimToken): bigint => sum - (sum % unitOf(decimals))

type Body = { readonly [name: string]: unknown }

/** A quote of Swift V2, and what it expects. `mode` 3 sells the very sum that is expected. */
export const swiftBody = ({ market, random, clock, tokens }: World, deal: Deal, mode: 2 | 3, takes: Takes) => {
  const { origin, destination, input, output, amount: sum, locked, middle, slippageBps, referrerBps } = deal
  const honest = mode === 2 ? deal.expected : less(deal.expected, EXACT_BPS)
  const expected = honest * misquotedBy(takes)
  const due = { recipient: '', minimum: mode === 2 ? less(expected, BigInt(slippageBps)) : expected, amount: sum }
  const contract = origin === SOLANA ? SWIFT_PROGRAM : SWIFT
  const ends = { origin: { chainId: origin }, destination: { chainId: destination } }
  const terms = alteredTerms(takes, { ...due, contract }, ends)
  const minimum = cut(terms.minimum, output)
  const quoteId = `0x${random.hex(32)}`
  const wrapped = locked.isNative && origin !== SOLANA ? wrappedOn(tokens, origin) : null
  const feeOf = (micros: bigint) => (unitsFor(market, locked, micros) / unitOf(locked.decimals) + 1n).toString()
  const leastMiddle = locked === input ? middle : cut(isWrap(input, locked) ? middle : less(middle, BigInt(slippageBps)), locked)
  const body = {
    ...{ type: 'SWIFT', swiftVersion: 'V2', gasless: false, quoteId, slippageBps, etaSeconds: 12 },
    ...{ effectiveAmountIn: wholeOf(terms.amount, input), effectiveAmountIn64: terms.amount.toString() },
    ...{ expectedAmountOut: wholeOf(expected, output), expectedAmountOutBaseUnits: expected.toString() },
    ...{ minAmountOut: wholeOf(minimum, output), minReceived: wholeOf(minimum, output), referrerBps, protocolBps: PROTOCOL_BPS },
    ...{ deadline64: String(Math.floor((clock.now() + DEADLINE_MS) / 1_000)), gasDrop: 0, suggestedPriorityFee: 0 },
    ...{ cancelRelayerFee64: feeOf(CANCEL_MICROS), refundRelayerFee64: feeOf(REFUND_MICROS), submitRelayerFee64: '0' },
    ...{ minMiddleAmount: wholeOf(leastMiddle, locked), swiftMayanContract: terms.contract, swiftAuctionMode: mode },
    ...{
      swiftInputContract: contractOf(wrapped ?? locked),
      swiftInputDecimals: locked.decimals,
      swiftWrapAndLock: wrapped !== null,
    },
    swiftInputContractStandard: origin === SOLANA ? 'spl' : 'erc20',
    ...{ fromChain: pinned(origin)?.name, toChain: pinned(destination)?.name },
    ...{ fromToken: tokenBody(origin, input), toToken: tokenBody(destination, output) },
  }
  return { body, quoteId, expected: honest }
}

const sorted = (value: unknown): unknown => {
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value as Body).sort(([one], [other]) => (one < other ? -1 : 1))
  return Object.fromEntries(members.map(([name, member]) => [name, sorted(member)]))
}

/** The digest that wallets sign for 32 bytes: https://eips.ethereum.org/EIPS/eip-191, version 0x45. */
export const personalDigest = (raw: Hex): Uint8Array => {
  const prefix = Buffer.from('\x19Ethereum Signed Message:\n32').toString('hex')
  return Buffer.from(keccakBytes(`0x${prefix}${raw.slice(2)}`).slice(2), 'hex')
}

/** Quotes are signed over themselves: keccak of the JSON with its members in order, as a personal message. */
export const signedQuote = (body: Body, key: string): Body => ({
  ...body,
  signature: signDigest(personalDigest(keccakText(JSON.stringify(sorted(body)))), key),
})
