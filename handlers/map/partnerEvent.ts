import type { Delivery, FeedEvent } from '../../engine/core/partnerFeed.ts'
import type { components } from '../../generated/api.d.ts'

type Schemas = components['schemas']

export const toDelivery = ({ delivery, attemptedAt, answered, failure }: Delivery): Schemas['WebhookDelivery'] => ({
  state: delivery,
  attemptedAt,
  httpStatus: answered,
  failure,
})

/** The name of the field with an event's own fields, beside the fields that all events have. */
const PART_OF: { readonly [event: string]: 'swap' | 'fee' | 'payoutAddress' | 'webhook' | 'removedWebhook' } = {
  'swap.settled': 'swap',
  'swap.refunded': 'swap',
  'swap.failed': 'swap',
  'fee.changed': 'fee',
  'payout-address.changed': 'payoutAddress',
  'webhook.changed': 'webhook',
  'webhook.removed': 'removedWebhook',
}

export const toPartnerEvent = ({ place, event, document, createdAt, ...delivery }: FeedEvent): Schemas['PartnerEvent'] => {
  const { event: _event, requestId, partnerId: _own, ...fields } = document
  const part = PART_OF[event]
  return {
    id: String(place),
    event,
    requestId: String(requestId ?? ''),
    createdAt,
    // The service wrote them, with the fields of the contract.
    ...(part && { [part]: fields }),
    delivery: toDelivery(delivery),
  }
}
