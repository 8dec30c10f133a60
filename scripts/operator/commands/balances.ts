import type { Command } from 'commander'
import { PAGE_MAX, wholeNumber } from '../arguments.ts'
import { eachOwed, type Owed, readOwed } from '../owed.ts'
import { listOf, type Told, tableOf } from '../printing.ts'
import type { Session } from '../session.ts'
import type { Tool } from '../tool.ts'

const linesOf = (owed: readonly Owed[]): readonly string[] =>
  listOf(
    tableOf(
      ['PARTNER', 'PAYOUT', 'CHAIN', 'TOKEN', 'EARNED', 'PAID', 'OWED', 'PAY TO'],
      owed.map((row) => [
        row.partnerId,
        row.ecosystem,
        row.chainId,
        row.token,
        row.earned,
        row.paid,
        row.owed,
        row.payTo ?? 'no address that counts',
      ]),
    ),
    'Nothing was earned.',
  )

type Options = { readonly partner?: string; readonly owed?: true; readonly limit: number; readonly after?: string }

/** Never a part of a partner: the page ends behind the one that fills it. */
const readPage = async (session: Session, { owed: isOwed, limit, after }: Options) => {
  const balances: Owed[] = []
  for await (const all of eachOwed(session, after ?? null)) {
    const last = balances.at(-1)?.partnerId ?? null
    const own = all.filter(({ owed }) => !isOwed || owed !== 0n)
    if (own.length > 0 && balances.length >= limit) return { balances, next: last }
    balances.push(...own)
  }
  return { balances, next: null }
}

const list = async (session: Session, options: Options): Promise<Told> => {
  const { partner, owed: isOwed } = options
  const own = partner === undefined ? null : (await readOwed(session, partner)).filter(({ owed }) => !isOwed || owed !== 0n)
  const { balances, next } = own === null ? await readPage(session, options) : { balances: own, next: null }
  return {
    data: { balances, after: next },
    lines: [...linesOf(balances), ...(next === null ? [] : [`More: --after ${next}`])],
  }
}

export const addBalanceCommand = (program: Command, { run }: Tool): void => {
  program
    .command('balances')
    .description('what partners earned, were paid and are owed, by ecosystem and token, in smallest units')
    .option('--partner <id>', 'only this partner')
    .option('--owed', 'only balances above 0')
    .option('--limit <n>', 'rows a page; a page ends with all rows of its last partner', wholeNumber(1, PAGE_MAX), 50)
    .option('--after <partner>', 'continue after this partner')
    .action((options: Options, command: Command) => run(command, (session) => list(session, options)))
}
