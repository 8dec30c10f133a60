import type { Observe } from '../observe/observe.ts'
import type { WebhookStore } from '../store/webhooks.ts'
import type { WebhookSecrets } from './webhookSecrets.ts'

const PAGE = 500

type Ports = { readonly webhooks: WebhookStore; readonly secrets: WebhookSecrets; readonly observe: Observe }

/**
 * Reseals secrets of a former key, so that the operator can remove that key. Reports the number of resealed secrets, and of those
 * that no listed key opens.
 */
export const resealSecrets = async ({ webhooks, secrets, observe }: Ports): Promise<true> => {
  const counted = { resealed: 0, unreadable: 0 }
  for (let page = await webhooks.list(null, PAGE); page.length > 0; ) {
    for (const { partnerId, sealedSecret } of page) {
      const opened = await secrets.open(partnerId, sealedSecret)
      if (opened === null) counted.unreadable += 1
      else if (!opened.isSealedByCurrent) {
        await webhooks.reseal(partnerId, sealedSecret, await secrets.seal(partnerId, opened.secret))
        counted.resealed += 1
      }
    }
    page = await webhooks.list(page.at(-1)?.partnerId ?? null, PAGE)
  }
  if (counted.resealed > 0 || counted.unreadable > 0) observe({ event: 'webhooks.resealed', ...counted })
  return true
}
