import type { ChangedSettings, PartnerAccount } from '../../engine/core/partnerAccount.ts'
import type { components } from '../../generated/api.d.ts'

type ChangedKey = components['schemas']['ChangedKey']
type KeyAccount = components['schemas']['KeyAccount']

/** Contains the requested settings only. */
export const toChangedSettings = ({ feeBps, payoutAddresses, webhook, webhookSecret }: ChangedSettings): ChangedKey => ({
  ...(feeBps !== null && { feeBps }),
  ...(payoutAddresses !== null && { payoutAddresses }),
  ...(webhook !== null && { webhookUrl: webhook.url }),
  ...(webhookSecret !== null && { webhookSecret }),
})

export const toPartnerAccount = (account: PartnerAccount): KeyAccount => {
  const { partnerId, kind, feeBps, payoutAddresses, webhookUrl, balances, createdAt } = account
  const { requestsPerMinute, requestsPerAddressPerMinute } = account
  return {
    partnerId,
    tier: kind === 'selfServe' ? 'self-serve' : 'enterprise',
    feeBps,
    payoutAddresses: [...payoutAddresses],
    webhookUrl,
    limits: { requestsPerMinute, requestsPerAddressPerMinute },
    balances: balances.map(({ earned, paid, ...token }) => ({ ...token, earned: earned.toString(), paid: paid.toString() })),
    createdAt,
  }
}
