import { type Command, Option } from 'commander'
import type { PartnerKind } from '../../../engine/core/partner.ts'
import { hashOf } from '../../../engine/keys/apiKey.ts'
import { addPartner, issueKeyTo } from '../../../engine/keys/issueKey.ts'
import { KEY_KEPT_MS } from '../../../engine/keys/keyStore.ts'
import type { StoredKey } from '../../../engine/store/apiKeys.ts'
import type { Partner } from '../../../engine/store/partners.ts'
import { numberOr, oneOf, PAGE_MAX, wholeNumber } from '../arguments.ts'
import { badUsage, failed, notFound } from '../operatorError.ts'
import { partnerById } from '../partnerById.ts'
import { fieldsOf, listOf, paint, type Told, tableOf, timeOf } from '../printing.ts'
import type { Session } from '../session.ts'
import type { Tool } from '../tool.ts'
import { addContactCommands } from './contacts.ts'

const FEE_BPS_MAX = 100
const PER_MINUTE_MAX = 1_000_000

/** The id of a key in this tool: the start of its hash, which does not reveal the key. */
const idOf = ({ hash }: Pick<StoredKey, 'hash'>): string => hash.slice(0, 12)

const requireEnterprise = ({ id, kind }: Partner, what: string): void => {
  if (kind !== 'enterprise') throw failed(`${id} signed up by itself: ${what}.`)
}

const SHOWN_ONCE = 'The key is shown this once; the service keeps only a hash of it.'

type IssueOptions = { readonly name?: string; readonly contact?: string; readonly perMinute: number; readonly feeBps?: number }

const issue = async ({ store }: Session, { name, contact, perMinute, feeBps }: IssueOptions): Promise<Told> => {
  const contacts = { ...(name !== undefined && { name }), ...(contact !== undefined && { contact }) }
  const kept = Object.keys(contacts).length === 0 ? null : contacts
  const asked = { kind: 'enterprise', feeBps: feeBps ?? null, requestsPerMinute: perMinute } as const
  const { partner, apiKey } = await store.transaction((parts) => addPartner(parts, asked, kept))
  const keyId = idOf({ hash: hashOf(apiKey) })
  return {
    data: { partnerId: partner.id, kind: partner.kind, feeBps: partner.feeBps, requestsPerMinute: perMinute, keyId, apiKey },
    lines: [
      ...fieldsOf([
        ['partner', partner.id],
        ['key', apiKey],
        ['key id', keyId],
        ['per minute', perMinute],
        ['fee', partner.feeBps === null ? 'by the schedule' : `${partner.feeBps} bps`],
      ]),
      paint('yellow', SHOWN_ONCE),
    ],
  }
}

const feeText = ({ feeBps }: Partner): string => (feeBps === null ? '-' : `${feeBps} bps`)

type ListOptions = { readonly kind?: PartnerKind; readonly limit: number; readonly after?: string }

const list = async ({ store }: Session, { kind, limit, after }: ListOptions): Promise<Told> => {
  if (after !== undefined) await partnerById(store, after)
  const found = await store.partners.list({ afterId: after ?? null, limit: limit + 1 }, kind ?? null)
  const partners = found.slice(0, limit)
  const next = found.length > limit ? (partners.at(-1)?.id ?? null) : null
  const rows = []
  for (const partner of partners) {
    const keys = await store.apiKeys.ofPartner(partner.id)
    rows.push({
      ...partner,
      keys: keys.filter(({ revokedAt }) => revokedAt === null).length,
      revokedKeys: keys.filter((key) => key.revokedAt !== null).length,
    })
  }
  const table = tableOf(
    ['PARTNER', 'KIND', 'KEYS', 'REVOKED', 'FEE', 'PER MINUTE', 'SINCE'],
    rows.map((row) => [row.id, row.kind, row.keys, row.revokedKeys, feeText(row), row.requestsPerMinute, timeOf(row.createdAt)]),
  )
  return {
    data: { partners: rows, after: next },
    lines: [...listOf(table, 'No keys were issued.'), ...(next === null ? [] : [`More: --after ${next}`])],
  }
}

const show = async ({ store, clock }: Session, id: string, wishes: { readonly contacts?: true }): Promise<Told> => {
  const partner = await partnerById(store, id)
  const keys = (await store.apiKeys.ofPartner(id)).map((key) => ({
    keyId: idOf(key),
    hint: key.hint,
    createdAt: key.createdAt,
    revokedAt: key.revokedAt,
  }))
  const payoutAddresses = await store.partners.payoutAddressesOf(id)
  const balances = (await store.ledger.balancesOf(id)).map((balance) => ({ ...balance, owed: balance.earned - balance.paid }))
  const webhook = await store.webhooks.find(id)
  const contacts = await store.partners.contactsOf(id)
  const isShown = wishes.contacts === true
  const now = clock.now()
  return {
    data: { partner, keys, payoutAddresses, balances, webhookUrl: webhook?.url ?? null, ...(isShown && { contacts }) },
    lines: [
      ...fieldsOf([
        ['partner', partner.id],
        ['kind', partner.kind],
        ['since', timeOf(partner.createdAt)],
        ['fee', feeText(partner)],
        ['per minute', partner.requestsPerMinute],
        ['webhook', webhook?.url ?? null],
        ['contacts', isShown ? JSON.stringify(contacts) : contacts === null ? null : 'kept; --contacts shows them'],
      ]),
      '',
      ...tableOf(
        ['KEY ID', 'KEY', 'SINCE', 'REVOKED'],
        keys.map((key) => [key.keyId, key.hint, timeOf(key.createdAt), timeOf(key.revokedAt)]),
      ),
      '',
      ...listOf(
        tableOf(
          ['PAYOUT', 'ADDRESS', 'SET', 'COUNTS FROM', 'REPLACED'],
          payoutAddresses.map((set) => [
            set.ecosystem,
            set.address,
            timeOf(set.createdAt),
            set.countsFrom > now ? `${timeOf(set.countsFrom)} (not yet)` : timeOf(set.countsFrom),
            timeOf(set.replacedAt),
          ]),
        ),
        'No payout address was ever set.',
      ),
      '',
      ...listOf(
        tableOf(
          ['PAYOUT', 'CHAIN', 'TOKEN', 'EARNED', 'PAID', 'OWED'],
          balances.map((row) => [row.ecosystem, row.chainId, row.token, row.earned, row.paid, row.owed]),
        ),
        'Nothing was earned.',
      ),
    ],
  }
}

/** Chooses among a partner's keys: the named one, or the only one. */
const chooseKeys = (
  keys: readonly StoredKey[],
  { key, all }: { readonly key?: string; readonly all?: true },
  partnerId: string,
): readonly StoredKey[] => {
  const open = keys.filter(({ revokedAt }) => revokedAt === null)
  if (all) return open
  if (key !== undefined) {
    const named = open.filter((one) => one.hash.startsWith(key.toLowerCase()) && key.length >= 6)
    if (named.length !== 1) throw notFound(`${partnerId} has no key ${key} that is not revoked.`)
    return named
  }
  if (open.length > 1) throw badUsage(`${partnerId} has ${open.length} keys: say which with --key, or --all.`)
  return open
}

const COUNTS_SOON = `A service that runs knows of it within ${KEY_KEPT_MS / 1_000} seconds.`

const revoke = async (
  { store, confirm }: Session,
  id: string,
  wishes: { readonly key?: string; readonly all?: true },
): Promise<Told> => {
  await partnerById(store, id)
  const chosen = chooseKeys(await store.apiKeys.ofPartner(id), wishes, id)
  if (chosen.length === 0) throw notFound(`${id} has no key that is not revoked.`)
  await confirm(`Revoke ${chosen.map(({ hint }) => hint).join(', ')} of ${id}? Calls with it will answer 401.`)
  for (const { hash } of chosen) await store.apiKeys.revoke(hash)
  return {
    data: { partnerId: id, revoked: chosen.map(idOf) },
    lines: [`Revoked ${chosen.map((key) => `${key.hint} (${idOf(key)})`).join(', ')} of ${id}. ${COUNTS_SOON}`],
  }
}

const rotate = async ({ store }: Session, id: string): Promise<Told> => {
  const partner = await partnerById(store, id)
  const before = (await store.apiKeys.ofPartner(id)).filter(({ revokedAt }) => revokedAt === null)
  const { apiKey } = await issueKeyTo(store, partner)
  const keyId = idOf({ hash: hashOf(apiKey) })
  const next = before.map((key) => `operator keys revoke ${id} --key ${idOf(key)}`)
  return {
    data: { partnerId: id, keyId, apiKey, stillOpen: before.map(idOf) },
    lines: [
      ...fieldsOf([
        ['partner', id],
        ['key', apiKey],
        ['key id', keyId],
      ]),
      paint('yellow', SHOWN_ONCE),
      ...(next.length > 0 ? ['The old one goes on until it is revoked:', ...next.map((line) => `  ${line}`)] : []),
    ],
  }
}

const limit = async ({ store }: Session, id: string, perMinute: number | null): Promise<Told> => {
  const partner = await partnerById(store, id)
  if (perMinute === null) requireEnterpriseLimit(partner)
  await store.partners.setRequestsPerMinute(id, perMinute)
  const text = perMinute === null ? 'the limit of its tier' : `${perMinute} requests a minute`
  return { data: { partnerId: id, requestsPerMinute: perMinute }, lines: [`${id} has ${text}. ${COUNTS_SOON}`] }
}

const requireEnterpriseLimit = ({ id, kind }: Partner): void => {
  if (kind === 'enterprise') throw badUsage(`${id} is an enterprise partner: its limit is a number.`)
}

const fee = async ({ store }: Session, id: string, feeBps: number | null): Promise<Told> => {
  requireEnterprise(await partnerById(store, id), 'it sets its fee itself, by PATCH /api/v1/keys')
  await store.partners.setFee(id, feeBps)
  const text = feeBps === null ? 'no fee of its own: the schedule applies' : `a fee of ${feeBps} bps, which it earns`
  return { data: { partnerId: id, feeBps }, lines: [`${id} has ${text}. Quotes that were given keep theirs. ${COUNTS_SOON}`] }
}

const EXAMPLES = `
Examples:
  operator keys issue --name "Example Ltd" --per-minute 600 --fee-bps 10
  operator keys show ptn_4fWz1sQkTq0a
  operator keys revoke ptn_4fWz1sQkTq0a --key 1f0c9a7be24d`

export const addKeyCommands = (program: Command, { run }: Tool): void => {
  const keys = program.command('keys').description('issue, list, limit and revoke API keys').addHelpText('after', EXAMPLES)
  keys
    .command('issue')
    .description('create an enterprise partner, and print its key once')
    .requiredOption('--per-minute <n>', 'requests a minute', wholeNumber(1, PER_MINUTE_MAX))
    .option('--fee-bps <bps>', 'flat fee that the partner earns; default: the fee schedule', wholeNumber(0, FEE_BPS_MAX))
    .option('--name <text>', 'name of the partner, stored with the contacts')
    .option('--contact <text>', 'address for messages, stored with the contacts')
    .action((options: IssueOptions, command: Command) => run(command, (session) => issue(session, options)))
  keys
    .command('list')
    .description('list all partners, also self-serve ones, oldest first')
    .option('--kind <kind>', 'enterprise or selfServe', oneOf(['enterprise', 'selfServe']))
    .option('--limit <n>', 'rows a page', wholeNumber(1, PAGE_MAX), 50)
    .option('--after <partner>', 'continue after this partner')
    .action((options: ListOptions, command: Command) => run(command, (session) => list(session, options)))
  keys
    .command('show <partner>')
    .description('show settings, keys, payout addresses with their history, and balances')
    .option('--contacts', 'show the contacts too')
    .action((id: string, options: { contacts?: true }, command: Command) => run(command, (session) => show(session, id, options)))
  keys
    .command('revoke <partner>')
    .description('revoke a key; asks for confirmation')
    .addOption(new Option('--key <id>', 'id of the key; optional if the partner has one key').conflicts('all'))
    .option('--all', 'revoke all keys')
    .action((id: string, options: { key?: string; all?: true }, command: Command) =>
      run(command, (session) => revoke(session, id, options)),
    )
  keys
    .command('rotate <partner>')
    .description('print a new key, once; the old one stays valid until it is revoked')
    .action((id: string, _options: object, command: Command) => run(command, (session) => rotate(session, id)))
  keys
    .command('limit')
    .description('set the requests a minute of a partner')
    .argument('<partner>')
    .argument('<per-minute>', 'a number, or `tier` for the limit of the tier', numberOr('tier', 1, PER_MINUTE_MAX))
    .action((id: string, perMinute: number | null, _options: object, command: Command) =>
      run(command, (session) => limit(session, id, perMinute)),
    )
  keys
    .command('fee')
    .description('set the flat fee of an enterprise partner')
    .argument('<partner>')
    .argument('<bps>', 'basis points, or `none` for the fee schedule', numberOr('none', 0, FEE_BPS_MAX))
    .action((id: string, feeBps: number | null, _options: object, command: Command) =>
      run(command, (session) => fee(session, id, feeBps)),
    )
  addContactCommands(keys, { run })
}
