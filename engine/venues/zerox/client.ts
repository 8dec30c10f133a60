import type { ChainId } from '../../core/chain.ts'
import type { HttpClient } from '../../net/httpClient.ts'
import type { VenueRefusal } from '../kit/callVenue.ts'
import { createVenueClient } from '../kit/client.ts'
import type { Shape } from '../kit/shapes.ts'
import type { VenueConfig } from '../venue.ts'
import { errorOf, refusalsOf } from './refusals.ts'
import { gaslessPriceShape, gaslessShape, priceShape, quoteShape, statusShape, submittedShape } from './wire.ts'

const keyHeader = (key: string) => ({ '0x-api-key': key, '0x-version': 'v2' })

const isRefusedAs = (name: string) => (refusal: VenueRefusal) => errorOf(refusal)?.name === name

export type Question = { readonly [name: string]: string } & { readonly sellAmount: string }

/** The calls of 0x's Swap and Gasless APIs. Each throws VenueError only. */
export const createZeroxClient = ({ baseUrl, apiKey }: VenueConfig, http: HttpClient) => {
  const { get, post } = createVenueClient({ http, baseUrl, apiKey, keyHeader, refusals: refusalsOf(null) })
  const asking =
    <T>(path: string, shape: Shape<T>) =>
    (query: Question, signal: AbortSignal) =>
      get(path, { query, refusals: refusalsOf(BigInt(query.sellAmount)), shape, signal })
  return {
    price: asking('/swap/allowance-holder/price', priceShape),
    quote: asking('/swap/allowance-holder/quote', quoteShape),
    gaslessPrice: asking('/gasless/price', gaslessPriceShape),
    gaslessQuote: asking('/gasless/quote', gaslessShape),
    /** Null: the same trade was submitted before. */
    submit: (json: object, signal: AbortSignal) =>
      post('/gasless/submit', { json, shape: submittedShape, absent: isRefusedAs('TRADE_ALREADY_SUBMITTED'), signal }),
    /** Null: an unknown trade. */
    status: (tradeHash: string, chainId: ChainId, signal: AbortSignal) => {
      const absent = isRefusedAs('META_TRANSACTION_STATUS_NOT_FOUND')
      return get(`/gasless/status/${tradeHash}`, { query: { chainId: String(chainId) }, shape: statusShape, absent, signal })
    },
  }
}

export type ZeroxClient = ReturnType<typeof createZeroxClient>
