import { readBorsh } from '../../../chains/solana/borsh.ts'
import { SOLANA } from '../../../core/chain.ts'
import { formOf, JUPITER, WORDS, WORDS_BYTES } from '../../../venues/jupiter/protocol.ts'
import { anchorFailure } from '../../kit/anchor.ts'
import { MICROS, usdMicrosOf } from '../../kit/dollars.ts'
import type { SimToken } from '../../kit/tokens.ts'
import type { SimProgram, World } from '../../kit/world.ts'

const HUB = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'
const POOL_PPM = 400n
/** One more millionth of price impact for every this many dollars, in each pool. */
const DOLLARS_PER_PPM = 500n
const DEPTH_MICROS = 2_000_000n * MICROS

type Swap = {
  readonly input: SimToken
  readonly output: SimToken
  readonly amount: bigint
  readonly feeBps: number
  readonly feeOf: SimToken
}
type Markets = Pick<World, 'market' | 'tokens'>
export type Deal = NonNullable<ReturnType<typeof priced>>

/**
 * Prices an exact input: all pools are of USDC, so other pairs take two. Null beyond the depth of the pools, and where nothing would
 * come out. `expected` is net of the fee, `fee` in smallest units of the token that it is taken from.
 */
export const priced = (swap: Swap, { market, tokens }: Markets) => {
  const { input, output, amount, feeBps, feeOf } = swap
  const worth = usdMicrosOf(market, input, amount)
  const hub = tokens.find(SOLANA, HUB)
  if (worth > DEPTH_MICROS || hub === null) return null
  const shareOf = (sum: bigint): bigint => (sum * BigInt(feeBps)) / 10_000n
  const kept = MICROS - POOL_PPM - worth / MICROS / DOLLARS_PER_PPM
  const way = [input, ...(input === hub || output === hub ? [] : [hub]), output]
  let inAmount = amount - (feeOf === input ? shareOf(amount) : 0n)
  const hops = way.slice(1).map((to, at) => {
    const from = way[at] ?? input
    const hop = { from, to, inAmount, outAmount: (market.convert(from, inAmount, to) * kept) / MICROS }
    inAmount = hop.outAmount
    return hop
  })
  const fee = shareOf(feeOf === input ? amount : inAmount)
  const expected = feeOf === input ? inAmount : inAmount - fee
  return expected > 0n ? { hops, expected, fee } : null
}

const fail = (error: 'InstructionFallbackNotFound' | 'AccountNotInitialized' | 'SlippageToleranceExceeded') =>
  anchorFailure(error, { SlippageToleranceExceeded: 6001 })

/** Takes the input from the taker and pays the output at today's price, or fails below the bound of the call. */
export const jupiterProgram =
  (markets: Markets): SimProgram =>
  ({ accounts, data }, { holding }) => {
    const form = formOf({ data })
    const words = form && readBorsh(WORDS, data.slice(form.at, form.at + WORDS_BYTES))
    if (form === null || words === null) return fail('InstructionFallbackNotFound')
    const { slots } = form
    const account = (at: number): string => accounts[at] ?? ''
    const [input, output] = [slots.mints, slots.mints + 1].map((at) => markets.tokens.find(SOLANA, account(at)))
    const feeAccount = words.feeBps > 0 ? account(slots.others) : null
    const feeMint = feeAccount === null ? input?.address : holding(feeAccount)?.mint
    if (!input || !output || feeMint === undefined) return fail('AccountNotInitialized')
    const feeOf = feeMint === output.address ? output : input
    const deal = priced({ input, output, amount: words.inAmount, feeBps: words.feeBps, feeOf }, markets)
    const least = (words.quotedOut * BigInt(10_000 - words.slippageBps)) / 10_000n
    if (deal === null || deal.expected < least) return fail('SlippageToleranceExceeded')
    // The program's own address stands for an account that is left out.
    const given = account(slots.destination)
    const paid = { token: output.address, account: given === JUPITER ? account(slots.own) : given, amount: deal.expected }
    const fee = { token: feeOf.address, account: feeAccount ?? '', amount: deal.fee }
    const pays = deal.fee > 0n ? [paid, fee] : [paid]
    const taken = { token: input.address, from: account(slots.taker), amount: words.inAmount, pays }
    return input.isNative ? { ...taken, isWrapped: true } : taken
  }
