import type { SeenInstruction, SeenTransaction } from '../../chains/seen.ts'
import { associatedTokenAddress } from '../../chains/solana/solanaCodec.ts'
import type { Address } from '../../core/address.ts'
import type { SwapEvents } from '../venue.ts'
import { readRoute } from './route.ts'

/** Transfers to the owner of the account that a program call pays. */
const paidBy = ({ movements }: SeenTransaction, call: SeenInstruction, programs: readonly Address[]): readonly string[] => {
  const output = readRoute({ programId: call.program, ...call }, programs)?.output
  if (!output) return []
  const own = movements.filter(
    ({ token, to }) => token === output.mint && associatedTokenAddress(to, output.mint, output.program) === output.account,
  )
  return own.map(({ place }) => place)
}

/** The call shows the input, and the transfer shows the output. The program's own events are not published. */
export const createEvents = (programs: readonly Address[]): SwapEvents => ({
  inputs: async () => null,
  outputs: async () => null,
  refunds: async () => [],
  named: async (seen) => (seen.isSuccess ? seen.instructions.flatMap((call) => paidBy(seen, call, programs)) : []),
})
