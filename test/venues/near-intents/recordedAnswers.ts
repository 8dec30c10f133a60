import { parseAddress } from '../../../engine/core/address.ts'
import { toAmount } from '../../../engine/core/amount.ts'
import { ecosystemOf } from '../../../engine/core/chain.ts'
import type { VenueOrder } from '../../../engine/core/order.ts'
import { provePayload } from '../../../engine/execution/payloadProof.ts'
import type { HttpClient } from '../../../engine/net/httpClient.ts'
import { checkOffer } from '../../../engine/quoting/offerRules.ts'
import { indexTokens } from '../../../engine/venues/near-intents/tokenList.ts'
import { nearIntents } from '../../../engine/venues/near-intents/venue.ts'
import type { QuoteResponse } from '../../../engine/venues/near-intents/wire.ts'
import { anOrder } from '../../support/anOrder.ts'
import type { RecordedAnswer } from '../../support/recordedAnswers.ts'
import { unnoticed } from '../../support/unnoticed.ts'
import { PRODUCTION_QUOTES, type RecordedQuote, STAGING_KEY, STAGING_QUOTES } from './recordedQuotes.ts'
import { TOKENS_OF_2025, TOKENS_OF_2026 } from './recordedTokens.ts'

const ROWS = [...TOKENS_OF_2025, ...TOKENS_OF_2026]

/** What the adapter gives a sender to deposit; the clock is set so that the deadline it asks for is the recorded one. */
const DEPOSIT_WINDOW_MS = 30 * 60_000

const never = (): AbortSignal => new AbortController().signal

/** The price part of a real quote, as a dry one answers it. The recorded signature is over the real one. */
const asDry = ({ quoteRequest, quote, timestamp }: QuoteResponse): QuoteResponse => {
  const { depositAddress: _address, depositMemo: _memo, deadline: _deadline, timeWhenInactive: _inactive, ...terms } = quote
  return { timestamp, quoteRequest: { ...quoteRequest, dry: true }, quote: terms }
}

/** Answers the token list, a dry quote and a real quote, all as recorded. */
const cannedHttp = (recorded: QuoteResponse): HttpClient => {
  const dry = recorded.quoteRequest.dry ? recorded : asDry(recorded)
  return {
    send: async ({ url, json }) => {
      const isDry = (json as { dry?: boolean } | undefined)?.dry === true
      const body = url.endsWith('/v0/tokens') ? ROWS : isDry ? dry : recorded
      return { status: 200, headers: {}, text: JSON.stringify(body) }
    },
    close: async () => undefined,
  }
}

/** The order the answer was given for. Throws when it is about something that is on no chain of ours. */
const orderOf = ({ quoteRequest }: QuoteResponse): VenueOrder => {
  const index = indexTokens(ROWS)
  const [input, output] = [quoteRequest.originAsset, quoteRequest.destinationAsset].map((assetId) => {
    const asset = index.assetOf(assetId)
    if (!asset) throw new Error(`${assetId} names no asset of ours`)
    return asset
  })
  if (!input || !output) throw new Error('a quote has two assets')
  const refundTo = parseAddress(ecosystemOf(input.chainId), quoteRequest.refundTo)
  const recipient = parseAddress(ecosystemOf(output.chainId), quoteRequest.recipient)
  if (!refundTo || !recipient) throw new Error('an address is of no chain of ours')
  return anOrder({
    from: [input.chainId, input.address],
    to: [output.chainId, output.address],
    amount: toAmount(BigInt(quoteRequest.amount)),
    sender: refundTo,
    recipient,
    refundTo,
    slippageBps: quoteRequest.slippageTolerance,
  })
}

/** Through quote and the rule for all offers; a real one with its signature goes through execute, decode and proof too. */
const take = async ({ answer, blanked }: RecordedQuote, publicKey: string | null): Promise<void> => {
  const order = orderOf(answer)
  const clock = { now: () => Date.parse(answer.quoteRequest.deadline) - DEPOSIT_WINDOW_MS }
  const venue = nearIntents.create(
    {
      baseUrl: 'https://1click.chaindefuser.com',
      apiKey: null,
      settings: { PUBLIC_KEY: publicKey, QUOTE_WAITING_TIME_MS: String(answer.quoteRequest.quoteWaitingTimeMs ?? 0) },
    },
    { http: cannedHttp(answer), chains: {} as never, clock, notice: unnoticed },
  )
  const now = clock.now()
  const offer = checkOffer({ offer: await venue.quote(order, never()), order, asked: order, profile: venue.profile, now })
  if (answer.quoteRequest.dry || blanked) return
  const binding = { recipient: order.recipient, refundTo: order.refundTo }
  const execution = await venue.execute({ order, offer }, binding, never())
  const problems = await provePayload(venue, execution, { sealed: { order, offer }, binding, now })
  if (problems.length > 0) throw new Error(`the proof fails: ${problems.join(', ')}`)
}

const toAnswer =
  (publicKey: string | null) =>
  (recorded: RecordedQuote): RecordedAnswer => {
    const { name, source, recordedAt, refusedBecause } = recorded
    const answer = { name, source, recordedAt, run: () => take(recorded, publicKey) }
    // All of them are of assets on chains or networks that are not ours.
    return refusedBecause === undefined ? answer : { ...answer, refusedBecause, refusedWith: /names no asset of ours$/ }
  }

export const recordedAnswers: readonly RecordedAnswer[] = [
  ...PRODUCTION_QUOTES.map(toAnswer(null)),
  ...STAGING_QUOTES.map(toAnswer(STAGING_KEY)),
]
