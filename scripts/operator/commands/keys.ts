import { type Command, Option } from 'commander'
import type { PartnerKind } from '../../../engine/core/partner.ts'
import { hashOf } from '../../../engine/keys/apiKey.ts'
import { addPartner, issueKeyTo } from '../../../engine/keys/issueKey.ts'
import { KEY_KEPT_MS } from '../../../engine/keys/keyStore.ts'
import type { StoredKey } from '../../../engine/store/apiKeys.ts'
import { type Add, type AfterOptions, numberOr, oneOf, pagedByPartner, wholeNumber } from '../commandLine.ts'
import { badUsage, failed, notFound } from '../operatorError.ts'
import { fieldsOf, type Output, pageOf, paint, readPage, tableOf } from '../printing.ts'
import { partnerById, type Session } from '../session.ts'

const FEE_BPS_MAX = 100
const PER_MINUTE_MAX = 1_000_000

/** The id of a key in this tool: the start of its hash, which does not reveal the key. */
const idOf = ({ hash }: Pick<StoredKey, 'hash'>): string => hash.slice(0, 12)

const isOpen = ({ revokedAt }: StoredKey): boolean => revokedAt === null

const feeText = (feeBps: number | null): string | null => (feeBps === null ? null : `${feeBps} bps`)

const SHOWN_ONCE = 'The service stores only a hash of the key. It is shown once.'

const APPLIED_SOON = `A running service applies this within ${KEY_KEPT_MS / 1_000} seconds.`

type IssueOptions = { readonly name?: string; readonly contact?: string; readonly perMinute: number; readonly feeBps?: number }

const issue = async ({ store }: Session, { name, contact, perMinute, feeBps }: IssueOptions): Promise<Output> => {
  const contacts = { ...(name !== undefined && { name }), ...(contact !== undefined && { contact }) }
  const settings = { kind: 'enterprise', feeBps: feeBps ?? null, requestsPerMinute: perMinute } as const
  const stored = Object.keys(contacts).length === 0 ? null : contacts
  const { partner, apiKey } = await store.transaction((parts) => addPartner(parts, settings, stored))
  const keyId = idOf({ hash: hashOf(apiKey) })
  const fee = feeText(partner.feeBps) ?? 'by the schedule'
  return {
    data: { partnerId: partner.id, ...settings, keyId, apiKey },
    lines: [...fieldsOf({ partner: partner.id, key: apiKey, keyId, perMinute, fee }), paint('yellow', SHOWN_ONCE)],
  }
}

type ListOptions = AfterOptions & { readonly kind?: PartnerKind }

const list = async ({ store }: Session, { kind, limit, after }: ListOptions): Promise<Output> => {
  if (after !== undefined) await partnerById(store, after)
  const page = await readPage(limit, (most) => store.partners.list({ afterId: after ?? null, limit: most }, kind ?? null))
  const rows = []
  for (const partner of page.rows) {
    const keys = await store.apiKeys.ofPartner(partner.id)
    const open = keys.filter(isOpen).length
    rows.push({ ...partner, keys: open, revokedKeys: keys.length - open })
  }
  const columns = ['id', 'kind', 'keys', 'revokedKeys', 'feeBps', 'requestsPerMinute', 'createdAt'] as const
  return pageOf('partners', rows, { after: page.last?.id ?? null }, columns)
}

const show = async (
  { store }: Session,
  id: string,
  { contacts: isShown = false }: { readonly contacts?: boolean },
): Promise<Output> => {
  const partner = await partnerById(store, id)
  const stored = await store.apiKeys.ofPartner(id)
  const keys = stored.map((key) => ({ keyId: idOf(key), hint: key.hint, createdAt: key.createdAt, revokedAt: key.revokedAt }))
  const payoutAddresses = await store.partners.payoutAddressesOf(id)
  const balances = (await store.ledger.balancesOf(id)).map((balance) => ({ ...balance, owed: balance.earned - balance.paid }))
  const webhookUrl = (await store.webhooks.find(id))?.url ?? null
  const contacts = await store.partners.contactsOf(id)
  const { kind, createdAt, feeBps, requestsPerMinute: perMinute } = partner
  const settings = { partner: id, kind, createdAt, fee: feeText(feeBps), perMinute, webhook: webhookUrl }
  const hidden = contacts === null ? null : 'stored; --contacts shows them'
  return {
    data: { partner, keys, payoutAddresses, balances, webhookUrl, ...(isShown && { contacts }) },
    lines: [
      ...fieldsOf({ ...settings, contacts: isShown ? contacts : hidden }),
      '',
      ...tableOf(keys, ['keyId', 'hint', 'createdAt', 'revokedAt'], 'The partner has no key.'),
      '',
      ...tableOf(
        payoutAddresses,
        ['ecosystem', 'address', 'createdAt', 'countsFrom', 'replacedAt'],
        'No payout address was ever set.',
      ),
      '',
      ...tableOf(balances, ['ecosystem', 'chainId', 'token', 'earned', 'paid', 'owed'], 'Nothing was earned.'),
    ],
  }
}

type KeyOptions = { readonly key?: string; readonly all?: true }

/** Chooses among a partner's keys: the named one, or the only one. */
const chooseKeys = (keys: readonly StoredKey[], { key, all }: KeyOptions, partnerId: string): readonly StoredKey[] => {
  const open = keys.filter(isOpen)
  if (open.length === 0) throw notFound(`${partnerId} has no key that is not revoked.`)
  if (all) return open
  if (key !== undefined) {
    const named = open.filter((one) => one.hash.startsWith(key.toLowerCase()) && key.length >= 6)
    if (named.length !== 1) throw notFound(`${partnerId} has no key ${key} that is not revoked.`)
    return named
  }
  if (open.length > 1) throw badUsage(`${partnerId} has ${open.length} keys: name one with --key, or use --all.`)
  return open
}

const revoke = async ({ store, confirm }: Session, id: string, options: KeyOptions): Promise<Output> => {
  await partnerById(store, id)
  const chosen = chooseKeys(await store.apiKeys.ofPartner(id), options, id)
  await confirm(`Revoke ${chosen.map(({ hint }) => hint).join(', ')} of ${id}? Calls with it will answer 401.`)
  for (const { hash } of chosen) await store.apiKeys.revoke(hash)
  const names = chosen.map((key) => `${key.hint} (${idOf(key)})`).join(', ')
  return { data: { partnerId: id, revoked: chosen.map(idOf) }, lines: [`Revoked ${names} of ${id}. ${APPLIED_SOON}`] }
}

const rotate = async ({ store }: Session, id: string): Promise<Output> => {
  const partner = await partnerById(store, id)
  const before = (await store.apiKeys.ofPartner(id)).filter(isOpen)
  const { apiKey } = await issueKeyTo(store, partner)
  const keyId = idOf({ hash: hashOf(apiKey) })
  const next = before.map((key) => `  operator keys revoke ${id} --key ${idOf(key)}`)
  return {
    data: { partnerId: id, keyId, apiKey, stillOpen: before.map(idOf) },
    lines: [
      ...fieldsOf({ partner: id, key: apiKey, keyId }),
      paint('yellow', SHOWN_ONCE),
      ...(next.length > 0 ? ['The old key stays valid until it is revoked:', ...next] : []),
    ],
  }
}

const limit = async ({ store }: Session, id: string, perMinute: number | null): Promise<Output> => {
  const { kind } = await partnerById(store, id)
  if (perMinute === null && kind === 'enterprise') throw badUsage(`${id} is an enterprise partner: its limit is a number.`)
  await store.partners.setRequestsPerMinute(id, perMinute)
  const text = perMinute === null ? 'the limit of its tier' : `${perMinute} requests a minute`
  return { data: { partnerId: id, requestsPerMinute: perMinute }, lines: [`${id} has ${text}. ${APPLIED_SOON}`] }
}

const fee = async ({ store }: Session, id: string, feeBps: number | null): Promise<Output> => {
  const { kind } = await partnerById(store, id)
  if (kind !== 'enterprise') throw failed(`${id} is a self-serve partner: it sets its fee by PATCH /api/v1/keys.`)
  await store.partners.setFee(id, feeBps)
  const text = feeBps === null ? 'no fee of its own: the schedule applies' : `a fee of ${feeBps} bps, which it earns`
  return { data: { partnerId: id, feeBps }, lines: [`${id} has ${text}. Earlier quotes keep their fee. ${APPLIED_SOON}`] }
}

const listContacts = async ({ store }: Session, { limit: most, after }: AfterOptions): Promise<Output> => {
  if (after !== undefined) await partnerById(store, after)
  const page = await readPage(most, (rows) => store.operator.contacts({ afterId: after ?? null, limit: rows }))
  return pageOf('contacts', page.rows, { after: page.last?.partnerId ?? null }, ['partnerId', 'kind', 'contacts'])
}

const eraseContacts = async ({ store, confirm }: Session, id: string): Promise<Output> => {
  await partnerById(store, id)
  if ((await store.partners.contactsOf(id)) === null) throw notFound(`No contacts of ${id} are stored.`)
  await confirm(`Erase the contacts of ${id}? Its keys, swaps and balance stay.`)
  await store.partners.eraseContacts(id)
  const line = `The contacts of ${id} are erased. Backups that were made before still have them.`
  return { data: { partnerId: id, erased: true }, lines: [line] }
}

const EXAMPLES = `
Examples:
  operator keys issue --name "Example Ltd" --per-minute 600 --fee-bps 10
  operator keys show ptn_4fWz1sQkTq0a
  operator keys revoke ptn_4fWz1sQkTq0a --key 1f0c9a7be24d`

export const addKeyCommands = (program: Command, { onRecords }: Add): void => {
  const keys = program.command('keys').description('issue, list, limit and revoke API keys').addHelpText('after', EXAMPLES)
  onRecords(keys, 'issue', 'create an enterprise partner, and print its key once', issue)
    .requiredOption('--per-minute <n>', 'requests a minute', wholeNumber(1, PER_MINUTE_MAX))
    .option('--fee-bps <bps>', 'flat fee that the partner earns; default: the fee schedule', wholeNumber(0, FEE_BPS_MAX))
    .option('--name <text>', 'name of the partner, stored with the contacts')
    .option('--contact <text>', 'address for messages, stored with the contacts')
  const kinds = ['enterprise', 'selfServe'] as const
  const listed = onRecords(keys, 'list', 'list all partners, also self-serve ones, oldest first', list)
  pagedByPartner(listed).option('--kind <kind>', kinds.join(' or '), oneOf(kinds))
  const shown = 'show settings, keys, payout addresses with their history, and balances'
  onRecords(keys, 'show <partner>', shown, show).option('--contacts', 'show the contacts too')
  onRecords(keys, 'revoke <partner>', 'revoke a key; asks for confirmation', revoke)
    .addOption(new Option('--key <id>', 'id of the key; optional if the partner has one key').conflicts('all'))
    .option('--all', 'revoke all keys')
  onRecords(keys, 'rotate <partner>', 'print a new key, once; the old one stays valid until it is revoked', rotate)
  onRecords(keys, 'limit', 'set the requests a minute of a partner', limit)
    .argument('<partner>')
    .argument('<per-minute>', 'a number, or `tier` for the limit of the tier', numberOr('tier', 1, PER_MINUTE_MAX))
  onRecords(keys, 'fee', 'set the flat fee of an enterprise partner', fee)
    .argument('<partner>')
    .argument('<bps>', 'basis points, or `none` for the fee schedule', numberOr('none', 0, FEE_BPS_MAX))
  const contacts = keys.command('contacts').description('list the contact details that partners gave at sign-up')
  pagedByPartner(onRecords(contacts, 'list', 'list all contacts, oldest partner first', listContacts))
  onRecords(contacts, 'erase <partner>', 'delete the contacts of a partner; asks for confirmation', eraseContacts)
}
