import type { ChainId } from '../../engine/core/chain.ts'
import type { PayoutEcosystem } from '../../engine/core/partner.ts'
import { payoutStanding } from '../../engine/keys/payoutStanding.ts'
import type { PartnerBalance } from '../../engine/store/ledger.ts'
import { partnerById } from './partnerById.ts'
import type { Session } from './session.ts'

/** What a partner is owed in a token, and where it is to be paid. */
export type Owed = {
  readonly partnerId: string
  readonly ecosystem: PayoutEcosystem
  readonly chainId: ChainId
  readonly token: string
  readonly earned: bigint
  readonly paid: bigint
  /** Below 0 where what was paid has been taken back since. */
  readonly owed: bigint
  /** Null: it has none that counts. */
  readonly payTo: string | null
}

/** Partners read in one go. */
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

/** Of one partner. */
export const readOwed = async (session: Session, partnerId: string): Promise<readonly Owed[]> => {
  await partnerById(session.store, partnerId)
  const balances = await session.store.ledger.balancesOf(partnerId)
  return toOwed(
    session,
    balances.map((balance) => ({ ...balance, partnerId })),
  )
}

/** Of all that ever earned beyond one of them, by their ids: all of a partner at once. */
export async function* eachOwed(session: Session, afterPartnerId: string | null): AsyncGenerator<readonly Owed[]> {
  for (let after = afterPartnerId; ; ) {
    const page = await session.store.ledger.balances(after, PAGE)
    const byPartner = Map.groupBy(page, ({ partnerId }) => partnerId)
    for (const balances of byPartner.values()) yield toOwed(session, balances)
    if (byPartner.size < PAGE) return
    after = page.at(-1)?.partnerId ?? null
  }
}
