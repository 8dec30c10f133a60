import { proveBalance } from '../../engine/ledger/proveBalance.ts'
import type { SwapRecord } from '../../engine/store/swaps.ts'
import { balanceOf } from '../client/evm.ts'
import type { Evidence } from './evidence.ts'
import type { Run } from './journal.ts'
import { judgeEvents } from './judgeEvents.ts'
import { judgeLedger } from './judgeLedger.ts'
import { ROUTES } from './swaps.ts'

/** More than a run makes. */
const SWAPS_MAX = 1_000_000

/** Each answered `/execute` has one record, with its recipient and its deposit address. There are no other records. */
const judgeRecords = ({ journal, recordOf, problem, count }: Evidence, records: readonly SwapRecord[]): void => {
  count('swaps in the records', records.length)
  if (recordOf.size !== records.length) problem('two records of one request')
  const requested = new Set(journal.swaps.map(({ requestId }) => requestId))
  for (const { requestId } of records)
    if (!requested.has(requestId)) problem(`a record of a request that nobody sent: ${requestId}`)
  for (const { requestId, execution, recipient } of journal.swaps) {
    if (execution === null) continue
    count('/execute answered')
    const record = recordOf.get(requestId)
    const ref = execution.executionType === 'DEPOSIT' ? execution.statusRef : null
    if (record === undefined) problem(`${requestId}: was answered, and is in no record`)
    else if (record.swap.order.recipient?.toLowerCase() !== recipient) problem(`${requestId}: another recipient is recorded`)
    else if (ref !== null && record.ref !== ref) problem(`${requestId}: another address is recorded`)
  }
}

/** Each swap has the state that the chain shows, and its recipient was paid once. */
const judgeStates = async ({ stage, journal, recordOf, problem, count }: Evidence): Promise<void> => {
  for (const { requestId, kind, recipient, isPaid, intent, reported } of journal.swaps) {
    const { outputChainId, outputToken } = ROUTES[kind]
    const balance = await balanceOf(stage.control.rpcUrl(outputChainId), outputToken, recipient)
    const status = recordOf.get(requestId)?.status ?? null
    const state = status?.state ?? 'none'
    const stateProblem = (text: string) => problem(`${requestId} (${kind}): ${text}`)
    if (balance !== (state === 'success' ? status?.deliveredAmount : 0n) || (state === 'success' && balance === 0n))
      stateProblem(`${state} over ${status?.deliveredAmount}, and the chain shows ${balance}`)
    if (!isPaid && (state === 'success' || state === 'refunded')) stateProblem(`${state} without a payment`)
    if (!isPaid) continue
    count(`ended ${state}`)
    if (intent === 'pay' && state !== 'success') stateProblem(`paid, and ${state}`)
    if (intent === 'short' && state !== 'refunded') stateProblem(`paid too little, and ${state}`)
    if (reported?.status !== state) stateProblem(`reported as ${reported?.status}, recorded as ${state}`)
  }
}

/** A venue received one post for a swap, and one more for each request without an answer. It accepted one order. */
const judgePosts = ({ stage: { opened, ordered, broadcast }, journal, problem, count }: Evidence): void => {
  count('addresses opened', opened.posts.length)
  count('orders posted', ordered.posts.length)
  count('transactions sent', broadcast.posts.length)
  const addressesOf = Map.groupBy(opened.posts, ({ body }) => (JSON.parse(body) as { amount?: string }).amount)
  for (const { requestId, kind, amount, lostExecutes, lostSubmits } of journal.swaps) {
    const addresses = addressesOf.get(String(amount))?.length ?? 0
    if (kind === 'deposit' && addresses > 1 + lostExecutes)
      problem(`${requestId}: ${addresses} addresses opened, ${lostExecutes} requests lost`)
    if (kind !== 'signature') continue
    const orders = ordered.posts.filter(({ body }) => body.includes(`"${amount}"`))
    if (orders.length > 1 + lostSubmits) problem(`${requestId}: ${orders.length} orders posted, ${lostSubmits} requests lost`)
    if (orders.filter(({ status }) => status === 201).length > 1) problem(`${requestId}: the venue accepted two orders`)
  }
}

type Judged = { readonly counts: { readonly [what: string]: number }; readonly problems: readonly string[] }

/** Compares the records with the answers, the chains, the posts at venues and the webhooks that arrived. */
export const judge = async (run: Run): Promise<Judged> => {
  const { stage, journal } = run
  const records = await stage.openRecords()
  try {
    const problems = [...journal.problems]
    const counts: { [what: string]: number } = {
      ...{ partners: journal.partners.length, 'swaps begun': journal.swaps.length },
      ...{ 'requests repeated': journal.repeats, 'fresh quotes needed': journal.requotes },
      'requests lost': journal.swaps.reduce((sum, { lostExecutes, lostSubmits }) => sum + lostExecutes + lostSubmits, 0),
    }
    const count = (what: string, by = 1): void => {
      counts[what] = (counts[what] ?? 0) + by
    }
    const all = await records.operator.swaps({}, { beforeId: null, limit: SWAPS_MAX })
    const recordOf = new Map(all.map((record) => [record.requestId, record]))
    const problem = (text: string): void => void problems.push(text)
    const evidence: Evidence = { ...run, records, recordOf, count, problem }
    judgeRecords(evidence, all)
    await judgeStates(evidence)
    judgePosts(evidence)
    const proof = await proveBalance(records)
    if (!proof.isBalanced) problem(`the ledger: ${JSON.stringify(proof.problems)}`)
    await judgeLedger(evidence)
    await judgeEvents(evidence)
    for (const what of ['ended success', 'fees booked']) if (!counts[what]) problem(`${what}: none, so nothing was tested`)
    return { counts, problems }
  } finally {
    await records.close()
  }
}
