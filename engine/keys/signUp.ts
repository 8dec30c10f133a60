import type { SignedUp, Signup } from '../core/partnerAccount.ts'
import type { Store } from '../store/store.ts'
import { addPartner } from './issueKey.ts'

/** Gives whoever asks a key of his own, without review. What he did not set he has not: the operator's schedule applies. */
export const createSignUp =
  (store: Pick<Store, 'transaction'>) =>
  ({ feeBps, contacts }: Signup): Promise<SignedUp> =>
    store.transaction(async (parts) => {
      const { apiKey, partner } = await addPartner(parts, { kind: 'selfServe', feeBps, requestsPerMinute: null }, contacts)
      return { apiKey, partnerId: partner.id, feeBps }
    })
