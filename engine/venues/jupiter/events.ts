import type { SeenInstruction, SeenTransaction } from '../../chains/seen.ts'
import { associatedTokenAddress } from '../../chains/solana/solanaCodec.ts'
import type { SwapEvents } from '../venue.ts'
import { JUPITER } from './published.ts'
import { readRoute } from './route.ts'

/** Money that came to the owner of the account that a call of the program pays into. */
const paidBy = ({ movements }: SeenTransaction, { program: programId, ...call }: SeenInstruction): readonly string[] => {
  const output = readRoute({ programId, ...call })?.output
  if (!output) return []
  const own = movements.filter(
    ({ token, to }) => token === output.mint && associatedTokenAddress(to, output.mint, output.program) === output.account,
  )
  return own.map(({ place }) => place)
}

/** The call says what is taken, and the money itself what is paid: of what the program tells besides, nothing is published. */
export const events: SwapEvents = {
  inputs: async () => null,
  outputs: async () => null,
  refunds: async () => [],
  named: async (seen) =>
    seen.isSuccess ? seen.instructions.filter(({ program }) => program === JUPITER).flatMap((call) => paidBy(seen, call)) : [],
}
