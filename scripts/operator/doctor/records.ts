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
    ? ok('records', 'They are in the database that DATABASE_URL names.')
    : damages.length === 0
      ? ok('records', 'The database finds no damage in itself.')
      : fail(
          'records',
          `The database is damaged: ${damages.slice(0, 3).join('; ')}.`,
          'Stop the service, keep a copy of the folder, and restore the last backup.',
        )
  if (obstacle !== null) return [file, fail('schema', `Their place ${obstacle}.`, 'Use the tool of the version that runs.')]
  if (unknownMigrations.length > 0)
    return [
      file,
      warn(
        'schema',
        `A later version added ${unknownMigrations.join(', ')} to it, which this one can go on with.`,
        'Use the tool of the version that runs, to see all of it.',
      ),
    ]
  if (pendingMigrations.length > 0)
    return [
      file,
      warn(
        'schema',
        `It is of an earlier version: ${pendingMigrations.join(', ')} are to come.`,
        'Start the service of this version: it brings the schema up to date. The other looks at the records need that.',
      ),
    ]
  return [file, ok('schema', 'It is that of this version.')]
}

/** Whether the books balance. */
export const judgeLedger = ({ isBalanced, entries, problemCount, problems }: LedgerProof): readonly Finding[] => {
  if (isBalanced) return [ok('ledger', `Debits equal credits in all ${entries} entries.`)]
  const first = problems.slice(0, 3).map(({ key, what }) => `${key} ${what}`)
  const todo = 'Pay nothing out by it; keep a copy of the records, and compare with a backup.'
  return [fail('ledger', `${problemCount} of ${entries} entries do not hold: ${first.join('; ')}.`, todo)]
}

/** How late the work may be, in times of what lies between two passes. */
const LATE = 3
const VERY_LATE = 24

/** The work that nobody asks for: whether somebody does it. */
export const judgeBacklog = ({ looks, deliveries, leases }: Backlog, now: number, intervalMs: number): readonly Finding[] => {
  const todo = 'See that a service runs on these records, and what its log says of the settlement.'
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
            : 'Nobody has anything to look after.',
        )
      : warn('lease', `${looks.open} open swaps, and nobody looks after them now.`, todo),
    late(
      'settlement',
      lateness(looks.oldestDueAt),
      `${looks.open} open swaps are looked after, ${looks.due} of them due, ${looks.abandoned} abandoned.`,
    ),
    late(
      'webhooks',
      lateness(deliveries.oldestDueAt),
      `${deliveries.due} deliveries are due; of ${deliveries.unfinished} the end is not known.`,
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
    const says = `${swaps} open swaps are of tokens of ${names.slice(0, 5).join(', ')}, which no key here opens.`
    const todo =
      'Nobody can ask for them any more. Unless that key was retired, a service runs with another one than is here: put it back.'
    return [warn('token keys', says, todo)]
  }
  if (minting === null) return [ok('token keys', `${ids.join(', ')} of QUOTE_TOKEN_KEYS; the first mints.`)]
  const others = opening.map(({ key, kind }) => `, ${tokenKeyId(key)} ${kind}`).join('')
  return [ok('token keys', `${tokenKeyId(minting)} mints${others}.`)]
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
        `${closed.length} of ${read} do not open, those of ${closed.slice(0, 5).join(', ')} among them: their webhooks are not sent.`,
        'Put the key they are sealed with back into WEBHOOK_SECRET_KEYS, as the second one.',
      ),
    ]
  const resealed = old > 0 ? `; ${old} are still sealed with the second key` : ''
  return [ok('webhook secrets', `All ${read} open${resealed}.`)]
}
