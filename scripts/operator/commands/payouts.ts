import { type Command, InvalidArgumentError } from 'commander'
import { parseAmount } from '../../../engine/core/amount.ts'
import { parseAsset } from '../../../engine/core/asset.ts'
import { CHAIN_IDS, type ChainId } from '../../../engine/core/chain.ts'
import { PAYOUT_ECOSYSTEMS, type PayoutEcosystem } from '../../../engine/core/partner.ts'
import { payoutStanding } from '../../../engine/keys/payoutStanding.ts'
import { createRecordPayout, type PayoutRefusal } from '../../../engine/ledger/recordPayout.ts'
import type { LedgerEntry, PartnerBalance } from '../../../engine/store/ledger.ts'
import { type Add, type AfterOptions, type BeforeOptions, oneOf, pagedByPartner, pagedByRow } from '../commandLine.ts'
import { eachRow, exportCsv } from '../csvExport.ts'
import { failed, OperatorError } from '../operatorError.ts'
import { fieldsOf, type Output, pageOf, readPage, type Streamed } from '../printing.ts'
import { partnerById, type Session } from '../session.ts'

/** `owed`: earned minus paid, below 0 if fees were reversed after their payout. `payTo`: the payout address in force. */
type Owed = PartnerBalance & { readonly owed: bigint; readonly payTo: string | null }

const toOwed = async ({ store, clock }: Session, balances: readonly PartnerBalance[]): Promise<readonly Owed[]> => {
  const owed: Owed[] = []
  for (const { partnerId, ecosystem, chainId, token, earned, paid } of balances) {
    const history = await store.partners.standingAddressesOf(partnerId)
    const payTo = payoutStanding(history, ecosystem, clock.now()).counts?.address ?? null
    owed.push({ partnerId, ecosystem, chainId, token, earned, paid, owed: earned - paid, payTo })
  }
  return owed
}

/** The number of partners in one read. */
const PARTNERS = 100

/** The amounts owed to all partners after `afterPartnerId`, ordered by id, one partner at a time. */
async function* eachOwed(session: Session, afterPartnerId: string | null): AsyncGenerator<readonly Owed[]> {
  for (let after = afterPartnerId; ; ) {
    const page = await session.store.ledger.balances(after, PARTNERS)
    const byPartner = Map.groupBy(page, ({ partnerId }) => partnerId)
    for (const balances of byPartner.values()) yield toOwed(session, balances)
    if (byPartner.size < PARTNERS) return
    after = page.at(-1)?.partnerId ?? null
  }
}

type BalanceOptions = AfterOptions & { readonly partner?: string; readonly owed?: true }

/** A page ends with all rows of its last partner. */
const readBalances = async (session: Session, { partner, owed: isOwed, limit, after }: BalanceOptions) => {
  const chosen = (all: readonly Owed[]) => all.filter(({ owed }) => !isOwed || owed !== 0n)
  if (partner !== undefined) {
    await partnerById(session.store, partner)
    const own = (await session.store.ledger.balancesOf(partner)).map((balance) => ({ ...balance, partnerId: partner }))
    return { balances: chosen(await toOwed(session, own)), next: null }
  }
  const balances: Owed[] = []
  for await (const all of eachOwed(session, after ?? null)) {
    const own = chosen(all)
    if (own.length > 0 && balances.length >= limit) return { balances, next: balances.at(-1)?.partnerId ?? null }
    balances.push(...own)
  }
  return { balances, next: null }
}

const listBalances = async (session: Session, options: BalanceOptions): Promise<Output> => {
  const { balances, next } = await readBalances(session, options)
  const columns = ['partnerId', 'ecosystem', 'chainId', 'token', 'earned', 'paid', 'owed', 'payTo'] as const
  return pageOf('balances', balances, { after: next }, columns)
}

const textOf = ({ document }: LedgerEntry, field: string): string | null => {
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
    txHash: textOf(entry, 'txHash'),
    address: textOf(entry, 'address'),
    /** `seen`: the chain shows the payout. Otherwise the operator confirmed it. */
    sight: textOf(entry, 'sight'),
    recordedAt: entry.createdAt,
  }
}

type ListOptions = BeforeOptions & { readonly partner?: string }

const list = async ({ store }: Session, { partner, limit, before }: ListOptions): Promise<Output> => {
  if (partner !== undefined) await partnerById(store, partner)
  const page = await readPage(limit, (most) => store.operator.payouts({ beforeId: before ?? null, limit: most }, partner ?? null))
  const columns = ['id', 'recordedAt', 'partnerId', 'ecosystem', 'chainId', 'token', 'amount', 'txHash', 'sight'] as const
  return pageOf('payouts', page.rows.map(payoutOf), { before: page.last?.id ?? null }, columns)
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

const record = async (session: Session, partnerId: string, options: RecordOptions): Promise<Output> => {
  const { store, clock, confirm } = session
  await partnerById(store, partnerId)
  const { ecosystem, chain: chainId, amount, tx: txHash, unread = false } = options
  const token = parseAsset(chainId, options.token)?.address ?? options.token
  if (unread)
    await confirm(`Record this payout unchecked if the chain cannot be read: ${amount} of ${token} to ${partnerId} by ${txHash}?`)
  const evidence = await evidenceOf(session, unread)
  const payout = { partnerId, ecosystem, chainId, token, amount, txHash }
  const recordPayout = createRecordPayout({ store, evidence, clock })
  const outcome = await recordPayout(payout, { acceptUnread: unread, signal: AbortSignal.timeout(READ_MS) })
  if (outcome.kind === 'refused') {
    const where = outcome.address === null ? '' : ` It is paid to ${outcome.address}.`
    throw failed(`Nothing was recorded: ${REFUSALS[outcome.reason]}. ${outcome.owed} is owed.${where}`)
  }
  const data = { ...payout, ...outcome }
  return { data, lines: fieldsOf(data) }
}

const EXPORTS = ['owed', 'paid'] as const

type ExportOptions = { readonly what: (typeof EXPORTS)[number]; readonly to?: string }

async function* owedRows(session: Session): AsyncGenerator<Owed> {
  for await (const all of eachOwed(session, null)) yield* all.filter(({ owed }) => owed !== 0n)
}

async function* paidRows({ store }: Session): AsyncGenerator<ReturnType<typeof payoutOf>> {
  for await (const entry of eachRow((page) => store.operator.payouts(page, null))) yield payoutOf(entry)
}

const exportPayouts = (session: Session, { what, to }: ExportOptions): Promise<Output | Streamed> => {
  const out = { to, fields: { what } }
  if (what === 'owed')
    return exportCsv(session, {
      ...out,
      rows: owedRows(session),
      head: 'partner,ecosystem,chain,token,earned,paid,owed,pay_to',
      names: ['partnerId', 'ecosystem', 'chainId', 'token', 'earned', 'paid', 'owed', 'payTo'],
    })
  return exportCsv(session, {
    ...out,
    rows: paidRows(session),
    head: 'payout,recorded,partner,ecosystem,chain,token,amount,transaction,paid_to,seen',
    names: ['id', 'recordedAt', 'partnerId', 'ecosystem', 'chainId', 'token', 'amount', 'txHash', 'address', 'sight'],
  })
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

export const addPayoutCommands = (program: Command, { onRecords }: Add): void => {
  const earned = 'what partners earned, were paid and are owed, by ecosystem and token, in smallest units'
  pagedByPartner(onRecords(program, 'balances', earned, listBalances))
    .option('--partner <id>', 'only this partner')
    .option('--owed', 'only balances above 0')
  const payouts = program.command('payouts').description('record and list payouts to partners').addHelpText('after', EXAMPLES)
  const recorded = 'record a payout that you made; checks the transfer on its chain, and rejects more than is owed'
  onRecords(payouts, 'record <partner>', recorded, record)
    .requiredOption('--ecosystem <name>', PAYOUT_ECOSYSTEMS.join(', '), oneOf(PAYOUT_ECOSYSTEMS))
    .requiredOption('--chain <id>', 'the chain of the balance', chainOf)
    .requiredOption('--token <address>', 'the token of the balance')
    .requiredOption('--amount <n>', 'amount in smallest units', amountOf)
    .requiredOption('--tx <hash>', 'the transaction that paid it')
    .option('--unread', 'record it unchecked if the chain cannot be read; asks for confirmation')
  pagedByRow(onRecords(payouts, 'list', 'list payouts, newest first', list)).option('--partner <id>', 'only this partner')
  onRecords(payouts, 'export', 'print CSV: balances owed, with the addresses to pay, or payouts made', exportPayouts)
    .option('--what <which>', EXPORTS.join(' or '), oneOf(EXPORTS), 'owed')
    .option('--to <file>', 'write the CSV to this file; asks before it overwrites one')
}
