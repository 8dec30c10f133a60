import { proveBalance } from '../../engine/ledger/proveBalance.ts'
import type { Store } from '../../engine/store/store.ts'
import type { SwapRecord } from '../../engine/store/swaps.ts'
import { balanceOf } from '../client/evm.ts'
import { USDC } from '../client/tokens.ts'
import type { Counts, Evidence } from './evidence.ts'
import { judgeLedger } from './judgeLedger.ts'
import { judgeTold } from './judgeTold.ts'
import type { Swap } from './records.ts'
import { ROUTES } from './swapJobs.ts'

/** What was found at the end: `problems` is empty, or something is wrong with the service. */
export type Findings = { readonly counts: { readonly [what: string]: number }; readonly problems: readonly string[] }

const PAGE = 500

const allSwaps = async ({ operator }: Store): Promise<readonly SwapRecord[]> => {
  const all: SwapRecord[] = []
  for (let beforeId: number | null = null; ; ) {
    const page: readonly SwapRecord[] = await operator.swaps({}, { beforeId, limit: PAGE })
    all.push(...page)
    if (page.length < PAGE) return all
    beforeId = page.at(-1)?.id ?? null
  }
}

const refOf = ({ execution }: Swap): string | null => (execution?.executionType === 'DEPOSIT' ? execution.statusRef : null)

/** What was answered is in the records; what is in the records was asked for once. */
const judgeRecords = ({ tale, recordOf, problem, counts }: Evidence, records: readonly SwapRecord[]): void => {
  counts['swaps in the records'] = records.length
  if (recordOf.size !== records.length) problem('two records of one request')
  for (const { requestId } of records)
    if (!tale.swaps.some((swap) => swap.requestId === requestId)) problem(`a record of a request that nobody made: ${requestId}`)
  for (const swap of tale.swaps) {
    const { requestId, execution, recipient } = swap
    const record = recordOf.get(requestId)
    if (execution === null) continue
    counts['/execute answered'] = (counts['/execute answered'] ?? 0) + 1
    if (record === undefined) problem(`${requestId}: was answered, and is in no record`)
    else if (record.swap.order.recipient?.toLowerCase() !== recipient) problem(`${requestId}: another recipient is recorded`)
    else if (refOf(swap) !== null && record.ref !== refOf(swap)) problem(`${requestId}: another address is recorded`)
  }
}

/** Each swap has the end that the chain shows, and its recipient was paid once. */
const judgeEnds = async ({ stage, tale, recordOf, problem, counts }: Evidence): Promise<void> => {
  for (const swap of tale.swaps) {
    const { requestId, kind, recipient, isPaid, intent } = swap
    const { outputChainId, outputToken } = ROUTES[kind]
    const token = outputToken === 'USDC' ? USDC.base : outputToken
    const held = await balanceOf(stage.control.rpcUrl(outputChainId), token, recipient)
    const status = recordOf.get(requestId)?.status ?? null
    const state = status?.state ?? 'none'
    if (isPaid) counts[`ended ${state}`] = (counts[`ended ${state}`] ?? 0) + 1
    if (state === 'success') {
      if (held === 0n || held !== status?.deliveredAmount)
        problem(`${requestId} (${kind}): success over ${status?.deliveredAmount}, and the chain shows ${held}`)
    } else if (held !== 0n) problem(`${requestId} (${kind}): ${state}, and the chain shows ${held}`)
    if (!isPaid && (state === 'success' || state === 'refunded')) problem(`${requestId} (${kind}): ${state} without a payment`)
    if (isPaid && intent === 'pay' && state !== 'success') problem(`${requestId} (${kind}): paid, and ${state}`)
    if (isPaid && intent === 'short' && state !== 'refunded') problem(`${requestId} (${kind}): paid too little, and ${state}`)
    if (isPaid && swap.told?.status !== state)
      problem(`${requestId} (${kind}): told as ${swap.told?.status}, recorded as ${state}`)
  }
}

/** What left for a venue: once, and again only where the process died before it could be remembered. */
const judgeCalls = ({ stage, tale, problem, counts }: Evidence): void => {
  counts['addresses opened'] = stage.opened.posts.length
  counts['orders posted'] = stage.ordered.posts.length
  counts['orders taken'] = stage.ordered.posts.filter(({ status }) => status === 201).length
  counts['transactions sent'] = stage.broadcast.posts.length
  const sends = new Map<string, number>()
  for (const { body } of stage.broadcast.posts) sends.set(body, (sends.get(body) ?? 0) + 1)
  for (const { requestId, kind, amount, lostExecutes, lostSubmits } of tale.swaps) {
    if (kind === 'deposit') {
      const opened = stage.opened.posts.filter(
        ({ body }) => (JSON.parse(body) as { amount?: string }).amount === amount.toString(),
      )
      if (opened.length > 1 + lostExecutes) problem(`${requestId}: ${opened.length} addresses opened, ${lostExecutes} calls lost`)
    }
    if (kind === 'signature') {
      const posted = stage.ordered.posts.filter(({ body }) => body.includes(`"${amount}"`))
      if (posted.length > 1 + lostSubmits) problem(`${requestId}: ${posted.length} orders posted, ${lostSubmits} calls lost`)
      if (posted.filter(({ status }) => status === 201).length > 1) problem(`${requestId}: two orders were taken`)
    }
  }
  counts['transactions sent again'] = [...sends.values()].filter((times) => times > 1).length
}

export const judge = async ({ stage, tale, partners }: Pick<Evidence, 'stage' | 'tale' | 'partners'>): Promise<Findings> => {
  const records = await stage.openRecords()
  try {
    const problems = [...tale.problems]
    const counts: Counts = { partners: tale.partners.length, 'swaps begun': tale.swaps.length }
    const all = await allSwaps(records)
    const recordOf = new Map(all.map((record) => [record.requestId, record]))
    const evidence = { stage, tale, partners, records, recordOf, counts, problem: (what: string) => void problems.push(what) }
    judgeRecords(evidence, all)
    await judgeEnds(evidence)
    judgeCalls(evidence)
    const proof = await proveBalance(records)
    if (!proof.isBalanced) problems.push(`the ledger: ${JSON.stringify(proof.problems)}`)
    await judgeLedger(evidence)
    await judgeTold(evidence)
    const { lost, repeats, requotes } = tale
    return { counts: { ...counts, 'calls lost': lost, 'calls repeated': repeats, 'fresh quotes needed': requotes }, problems }
  } finally {
    await records.close()
  }
}
