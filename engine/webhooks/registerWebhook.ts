import type { StoreParts } from '../store/store.ts'

/** A target in its canonical spelling (see readWebhookUrl), and a secret of WebhookSecrets.create for a first registration. */
export type NewWebhook = {
  readonly url: string
  readonly fresh: { readonly secret: string; readonly sealed: string }
}

/**
 * Registers or changes a partner's webhook. Returns the secret at the first registration only; no later answer contains it. Null
 * for a change: the earlier secret stays, and the fresh one is discarded.
 */
export const registerWebhook = async (
  { webhooks }: Pick<StoreParts, 'webhooks'>,
  partnerId: string,
  { url, fresh }: NewWebhook,
): Promise<string | null> => {
  const sealedSecret = await webhooks.set({ partnerId, url, sealedSecret: fresh.sealed })
  return sealedSecret === fresh.sealed ? fresh.secret : null
}
