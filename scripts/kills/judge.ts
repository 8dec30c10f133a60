import { proveBalance } from '../../engine/ledger/proveBalance.ts'
import type { LedgerEntry } from '../../engine/store/ledger.ts'
import type { PartnerEvent } from '../../engine/store/partnerEvents.ts'
import type { Store } from '../../engine/store/store.ts'
import type { SwapRecord } from '../../engine/store/swaps.ts'
import { balanceOf } from '../client/evm.ts'
import { USDC } from '../client/tokens.ts'
import { isSignedBy } from '../demo/partner.ts'
import type { Partner, Run, Swap } from './journal.ts'
import type { Delivered } from './neighbours.ts'
import { accountOf } from './partners.ts'
import { COLLECTOR } from './stage.ts'
import { ROUTES } from './swaps.ts'

/** Everything that is compared. */
type Evidence = Run & {
  readonly records: Store
  /** By the id of the request that executed the swap. */
  readonly recordOf: ReadonlyMap<string, SwapRecord>
  readonly problem: (text: string) => void
  readonly count: (what: string, by?: number) => void
}

/** More rows than a run writes. */
const ROWS_MAX = 1_000_000

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

type Credit = LedgerEntry['lines'][number]

/** The exact fee. Null for Across, where it is a part of what moved: the sum over all swaps is compared instead. */
const expectedFee = ({ kind, amount, offer }: Swap): bigint | null => {
  if (kind === 'transaction') return null
  if (offer === null) return 0n
  return kind === 'signature' ? offer.feeAmount : (amount * BigInt(offer.bps)) / 10_000n
}

/** A success with a fee has one entry, of its partner and over that fee. Other swaps have no entry. */
const creditOf = async ({ records, problem }: Evidence, swap: Swap, record: SwapRecord): Promise<Credit | null> => {
  const entries = await records.ledger.ofSwap(record.id)
  const hasFee = record.status.state === 'success' && (swap.offer?.feeAmount ?? 0n) > 0n
  const swapProblem = (text: string) => problem(`${swap.requestId} (${swap.kind}): ${text}`)
  if (entries.length !== (hasFee ? 1 : 0)) swapProblem(`${record.status.state} with ${entries.length} entries in the ledger`)
  const credit = entries[0]?.lines.find(({ side }) => side === 'credit')
  if (!credit) return null
  const expected = expectedFee(swap)
  if (credit.account !== `partner:${swap.partner?.partnerId}`) swapProblem(`its fee is for ${credit.account}`)
  if (expected !== null && credit.amount !== expected) swapProblem(`booked ${credit.amount}, the fee is ${expected}`)
  return credit
}

type Sum = { readonly chainId: number; readonly token: string; readonly amount: bigint }

const placeOf = ({ chainId, token }: Pick<Sum, 'token'> & { readonly chainId: number }): string => `${chainId} ${token}`

const sumsOf = (parts: readonly Sum[]): ReadonlyMap<string, bigint> => {
  const sums = new Map<string, bigint>()
  for (const part of parts) sums.set(placeOf(part), (sums.get(placeOf(part)) ?? 0n) + part.amount)
  return sums
}

/** `GET /keys` reports the sum of the partner's credits, and each payout once. */
const judgePartner = async (evidence: Evidence, partner: Partner, credits: readonly Credit[]): Promise<void> => {
  const { records, count } = evidence
  const problem = (text: string) => evidence.problem(`${partner.name}: ${text}`)
  const { balances } = await accountOf(evidence, partner)
  const [earned, paid] = [sumsOf(credits), sumsOf(partner.payouts)]
  const reported = new Map(balances.map((balance) => [placeOf(balance), balance]))
  for (const place of new Set([...reported.keys(), ...earned.keys(), ...paid.keys()])) {
    const balance = reported.get(place)
    if (BigInt(balance?.earned ?? 0) !== (earned.get(place) ?? 0n))
      problem(`reported ${balance?.earned} of ${place}, its swaps earned ${earned.get(place)}`)
    if (BigInt(balance?.paid ?? 0) !== (paid.get(place) ?? 0n))
      problem(`reported ${balance?.paid} paid of ${place}, it was paid ${paid.get(place)}`)
  }
  const recorded = (await records.ledger.payoutsTo(partner.partnerId)).map(({ document }) => document['txHash'])
  count('payouts recorded', recorded.length)
  if (recorded.length !== partner.payouts.length || !partner.payouts.every(({ txHash }) => recorded.includes(txHash)))
    problem(`${partner.payouts.length} payouts, ${recorded.length} recorded`)
}

/** The ledger balances, and equals the answers and the fees that the chain shows. */
const judgeLedger = async (evidence: Evidence): Promise<void> => {
  const { stage, journal, records, recordOf, problem, count } = evidence
  const proof = await proveBalance(records)
  if (!proof.isBalanced) problem(`the ledger: ${JSON.stringify(proof.problems)}`)
  const credits = new Map<Partner | null, Credit[]>()
  let collected = 0n
  for (const swap of journal.swaps) {
    const record = recordOf.get(swap.requestId)
    const credit = record ? await creditOf(evidence, swap, record) : null
    if (credit === null) continue
    count('fees booked')
    if (swap.kind === 'transaction') collected += credit.amount
    credits.set(swap.partner, [...(credits.get(swap.partner) ?? []), credit])
  }
  const balance = await balanceOf(stage.control.rpcUrl(42161), USDC.arbitrum, COLLECTOR)
  if (balance !== collected) problem(`the ledger has ${collected} of the fees, and the chain shows ${balance}`)
  for (const partner of journal.partners) await judgePartner(evidence, partner, credits.get(partner) ?? [])
}

const EVENT_OF: { readonly [state: string]: string } = {
  success: 'swap.settled',
  refunded: 'swap.refunded',
  failed: 'swap.failed',
}

const requestOf = ({ body }: Delivered): string => (JSON.parse(body) as { readonly requestId: string }).requestId

/** The webhook arrived at most once, and as the feed reports it. A `started` one may or may not have arrived. */
const judgeDelivery = ({ problem, count }: Evidence, event: PartnerEvent, delivered: readonly Delivered[]): void => {
  const { delivery, answered, failure } = event
  const name = `${String(event.document['requestId'])} ${event.event}`
  count(`webhook ${delivery}`)
  const [one] = delivered
  if (delivered.length > 1) problem(`${name}: delivered ${delivered.length} times`)
  if (delivery === 'answered' && one?.answered !== answered)
    problem(`${name}: the feed reports ${answered}, the target answered ${one?.answered}`)
  if (one && delivery !== 'answered' && delivery !== 'started') problem(`${name}: delivered, and ${delivery}`)
  if (delivery === 'due') problem(`${name}: never tried`)
  if (delivery === 'failed') problem(`${name}: ${failure}`)
}

/** The feed has each end and each change of a fee once, without a gap in its sequence. Webhooks are signed. */
const judgeFeed = (evidence: Evidence, partner: Partner, events: readonly PartnerEvent[]): void => {
  const { stage, journal, recordOf, problem } = evidence
  const { name, webhookSecret: secret, feesSet } = partner
  const delivered = stage.receiver.delivered.filter(({ path }) => path === `/${name}`)
  events.forEach(({ place }, i) => {
    if (place !== i + 1) problem(`${name}: place ${place} of its feed comes after ${i}`)
  })
  for (const { requestId } of journal.swaps.filter((swap) => swap.partner === partner)) {
    const record = recordOf.get(requestId)
    const expected = record && EVENT_OF[record.status.state]
    const own = record ? events.filter(({ swapId }) => swapId === record.id) : []
    if (own.length !== (expected ? 1 : 0) || (expected && own[0]?.event !== expected))
      problem(`${requestId}: ${record?.status.state}, and the feed has ${JSON.stringify(own.map(({ event }) => event))}`)
    const arrived = delivered.filter((one) => requestOf(one) === requestId)
    for (const event of own) judgeDelivery(evidence, event, arrived)
    if (own.length === 0 && arrived.length > 0) problem(`${requestId}: delivered what the feed does not have`)
  }
  if (secret !== null && !delivered.every((one) => isSignedBy(secret, one))) problem(`${name}: a webhook of another signature`)
  const fees = events.filter(({ event }) => event === 'fee.changed').length
  if (fees !== feesSet) problem(`${name}: ${feesSet} fees were set, the feed has ${fees}`)
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
      'webhooks received': stage.receiver.delivered.length,
    }
    const count = (what: string, by = 1): void => {
      counts[what] = (counts[what] ?? 0) + by
    }
    const all = await records.operator.swaps({}, { beforeId: null, limit: ROWS_MAX })
    const recordOf = new Map(all.map((record) => [record.requestId, record]))
    const problem = (text: string): void => void problems.push(text)
    const evidence: Evidence = { ...run, records, recordOf, count, problem }
    judgeRecords(evidence, all)
    await judgeStates(evidence)
    judgePosts(evidence)
    await judgeLedger(evidence)
    for (const partner of journal.partners) {
      const page = { afterPlace: 0, limit: ROWS_MAX }
      judgeFeed(evidence, partner, await records.partnerEvents.ofPartner(partner.partnerId, page))
    }
    for (const what of ['ended success', 'fees booked']) if (!counts[what]) problem(`${what}: none, so nothing was tested`)
    return { counts, problems }
  } finally {
    await records.close()
  }
}
