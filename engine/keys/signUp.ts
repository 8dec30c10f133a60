import type { SignedUp, Signup } from '../core/partnerAccount.ts'
import type { Store } from '../store/store.ts'
import { addPartner } from './issueKey.ts'

/** Issues a self-serve key without review. For an absent fee the operator's schedule applies. */
export const createSignUp =
  (store: Pick<Store, 'transaction'>) =>
  ({ feeBps, contacts }: Signup): Promise<SignedUp> =>
    store.transaction(async (parts) => {
      const { apiKey, partner } = await addPartner(parts, { kind: 'selfServe', feeBps, requestsPerMinute: null }, contacts)
      return { apiKey, partnerId: partner.id, feeBps }
    })
