import { type Command, InvalidArgumentError } from 'commander'
import { parseAmount } from '../../../engine/core/amount.ts'
import { parseAsset } from '../../../engine/core/asset.ts'
import { CHAIN_IDS, type ChainId } from '../../../engine/core/chain.ts'
import { PAYOUT_ECOSYSTEMS, type PayoutEcosystem } from '../../../engine/core/partner.ts'
import { createRecordPayout, type PayoutRefusal } from '../../../engine/ledger/recordPayout.ts'
import type { LedgerEntry } from '../../../engine/store/ledger.ts'
import { ID_MAX, oneOf, PAGE_MAX, wholeNumber } from '../arguments.ts'
import type { CsvRow } from '../csv.ts'
import { exportCsv } from '../csvExport.ts'
import { failed, OperatorError } from '../operatorError.ts'
import { eachOwed } from '../owed.ts'
import { partnerById } from '../partnerById.ts'
import { fieldsOf, listOf, paint, type Streamed, type Told, tableOf, timeOf } from '../printing.ts'
import type { Session } from '../session.ts'
import type { Tool } from '../tool.ts'

const wordOf = ({ document }: LedgerEntry, field: string): string | null => {
  const value = document[field]
  return value === undefined || value === null ? null : String(value)
}

const payoutOf = (entry: LedgerEntry) => {
  const line = entry.lines.find(({ account }) => account.startsWith('partner:'))
  return {
    id: entry.id,
    partnerId: line?.account.slice('partner:'.length) ?? null,
    ecosystem: line?.ecosystem ?? null,
    chainId: line?.chainId ?? null,
    token: line?.token ?? null,
    amount: line?.amount ?? null,
    txHash: wordOf(entry, 'txHash'),
    address: wordOf(entry, 'address'),
    /** `seen`: the chain shows the payout. Otherwise the operator confirmed it. */
    sight: wordOf(entry, 'sight'),
    recordedAt: entry.createdAt,
  }
}

type ListOptions = { readonly partner?: string; readonly limit: number; readonly before?: number }

const list = async ({ store }: Session, { partner, limit, before }: ListOptions): Promise<Told> => {
  if (partner !== undefined) await partnerById(store, partner)
  const found = await store.operator.payouts({ beforeId: before ?? null, limit: limit + 1 }, partner ?? null)
  const payouts = found.slice(0, limit).map(payoutOf)
  const next = found.length > limit ? (payouts.at(-1)?.id ?? null) : null
  const rows = payouts.map((one) => [
    one.id,
    timeOf(one.recordedAt),
    one.partnerId,
    one.ecosystem,
    one.chainId,
    one.token,
    one.amount,
    one.txHash,
    one.sight,
  ])
  return {
    data: { payouts, before: next },
    lines: [
      ...listOf(
        tableOf(['PAYOUT', 'RECORDED', 'PARTNER', 'TO', 'CHAIN', 'TOKEN', 'AMOUNT', 'TRANSACTION', 'SEEN'], rows),
        'No payout was recorded.',
      ),
      ...(next === null ? [] : [`More: --before ${next}`]),
    ],
  }
}

const REFUSALS: { readonly [R in PayoutRefusal]: string } = {
  unknownPartner: 'there is no such partner',
  noAddress: 'the partner has no payout address there in force, or had none at the time of the payment',
  badAmount: 'the amount must be above 0',
  badTransaction: 'the text is not a transaction id of that chain',
  alreadyRecorded: 'the transaction is already recorded for the partner, or pays other partners there',
  notOwed: 'the amount is more than is owed',
  missing: 'the chain shows no such transfer to the address of the partner',
  notFinal: 'the transaction may still vanish: try again when it is final, which takes up to an hour',
  unreadable: 'the chain could not be read; --unread records the payout unchecked',
}

type RecordOptions = {
  readonly ecosystem: PayoutEcosystem
  readonly chain: ChainId
  readonly token: string
  readonly amount: bigint
  readonly tx: string
  readonly unread?: true
}

const READ_MS = 20_000

/** Null if the offline network has stopped: THORChain's transfers are recorded without it. */
const evidenceOf = async ({ network }: Session, isAccepted: boolean) => {
  try {
    return (await network()).evidence
  } catch (error) {
    if (isAccepted && error instanceof OperatorError) return null
    throw error
  }
}

const record = async (session: Session, partnerId: string, options: RecordOptions): Promise<Told> => {
  const { store, clock, confirm } = session
  await partnerById(store, partnerId)
  const { ecosystem, chain: chainId, amount, tx: txHash, unread = false } = options
  const token = parseAsset(chainId, options.token)?.address ?? options.token
  if (unread)
    await confirm(`Record this payout unchecked if the chain cannot be read: ${amount} of ${token} to ${partnerId} by ${txHash}?`)
  const evidence = await evidenceOf(session, unread)
  const recordPayout = createRecordPayout({ store, evidence, clock })
  const payout = { partnerId, ecosystem, chainId, token, amount, txHash }
  const outcome = await recordPayout(payout, { acceptUnread: unread, signal: AbortSignal.timeout(READ_MS) })
  if (outcome.kind === 'refused') {
    const where = outcome.address === null ? '' : ` It is paid to ${outcome.address}.`
    throw failed(`Nothing was recorded: ${REFUSALS[outcome.reason]}. ${outcome.owed} is owed.${where}`)
  }
  return {
    data: { ...payout, ...outcome },
    lines: fieldsOf([
      ['recorded', `${amount} of ${token}`],
      ['partner', partnerId],
      ['paid to', outcome.address],
      ['on chain', outcome.sight === 'seen' ? 'seen' : paint('yellow', 'not read: recorded unchecked')],
      ['owed before', outcome.owedBefore],
      ['owed now', outcome.owedAfter],
    ]),
  }
}

const EXPORTS = ['owed', 'paid'] as const

const OWED_HEAD = ['partner', 'ecosystem', 'chain', 'token', 'earned', 'paid', 'owed', 'pay_to']
const PAID_HEAD = [
  ...['payout', 'recorded', 'partner', 'ecosystem', 'chain'],
  ...['token', 'amount', 'transaction', 'paid_to', 'seen'],
]

async function* owedRows(session: Session): AsyncGenerator<CsvRow> {
  for await (const all of eachOwed(session, null))
    for (const row of all)
      if (row.owed !== 0n) yield [row.partnerId, row.ecosystem, row.chainId, row.token, row.earned, row.paid, row.owed, row.payTo]
}

async function* paidRows({ store }: Session): AsyncGenerator<CsvRow> {
  for (let beforeId: number | null = null; ; ) {
    const page: readonly LedgerEntry[] = await store.operator.payouts({ beforeId, limit: PAGE_MAX }, null)
    for (const one of page.map(payoutOf)) {
      const { id, recordedAt, partnerId, ecosystem, chainId, token, amount, txHash, address, sight } = one
      yield [id, new Date(recordedAt).toISOString(), partnerId, ecosystem, chainId, token, amount, txHash, address, sight]
    }
    const last = page.at(-1)
    if (last === undefined || page.length < PAGE_MAX) return
    beforeId = last.id
  }
}

type ExportOptions = { readonly what: (typeof EXPORTS)[number]; readonly to?: string }

const exportPayouts = (session: Session, { what, to }: ExportOptions): Promise<Told | Streamed> => {
  const [head, rows] = what === 'owed' ? [OWED_HEAD, owedRows(session)] : [PAID_HEAD, paidRows(session)]
  return exportCsv(session, { head, rows, to, fields: { what } })
}

const amountOf = (text: string): bigint => {
  const amount = parseAmount(text)
  if (amount === null || amount === 0n) throw new InvalidArgumentError('It must be a whole number of smallest units above 0.')
  return amount
}

const chainOf = (text: string): ChainId => {
  const found = CHAIN_IDS.find((id) => String(id) === text)
  if (found === undefined) throw new InvalidArgumentError(`It must be one of ${CHAIN_IDS.join(', ')}.`)
  return found
}

const EXAMPLES = `
Pay first, to the address that \`balances --owed\` shows; then record it. The command looks for the transfer on its chain:
  operator payouts record ptn_4fWz1sQkTq0a --ecosystem evm --chain 8453 --token 0x8335... --amount 1500000 --tx 0x5c50...`

export const addPayoutCommands = (program: Command, { run }: Tool): void => {
  const payouts = program.command('payouts').description('record and list payouts to partners').addHelpText('after', EXAMPLES)
  payouts
    .command('record <partner>')
    .description('record a payout that you made; checks the transfer on its chain, and rejects more than is owed')
    .requiredOption('--ecosystem <name>', PAYOUT_ECOSYSTEMS.join(', '), oneOf(PAYOUT_ECOSYSTEMS))
    .requiredOption('--chain <id>', 'the chain of the balance', chainOf)
    .requiredOption('--token <address>', 'the token of the balance')
    .requiredOption('--amount <n>', 'amount in smallest units', amountOf)
    .requiredOption('--tx <hash>', 'the transaction that paid it')
    .option('--unread', 'record it unchecked if the chain cannot be read; asks for confirmation')
    .action((id: string, options: RecordOptions, command: Command) => run(command, (session) => record(session, id, options)))
  payouts
    .command('list')
    .description('list payouts, newest first')
    .option('--partner <id>', 'only this partner')
    .option('--limit <n>', 'rows a page', wholeNumber(1, PAGE_MAX), 50)
    .option('--before <payout>', 'continue below this one', wholeNumber(1, ID_MAX))
    .action((options: ListOptions, command: Command) => run(command, (session) => list(session, options)))
  payouts
    .command('export')
    .description('print CSV: balances owed, with the addresses to pay, or payouts made')
    .option('--what <which>', EXPORTS.join(' or '), oneOf(EXPORTS), 'owed')
    .option('--to <file>', 'write the CSV to this file; asks before it overwrites one')
    .action((options: ExportOptions, command: Command) => run(command, (session) => exportPayouts(session, options)))
}
