import type { components } from '../../generated/api.d.ts'
import type { Handler } from '../handler.ts'
import { toDelivery } from '../map/partnerEvent.ts'

type WebhookEvent = components['schemas']['WebhookEvent']

export const webhookTest: Handler<'webhookTest'> = async ({ context }, engine) => {
  const { sent, ...delivery } = await engine.testWebhook(context)
  return { sent: sent as WebhookEvent, delivery: toDelivery(delivery) }
}
