import type { Hex } from '../../core/execution.ts'
import type { VenueOrder } from '../../core/order.ts'
import type { HttpClient } from '../../net/httpClient.ts'
import { createVenueClient } from '../kit/client.ts'
import type { VenueConfig } from '../venue.ts'
import type { Routing } from './published.ts'
import { refusalsOf } from './refusals.ts'
import { ordersShape, placedShape, routedShape, type WireOrder } from './wire.ts'

const keyHeader = (key: string) => ({ 'x-api-key': key })

/** What the API's books call each kind. */
const ORDER_TYPE: { readonly [R in Routing]: string } = {
  DUTCH_V2: 'Dutch_V2',
  DUTCH_V3: 'Dutch_V3',
  PRIORITY: 'Priority',
}

/** The calls of the Trading API. Each throws VenueError only. */
export const createUniswapXClient = ({ baseUrl, apiKey }: VenueConfig, http: HttpClient) => {
  const { get, post } = createVenueClient({ http, baseUrl, apiKey, keyHeader, refusals: refusalsOf(null) })
  return {
    quote: (json: object, asked: Pick<VenueOrder, 'input' | 'inputAmount'>, signal: AbortSignal) =>
      post('/quote', { json, shape: routedShape, refusals: refusalsOf(asked), signal }),
    /** The same order again opens no second one. */
    place: (json: object, signal: AbortSignal) => post('/order', { json, shape: placedShape, signal }),
    /** Null: no such order. */
    order: async (orderId: Hex, routing: Routing, signal: AbortSignal): Promise<WireOrder | null> => {
      const query = { orderId, orderType: ORDER_TYPE[routing] }
      const absent = ({ status }: { readonly status: number }) => status === 404
      const found = await get('/orders', { query, shape: ordersShape, absent, signal })
      return found?.orders.find((order) => order.orderId.toLowerCase() === orderId) ?? null
    },
  }
}

export type UniswapXClient = ReturnType<typeof createUniswapXClient>
