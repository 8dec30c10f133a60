import { addressOf } from '../../../engine/core/address.ts'
import { type ChainId, ecosystemOf } from '../../../engine/core/chain.ts'
import type { VenueOrder } from '../../../engine/core/order.ts'
import { checkOffer } from '../../../engine/quoting/offerRules.ts'
import { nearIntents } from '../../../engine/venues/near-intents/venue.ts'
import { anOrder } from '../../support/anOrder.ts'
import { type RecordedRow, recordedAnswer } from '../../support/recordedAnswers.ts'
import { never, takenThrough } from '../../support/venueKit/calls.ts'
import { canned } from '../../support/venueKit/canned.ts'
import quotes from './recordedQuotes.json' with { type: 'json' }
import tokens from './recordedTokens.json' with { type: 'json' }
import type { QuoteAnswer, Row } from './support.ts'

type Recorded = RecordedRow & { readonly answer: QuoteAnswer; readonly blanked?: boolean }

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
const ASSETS = quotes.assets as unknown as { readonly [assetId: string]: readonly [ChainId, string] }

/** The order the answer was given for. Throws when it is about something that is on no chain of ours. */
const orderOf = ({ quoteRequest }: QuoteAnswer): VenueOrder => {
  const word = (name: string) => String(quoteRequest[name])
  const assetOf = (assetId: string) => {
    const asset = ASSETS[assetId]
    if (!asset) throw new Error(`${assetId} names no asset of ours`)
    return asset
  }
  const [from, to] = [assetOf(word('originAsset')), assetOf(word('destinationAsset'))]
  const refundTo = addressOf(ecosystemOf(from[0]), word('refundTo'))
  const recipient = addressOf(ecosystemOf(to[0]), word('recipient'))
  const parties = { sender: refundTo, recipient, refundTo }
  return anOrder({ from, to, amount: BigInt(word('amount')), slippageBps: Number(word('slippageTolerance')), ...parties })
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

const toAnswer = (publicKey: string | null) => (recorded: Recorded) => recordedAnswer(recorded, () => take(recorded, publicKey))

export const recordedAnswers = [...PRODUCTION.map(toAnswer(null)), ...STAGING.map(toAnswer(quotes.stagingKey))]
