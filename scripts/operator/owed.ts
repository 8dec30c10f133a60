import type { ChainId } from '../../engine/core/chain.ts'
import type { PayoutEcosystem } from '../../engine/core/partner.ts'
import { payoutStanding } from '../../engine/keys/payoutStanding.ts'
import type { PartnerBalance } from '../../engine/store/ledger.ts'
import { partnerById } from './partnerById.ts'
import type { Session } from './session.ts'

/** The amount owed to a partner in a token, and the payout address. */
export type Owed = {
  readonly partnerId: string
  readonly ecosystem: PayoutEcosystem
  readonly chainId: ChainId
  readonly token: string
  readonly earned: bigint
  readonly paid: bigint
  /** Earned minus paid, in smallest units. Below 0 if fees were reversed after their payout. */
  readonly owed: bigint
  /** The payout address in force; null without one. */
  readonly payTo: string | null
}

/** The number of partners in one read. */
const PAGE = 100

const toOwed = async ({ store, clock }: Session, balances: readonly PartnerBalance[]): Promise<readonly Owed[]> => {
  const owed: Owed[] = []
  for (const { partnerId, ecosystem, chainId, token, earned, paid } of balances) {
    const history = await store.partners.standingAddressesOf(partnerId)
    const payTo = payoutStanding(history, ecosystem, clock.now()).counts?.address ?? null
    owed.push({ partnerId, ecosystem, chainId, token, earned, paid, owed: earned - paid, payTo })
  }
  return owed
}

/** The amounts owed to one partner. */
export const readOwed = async (session: Session, partnerId: string): Promise<readonly Owed[]> => {
  await partnerById(session.store, partnerId)
  const balances = await session.store.ledger.balancesOf(partnerId)
  return toOwed(
    session,
    balances.map((balance) => ({ ...balance, partnerId })),
  )
}

/** The amounts owed to all partners after `afterPartnerId`, ordered by id, one partner at a time. */
export async function* eachOwed(session: Session, afterPartnerId: string | null): AsyncGenerator<readonly Owed[]> {
  for (let after = afterPartnerId; ; ) {
    const page = await session.store.ledger.balances(after, PAGE)
    const byPartner = Map.groupBy(page, ({ partnerId }) => partnerId)
    for (const balances of byPartner.values()) yield toOwed(session, balances)
    if (byPartner.size < PAGE) return
    after = page.at(-1)?.partnerId ?? null
  }
}
