import type { Json } from '../core/json.ts'
import type { TargetFailure, TargetPost } from '../net/targetPost.ts'
import type { Webhook } from '../store/webhooks.ts'
import { SIGNATURE_HEADER, signatureOf } from './signature.ts'
import type { WebhookSecrets } from './webhookSecrets.ts'

/** Why a webhook was not answered. `noWebhook`: none is registered; `noSecret`: no key opens the secret it is signed with. */
export type WebhookFailure = TargetFailure | 'noWebhook' | 'noSecret'

/** The HTTP status that was answered, whichever it is, or why there is none. */
export type WebhookOutcome = { readonly answered: number } | { readonly failure: WebhookFailure }

export type WebhookBody = { readonly [field: string]: Json }

/** Where, and signed by what: nothing is ever sent unsigned. */
export type WebhookTarget = { readonly url: string; readonly secret: string }

export const openTarget = async (
  webhook: Webhook | null,
  secrets: WebhookSecrets,
): Promise<WebhookTarget | { readonly failure: WebhookFailure }> => {
  if (webhook === null) return { failure: 'noWebhook' }
  const opened = await secrets.open(webhook.partnerId, webhook.sealedSecret)
  return opened === null ? { failure: 'noSecret' } : { url: webhook.url, secret: opened.secret }
}

/** Sends a body to a target, once. Never rejects. `starved`: no connection was made, for want of something of our own. */
export type SendWebhook = (target: WebhookTarget, body: WebhookBody) => Promise<WebhookOutcome | 'starved'>

export const createSendWebhook =
  ({ post, userAgent }: { readonly post: TargetPost; readonly userAgent: string }): SendWebhook =>
  ({ url, secret }, content) => {
    const body = Buffer.from(JSON.stringify(content))
    const headers = {
      'content-type': 'application/json',
      'user-agent': userAgent,
      [SIGNATURE_HEADER]: signatureOf(body, secret),
    }
    return post(url, { headers, body })
  }
