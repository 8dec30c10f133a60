import { ChainError, type Chains } from '../chains/chains.ts'
import { readTokenAccount } from '../chains/solana/tokenAccount.ts'
import { withDeadline } from '../net/deadline.ts'
import type { Observe } from '../observe/observe.ts'
import type { GuardedVenue } from './guard.ts'

const READ_MS = 5_000

type Ports = { readonly chains: Pick<Chains, 'solanaAccount'>; readonly observe: Observe }
type FeeAccount = NonNullable<GuardedVenue['profile']['feeAccounts']>[number]

/** Null where the account cannot be read. */
const isThere = async ({ account, mint }: FeeAccount, { chains }: Ports): Promise<boolean | null> => {
  try {
    const found = await withDeadline(READ_MS, (signal) => chains.solanaAccount(account, signal))
    return found !== null && readTokenAccount(found)?.mint === mint
  } catch (error) {
    if (error instanceof ChainError) return null
    throw error
  }
}

/**
 * The missing accounts that venues would pay fees to, described for the operator. An unreadable account is reported and does not
 * prevent the start: the service simulates each payment on Solana before the wallet signs it.
 */
export const missingFeeAccounts = async (
  venues: readonly Pick<GuardedVenue, 'profile' | 'isEnabled'>[],
  ports: Ports,
): Promise<readonly string[]> => {
  const wanted = venues
    .filter(({ isEnabled }) => isEnabled)
    .flatMap(({ profile: { id, feeAccounts = [] } }) => feeAccounts.map((each) => ({ id, ...each })))
  const problems = await Promise.all(
    wanted.map(async ({ id, ...each }) => {
      const found = await isThere(each, ports)
      const what = `${each.account}, which fees in ${each.mint} go to`
      if (found === null) ports.observe({ event: 'venue.noticed', venue: id, what: `nobody can tell whether there is ${what}` })
      return found === false ? [`${id}: there is no token account ${what}: open it, or change the settings of the venue`] : []
    }),
  )
  return problems.flat()
}
