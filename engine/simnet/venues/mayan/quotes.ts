import { secp256k1 } from '@noble/curves/secp256k1.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex, concatBytes, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import { keccakText } from '../../../chains/evm/evmCodec.ts'
import type { Hex } from '../../../core/execution.ts'
import { formatUnits, unitsFor } from '../../kit/dollars.ts'
import { alteredTerms, misquotedBy, type Takes } from '../../kit/lies.ts'
import type { SimToken } from '../../kit/tokens.ts'
import type { World } from '../../kit/world.ts'
import { contractOf, type Network, SWIFT, SWIFT_PROGRAM, unitOf, wrappedOf } from './networks.ts'
import { type Deal, PROTOCOL_BPS } from './pricing.ts'

const DEADLINE_MS = 90 * 60_000
const CANCEL_MICROS = 9_000n
const REFUND_MICROS = 700n
/** What an exact sum costs the one who wants it. */
const EXACT_BPS = 2n

const tokenBody = ({ wormholeId, chainId }: Network, token: SimToken) => ({
  name: token.name,
  symbol: token.symbol,
  mint: chainId === -2 ? token.address : '',
  contract: contractOf(token),
  chainId: chainId === -2 ? 0 : chainId,
  wChainId: wormholeId,
  decimals: token.decimals,
  standard: token.isNative ? 'native' : chainId === -2 ? 'spl' : 'erc20',
  supportsPermit: false,
  logoURI: '',
  coingeckoId: '',
  verified: true,
})

const whole = (amount: bigint, { decimals }: SimToken): number => Number(formatUnits(amount, decimals))

/** A price as it was told, by the name of its quote: what drivers remember. */
export type Quoted = { readonly quoteId: string; readonly expected: bigint }

type Body = { readonly [name: string]: unknown }

/** What of an order's fees is counted there, rounded up. */
const orderUnits = (market: World['market'], token: SimToken, micros: bigint): string =>
  (unitsFor(market, token, micros) / unitOf(token) + 1n).toString()

/** A quote of Swift V2. `mode` 3 sells the very sum that is expected. */
export const swiftBody = (
  { market, random, clock, tokens }: World,
  deal: Deal,
  mode: 2 | 3,
  takes: Takes,
): { body: Body; quoted: Quoted } => {
  const { origin, destination, input, output, amount, locked, middle, slippageBps, referrerBps } = deal
  const honest = mode === 2 ? deal.expected : (deal.expected * (10_000n - EXACT_BPS)) / 10_000n
  const expected = honest * misquotedBy(takes)
  const bound = mode === 2 ? BigInt(10_000 - slippageBps) : 10_000n
  const ownContract = origin.chainId === -2 ? SWIFT_PROGRAM : SWIFT
  const terms = alteredTerms(
    takes,
    { recipient: '', minimum: (expected * bound) / 10_000n, amount, contract: ownContract },
    { origin, destination },
  )
  const minimum = terms.minimum - (terms.minimum % unitOf(output))
  const quoteId = `0x${random.hex(32)}`
  const isDirect = locked === input
  const wrapped = locked.isNative && origin.chainId !== -2 ? wrappedOf(tokens, origin) : null
  const body = {
    type: 'SWIFT',
    swiftVersion: 'V2',
    gasless: false,
    meta: { title: 'Best', icon: '', advertisedTitle: 'Best', advertisedDescription: 'Best price', switchText: 'Switch to it' },
    slippageBps,
    effectiveAmountIn: whole(terms.amount, input),
    effectiveAmountIn64: terms.amount.toString(),
    expectedAmountOut: whole(expected, output),
    expectedAmountOutBaseUnits: expected.toString(),
    minAmountOut: whole(minimum, output),
    minReceived: whole(minimum, output),
    minReceivedBaseUnits: minimum.toString(),
    deadline64: String(Math.floor((clock.now() + DEADLINE_MS) / 1_000)),
    eta: 1,
    etaSeconds: 12,
    clientEta: '12s',
    cancelRelayerFee64: orderUnits(market, locked, CANCEL_MICROS),
    refundRelayerFee64: orderUnits(market, locked, REFUND_MICROS),
    submitRelayerFee64: '0',
    solanaRelayerFee64: '0',
    referrerBps,
    protocolBps: PROTOCOL_BPS,
    bridgeFee: 0,
    gasDrop: 0,
    suggestedPriorityFee: 0,
    minMiddleAmount: whole(isDirect ? middle : leastMiddle(deal), locked),
    swiftMayanContract: terms.contract,
    swiftInputContract: contractOf(wrapped ?? locked),
    swiftInputContractStandard: origin.chainId === -2 ? 'spl' : 'erc20',
    swiftInputDecimals: locked.decimals,
    swiftAuctionMode: mode,
    swiftWrapAndLock: wrapped !== null,
    fromChain: origin.name,
    toChain: destination.name,
    fromToken: tokenBody(origin, input),
    toToken: tokenBody(destination, output),
    quoteId,
  }
  return { body, quoted: { quoteId, expected: honest } }
}

/** Cut to what a question asks, as the rest of a quote is. */
const leastMiddle = ({ locked, middle, slippageBps, input }: Deal): bigint => {
  const isWrap = input.isNative && input.currency === locked.currency
  const least = isWrap ? middle : (middle * BigInt(10_000 - slippageBps)) / 10_000n
  return least - (least % unitOf(locked))
}

const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  const kept = Object.keys(value).filter((name) => (value as Body)[name] !== null && (value as Body)[name] !== undefined)
  return Object.fromEntries(kept.sort().map((name) => [name, sorted((value as Body)[name])]))
}

/** As wallets sign 32 bytes: https://eips.ethereum.org/EIPS/eip-191, version 0x45. */
const signPersonal = (raw: Hex, secretKey: Hex): Hex => {
  const told = concatBytes(utf8ToBytes('\x19Ethereum Signed Message:\n32'), hexToBytes(raw.slice(2)))
  const [recovery = 0, ...sums] = secp256k1.sign(keccak_256(told), hexToBytes(secretKey.slice(2)), {
    prehash: false,
    format: 'recovered',
  })
  return `0x${bytesToHex(Uint8Array.from([...sums, recovery + 27]))}`
}

/** Quotes are signed over themselves: keccak of the JSON with its members in order, as a personal message. */
export const signedQuote = (body: Body, secretKey: Hex): Body => ({
  ...body,
  signature: signPersonal(keccakText(JSON.stringify(sorted(body))), secretKey),
})
