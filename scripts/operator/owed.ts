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

const ofOne = async ({ store }: Session, partnerId: string): Promise<readonly PartnerBalance[]> => {
  await partnerById(store, partnerId)
  return (await store.ledger.balancesOf(partnerId)).map((balance) => ({ ...balance, partnerId }))
}

/** Of one partner, or of all that ever earned. */
export const readOwed = async (session: Session, partnerId: string | null): Promise<readonly Owed[]> => {
  const { store, clock } = session
  const balances = partnerId === null ? await store.ledger.balances() : await ofOne(session, partnerId)
  const owed: Owed[] = []
  for (const balance of balances) {
    const { ecosystem, earned, paid } = balance
    const history = await store.partners.standingAddressesOf(balance.partnerId)
    const payTo = payoutStanding(history, ecosystem, clock.now()).counts?.address ?? null
    const { chainId, token } = balance
    owed.push({ partnerId: balance.partnerId, ecosystem, chainId, token, earned, paid, owed: earned - paid, payTo })
  }
  return owed
}
