import type { RawBalance, RawEntry } from '../store/ledger.ts'

type Sums = { earned: bigint; paid: bigint }

type BalanceProblem = { readonly key: string; readonly what: string }

const PARTNER = 'partner:'

/**
 * Compares the stored balances with the sums of their lines. Lines after the last one of a partner's stored balances are newer,
 * or from a version without stored balances. Every reader of a balance adds them.
 */
export const compareBalances = (kept: readonly RawBalance[]) => {
  const lastOf = new Map<string, number>()
  for (const { partnerId, lastLine } of kept) lastOf.set(partnerId, Math.max(lastOf.get(partnerId) ?? 0, lastLine))
  const sums = new Map<string, Sums>()
  const keyOf = (partnerId: string, { ecosystem, chainId, token }: Pick<RawBalance, 'ecosystem' | 'chainId' | 'token'>): string =>
    `${PARTNER}${partnerId} ${ecosystem} ${chainId} ${token}`

  const add = ({ kind, lines }: RawEntry): void => {
    for (const line of lines) {
      const partnerId = line.account.startsWith(PARTNER) ? line.account.slice(PARTNER.length) : null
      // An invalid amount is reported as a separate problem.
      if (partnerId === null || line.id > (lastOf.get(partnerId) ?? 0) || !/^[0-9]+$/.test(line.amount)) continue
      const key = keyOf(partnerId, line)
      const sum = sums.get(key) ?? { earned: 0n, paid: 0n }
      const owed = line.side === 'credit' ? BigInt(line.amount) : -BigInt(line.amount)
      if (kind === 'payout') sum.paid -= owed
      else sum.earned += owed
      sums.set(key, sum)
    }
  }

  /** Called after all lines are added. */
  const problems = (): readonly BalanceProblem[] => {
    const found: BalanceProblem[] = []
    for (const balance of kept) {
      const key = keyOf(balance.partnerId, balance)
      const { earned, paid } = sums.get(key) ?? { earned: 0n, paid: 0n }
      sums.delete(key)
      if (balance.earned !== `${earned}` || balance.paid !== `${paid}`)
        found.push({
          key,
          what: `is kept as ${balance.earned} earned, ${balance.paid} paid, and its lines come to ${earned} and ${paid}`,
        })
    }
    for (const [key, { earned, paid }] of sums)
      found.push({ key, what: `is not kept, and its lines come to ${earned} and ${paid}` })
    return found
  }

  return { add, problems }
}
