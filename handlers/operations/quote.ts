import type { Handler } from '../handler.ts'
import { toOrder } from '../map/order.ts'
import { toQuote } from '../map/quote.ts'

export const quote: Handler<'quote'> = async ({ body, context }, engine) =>
  toQuote(await engine.quote(toOrder(body, engine.venueIds), context))
