import type { Command } from 'commander'
import { factsOf, isTerminal, type SwapState } from '../../../engine/core/swapStatus.ts'
import type { SwapSearch } from '../../../engine/store/swapSearch.ts'
import type { SwapRecord } from '../../../engine/store/swaps.ts'
import { age, ID_MAX, PAGE_MAX, someOf, wholeNumber } from '../arguments.ts'
import { failed, notFound } from '../operatorError.ts'
import { listOf, type Told, tableOf, timeOf } from '../printing.ts'
import type { Session } from '../session.ts'
import { shown, swapById } from '../shownSwap.ts'
import type { Tool } from '../tool.ts'
import { showSwap } from './showSwap.ts'
import { trackSwap } from './trackSwap.ts'

const STATES = [
  'pending',
  'processing',
  'success',
  'expired',
  'refunded',
  'failed',
  'not_found',
  'unknown',
] as const satisfies readonly SwapState[]

type FindOptions = {
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
  readonly limit: number
  readonly before?: number
}

const searchOf = (
  { id, quote, ref, partner, venue, state, olderThan, youngerThan, abandoned, unseen }: FindOptions,
  now: number,
): SwapSearch => ({
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
})

const find = async ({ store, clock }: Session, options: FindOptions): Promise<Told> => {
  const page = { beforeId: options.before ?? null, limit: options.limit + 1 }
  const found = await store.operator.swaps(searchOf(options, clock.now()), page)
  const swaps = found.slice(0, options.limit).map(shown)
  const next = found.length > options.limit ? (swaps.at(-1)?.id ?? null) : null
  const rows = swaps.map((swap) => [
    swap.id,
    timeOf(swap.createdAt),
    swap.state,
    swap.venue,
    `${swap.input.chainId} > ${swap.output.chainId}`,
    swap.executedBy,
    swap.ref ?? swap.namedTx,
  ])
  return {
    data: { swaps, before: next },
    lines: [
      ...listOf(tableOf(['SWAP', 'EXECUTED', 'STATE', 'VENUE', 'CHAINS', 'PARTNER', 'REF'], rows), 'No swap matches.'),
      ...(next === null ? [] : [`More: --before ${next}`]),
    ],
  }
}

const abandon = async ({ store, confirm }: Session, id: number): Promise<Told> => {
  const { namedTx } = await swapById(store, id)
  const { queue } = await store.operator.historyOf(id)
  if (queue === null && namedTx === null)
    throw notFound(`Settlement does not track swap ${id}, and it names no transaction. There is nothing to abandon.`)
  if (queue === null) await store.settlement.abandon(id)
  else if (queue.abandonedAt === null) {
    const paid = queue.isPaid ? 'It is paid or signed, so money may be in transit. ' : ''
    await confirm(`${paid}Abandon swap ${id}? Settlement stops tracking it until a status request.`)
    await store.settlement.abandon(id)
  }
  return {
    data: { swapId: id, abandoned: true },
    lines: [
      `Swap ${id} is abandoned: settlement stops tracking it. Its state is unchanged. To resume: operator swaps reopen ${id}`,
    ],
  }
}

const isMoneyUnderWay = ({ status, submittedAt }: SwapRecord): boolean => submittedAt !== null || factsOf(status.state).isPaid

const reopen = async ({ store, clock }: Session, id: number): Promise<Told> => {
  const record = await swapById(store, id)
  if (record.isSandbox) throw failed(`Swap ${id} is of the sandbox, which settlement does not track.`)
  if (isTerminal(record.status.state))
    throw failed(`Swap ${id} has ended (${record.status.state}). To read it again: operator swaps track ${id}`)
  await store.settlement.add({ swapId: id, isPaid: isMoneyUnderWay(record), dueAt: clock.now() })
  return { data: { swapId: id, reopened: true }, lines: [`Settlement tracks swap ${id} again, from the next pass.`] }
}

const EXAMPLES = `
Examples:
  operator swaps find --partner ptn_4fWz1sQkTq0a --state processing,expired --older-than 2h
  operator swaps find --ref 0x5c50...
  operator swaps show 1042
  operator swaps track 1042 --json`

export const addSwapCommands = (program: Command, { run }: Tool): void => {
  const swaps = program
    .command('swaps')
    .description('find, show and track swaps, including stuck ones')
    .addHelpText('after', EXAMPLES)
  const swapId = wholeNumber(1, ID_MAX)
  swaps
    .command('find')
    .description('list swaps, newest first; a swap must match all filters')
    .option('--id <swap>', 'number of the swap', swapId)
    .option('--quote <id>', 'executions of this quote')
    .option('--ref <text>', 'deposit address, order id, or any transaction of the swap')
    .option('--partner <id>', 'partner whose key quoted it, or that receives its webhooks')
    .option('--venue <id>', 'venue of the execution')
    .option('--state <states>', `one or more of ${STATES.join(', ')}`, someOf(STATES))
    .option('--older-than <age>', 'executed longer ago than this, such as 90m, 2h or 7d', age)
    .option('--younger-than <age>', 'executed within this time', age)
    .option('--abandoned', 'only swaps that settlement no longer tracks')
    .option('--unseen', 'only swaps whose transaction is not on its chain')
    .option('--limit <n>', 'rows a page', wholeNumber(1, PAGE_MAX), 50)
    .option('--before <swap>', 'continue below this one', swapId)
    .action((options: FindOptions, command: Command) => run(command, (session) => find(session, options)))
  const one = (name: string, description: string, work: (session: Session, id: number) => Promise<Told>): void => {
    const action = (id: number, _options: object, command: Command) => run(command, (session) => work(session, id))
    swaps.command(name).description(description).argument('<swap>', 'number of the swap', swapId).action(action)
  }
  one('show', 'show all records of a swap: payments, events, ledger, queue', showSwap)
  swaps
    .command('track')
    .description('read the venue and the chains now, as /status does')
    .argument('<swap>', 'number of the swap', swapId)
    .option('--ref <text>', 'transaction that the wallet sent, if the service does not have it yet')
    .action((id: number, options: { ref?: string }, command: Command) =>
      run(command, (session) => trackSwap(session, id, options)),
    )
  one('abandon', 'stop tracking a swap until a status request; asks for confirmation', abandon)
  one('reopen', 'resume tracking a swap', reopen)
}
