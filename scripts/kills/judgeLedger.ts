import type { LedgerEntry } from '../../engine/store/ledger.ts'
import type { SwapRecord } from '../../engine/store/swaps.ts'
import { balanceOf } from '../client/evm.ts'
import { USDC } from '../client/tokens.ts'
import type { Evidence } from './evidence.ts'
import type { Partner, Swap } from './records.ts'
import { COLLECTOR } from './stage.ts'

const creditOf = ({ lines }: LedgerEntry) => lines.find(({ side }) => side === 'credit')

/** What the fee must be; null: what was seen to move, which is summed up for all. */
const expectedFee = ({ kind, amount, offer }: Swap): bigint | null => {
  if (offer === null) return 0n
  switch (kind) {
    case 'deposit':
      return (amount * BigInt(offer.bps)) / 10_000n
    case 'posted':
      return (amount * BigInt(offer.bps)) / 10_000n
    case 'signature':
      return offer.feeAmount
    case 'transaction':
      return null
  }
}

const judgeSwap = async (evidence: Evidence, swap: Swap, record: SwapRecord): Promise<LedgerEntry | null> => {
  const { records, problem } = evidence
  const entries = await records.ledger.ofSwap(record.id)
  const hasFee = record.status.state === 'success' && (swap.offer?.feeAmount ?? 0n) > 0n
  const [entry = null] = entries
  if (entries.length !== (hasFee ? 1 : 0)) {
    problem(`${swap.requestId} (${swap.kind}): ${record.status.state} with ${entries.length} entries in the ledger`)
    return null
  }
  if (entry === null) return null
  const [credit, expected] = [creditOf(entry), expectedFee(swap)]
  if (credit?.account !== `partner:${swap.partner?.partnerId}`) problem(`${swap.requestId}: its fee is ${credit?.account}'s`)
  if (expected !== null && credit?.amount !== expected)
    problem(`${swap.requestId} (${swap.kind}): booked ${credit?.amount}, the fee is ${expected}`)
  return entry
}

const placeOf = ({ chainId, token }: { readonly chainId: number; readonly token: string }): string => `${chainId} ${token}`

/** What a partner is told that it earned and was paid is the sum of its swaps, and of the payouts it had. */
const judgePartner = async (evidence: Evidence, partner: Partner, earned: ReadonlyMap<string, bigint>): Promise<void> => {
  const { partners, records, problem, counts } = evidence
  const { balances } = await partners.account(partner)
  const told = new Map(balances.map((balance) => [placeOf(balance), balance]))
  for (const place of new Set([...told.keys(), ...earned.keys()]))
    if (BigInt(told.get(place)?.earned ?? 0) !== (earned.get(place) ?? 0n))
      problem(`${partner.name}: told ${told.get(place)?.earned} of ${place}, its swaps earned ${earned.get(place)}`)
  const recorded = await records.ledger.payoutsTo(partner.partnerId)
  counts['payouts recorded'] = (counts['payouts recorded'] ?? 0) + recorded.length
  const [had, booked] = [partner.payouts, recorded.map(({ document }) => document['txHash'])]
  if (booked.length !== had.length || !had.every(({ txHash }) => booked.includes(txHash)))
    problem(`${partner.name}: ${had.length} payouts, ${booked.length} recorded`)
  for (const [place, { paid }] of told) {
    const sum = had.filter((one) => placeOf(one) === place).reduce((all, { amount }) => all + amount, 0n)
    if (BigInt(paid) !== sum) problem(`${partner.name}: told ${paid} paid of ${place}, it had ${sum}`)
  }
}

/** The ledger equals what was answered, and what the chain shows of it. */
export const judgeLedger = async (evidence: Evidence): Promise<void> => {
  const { stage, tale, recordOf, problem, counts } = evidence
  const earned = new Map<Partner, Map<string, bigint>>()
  let [booked, collected] = [0, 0n]
  for (const swap of tale.swaps) {
    const record = recordOf.get(swap.requestId)
    const entry = record ? await judgeSwap(evidence, swap, record) : null
    const credit = entry && creditOf(entry)
    if (!credit || swap.partner === null) continue
    booked += 1
    if (swap.kind === 'transaction') collected += credit.amount
    const own = earned.get(swap.partner) ?? new Map<string, bigint>()
    own.set(placeOf(credit), (own.get(placeOf(credit)) ?? 0n) + credit.amount)
    earned.set(swap.partner, own)
  }
  counts['fees booked'] = booked
  const held = await balanceOf(stage.control.rpcUrl(42161), USDC.arbitrum, COLLECTOR)
  if (held !== collected) problem(`the ledger has ${collected} of the fees that the chain shows ${held} of`)
  for (const partner of tale.partners) await judgePartner(evidence, partner, earned.get(partner) ?? new Map())
}
