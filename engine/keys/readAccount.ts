import type { Clock } from '../core/clock.ts'
import { PAYOUT_ECOSYSTEMS } from '../core/partner.ts'
import type { PartnerAccount, StandingAddress } from '../core/partnerAccount.ts'
import { SwapError } from '../errors.ts'
import type { PayoutAddress } from '../store/partners.ts'
import type { Store } from '../store/store.ts'
import { callerOf } from './keyStore.ts'
import { payoutStanding } from './payoutStanding.ts'

const standingAddresses = (history: readonly PayoutAddress[], now: number): readonly StandingAddress[] =>
  PAYOUT_ECOSYSTEMS.flatMap((ecosystem) => {
    const { counts, awaited } = payoutStanding(history, ecosystem, now)
    const toStanding = (set: PayoutAddress | null) =>
      set ? [{ ecosystem, address: set.address, countsFrom: set.countsFrom, counts: set === counts }] : []
    return [...toStanding(counts), ...toStanding(awaited)]
  })

export type AccountPorts = {
  readonly store: Pick<Store, 'partners' | 'webhooks' | 'ledger'>
  readonly clock: Clock
  /** 0: no limit. */
  readonly requestsPerAddressPerMinute: number
}

/** Reads a partner's own settings and earnings. */
export const createReadAccount =
  ({ store, clock, requestsPerAddressPerMinute }: AccountPorts) =>
  async (partnerId: string): Promise<PartnerAccount> => {
    const [partner, addresses, webhook, balances] = await Promise.all([
      store.partners.byId(partnerId),
      store.partners.standingAddressesOf(partnerId),
      store.webhooks.find(partnerId),
      store.ledger.balancesOf(partnerId),
    ])
    if (!partner) throw new SwapError('UNAUTHORIZED', 'The x-api-key is not known any more.')
    const { kind, feeBps, createdAt } = partner
    const isPooled = kind === 'selfServe' && requestsPerAddressPerMinute > 0
    return {
      partnerId,
      kind,
      feeBps,
      payoutAddresses: standingAddresses(addresses, clock.now()),
      webhookUrl: webhook?.url ?? null,
      requestsPerMinute: callerOf(partner).requestsPerMinute,
      requestsPerAddressPerMinute: isPooled ? requestsPerAddressPerMinute : null,
      balances,
      createdAt,
    }
  }
