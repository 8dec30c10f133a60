import { parseAddress } from '../../../engine/core/address.ts'
import { type ChainId, ecosystemOf } from '../../../engine/core/chain.ts'
import type { VenueOrder } from '../../../engine/core/order.ts'
import { checkOffer } from '../../../engine/quoting/offerRules.ts'
import { nearIntents } from '../../../engine/venues/near-intents/venue.ts'
import { anOrder } from '../../support/anOrder.ts'
import type { RecordedAnswer } from '../../support/recordedAnswers.ts'
import { never, takenThrough } from '../../support/venueKit/calls.ts'
import { canned } from '../../support/venueKit/canned.ts'
import quotes from './recordedQuotes.json' with { type: 'json' }
import tokens from './recordedTokens.json' with { type: 'json' }
import type { QuoteAnswer, Row } from './support.ts'

type Recorded = {
  readonly name: string
  readonly source: string
  readonly recordedAt: string
  readonly answer: QuoteAnswer
  readonly blanked?: boolean
  readonly refusedBecause?: string
  readonly refusedWith?: string
}

const toRows = (listed: readonly (readonly (string | number)[])[]): readonly Row[] =>
  listed.map(([assetId, blockchain, symbol, decimals, contractAddress]) => ({
    ...({ assetId, blockchain, symbol, decimals, price: 1 } as unknown as Row),
    ...(contractAddress !== undefined && { contractAddress: String(contractAddress) }),
  }))

/** The whole list of 2025-05-06, and rows of 2026. Sources: recordedTokens.json. */
export const TOKENS_OF_2025 = toRows(tokens.of2025)
export const TOKENS_OF_2026 = toRows(tokens.of2026)

const PRODUCTION = quotes.production as unknown as readonly Recorded[]
const STAGING = quotes.staging as unknown as readonly Recorded[]

/** All that open a deposit address and were published with their signature. */
export const WET_QUOTES = [...PRODUCTION, ...STAGING].filter(({ answer, blanked }) => !answer.quoteRequest['dry'] && !blanked)

/** What the adapter gives a sender to deposit; the clock is set so that the deadline it asks for is the recorded one. */
const DEPOSIT_WINDOW_MS = 30 * 60_000

/** The price part of a real quote, as a dry one answers it. The recorded signature is over the real one. */
const asDry = ({ quoteRequest, quote, timestamp }: QuoteAnswer): QuoteAnswer => {
  const { depositAddress: _address, depositMemo: _memo, deadline: _deadline, timeWhenInactive: _inactive, ...terms } = quote
  return { timestamp, quoteRequest: { ...quoteRequest, dry: true }, quote: terms }
}

/** The assets of ours that the recordings are of, one of them by its id on the staging network. */
const ASSETS: { readonly [assetId: string]: readonly [ChainId, string] } = {
  'nep141:arb-0xaf88d065e77c8cc2239327c5edb3a432268e5831.omft.near': [42161, '0xaf88d065e77c8cC2239327C5EDb3A432268e5831'],
  'nep141:base-0x833589fcd6edb6e08f4c7c32d4f71b54bda02913.omft.near': [8453, '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'],
  'nep141:base.omft.near': [8453, '0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE'],
  'nep141:sol.omft.near': [-2, 'So11111111111111111111111111111111111111112'],
  'nep141:sol-5ce3bf3a31af18be40ba30f721101b4341690186.omft.near': [-2, 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'],
  'nep141:sol-c800a4bd850783ccb82c2b2c7e84175443606352.omft.near': [-2, 'Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB'],
  '1cs_v1:btc:native:coin': [-1, 'BTC'],
  'nep141:eth-0xdac17f958d2ee523a2206206994597c13d831ec7.stft.near': [1, '0xdAC17F958D2ee523a2206206994597C13D831ec7'],
  'nep141:hood-0x5fc5360d0400a0fd4f2af552add042d716f1d168.omft.near': [4663, '0x5fc5360D0400a0Fd4f2af552ADD042D716F1d168'],
}

/** The order the answer was given for. Throws when it is about something that is on no chain of ours. */
const orderOf = ({ quoteRequest }: QuoteAnswer): VenueOrder => {
  const { originAsset, destinationAsset, amount, slippageTolerance } = quoteRequest
  const [from, to] = [originAsset, destinationAsset].map((assetId) => {
    const asset = ASSETS[String(assetId)]
    if (!asset) throw new Error(`${assetId} names no asset of ours`)
    return asset
  }) as [readonly [ChainId, string], readonly [ChainId, string]]
  const refundTo = parseAddress(ecosystemOf(from[0]), String(quoteRequest['refundTo']))
  const recipient = parseAddress(ecosystemOf(to[0]), String(quoteRequest['recipient']))
  if (!refundTo || !recipient) throw new Error('an address is of no chain of ours')
  const parties = { sender: refundTo, recipient, refundTo }
  return anOrder({ from, to, amount: BigInt(String(amount)), slippageBps: Number(slippageTolerance), ...parties })
}

/** Through quote and the rule for all offers; a real one with its signature goes through execute, decode and proof too. */
const take = async ({ answer, blanked }: Recorded, publicKey: string | null): Promise<void> => {
  const order = orderOf(answer)
  const { dry, deadline, quoteWaitingTimeMs } = answer.quoteRequest
  const now = Date.parse(String(deadline)) - DEPOSIT_WINDOW_MS
  const { venue } = canned(
    nearIntents,
    ({ path, body }) => {
      if (path === '/v0/tokens') return { body: [...TOKENS_OF_2025, ...TOKENS_OF_2026] }
      return { body: (body as { dry: boolean }).dry && !dry ? asDry(answer) : answer }
    },
    { settings: { PUBLIC_KEY: publicKey, QUOTE_WAITING_TIME_MS: String(quoteWaitingTimeMs ?? 0) }, now: () => now },
  )
  if (!dry && !blanked) await takenThrough(venue, order, now)
  else checkOffer({ offer: await venue.quote(order, never()), order, asked: order, profile: venue.profile, now })
}

const toAnswer =
  (publicKey: string | null) =>
  (recorded: Recorded): RecordedAnswer => {
    const { name, source, recordedAt, refusedBecause, refusedWith = 'nothing' } = recorded
    const answer = { name, source, recordedAt, run: () => take(recorded, publicKey) }
    return refusedBecause === undefined ? answer : { ...answer, refusedBecause, refusedWith: new RegExp(refusedWith) }
  }

export const recordedAnswers: readonly RecordedAnswer[] = [
  ...PRODUCTION.map(toAnswer(null)),
  ...STAGING.map(toAnswer(quotes.stagingKey)),
]
