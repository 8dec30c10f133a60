import type { Hex } from '../../core/execution.ts'
import type { HttpClient, HttpRequest } from '../../net/httpClient.ts'
import { callVenue, type VenueRefusal } from '../kit/callVenue.ts'
import type { JsonShape } from '../kit/jsonShape.ts'
import type { VenueConfig } from '../venue.ts'
import { VenueError } from '../venueError.ts'
import type { AppDataDocument } from './appData.ts'
import type { OrderUid } from './gpv2Order.ts'
import type { CowNetwork } from './network.ts'
import { errorOf, refusalOf } from './refusals.ts'
import {
  hashShape,
  orderPhaseShape,
  orderShape,
  quoteShape,
  tradesShape,
  uidShape,
  type WireOrder,
  type WireOrderPhase,
  type WireQuote,
  type WireTrade,
} from './wire.ts'

/** The calls of one chain's order book. Each throws VenueError only. */
export type CowApi = {
  quote(body: object, inputAmount: bigint, signal: AbortSignal): Promise<WireQuote>
  /** Registering the same document again changes nothing. */
  registerAppData(document: AppDataDocument, signal: AbortSignal): Promise<void>
  /** Null: the very same order is in the book already. */
  placeOrder(body: object, signal: AbortSignal): Promise<Hex | null>
  /** Null: no such order. */
  order(uid: OrderUid, signal: AbortSignal): Promise<WireOrder | null>
  orderPhase(uid: OrderUid, signal: AbortSignal): Promise<WireOrderPhase>
  trades(uid: OrderUid, signal: AbortSignal): Promise<readonly WireTrade[]>
}

/** An answer, or null where the venue refuses with one particular `errorType`. */
const unlessRefused = async <T>(
  errorType: string,
  call: (refusal: (refusal: VenueRefusal) => VenueError | null) => Promise<T>,
): Promise<T | null> => {
  const expected = new VenueError('badRequest', errorType)
  const judge = refusalOf(null)
  try {
    return await call((refusal) => (errorOf(refusal)?.errorType === errorType ? expected : judge(refusal)))
  } catch (error) {
    if (error === expected) return null
    throw error
  }
}

export const createCowApi = ({ baseUrl, apiKey }: VenueConfig, http: HttpClient, { path: network }: CowNetwork): CowApi => {
  const headers = apiKey ? { 'X-API-Key': apiKey.reveal() } : {}
  const send = <T>(
    { method, path, json, signal }: Pick<HttpRequest, 'method' | 'json' | 'signal'> & { path: string },
    shape: JsonShape<T>,
    refusal: (refusal: VenueRefusal) => VenueError | null = refusalOf(null),
  ): Promise<T> =>
    callVenue(
      http,
      { method, url: `${baseUrl}/${network}${path}`, headers, ...(json === undefined ? {} : { json }), signal },
      { shape, refusal },
    )

  return {
    quote: (json, inputAmount, signal) =>
      send({ method: 'POST', path: '/api/v1/quote', json, signal }, quoteShape, refusalOf(inputAmount)),
    registerAppData: async ({ text, hash }, signal) => {
      const json = { fullAppData: text }
      const registered = await send({ method: 'PUT', path: `/api/v1/app_data/${hash}`, json, signal }, hashShape)
      if (registered.toLowerCase() !== hash) throw new VenueError('badResponse', 'app data was registered under another hash')
    },
    placeOrder: (json, signal) =>
      unlessRefused('DuplicatedOrder', (refusal) =>
        send({ method: 'POST', path: '/api/v1/orders', json, signal }, uidShape, refusal),
      ),
    order: (uid, signal) =>
      unlessRefused('NotFound', (refusal) => send({ method: 'GET', path: `/api/v1/orders/${uid}`, signal }, orderShape, refusal)),
    orderPhase: (uid, signal) => send({ method: 'GET', path: `/api/v1/orders/${uid}/status`, signal }, orderPhaseShape),
    trades: (uid, signal) =>
      send({ method: 'GET', path: `/api/v2/trades?orderUid=${uid}&offset=0&limit=10`, signal }, tradesShape),
  }
}
