import { Secret } from '../../engine/core/secret.ts'
import type { TargetPostOptions } from '../../engine/net/targetPost.ts'
import type { EngineEvent } from '../../engine/observe/observe.ts'
import type { NewPartnerEvent } from '../../engine/store/partnerEvents.ts'
import type { Store } from '../../engine/store/store.ts'
import { createSendWebhook } from '../../engine/webhooks/sendWebhook.ts'
import { createWebhookSecrets, type WebhookSecrets } from '../../engine/webhooks/webhookSecrets.ts'
import { createWebhookSender } from '../../engine/webhooks/webhookSender.ts'
import { postLocally } from './hookTarget.ts'
import { createMemoryStore } from './memoryStore.ts'
import { createTestClock } from './testEngine.ts'

export const WEBHOOK_KEY = new Secret('11'.repeat(32))

export const anEvent = (partnerId: string, change: Partial<NewPartnerEvent> = {}): NewPartnerEvent => ({
  partnerId,
  swapId: null,
  event: 'swap.settled',
  document: {
    event: 'swap.settled',
    requestId: 'r1',
    partnerId,
    venue: 'across',
    deliveredOut: '24990000',
    slippageBps: 4,
  },
  delivery: 'due',
  ...change,
})

/** A partner with a webhook. Answers with its secret. */
export const addPartner = async (store: Store, secrets: WebhookSecrets, id: string, url: string): Promise<string> => {
  await store.partners.add({ id, kind: 'selfServe', feeBps: null, requestsPerMinute: null }, null)
  const { secret, sealed } = await secrets.create(id)
  await store.webhooks.set({ partnerId: id, url, sealedSecret: sealed })
  return secret
}

export type StageOptions = Partial<TargetPostOptions> & {
  readonly secretKeys?: readonly Secret[]
  readonly lanes?: number
  readonly store?: Store
}

/** The real sender over records in memory, to targets on this machine as if they were public. */
export const hookStage = ({ secretKeys = [WEBHOOK_KEY], lanes, store: given, ...options }: StageOptions = {}) => {
  const clock = createTestClock()
  const store = given ?? createMemoryStore(clock)
  const events: EngineEvent[] = []
  const secrets = createWebhookSecrets(secretKeys)
  const send = createSendWebhook({ post: postLocally(options), userAgent: 'swap-service/test' })
  const observe = (event: EngineEvent): void => void events.push(event)
  const monotonic = clock.now
  const sender = createWebhookSender({ store, secrets, send, clock, monotonic, observe, ...(lanes !== undefined && { lanes }) })
  return {
    clock,
    store,
    secrets,
    sender,
    send,
    events,
    deliver: async (signal = new AbortController().signal, isClockRight?: () => boolean) =>
      (await sender.deliverDue(signal, isClockRight)).tried,
    addPartner: (id: string, url: string) => addPartner(store, secrets, id, url),
    feedOf: (partnerId: string) => store.partnerEvents.ofPartner(partnerId, { afterPlace: 0, limit: 100 }),
  }
}
