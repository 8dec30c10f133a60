import type { Config } from '../config/config.ts'
import type { RequestContext } from '../core/caller.ts'
import type { Clock } from '../core/clock.ts'
import type { ChangedSettings, PartnerAccount, SettingsChange, SignedUp, Signup } from '../core/partnerAccount.ts'
import type { FeedPage, WebhookTest } from '../core/partnerFeed.ts'
import { SwapError } from '../errors.ts'
import type { TargetPost } from '../net/targetPost.ts'
import type { Observe } from '../observe/observe.ts'
import type { SettlementTask } from '../settlement/settlementJob.ts'
import { overStore } from '../store/overStore.ts'
import type { Store } from '../store/store.ts'
import { createWebhookSecrets } from '../webhooks/webhookSecrets.ts'
import { createWebhooks } from '../webhooks/webhooks.ts'
import { createChangeSettings } from './changeSettings.ts'
import type { KeyStore } from './keyStore.ts'
import { createReadAccount } from './readAccount.ts'
import { createSignUp } from './signUp.ts'

/** The calls of partners. All except signup throw UNAUTHORIZED for an anonymous caller. */
export type PartnerCalls = {
  signUp(signup: Signup): Promise<SignedUp>
  /** Changes the caller's own settings, completely or not at all. */
  changeSettings(change: SettingsChange, context: RequestContext): Promise<ChangedSettings>
  account(context: RequestContext): Promise<PartnerAccount>
  /** The caller's events after a number in its feed, oldest first. */
  partnerFeed(page: { afterPlace: number; limit: number }, context: RequestContext): Promise<FeedPage>
  /** Sends a signed test to the caller's webhook, and returns the result. NOT_FOUND without a webhook. */
  testWebhook(context: RequestContext): Promise<WebhookTest>
}

export type PartnerPorts = {
  readonly store: Store
  readonly keys: KeyStore
  readonly post: TargetPost
  readonly clock: Clock
  readonly observe: Observe
}

/** The calling partner, where the call requires one. */
const partnerOf = ({ caller: { partnerId } }: RequestContext): string => {
  if (partnerId === null) throw new SwapError('UNAUTHORIZED', 'This operation needs an x-api-key.')
  return partnerId
}

/** The calls, and the tasks of a settlement pass for partners. */
export const createPartnerCalls = (
  { partners, userAgent }: Pick<Config, 'partners' | 'userAgent'>,
  { store, keys, post, clock, observe }: PartnerPorts,
): { readonly calls: PartnerCalls; readonly tasks: readonly SettlementTask[] } => {
  const { requestsPerAddressPerMinute, payoutAddressHoldMs, webhooks: targets } = partners
  const secrets = createWebhookSecrets(targets.secretKeys)
  const settingsPorts = { store, keys, webhookSecrets: secrets, clock, payoutAddressHoldMs, allowPrivate: targets.allowPrivate }
  const changeSettings = overStore(createChangeSettings(settingsPorts))
  const readAccount = overStore(createReadAccount({ store, clock, requestsPerAddressPerMinute }))
  const webhooks = createWebhooks({ store, secrets, post, userAgent, clock, observe })
  const [feed, testWebhook] = [overStore(webhooks.feed), overStore(webhooks.test)]
  const calls: PartnerCalls = {
    signUp: overStore(createSignUp(store)),
    changeSettings: async (change, request) =>
      changeSettings(change, { partnerId: partnerOf(request), requestId: request.requestId }),
    account: async (request) => readAccount(partnerOf(request)),
    partnerFeed: async (page, request) => feed(partnerOf(request), page),
    testWebhook: async (request) => testWebhook(partnerOf(request), request.requestId),
  }
  return { calls, tasks: webhooks.tasks }
}
