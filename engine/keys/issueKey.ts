import type { Contacts, Partner } from '../store/partners.ts'
import type { StoreParts } from '../store/store.ts'
import { hashOf, hintOf, newApiKey, newPartnerId } from './apiKey.ts'

/** What tells a key of a partner: this once, since it is kept nowhere. */
export type IssuedKey = { readonly apiKey: string; readonly hint: string }

/** A further key for a partner; those he has stay. */
export const issueKeyTo = async (
  { apiKeys }: Pick<StoreParts, 'apiKeys'>,
  { id, kind }: Pick<Partner, 'id' | 'kind'>,
): Promise<IssuedKey> => {
  const apiKey = newApiKey(kind)
  const hint = hintOf(apiKey)
  await apiKeys.add({ hash: hashOf(apiKey), partnerId: id, hint })
  return { apiKey, hint }
}

/** A new partner with a first key. To be called in a transaction. */
export const addPartner = async (
  parts: Pick<StoreParts, 'apiKeys' | 'partners'>,
  asked: Omit<Partner, 'id' | 'createdAt'>,
  contacts: Contacts | null,
): Promise<IssuedKey & { readonly partner: Partner }> => {
  const partner = await parts.partners.add({ ...asked, id: newPartnerId() }, contacts)
  return { partner, ...(await issueKeyTo(parts, partner)) }
}
