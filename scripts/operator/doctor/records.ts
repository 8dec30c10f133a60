import type { Config } from '../../../engine/config/config.ts'
import type { LedgerProof } from '../../../engine/ledger/proveBalance.ts'
import { tokenKeyId } from '../../../engine/quoting/tokenKeyId.ts'
import type { StoreCondition } from '../../../engine/store/inspectStore.ts'
import type { Backlog, TokenKeyUse } from '../../../engine/store/operatorReads.ts'
import type { Store } from '../../../engine/store/store.ts'
import type { Webhook } from '../../../engine/store/webhooks.ts'
import type { WebhookSecrets } from '../../../engine/webhooks/webhookSecrets.ts'
import { PAGE_MAX } from '../commandLine.ts'
import { timeOf } from '../printing.ts'
import { tokenKeyRingOf } from '../secretKeys.ts'
import { type Finding, fail, ok, warn } from './finding.ts'

const judgeSchema = ({ pendingMigrations, unknownMigrations, obstacle }: StoreCondition): Finding => {
  const otherVersion = 'Run the operator command of the version that serves'
  if (obstacle !== null) return fail('schema', `The database ${obstacle}.`, `${otherVersion}.`)
  const later = `A later version added ${unknownMigrations.join(', ')} to the schema. This version can work with it.`
  if (unknownMigrations.length > 0) return warn('schema', later, `${otherVersion}, to see all records.`)
  const earlier = `The schema is of an earlier version. Missing migrations: ${pendingMigrations.join(', ')}.`
  const todo = 'Start the service of this version once: it applies them. The other checks of the records need that.'
  return pendingMigrations.length > 0 ? warn('schema', earlier, todo) : ok('schema', 'The schema is the one of this version.')
}

/** Checks the file and its schema. `damages` is null for a database server. */
export const judgeStore = (condition: StoreCondition): readonly Finding[] => {
  const { damages } = condition
  const intact =
    damages === null ? 'The records are in the database that DATABASE_URL names.' : 'The integrity check found no damage.'
  const todo = 'Stop the service, keep a copy of the folder, and restore the last backup.'
  const damaged = damages !== null && damages.length > 0
  const says = damaged ? `The database is damaged: ${damages.slice(0, 3).join('; ')}.` : intact
  return [damaged ? fail('records', says, todo) : ok('records', says), judgeSchema(condition)]
}

/** Checks that debits equal credits. */
export const judgeLedger = ({ isBalanced, entries, problemCount, problems }: LedgerProof): readonly Finding[] => {
  if (isBalanced) return [ok('ledger', `Debits equal credits in all ${entries} entries.`)]
  const first = problems.slice(0, 3).map(({ key, what }) => `${key} ${what}`)
  const todo = 'Stop payouts. Copy the records, and compare the copy with a backup.'
  return [fail('ledger', `${problemCount} of ${entries} entries are inconsistent: ${first.join('; ')}.`, todo)]
}

/** The accepted lateness of background work, in intervals between two passes. */
const LATE = 3
const VERY_LATE = 24

/** Checks that a process does the background work, and in time. */
export const judgeBacklog = ({ looks, deliveries, leases }: Backlog, now: number, intervalMs: number): readonly Finding[] => {
  const todo = 'Check that a service runs on these records, and read the settlement lines of its log.'
  const judgeDue = (check: string, oldestDueAt: number | null, says: string): Finding => {
    const lateMs = oldestDueAt === null ? 0 : now - oldestDueAt
    if (lateMs <= LATE * intervalMs) return ok(check, says)
    const text = `${says} The oldest waits for ${Math.round(lateMs / 60_000)} minutes.`
    return (lateMs > VERY_LATE * intervalMs ? fail : warn)(check, text, todo)
  }
  const held = leases.filter(({ until }) => until > now).map(({ name, until }) => `${name} is held until ${timeOf(until)}.`)
  const isMissing = held.length === 0 && looks.open > 0
  const tracked = `Settlement tracks ${looks.open} open swaps, ${looks.due} of them due. ${looks.abandoned} are abandoned.`
  const sent = `${deliveries.due} deliveries are due; ${deliveries.unfinished} have an unknown result.`
  return [
    isMissing
      ? warn('lease', `No process settles the ${looks.open} open swaps.`, todo)
      : ok('lease', held.join(' ') || 'No lease is needed: there are no open swaps.'),
    judgeDue('settlement', looks.oldestDueAt, tracked),
    judgeDue('webhooks', deliveries.oldestDueAt, sent),
  ]
}

/** Checks that the keys that a service reads at its start open the quote tokens of all open swaps. */
export const checkTokenKeys = (config: Config, uses: readonly TokenKeyUse[]): readonly Finding[] => {
  const given = config.quote.tokenKeys
  const { minting, opening } = given.length > 0 ? { minting: null, opening: [] } : tokenKeyRingOf(config)
  const ids = [...given, ...(minting ? [minting] : []), ...opening.map(({ key }) => key)].map(tokenKeyId)
  const lost = uses.filter(({ tokenKey }) => tokenKey !== null && !ids.includes(tokenKey))
  if (lost.length > 0) {
    const swaps = lost.reduce((sum, use) => sum + use.swaps, 0)
    const names = [...new Set(lost.map(({ tokenKey }) => tokenKey))]
    const says = `${swaps} open swaps have quote tokens of the keys ${names.slice(0, 5).join(', ')}, which are not here.`
    const todo = 'Callers cannot query them with their tokens. Unless you retired that key, put it back: a service runs with it.'
    return [warn('token keys', says, todo)]
  }
  if (minting === null) return [ok('token keys', `${ids.join(', ')} of QUOTE_TOKEN_KEYS. The first seals new quote tokens.`)]
  const others = opening.map(({ key, kind }) => `, ${tokenKeyId(key)} ${kind}`).join('')
  return [ok('token keys', `${tokenKeyId(minting)} seals new quote tokens${others}.`)]
}

/** Checks that every webhook can be signed. */
export const checkWebhookSecrets = async (
  { webhooks }: Pick<Store, 'webhooks'>,
  secrets: WebhookSecrets,
): Promise<readonly Finding[]> => {
  const closed: string[] = []
  let [read, old] = [0, 0]
  for (let page: readonly Webhook[] | null = null; page === null || page.length === PAGE_MAX; read += page.length) {
    page = await webhooks.list(page?.at(-1)?.partnerId ?? null, PAGE_MAX)
    for (const { partnerId, sealedSecret } of page) {
      const opened = await secrets.open(partnerId, sealedSecret)
      if (opened === null) closed.push(partnerId)
      else if (!opened.isSealedByCurrent) old += 1
    }
  }
  const resealed = old > 0 ? `; ${old} are still sealed with the second key` : ''
  if (closed.length === 0) return [ok('webhook secrets', `WEBHOOK_SECRET_KEYS decrypts all ${read} secrets${resealed}.`)]
  const some = closed.slice(0, 5).join(', ')
  const says = `${closed.length} of ${read} secrets cannot be decrypted, such as those of ${some}. Their webhooks are not sent.`
  return [fail('webhook secrets', says, 'Put the earlier key back into WEBHOOK_SECRET_KEYS, as the second one.')]
}
