import type { StoreParts } from '../store/store.ts'

/** A target in its one spelling (see readWebhookUrl), and a secret of WebhookSecrets.create for it, should it be the first. */
export type NewWebhook = {
  readonly url: string
  readonly fresh: { readonly secret: string; readonly sealed: string }
}

/**
 * Registers where a partner is told of its swaps, or changes it. Answers with the secret where this was the first
 * registration: nobody is ever told it again. Null where another one had been: its secret stays, and the fresh one is nobody's.
 */
export const registerWebhook = async (
  { webhooks }: Pick<StoreParts, 'webhooks'>,
  partnerId: string,
  { url, fresh }: NewWebhook,
): Promise<string | null> => {
  const sealedSecret = await webhooks.set({ partnerId, url, sealedSecret: fresh.sealed })
  return sealedSecret === fresh.sealed ? fresh.secret : null
}
