import { SOLANA } from '../../../core/chain.ts'
import type { SimTransaction } from '../../kit/simVenue.ts'
import type { World } from '../../kit/world.ts'
import { NETWORKS } from './networks.ts'
import { readSolana, type SolanaDeposit } from './readSolana.ts'
import type { RecordDeposit } from './recorder.ts'
import { deadlineOf, depositIdOf } from './svmEvents.ts'
import { svmSpoke } from './svmSpoke.ts'

/** Puts Across's program on Solana and records the deposits that land. Gives what tells whether a transaction makes one. */
export const watchSolana = ({ clock, solana }: World, record: RecordDeposit): ((transaction: SimTransaction) => boolean) => {
  const network = NETWORKS.find(({ chainId }) => chainId === SOLANA)
  if (!network) return () => false
  const now = () => Math.floor(clock.now() / 1_000)
  type Numbered = SolanaDeposit & { readonly depositId: bigint }
  const depositsOf = ({ solana: landed, txHash }: SimTransaction): readonly Numbered[] =>
    landed?.instructions.flatMap((instruction, at) => {
      const seen = readSolana(instruction, network.spokePool)
      return seen ? [{ ...seen, depositId: depositIdOf(`${txHash}/${at}`) }] : []
    }) ?? []
  solana.install(network.spokePool, svmSpoke(network, now))
  solana.onTransaction((transaction) => {
    for (const { deposit, depositId } of depositsOf(transaction)) {
      const exclusivityDeadline = deadlineOf(deposit.exclusivityDeadline, now())
      record({ ...deposit, exclusivityDeadline, depositId }, network, transaction.txHash)
    }
  })
  return (transaction) => depositsOf(transaction).length > 0
}
