import { parseAddress } from '../../../core/address.ts'
import { BITCOIN, ecosystemOf } from '../../../core/chain.ts'
import * as fields from '../../kit/fields.ts'
import { alteredTerms, misquotedBy, takesFor } from '../../kit/lies.ts'
import { found, Refusal, refuseIf } from '../../kit/refusal.ts'
import type { SimRequest } from '../../kit/simVenue.ts'
import type { World } from '../../kit/world.ts'
import { type Pool, priceOf } from './networks.ts'

const NAME = fields.text(1, 128)
const BPS = fields.matching('basis points', /^[0-9]{1,4}$/)
const QUERY = {
  required: { ...fields.each(NAME, 'from_asset', 'to_asset'), amount: fields.amount },
  optional: {
    ...{ destination: NAME, refund_address: NAME, affiliate: NAME, affiliate_bps: BPS, liquidity_tolerance_bps: BPS },
    ...{ streaming_interval: fields.oneOf('0'), streaming_quantity: fields.oneOf('0', '1') },
  },
}

const EXPIRY_SECONDS = 900
const DUST = 1_000n

/** All refusals have one code, and differ in their texts. */
const refuse = (isWrong: boolean, message: string): void => refuseIf(isWrong, '3', `${message}: invalid request`)

const isOn = ({ network: { chainId } }: Pool, address: string): boolean => parseAddress(ecosystemOf(chainId), address) !== null

/** The network shortens the asset, and omits empty fields at the end. */
const memoOf = (to: Pool, parties: string, limit: bigint, affiliate: readonly string[]): string =>
  ['=', to.name.split('-')[0], parties, limit === 0n ? '' : limit, ...affiliate].join(':').replace(/(?<!:):+$/, '')

/** GET /thorchain/quote/swap: `x/thorchain/querier_quotes.go` of THORNode, and recorded answers. */
export const quoteSwap = ({ clock, market, faults }: World, pools: readonly Pool[], { query, path }: SimRequest) => {
  const bad = ({ name }: fields.FieldProblem) => new Refusal('3', `bad ${name}: invalid request`)
  const asked = fields.readFields(fields.queryFields(query), QUERY, bad)
  const { amount, destination = '', refund_address: refundTo, affiliate, liquidity_tolerance_bps: tolerance } = asked
  const share = Number(asked.affiliate_bps ?? 0)
  const poolOf = (text: string) =>
    found(pools.find(({ name }) => name === text) ?? null, '3', 'pool does not exist: invalid request')
  const [from, to] = [poolOf(asked.from_asset), poolOf(asked.to_asset)]
  refuse(from === to, 'cannot swap, assets match')
  const isOnChains = (destination === '' || isOn(to, destination)) && (refundTo === undefined || isOn(from, refundTo))
  refuse(!isOnChains || (affiliate === undefined) !== (share === 0) || share > 1_000, 'bad parameter')
  const takes = takesFor(faults, 'thorchain', path)
  refuse(takes('halt'), "failed to simulate swap: trading is halted, can't process swap")
  const price = priceOf({ from, to, amount, share }, market, misquotedBy(takes))
  const { expected, least, slippageBps } = price
  refuse(amount < DUST, 'amount less than dust threshold')
  // A price below the recommended minimum is quoted while it covers the outbound fee.
  refuse(expected === 0n, `amount less than min swap amount (recommended_min_amount_in: ${least})`)
  const minimum = tolerance === undefined ? 0n : (expected * (10_000n - BigInt(tolerance))) / 10_000n
  const honest = { recipient: destination, minimum, amount, contract: from.network.router ?? '' }
  const terms = alteredTerms(takes, honest, { origin: from.network, destination: to.network })
  const parties = refundTo === undefined ? terms.recipient : `${terms.recipient}/${refundTo}`
  const isBitcoin = from.network.chainId === BITCOIN
  return {
    ...{ inbound_address: from.network.vault, ...(isBitcoin ? {} : { router: terms.contract }) },
    ...{ outbound_delay_blocks: 0, outbound_delay_seconds: 0, gas_rate_units: from.network.gasUnits },
    fees: {
      ...{ asset: to.name, affiliate: `${price.affiliate}`, outbound: `${price.outbound}`, liquidity: `${price.liquidity}` },
      total: String(price.affiliate + price.outbound + price.liquidity),
      ...{ slippage_bps: slippageBps, total_bps: slippageBps + share },
    },
    expiry: Math.floor(clock.now() / 1_000) + EXPIRY_SECONDS,
    ...{ warning: 'Do not cache this response. Do not send funds after the expiry.', notes: '' },
    recommended_min_amount_in: String(least),
    ...(destination === ''
      ? {}
      : { memo: memoOf(to, parties, terms.minimum, affiliate === undefined ? [] : [affiliate, `${share}`]) }),
    expected_amount_out: String(expected),
    total_swap_seconds: isBitcoin ? 606 : 18,
  }
}
