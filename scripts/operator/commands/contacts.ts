import type { Command } from 'commander'
import { notFound } from '../operatorError.ts'
import { partnerById } from '../partnerById.ts'
import { listOf, type Told, tableOf } from '../printing.ts'
import type { Session } from '../session.ts'
import type { Tool } from '../tool.ts'

const list = async ({ store }: Session): Promise<Told> => {
  const rows = []
  for (const { id, kind } of await store.partners.list()) {
    const contacts = await store.partners.contactsOf(id)
    if (contacts !== null) rows.push({ partnerId: id, kind, contacts })
  }
  const table = tableOf(
    ['PARTNER', 'KIND', 'CONTACTS'],
    rows.map((row) => [row.partnerId, row.kind, JSON.stringify(row.contacts)]),
  )
  return { data: { contacts: rows }, lines: listOf(table, 'No contacts are kept.') }
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
  const contacts = keys.command('contacts').description('what partners told of themselves when they signed up')
  contacts
    .command('list')
    .description('all that are kept')
    .action((_options: object, command: Command) => run(command, list))
  contacts
    .command('erase <partner>')
    .description('forget them; asks first')
    .action((id: string, _options: object, command: Command) => run(command, (session) => erase(session, id)))
}
