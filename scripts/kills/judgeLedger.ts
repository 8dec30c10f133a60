import type { LedgerEntry } from '../../engine/store/ledger.ts'
import type { SwapRecord } from '../../engine/store/swaps.ts'
import { balanceOf } from '../client/evm.ts'
import { USDC } from '../client/tokens.ts'
import type { Evidence } from './evidence.ts'
import type { Partner, Swap } from './journal.ts'
import { accountOf } from './partners.ts'
import { COLLECTOR } from './stage.ts'

type Credit = LedgerEntry['lines'][number]

/** The exact fee. Null for Across, where it is a part of what moved: the sum over all swaps is compared instead. */
const expectedFee = ({ kind, amount, offer }: Swap): bigint | null => {
  if (kind === 'transaction') return null
  if (offer === null) return 0n
  return kind === 'signature' ? offer.feeAmount : (amount * BigInt(offer.bps)) / 10_000n
}

/** A success with a fee has one entry, of its partner and over that fee. Any other swap has none. */
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

const placeOf = ({ chainId, token }: { readonly chainId: number; readonly token: string }): string => `${chainId} ${token}`

const sumsOf = (parts: readonly { readonly chainId: number; readonly token: string; readonly amount: bigint }[]) => {
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

/** The ledger equals the answers, and the fees that the chain shows. */
export const judgeLedger = async (evidence: Evidence): Promise<void> => {
  const { stage, journal, recordOf, problem, count } = evidence
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
