import type { Contacts, Partner } from '../store/partners.ts'
import type { StoreParts } from '../store/store.ts'
import { hashOf, hintOf, newApiKey, newPartnerId } from './apiKey.ts'

/** A new key. The service stores only its hash, so this is the only time it is known. */
export type IssuedKey = { readonly apiKey: string; readonly hint: string }

/** Issues a further key to a partner; earlier keys stay valid. */
export const issueKeyTo = async (
  { apiKeys }: Pick<StoreParts, 'apiKeys'>,
  { id, kind }: Pick<Partner, 'id' | 'kind'>,
): Promise<IssuedKey> => {
  const apiKey = newApiKey(kind)
  const hint = hintOf(apiKey)
  await apiKeys.add({ hash: hashOf(apiKey), partnerId: id, hint })
  return { apiKey, hint }
}

/** A new partner with a first key. Call it in a transaction. */
export const addPartner = async (
  parts: Pick<StoreParts, 'apiKeys' | 'partners'>,
  asked: Omit<Partner, 'id' | 'createdAt'>,
  contacts: Contacts | null,
): Promise<IssuedKey & { readonly partner: Partner }> => {
  const partner = await parts.partners.add({ ...asked, id: newPartnerId() }, contacts)
  return { partner, ...(await issueKeyTo(parts, partner)) }
}
