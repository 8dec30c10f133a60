import type { SimSolanaInstruction, SimTransaction } from './simVenue.ts'
import type { SimProgram, World } from './world.ts'

/** A venue's program on Solana, and what its calls deposit: null for a call of another program, and one that deposits nothing. */
export type WatchedProgram<D> = {
  readonly programId: string
  readonly program: SimProgram
  read(instruction: SimSolanaInstruction): D | null
}

/**
 * Puts a program on Solana and tells of the deposits that land there, and by which instruction of the transaction. Gives what
 * tells whether a transaction makes one.
 */
export const watchProgram = <D>(
  { solana }: Pick<World, 'solana'>,
  { programId, program, read }: WatchedProgram<D>,
  landed: (deposit: D, txHash: string, at: number) => void,
): ((transaction: SimTransaction) => boolean) => {
  const depositsOf = ({ solana: made }: SimTransaction): readonly (readonly [D, number])[] =>
    made?.instructions.flatMap((instruction, at) => {
      const deposit = read(instruction)
      return deposit === null ? [] : [[deposit, at] as const]
    }) ?? []
  solana.install(programId, program)
  solana.onTransaction((transaction) => {
    for (const [deposit, at] of depositsOf(transaction)) landed(deposit, transaction.txHash, at)
  })
  return (transaction) => depositsOf(transaction).length > 0
}
