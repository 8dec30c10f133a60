import type { Config } from '../../../engine/config/config.ts'
import type { LedgerProof } from '../../../engine/ledger/proveBalance.ts'
import { tokenKeyId } from '../../../engine/quoting/tokenKeyId.ts'
import type { StoreCondition } from '../../../engine/store/inspectStore.ts'
import type { Backlog, TokenKeyUse } from '../../../engine/store/operatorReads.ts'
import type { Store } from '../../../engine/store/store.ts'
import type { Webhook } from '../../../engine/store/webhooks.ts'
import type { WebhookSecrets } from '../../../engine/webhooks/webhookSecrets.ts'
import { timeOf } from '../printing.ts'
import { tokenKeyRingOf } from '../secretKeys.ts'
import { type Finding, fail, ok, warn } from './finding.ts'

/** The schema and the file, by themselves. */
export const judgeStore = ({ damages, pendingMigrations, unknownMigrations, obstacle }: StoreCondition): readonly Finding[] => {
  const isServer = damages === null
  const file = isServer
    ? ok('records', 'The records are in the database that DATABASE_URL names.')
    : damages.length === 0
      ? ok('records', 'The integrity check of the database found no damage.')
      : fail(
          'records',
          `The database is damaged: ${damages.slice(0, 3).join('; ')}.`,
          'Stop the service, keep a copy of the folder, and restore the last backup.',
        )
  if (obstacle !== null)
    return [file, fail('schema', `The database ${obstacle}.`, 'Run the operator command of the version that serves.')]
  if (unknownMigrations.length > 0)
    return [
      file,
      warn(
        'schema',
        `A later version added ${unknownMigrations.join(', ')} to the schema. This version can work with it.`,
        'Run the operator command of the version that serves, to see all records.',
      ),
    ]
  if (pendingMigrations.length > 0)
    return [
      file,
      warn(
        'schema',
        `The schema is of an earlier version. Missing migrations: ${pendingMigrations.join(', ')}.`,
        'Start the service of this version once: it applies them. The other checks of the records need that.',
      ),
    ]
  return [file, ok('schema', 'The schema is the one of this version.')]
}

/** Whether the books balance. */
export const judgeLedger = ({ isBalanced, entries, problemCount, problems }: LedgerProof): readonly Finding[] => {
  if (isBalanced) return [ok('ledger', `Debits equal credits in all ${entries} entries.`)]
  const first = problems.slice(0, 3).map(({ key, what }) => `${key} ${what}`)
  const todo = 'Stop payouts. Copy the records, and compare the copy with a backup.'
  return [fail('ledger', `${problemCount} of ${entries} entries are inconsistent: ${first.join('; ')}.`, todo)]
}

/** How late the work may be, in times of what lies between two passes. */
const LATE = 3
const VERY_LATE = 24

/** Whether background work is done in time. */
export const judgeBacklog = ({ looks, deliveries, leases }: Backlog, now: number, intervalMs: number): readonly Finding[] => {
  const todo = 'Check that a service runs on these records, and read the settlement lines of its log.'
  const lateness = (at: number | null): number => (at === null ? 0 : now - at)
  const grade = (ms: number) => (ms > VERY_LATE * intervalMs ? fail : ms > LATE * intervalMs ? warn : null)
  const late = (check: string, ms: number, says: string): Finding => {
    const make = grade(ms)
    return make === null ? ok(check, says) : make(check, `${says} The oldest waits for ${Math.round(ms / 60_000)} minutes.`, todo)
  }
  const held = leases.filter(({ until }) => until > now)
  return [
    held.length > 0 || looks.open === 0
      ? ok(
          'lease',
          held.length > 0
            ? held.map((lease) => `${lease.name} is held until ${timeOf(lease.until)}.`).join(' ')
            : 'No lease is needed: there are no open swaps.',
        )
      : warn('lease', `No process settles the ${looks.open} open swaps.`, todo),
    late(
      'settlement',
      lateness(looks.oldestDueAt),
      `Settlement tracks ${looks.open} open swaps, ${looks.due} of them due. ${looks.abandoned} are abandoned.`,
    ),
    late(
      'webhooks',
      lateness(deliveries.oldestDueAt),
      `${deliveries.due} deliveries are due; ${deliveries.unfinished} have an unknown result.`,
    ),
  ]
}

/** What opens quote tokens, as the service has it when it starts; and whether that opens those of swaps that are open. */
export const lookAtTokenKeys = (config: Config, uses: readonly TokenKeyUse[]): readonly Finding[] => {
  const given = config.quote.tokenKeys
  const { minting, opening } = given.length > 0 ? { minting: null, opening: [] } : tokenKeyRingOf(config)
  const ids = [...given, ...(minting ? [minting] : []), ...opening.map(({ key }) => key)].map(tokenKeyId)
  const lost = uses.filter(({ tokenKey }) => tokenKey !== null && !ids.includes(tokenKey))
  if (lost.length > 0) {
    const [swaps, names] = [lost.reduce((sum, use) => sum + use.swaps, 0), [...new Set(lost.map(({ tokenKey }) => tokenKey))]]
    const says = `${swaps} open swaps have quote tokens of the keys ${names.slice(0, 5).join(', ')}, which are not here.`
    const todo = 'Callers cannot query them with their tokens. Unless you retired that key, put it back: a service runs with it.'
    return [warn('token keys', says, todo)]
  }
  if (minting === null) return [ok('token keys', `${ids.join(', ')} of QUOTE_TOKEN_KEYS. The first seals new quote tokens.`)]
  const others = opening.map(({ key, kind }) => `, ${tokenKeyId(key)} ${kind}`).join('')
  return [ok('token keys', `${tokenKeyId(minting)} seals new quote tokens${others}.`)]
}

const PAGE = 500

/** Whether every webhook could be signed. */
export const lookAtWebhookSecrets = async (
  { webhooks }: Pick<Store, 'webhooks'>,
  secrets: WebhookSecrets,
): Promise<readonly Finding[]> => {
  const closed: string[] = []
  let [read, old] = [0, 0]
  let after: string | null = null
  for (;;) {
    const page: readonly Webhook[] = await webhooks.list(after, PAGE)
    for (const { partnerId, sealedSecret } of page) {
      const opened = await secrets.open(partnerId, sealedSecret)
      if (opened === null) closed.push(partnerId)
      else if (!opened.isSealedByCurrent) old += 1
    }
    read += page.length
    after = page.at(-1)?.partnerId ?? null
    if (page.length < PAGE) break
  }
  if (closed.length > 0)
    return [
      fail(
        'webhook secrets',
        `${closed.length} of ${read} secrets cannot be decrypted, such as those of ${closed.slice(0, 5).join(', ')}. Their webhooks are not sent.`,
        'Put the earlier key back into WEBHOOK_SECRET_KEYS, as the second one.',
      ),
    ]
  const resealed = old > 0 ? `; ${old} are still sealed with the second key` : ''
  return [ok('webhook secrets', `WEBHOOK_SECRET_KEYS decrypts all ${read} secrets${resealed}.`)]
}
