import type { PayoutEcosystem } from '../core/partner.ts'
import type { NewPartnerEvent } from '../store/partnerEvents.ts'

/** The partner of a changed setting, and the request. */
type Origin = { readonly partnerId: string; readonly requestId: string }

/** A key used in a browser is public, and can change settings. The partner sees each change in its feed, without a webhook. */
const settingEvent = (
  event: 'fee.changed' | 'payout-address.changed' | 'webhook.changed' | 'webhook.removed',
  { partnerId, requestId }: Origin,
  changed: NewPartnerEvent['document'],
): NewPartnerEvent => ({
  partnerId,
  swapId: null,
  event,
  document: { event, requestId, partnerId, ...changed },
  delivery: 'none',
})

export const feeChanged = (origin: Origin, feeBps: number, before: number | null): NewPartnerEvent =>
  settingEvent('fee.changed', origin, { feeBps, before })

/** `before`: the address that was set last, effective or not. */
export const payoutAddressChanged = (
  origin: Origin,
  changed: {
    readonly ecosystem: PayoutEcosystem
    readonly address: string
    readonly before: string | null
    readonly countsFrom: number
  },
): NewPartnerEvent => settingEvent('payout-address.changed', origin, changed)

export const webhookChanged = (origin: Origin, webhookUrl: string, before: string | null): NewPartnerEvent =>
  settingEvent('webhook.changed', origin, { webhookUrl, before })

export const webhookRemoved = (origin: Origin, before: string): NewPartnerEvent =>
  settingEvent('webhook.removed', origin, { before })
