import type { Command } from 'commander'
import { PAGE_MAX, wholeNumber } from '../arguments.ts'
import { notFound } from '../operatorError.ts'
import { partnerById } from '../partnerById.ts'
import { listOf, type Told, tableOf } from '../printing.ts'
import type { Session } from '../session.ts'
import type { Tool } from '../tool.ts'

type ListOptions = { readonly limit: number; readonly after?: string }

const list = async ({ store }: Session, { limit, after }: ListOptions): Promise<Told> => {
  if (after !== undefined) await partnerById(store, after)
  const found = await store.operator.contacts({ afterId: after ?? null, limit: limit + 1 })
  const rows = found.slice(0, limit)
  const next = found.length > limit ? (rows.at(-1)?.partnerId ?? null) : null
  const table = tableOf(
    ['PARTNER', 'KIND', 'CONTACTS'],
    rows.map((row) => [row.partnerId, row.kind, JSON.stringify(row.contacts)]),
  )
  return {
    data: { contacts: rows, after: next },
    lines: [...listOf(table, 'No contacts are kept.'), ...(next === null ? [] : [`More: --after ${next}`])],
  }
}

const erase = async ({ store, confirm }: Session, id: string): Promise<Told> => {
  await partnerById(store, id)
  if ((await store.partners.contactsOf(id)) === null) throw notFound(`No contacts of ${id} are kept.`)
  await confirm(`Erase the contacts of ${id}? Its keys, swaps and balance stay.`)
  await store.partners.eraseContacts(id)
  return {
    data: { partnerId: id, erased: true },
    lines: [`The contacts of ${id} are erased. Backups that were made before still have them.`],
  }
}

export const addContactCommands = (keys: Command, { run }: Pick<Tool, 'run'>): void => {
  const contacts = keys.command('contacts').description('list the contact details that partners gave at sign-up')
  contacts
    .command('list')
    .description('list all contacts, oldest partner first')
    .option('--limit <n>', 'rows a page', wholeNumber(1, PAGE_MAX), 50)
    .option('--after <partner>', 'continue after this partner')
    .action((options: ListOptions, command: Command) => run(command, (session) => list(session, options)))
  contacts
    .command('erase <partner>')
    .description('delete the contacts of a partner; asks for confirmation')
    .action((id: string, _options: object, command: Command) => run(command, (session) => erase(session, id)))
}
