import type { Hex } from '../../core/execution.ts'
import type { VenueOrder } from '../../core/order.ts'
import type { HttpClient } from '../../net/httpClient.ts'
import { createVenueClient } from '../kit/client.ts'
import type { VenueConfig } from '../venue.ts'
import { rejected } from '../venueError.ts'
import { KINDS, type Routing } from './protocol.ts'
import { orderRefusals, refusalsOf } from './refusals.ts'
import { orderShape, ordersShape, placedShape, routedShape, type WireOrder } from './wire.ts'

const keyHeader = (key: string) => ({ 'x-api-key': key })

/** The calls of the Trading API. Each throws VenueError only. */
export const createUniswapXClient = ({ baseUrl, apiKey }: VenueConfig, http: HttpClient) => {
  const { get, post } = createVenueClient({ http, baseUrl, apiKey, keyHeader, refusals: refusalsOf(null) })
  return {
    quote: (json: object, asked: Pick<VenueOrder, 'input' | 'inputAmount'>, signal: AbortSignal) =>
      post('/quote', { json, shape: routedShape, refusals: refusalsOf(asked), signal }),
    /** Repeating the same order creates no second one. */
    place: (json: object, signal: AbortSignal) => post('/order', { json, shape: placedShape, refusals: orderRefusals, signal }),
    /** Null: an unknown order. */
    order: async (orderId: Hex, routing: Routing, signal: AbortSignal): Promise<WireOrder | null> => {
      const query = { orderId, orderType: KINDS[routing].orderType }
      const absent = ({ status }: { readonly status: number }) => status === 404
      const found = await get('/orders', { query, shape: ordersShape, absent, signal })
      const rows = (found?.orders ?? []).map((row) => ({ row, id: placedShape.readOrNull(row)?.orderId.toLowerCase() }))
      const own = rows.find(({ id }) => id === orderId) ?? rows.find(({ id }) => id === undefined)
      if (own !== undefined && own.id === undefined) throw rejected('orderId', 'an order without an id is listed', own.row)
      return own === undefined ? null : orderShape.read(own.row)
    },
  }
}

export type UniswapXClient = ReturnType<typeof createUniswapXClient>
