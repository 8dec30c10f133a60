import type { SimSolanaInstruction, SimTransaction } from './simVenue.ts'
import type { SimProgram, World } from './world.ts'

/** A venue's program on Solana, and what its calls deposit: null for a call of another program, and one that deposits nothing. */
export type WatchedProgram<D> = {
  readonly programId: string
  readonly program: SimProgram
  read(instruction: SimSolanaInstruction): D | null
}

/**
 * Puts a program on Solana and tells of the deposits that land there. Gives what tells whether a transaction makes one.
 */
export const watchProgram = <D>(
  { solana }: Pick<World, 'solana'>,
  { programId, program, read }: WatchedProgram<D>,
  landed: (deposit: D, txHash: string) => void,
): ((transaction: SimTransaction) => boolean) => {
  const depositsOf = ({ solana: made }: SimTransaction): readonly D[] =>
    made?.instructions.flatMap((instruction) => read(instruction) ?? []) ?? []
  solana.install(programId, program)
  solana.onTransaction((transaction) => {
    for (const deposit of depositsOf(transaction)) landed(deposit, transaction.txHash)
  })
  return (transaction) => depositsOf(transaction).length > 0
}
