import type { Command } from 'commander'
import { parseRef } from '../../../engine/core/ref.ts'
import { factsOf, isTerminal, type SwapState } from '../../../engine/core/swapStatus.ts'
import type { SwapSearch } from '../../../engine/store/swapSearch.ts'
import { type Add, age, type BeforeOptions, pagedByRow, rowId, someOf } from '../commandLine.ts'
import { failed, notFound } from '../operatorError.ts'
import { fieldsOf, type Output, pageOf, readPage } from '../printing.ts'
import type { Session } from '../session.ts'
import { paymentLines, showSwap, summaryOf, swapById } from '../showSwap.ts'

const STATES = [
  ...['pending', 'processing', 'success', 'expired'],
  ...['refunded', 'failed', 'not_found', 'unknown'],
] as readonly SwapState[]

type FindOptions = BeforeOptions & {
  readonly id?: number
  readonly quote?: string
  readonly ref?: string
  readonly partner?: string
  readonly venue?: string
  readonly state?: readonly SwapState[]
  readonly olderThan?: number
  readonly youngerThan?: number
  readonly abandoned?: true
  readonly unseen?: true
}

const searchOf = (options: FindOptions, now: number): SwapSearch => {
  const { id, quote, ref, partner, venue, state, olderThan, youngerThan, abandoned, unseen } = options
  return {
    ...(id !== undefined && { id }),
    ...(quote !== undefined && { quoteId: quote }),
    ...(ref !== undefined && { ref }),
    ...(partner !== undefined && { partnerId: partner }),
    ...(venue !== undefined && { venue }),
    ...(state !== undefined && { states: state }),
    ...(olderThan !== undefined && { createdBefore: now - olderThan }),
    ...(youngerThan !== undefined && { createdFrom: now - youngerThan }),
    ...(abandoned && { isAbandoned: abandoned }),
    ...(unseen && { isUnseen: unseen }),
  }
}

const find = async ({ store, clock }: Session, { limit, before, ...options }: FindOptions): Promise<Output> => {
  const search = searchOf({ limit, ...options }, clock.now())
  const page = await readPage(limit, (most) => store.operator.swaps(search, { beforeId: before ?? null, limit: most }))
  const swaps = page.rows.map(summaryOf).map((swap) => ({ ...swap, chains: `${swap.input.chainId} > ${swap.output.chainId}` }))
  const columns = ['id', 'createdAt', 'state', 'venue', 'chains', 'executedBy', 'ref', 'namedTx'] as const
  return pageOf('swaps', swaps, { before: page.last?.id ?? null }, columns)
}

const show = async ({ store }: Session, id: number): Promise<Output> => showSwap(store, await swapById(store, id))

/** Events that may explain an incomplete status. */
const TROUBLE: readonly string[] = ['chain.unread', 'chain.health', 'venue.health', 'store.failed']

/** Reads the current status of a swap, and records it with all its effects. */
const track = async ({ store, network }: Session, id: number, options: { readonly ref?: string }): Promise<Output> => {
  const record = await swapById(store, id)
  if (record.isSandbox) throw failed(`Swap ${id} is of the sandbox: no chain has any part of it.`)
  const ref = options.ref === undefined ? record.ref : parseRef(record.swap.order.input.chainId, options.ref)
  if (ref === null) throw failed(`Swap ${id} has no ref yet: only its wallet has the transaction. Name it with --ref.`)
  const { status, noticed } = await (await network()).track(record, ref)
  const payments = await store.payments.ofSwap(id)
  const troubles = noticed.filter(({ event }) => TROUBLE.includes(event))
  return {
    ...(noticed.some(({ event }) => event === 'store.failed') && { isFailed: true }),
    data: { swapId: id, ref, before: record.status, status, payments, noticed },
    lines: [
      ...fieldsOf({ swap: id, ref, before: record.status.state, ...status }),
      '',
      ...paymentLines(payments),
      ...troubles.map((event) => `Noticed: ${JSON.stringify(event)}`),
    ],
  }
}

const abandon = async ({ store, confirm }: Session, id: number): Promise<Output> => {
  const { namedTx } = await swapById(store, id)
  const { queue } = await store.operator.historyOf(id)
  if (queue === null && namedTx === null)
    throw notFound(`Settlement does not track swap ${id}, and it names no transaction. There is nothing to abandon.`)
  if (queue !== null && queue.abandonedAt === null) {
    const paid = queue.isPaid ? 'It is paid or signed, so money may be in transit. ' : ''
    await confirm(`${paid}Abandon swap ${id}? Settlement stops tracking it until a status request.`)
  }
  if (queue === null || queue.abandonedAt === null) await store.settlement.abandon(id)
  const line = `Swap ${id} is abandoned: settlement stops tracking it. Its state is unchanged. To resume: operator swaps reopen ${id}`
  return { data: { swapId: id, abandoned: true }, lines: [line] }
}

const reopen = async ({ store, clock }: Session, id: number): Promise<Output> => {
  const { isSandbox, status, submittedAt } = await swapById(store, id)
  if (isSandbox) throw failed(`Swap ${id} is of the sandbox, which settlement does not track.`)
  if (isTerminal(status.state))
    throw failed(`Swap ${id} has ended (${status.state}). To read it again: operator swaps track ${id}`)
  const isPaid = submittedAt !== null || factsOf(status.state).isPaid
  await store.settlement.add({ swapId: id, isPaid, dueAt: clock.now() })
  return { data: { swapId: id, reopened: true }, lines: [`Settlement tracks swap ${id} again, from the next pass.`] }
}

const EXAMPLES = `
Examples:
  operator swaps find --partner ptn_4fWz1sQkTq0a --state processing,expired --older-than 2h
  operator swaps find --ref 0x5c50...
  operator swaps show 1042
  operator swaps track 1042 --json`

export const addSwapCommands = (program: Command, { onRecords }: Add): void => {
  const swaps = program.command('swaps').description('find, show and track swaps, including stuck ones')
  swaps.addHelpText('after', EXAMPLES)
  pagedByRow(onRecords(swaps, 'find', 'list swaps, newest first; a swap must match all filters', find))
    .option('--id <swap>', 'number of the swap', rowId)
    .option('--quote <id>', 'executions of this quote')
    .option('--ref <text>', 'deposit address, order id, or any transaction of the swap')
    .option('--partner <id>', 'partner whose key quoted it, or that receives its webhooks')
    .option('--venue <id>', 'venue of the execution')
    .option('--state <states>', `one or more of ${STATES.join(', ')}`, someOf(STATES))
    .option('--older-than <age>', 'executed longer ago than this, such as 90m, 2h or 7d', age)
    .option('--younger-than <age>', 'executed within this time', age)
    .option('--abandoned', 'only swaps that settlement no longer tracks')
    .option('--unseen', 'only swaps whose transaction is not on its chain')
  const one = (name: string, description: string, work: (session: Session, id: number, ...more: never[]) => Promise<Output>) =>
    onRecords(swaps, name, description, work).argument('<swap>', 'number of the swap', rowId)
  one('show', 'show all records of a swap: payments, events, ledger, queue', show)
  const ref = ['--ref <text>', 'transaction that the wallet sent, if the service does not have it yet'] as const
  one('track', 'read the venue and the chains now, as /status does', track).option(...ref)
  one('abandon', 'stop tracking a swap until a status request; asks for confirmation', abandon)
  one('reopen', 'resume tracking a swap', reopen)
}
