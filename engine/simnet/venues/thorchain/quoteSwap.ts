import { type Address, parseAddress } from '../../../core/address.ts'
import { BITCOIN, ecosystemOf } from '../../../core/chain.ts'
import { matching, queryFields, readFields, text } from '../../kit/fields.ts'
import { alteredTerms, misquotedBy, takesFor } from '../../kit/lies.ts'
import { found, Refusal, refuseIf } from '../../kit/refusal.ts'
import type { SimRequest } from '../../kit/simVenue.ts'
import type { World } from '../../kit/world.ts'
import { findPool, type Network, type Pool } from './networks.ts'
import { type Price, priceOf } from './pricing.ts'

const WHOLE = matching('a whole number', /^[0-9]{1,40}$/)
const NAME = text(1, 128)

const QUERY = {
  required: { from_asset: NAME, to_asset: NAME, amount: WHOLE },
  optional: {
    ...{ destination: NAME, refund_address: NAME, affiliate: NAME, affiliate_bps: matching('numbers', /^[0-9/]{1,32}$/) },
    ...{ streaming_interval: WHOLE, streaming_quantity: WHOLE, tolerance_bps: WHOLE, liquidity_tolerance_bps: WHOLE },
    height: WHOLE,
  },
}

/** Every refusal has the same code, and the same words at its end. */
export const refused = (message: string): Refusal => new Refusal('3', `${message}: invalid request`)

type Read = ReturnType<typeof readQuery>
const readQuery = (query: URLSearchParams) =>
  readFields(queryFields(query), QUERY, ({ kind, name }) =>
    refused(kind === 'missing' ? `missing ${name} parameter` : `bad ${name.replace('_', ' ')}`),
  )

const poolOf = (pools: readonly Pool[], name: string, side: 'from' | 'to'): Pool => {
  const pool = findPool(pools, name)
  if (!pool) throw refused(/^[A-Z]+\.[^\s]+$/.test(name) ? 'pool does not exist' : `bad ${side} asset`)
  return pool
}

const addressIn = ({ chainId }: Network, raw: string | undefined, message: string): Address | null => {
  if (raw === undefined) return null
  return found(parseAddress(ecosystemOf(chainId), raw), '3', `${message}: invalid request`)
}

const affiliatesOf = ({ affiliate, affiliate_bps: shares }: Read): readonly (readonly [string, number])[] => {
  const [names, bps] = [affiliate?.split('/') ?? [], shares?.split('/').map(Number) ?? []]
  // One without the other is left out.
  if (names.length === 0 || bps.length === 0) return []
  refuse(bps.length !== 1 && bps.length !== names.length, 'mismatch between number of affiliates and affiliate bps')
  const all = names.map((name, i) => [name, bps[bps.length === 1 ? 0 : i] ?? 0] as const)
  refuse(all.reduce((sum, [, share]) => sum + share, 0) > 1_000, 'total affiliate fee must not be more than 1000 bps')
  return all
}

const refuse = (isWrong: boolean, message: string): void => refuseIf(isWrong, '3', `${message}: invalid request`)

const toleranceOf = ({ tolerance_bps: ofPrice, liquidity_tolerance_bps: ofOutput }: Read): bigint | null => {
  refuse(
    ofPrice !== undefined && ofOutput !== undefined,
    'must only include one of: tolerance_bps or liquidity_tolerance_bps, not both',
  )
  const bps = ofOutput ?? ofPrice
  if (bps === undefined) return null
  refuse(BigInt(bps) >= 10_000n, 'tolerance basis points must be less than 10000')
  return BigInt(bps)
}

type Written = { readonly to: Pool; readonly from: Pool; readonly recipient: string; readonly refundTo: Address | null }

/** As the network writes it: part of the name, and nothing at the end that is nothing. */
const memoOf = (
  { to, from, recipient, refundTo }: Written,
  limit: bigint,
  affiliates: readonly (readonly [string, number])[],
): string => {
  const fields = [
    '=',
    to.name.split('-')[0] ?? '',
    refundTo === null ? recipient : `${recipient}/${refundTo}`,
    limit === 0n ? '' : String(limit),
    affiliates.map(([name]) => name).join('/'),
    affiliates.map(([, bps]) => bps).join('/'),
  ]
  const memo = fields.join(':').replace(/(?<!:):+$/, '')
  refuse(memo.length > (from.network.chainId === BITCOIN ? 80 : 250), 'generated memo too long for source chain')
  return memo
}

const DUST: { readonly [code: string]: bigint } = { BTC: 1_000n, ETH: 1_000n, BASE: 1_000n }
const EXPIRY_SECONDS = 900

const requireWorth = ({ amount, price, dust }: { amount: bigint; price: Price; dust: bigint }): void => {
  refuse(amount < dust, 'amount less than dust threshold')
  // A price below what it recommends is given as long as it pays for its way.
  refuse(price.expected === 0n, `amount less than min swap amount (recommended_min_amount_in: ${price.least})`)
}

/** GET /thorchain/quote/swap: `x/thorchain/querier_quotes.go` of THORNode, and answers that were recorded of it. */
export const quoteSwap = (world: World, venue: string, pools: readonly Pool[], { query, path }: SimRequest) => {
  const { clock, tokens, market, faults } = world
  const asked = readQuery(query)
  const [from, to] = [poolOf(pools, asked.from_asset, 'from'), poolOf(pools, asked.to_asset, 'to')]
  refuse(from === to, `cannot swap from ${from.name} to ${to.name}, assets match`)
  refuse(
    BigInt(asked.streaming_interval ?? 0) > 0n || BigInt(asked.streaming_quantity ?? 0) > 1n,
    'swaps in parts are not played offline',
  )
  const recipient = addressIn(to.network, asked.destination, 'swap destination address is not the same chain as the target asset')
  const refundTo = addressIn(from.network, asked.refund_address, 'bad refund address')
  const [affiliates, tolerance] = [affiliatesOf(asked), toleranceOf(asked)]
  const takes = takesFor(faults, venue, path)
  refuse(takes('halt'), "failed to simulate swap: trading is halted, can't process swap")
  const amount = BigInt(asked.amount)
  const affiliateBps = affiliates.reduce((sum, [, bps]) => sum + bps, 0)
  const price = priceOf({ from, to, amount, affiliateBps }, { market, native: tokens.native, misquoted: misquotedBy(takes) })
  const dust = DUST[from.network.code] ?? 1n
  requireWorth({ amount, price, dust })
  const minimum = tolerance === null ? 0n : (price.expected * (10_000n - tolerance)) / 10_000n
  const honest = { recipient: recipient ?? '', minimum, amount, contract: from.network.router ?? '' }
  const told = alteredTerms(takes, honest, { origin: from.network, destination: to.network })
  const [rate, units] = from.network.gas
  return {
    inbound_address: from.network.vault,
    inbound_confirmation_blocks: 1,
    inbound_confirmation_seconds: from.network.chainId === BITCOIN ? 600 : 12,
    outbound_delay_blocks: 0,
    outbound_delay_seconds: 0,
    fees: {
      asset: to.name,
      affiliate: String(price.affiliate),
      outbound: String(price.outbound),
      liquidity: String(price.liquidity),
      total: String(price.affiliate + price.outbound + price.liquidity),
      slippage_bps: price.slippageBps,
      total_bps: price.slippageBps + affiliateBps,
    },
    ...(from.network.router === null ? {} : { router: told.contract }),
    expiry: Math.floor(clock.now() / 1_000) + EXPIRY_SECONDS,
    warning: 'Do not cache this response. Do not send funds after the expiry.',
    notes: '',
    dust_threshold: String(dust),
    recommended_min_amount_in: String(price.least),
    recommended_gas_rate: rate,
    gas_rate_units: units,
    ...(recipient === null ? {} : { memo: memoOf({ to, from, recipient: told.recipient, refundTo }, told.minimum, affiliates) }),
    expected_amount_out: String(price.expected),
    max_streaming_quantity: 1,
    streaming_swap_blocks: 1,
    streaming_swap_seconds: 6,
    total_swap_seconds: from.network.chainId === BITCOIN ? 606 : 18,
  }
}
