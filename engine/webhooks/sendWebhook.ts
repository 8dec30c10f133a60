import type { Json } from '../core/json.ts'
import type { TargetFailure, TargetPost } from '../net/targetPost.ts'
import type { Webhook } from '../store/webhooks.ts'
import { SIGNATURE_HEADER, signatureOf } from './signature.ts'
import type { WebhookSecrets } from './webhookSecrets.ts'

/** Why a webhook has no answer. `noWebhook`: none is registered; `noSecret`: no key opens its signing secret. */
export type WebhookFailure = TargetFailure | 'noWebhook' | 'noSecret'

/** The HTTP status of the answer, or the reason for a missing answer. */
export type WebhookOutcome = { readonly answered: number } | { readonly failure: WebhookFailure }

export type WebhookBody = { readonly [field: string]: Json }

/** The target, and the secret to sign with: no webhook is sent unsigned. */
export type WebhookTarget = { readonly url: string; readonly secret: string }

export const openTarget = async (
  webhook: Webhook | null,
  secrets: WebhookSecrets,
): Promise<WebhookTarget | { readonly failure: WebhookFailure }> => {
  if (webhook === null) return { failure: 'noWebhook' }
  const opened = await secrets.open(webhook.partnerId, webhook.sealedSecret)
  return opened === null ? { failure: 'noSecret' } : { url: webhook.url, secret: opened.secret }
}

/** Sends a body to a target, once. Never rejects. `starved`: this process lacked the resources for a connection. */
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
