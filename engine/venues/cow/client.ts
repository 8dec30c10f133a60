import type { HttpClient } from '../../net/httpClient.ts'
import type { VenueRefusal } from '../kit/callVenue.ts'
import { createVenueClient } from '../kit/client.ts'
import type { VenueConfig } from '../venue.ts'
import { rejected } from '../venueError.ts'
import type { AppDataDocument } from './appData.ts'
import type { OrderUid } from './protocol.ts'
import type { CowBook, CowFamilies, CowNetwork } from './published.ts'
import { errorOf, refusalsOf } from './refusals.ts'
import { hashShape, orderPhaseShape, orderShape, quoteShape, tradesShape, uidShape } from './wire.ts'

const keyHeader = (key: string) => ({ 'X-API-Key': key })

const isRefusedAs = (errorType: string) => (refusal: VenueRefusal) => errorOf(refusal)?.errorType === errorType

/** The calls of one chain's order book. Each throws VenueError only. */
export const createCowClient = ({ baseUrl, apiKey }: VenueConfig, http: HttpClient, { path }: CowNetwork) => {
  const client = { http, baseUrl: `${baseUrl}/${path}`, apiKey, keyHeader, refusals: refusalsOf(null) }
  const { get, post, put } = createVenueClient(client)
  return {
    quote: (json: object, inputAmount: bigint, signal: AbortSignal) =>
      post('/api/v1/quote', { json, shape: quoteShape, refusals: refusalsOf(inputAmount), signal }),
    /** Registering the same document again has no effect. */
    registerAppData: async ({ text, hash }: AppDataDocument, signal: AbortSignal): Promise<void> => {
      const registered = await put(`/api/v1/app_data/${hash}`, { json: { fullAppData: text }, shape: hashShape, signal })
      if (registered.toLowerCase() !== hash) throw rejected('appDataHash', 'app data has another hash', registered)
    },
    /** Null: the same order is in the book already. */
    placeOrder: (json: object, signal: AbortSignal) =>
      post('/api/v1/orders', { json, shape: uidShape, absent: isRefusedAs('DuplicatedOrder'), signal }),
    /** Null: an unknown order. */
    order: (uid: OrderUid, signal: AbortSignal) =>
      get(`/api/v1/orders/${uid}`, { shape: orderShape, absent: isRefusedAs('NotFound'), signal }),
    orderPhase: (uid: OrderUid, signal: AbortSignal) => get(`/api/v1/orders/${uid}/status`, { shape: orderPhaseShape, signal }),
    trades: (orderUid: OrderUid, signal: AbortSignal) =>
      get('/api/v2/trades', { query: { orderUid, offset: '0', limit: '10' }, shape: tradesShape, signal }),
  }
}

export type CowClient = ReturnType<typeof createCowClient>

/** The order book of a swap, for its new order, and the contract families of readable orders. */
export type BookAccess = { readonly network: CowBook; readonly client: CowClient; readonly families: CowFamilies }
