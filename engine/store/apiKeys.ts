import type { Clock } from '../core/clock.ts'
import { type Partner, toPartner } from './partners.ts'
import type { Database } from './schema.ts'

export type StoredKey = {
  /** SHA-256 of the key, in hex. The key itself is not stored. */
  readonly hash: string
  readonly partnerId: string
  /** The part of the key that may be shown. */
  readonly hint: string
  readonly createdAt: number
  readonly revokedAt: number | null
}

/** Issued API keys. Every call may reject with StoreError. */
export interface ApiKeyStore {
  add(key: Pick<StoredKey, 'hash' | 'partnerId' | 'hint'>): Promise<void>
  /** The holder of an issued key; null after its revocation. */
  holder(hash: string): Promise<Partner | null>
  /** Oldest first. */
  ofPartner(partnerId: string): Promise<readonly StoredKey[]>
  /** False if the key does not exist or is already revoked. */
  revoke(hash: string): Promise<boolean>
}

export const createApiKeyStore = (database: Database, clock: Clock): ApiKeyStore => ({
  holder: async (hash) => {
    const query = database.selectFrom('api_keys').innerJoin('partners', 'partners.id', 'api_keys.partner_id')
    const row = await query
      .selectAll('partners')
      .where('api_keys.hash', '=', hash)
      .where('api_keys.revoked_at', 'is', null)
      .executeTakeFirst()
    return row ? toPartner(row) : null
  },
  add: async ({ hash, partnerId, hint }) => {
    const row = { hash, partner_id: partnerId, hint, created_at: clock.now(), revoked_at: null }
    await database.insertInto('api_keys').values(row).execute()
  },
  ofPartner: async (id) => {
    const rows = await database.selectFrom('api_keys').selectAll().where('partner_id', '=', id).orderBy('created_at').execute()
    return rows.map(({ hash, partner_id: partnerId, hint, created_at: createdAt, revoked_at: revokedAt }) => ({
      hash,
      partnerId,
      hint,
      createdAt,
      revokedAt,
    }))
  },
  revoke: async (hash) => {
    const update = database.updateTable('api_keys').set({ revoked_at: clock.now() }).where('hash', '=', hash)
    const { numUpdatedRows } = await update.where('revoked_at', 'is', null).executeTakeFirst()
    return numUpdatedRows > 0n
  },
})
