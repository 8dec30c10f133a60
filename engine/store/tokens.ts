import type { Address } from '../core/address.ts'
import type { Asset, KeptToken } from '../core/asset.ts'
import type { ChainId } from '../core/chain.ts'
import type { Database } from './schema.ts'

/** Metadata of tokens, as two sources agreed on it. Every call may reject when the database is in trouble. */
export interface TokenStore {
  /** The latest `max` entries, oldest first. */
  all(max: number): Promise<readonly KeptToken[]>
  /** Replaces the stored metadata of the token. */
  keep(kept: KeptToken): Promise<void>
  drop(asset: Asset): Promise<void>
}

export const createTokenStore = (database: Database): TokenStore => ({
  all: async (max) => {
    const rows = await database.selectFrom('tokens').selectAll().orderBy('read_at', 'desc').limit(max).execute()
    return rows.reverse().map(({ chain_id, address, symbol, name, decimals, read_at }) => ({
      token: { chainId: chain_id as ChainId, address: address as Address, symbol, name, decimals, isNative: false },
      readAt: read_at,
    }))
  },
  keep: async ({ token: { chainId, address, symbol, name, decimals }, readAt }) => {
    const metadata = { symbol, name, decimals, read_at: readAt }
    await database
      .insertInto('tokens')
      .values({ chain_id: chainId, address, ...metadata })
      .onConflict((conflict) => conflict.columns(['chain_id', 'address']).doUpdateSet(metadata))
      .execute()
  },
  drop: async ({ chainId, address }) => {
    await database.deleteFrom('tokens').where('chain_id', '=', chainId).where('address', '=', address).execute()
  },
})
