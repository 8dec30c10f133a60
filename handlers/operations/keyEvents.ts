import type { Handler } from '../handler.ts'
import { toPartnerEvent } from '../map/partnerEvent.ts'

const LIMIT = 100

export const keyEvents: Handler<'keyEvents'> = async ({ query: { after = '0', limit = LIMIT }, context }, engine) => {
  const { events, hasMore } = await engine.partnerFeed({ afterPlace: Number(after), limit }, context)
  return { events: events.map(toPartnerEvent), next: String(events.at(-1)?.place ?? Number(after)), hasMore }
}
