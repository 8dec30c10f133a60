import type { Clock } from '../core/clock.ts'
import { PAYOUT_ECOSYSTEMS, type PayoutEcosystem } from '../core/partner.ts'
import type { ChangedSettings, PayoutAddresses, SettingsChange, WebhookTarget } from '../core/partnerAccount.ts'
import { readPayoutAddress } from '../core/payoutAddress.ts'
import { type FieldProblem, invalidRequest, SwapError } from '../errors.ts'
import type { Partner } from '../store/partners.ts'
import type { Store, StoreParts } from '../store/store.ts'
import { type NewWebhook, registerWebhook } from '../webhooks/registerWebhook.ts'
import type { WebhookSecrets } from '../webhooks/webhookSecrets.ts'
import { readWebhookUrl } from '../webhooks/webhookUrl.ts'
import type { KeyStore } from './keyStore.ts'
import { countsFrom, payoutStanding, replacedBy } from './payoutStanding.ts'
import { type TellChange, tellChanges } from './settingChanges.ts'
import { feeChanged, payoutAddressChanged, webhookChanged, webhookRemoved } from './settingEvents.ts'

export type SettingsPorts = {
  readonly store: Pick<Store, 'transaction'>
  readonly keys: KeyStore
  readonly webhookSecrets: WebhookSecrets
  readonly clock: Clock
  readonly payoutAddressHoldMs: number
  /** Whether webhooks may use private addresses. */
  readonly allowPrivate: boolean
}

/** The partner, and the request. */
export type Asker = { readonly partnerId: string; readonly requestId: string }

type Checked = {
  readonly feeBps: number | null
  readonly payoutAddresses: ReadonlyMap<PayoutEcosystem, string>
  readonly webhook: WebhookTarget | null
}

/** The change in canonical spelling. Throws INVALID_REQUEST with every invalid field. */
const check = ({ feeBps, payoutAddresses, webhook }: SettingsChange, allowPrivate: boolean): Checked => {
  const problems: FieldProblem[] = []
  const addresses = new Map<PayoutEcosystem, string>()
  for (const ecosystem of PAYOUT_ECOSYSTEMS) {
    const raw = payoutAddresses?.[ecosystem]
    if (raw === undefined) continue
    const read = readPayoutAddress(ecosystem, raw)
    if ('address' in read) addresses.set(ecosystem, read.address)
    else problems.push({ path: `payoutAddresses.${ecosystem}`, reason: read.problem })
  }
  const target = typeof webhook?.url === 'string' ? readWebhookUrl(webhook.url, allowPrivate) : webhook
  const isRefused = target !== null && 'problem' in target
  if (isRefused) problems.push({ path: 'webhookUrl', reason: target.problem })
  if (isRefused || problems.length > 0) throw invalidRequest(problems)
  return { feeBps, payoutAddresses: addresses, webhook: target }
}

/** The operator manages both for such a partner. */
const refuseEnterprise = ({ kind }: Partner, { feeBps, webhook }: Checked): void => {
  if (kind !== 'enterprise') return
  if (feeBps !== null) throw new SwapError('NOT_FOUND', 'An enterprise key has no fee to set. Ask the operator to change it.')
  if (webhook !== null) throw new SwapError('NOT_FOUND', 'An enterprise key has no webhook. Use a self-serve key for webhooks.')
}

/** A change, with its event. */
type Write = { readonly parts: StoreParts; readonly asker: Asker; readonly tell: TellChange }

const setFee = async ({ parts, asker, tell }: Write, feeBps: number, before: number | null) => {
  if (feeBps === before) return
  await parts.partners.setFee(asker.partnerId, feeBps)
  await tell(feeChanged(asker, feeBps, before))
}

/** Returns the last set addresses of all ecosystems. */
const setAddresses = async (
  { parts: { partners }, asker, tell }: Write,
  asked: Checked['payoutAddresses'],
  time: { readonly now: number; readonly holdMs: number },
): Promise<PayoutAddresses> => {
  const history = await partners.standingAddressesOf(asker.partnerId)
  const set: { [E in PayoutEcosystem]?: string } = {}
  for (const ecosystem of PAYOUT_ECOSYSTEMS) {
    const standing = payoutStanding(history, ecosystem, time.now)
    const before = (standing.awaited ?? standing.counts)?.address ?? null
    const address = asked.get(ecosystem) ?? before
    if (address === null) continue
    set[ecosystem] = address
    const from = countsFrom(standing, address, time)
    if (from === null) continue
    await partners.addPayoutAddress(
      asker.partnerId,
      { ecosystem, address, countsFrom: from },
      replacedBy(standing, from, time.now),
    )
    // An exhausted limit of changes must not prevent the owner from undoing an address.
    const isUndone = address === standing.counts?.address
    await tell(payoutAddressChanged(asker, { ecosystem, address, before, countsFrom: from }), isUndone)
  }
  return set
}

const setWebhook = async ({ parts, asker, tell }: Write, webhook: NewWebhook): Promise<string | null> => {
  const before = (await parts.webhooks.find(asker.partnerId))?.url ?? null
  const secret = await registerWebhook(parts, asker.partnerId, webhook)
  if (webhook.url !== before) await tell(webhookChanged(asker, webhook.url, before))
  return secret
}

/** The next registration counts as a first one, with a fresh secret. */
const removeWebhook = async ({ parts, asker, tell }: Write): Promise<void> => {
  const before = await parts.webhooks.find(asker.partnerId)
  if (!before) return
  await parts.webhooks.remove(asker.partnerId)
  await tell(webhookRemoved(asker, before.url))
}

/** Changes the settings of a partner: all requested changes, or no change. */
export const createChangeSettings =
  ({ store, keys, webhookSecrets, clock, payoutAddressHoldMs: holdMs, allowPrivate }: SettingsPorts) =>
  async (change: SettingsChange, asker: Asker): Promise<ChangedSettings> => {
    const checked = check(change, allowPrivate)
    const { feeBps, payoutAddresses, webhook: target } = checked
    // Created before the transaction, which waits only for the store.
    const webhook = target?.url ? { url: target.url, fresh: await webhookSecrets.create(asker.partnerId) } : null
    try {
      return await store.transaction(async (parts) => {
        const partner = await parts.partners.hold(asker.partnerId)
        if (!partner) throw new SwapError('UNAUTHORIZED', 'The x-api-key is not known any more.')
        refuseEnterprise(partner, checked)
        const now = clock.now()
        const write: Write = { parts, asker, tell: tellChanges(parts.partnerEvents, asker.partnerId, now) }
        if (feeBps !== null) await setFee(write, feeBps, partner.feeBps)
        const set = payoutAddresses.size > 0 ? await setAddresses(write, payoutAddresses, { now, holdMs }) : null
        if (target?.url === null) await removeWebhook(write)
        const webhookSecret = webhook && (await setWebhook(write, webhook))
        // The response repeats the spelling of the request.
        return {
          feeBps,
          payoutAddresses: set && { ...set, ...change.payoutAddresses },
          webhook: change.webhook,
          webhookSecret,
        }
      })
    } finally {
      // In any case: a commit without an answer may have succeeded.
      keys.forget(asker.partnerId)
    }
  }
