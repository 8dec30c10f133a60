import type { Selectable } from 'kysely'
import type { Clock } from '../core/clock.ts'
import type { Database, WebhooksTable } from './schema.ts'

export type Webhook = {
  readonly partnerId: string
  readonly url: string
  /** See WebhookSecrets. */
  readonly sealedSecret: string
}

/** The webhook targets of partners. Every call may reject with StoreError. */
export interface WebhookStore {
  find(partnerId: string): Promise<Webhook | null>
  /** Ordered by partner, after `afterPartnerId`. */
  list(afterPartnerId: string | null, limit: number): Promise<readonly Webhook[]>
  /** Registers a target, or changes its URL. Returns the sealed secret of the first registration, which stays valid. */
  set(webhook: Webhook): Promise<string>
  /** Removes a target with its secret. */
  remove(partnerId: string): Promise<void>
  /** Replaces `before` by the same secret under a new seal. */
  reseal(partnerId: string, before: string, sealedSecret: string): Promise<void>
}

const toWebhook = (row: Selectable<WebhooksTable>): Webhook => ({
  partnerId: row.partner_id,
  url: row.url,
  sealedSecret: row.sealed_secret,
})

export const createWebhookStore = (database: Database, clock: Clock): WebhookStore => ({
  find: async (id) => {
    const row = await database.selectFrom('webhooks').selectAll().where('partner_id', '=', id).executeTakeFirst()
    return row ? toWebhook(row) : null
  },
  list: async (after, limit) => {
    const all = database.selectFrom('webhooks').selectAll().orderBy('partner_id').limit(limit)
    return (await (after === null ? all : all.where('partner_id', '>', after)).execute()).map(toWebhook)
  },
  set: async ({ partnerId, url, sealedSecret }) => {
    const now = clock.now()
    const { sealed_secret } = await database
      .insertInto('webhooks')
      .values({ partner_id: partnerId, url, sealed_secret: sealedSecret, created_at: now, updated_at: now })
      .onConflict((conflict) => conflict.column('partner_id').doUpdateSet({ url, updated_at: now }))
      .returning('sealed_secret')
      .executeTakeFirstOrThrow()
    return sealed_secret
  },
  remove: async (id) => {
    await database.deleteFrom('webhooks').where('partner_id', '=', id).execute()
  },
  reseal: async (id, before, sealedSecret) => {
    const update = database.updateTable('webhooks').set({ sealed_secret: sealedSecret }).where('partner_id', '=', id)
    await update.where('sealed_secret', '=', before).execute()
  },
})
