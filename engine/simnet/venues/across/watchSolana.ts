import { SOLANA } from '../../../core/chain.ts'
import type { SimTransaction } from '../../kit/simVenue.ts'
import type { World } from '../../kit/world.ts'
import { NETWORKS } from './networks.ts'
import { readSolana, type SolanaDeposit } from './readSolana.ts'
import type { RecordDeposit } from './recorder.ts'
import { svmSpoke } from './svmSpoke.ts'

const FIRST_DEPOSIT_ID = 1_510n

/** Puts Across's program on Solana and records the deposits that land. Gives what tells whether a transaction makes one. */
export const watchSolana = ({ clock, solana }: World, record: RecordDeposit): ((transaction: SimTransaction) => boolean) => {
  const network = NETWORKS.find(({ chainId }) => chainId === SOLANA)
  if (!network) return () => false
  let nextId = FIRST_DEPOSIT_ID
  const depositsOf = ({ solana: landed }: SimTransaction): readonly SolanaDeposit[] =>
    landed?.instructions.flatMap((instruction) => readSolana(instruction, network.spokePool) ?? []) ?? []
  solana.install(
    network.spokePool,
    svmSpoke(network, () => Math.floor(clock.now() / 1_000)),
  )
  solana.onTransaction((transaction) => {
    for (const { deposit } of depositsOf(transaction)) record({ ...deposit, depositId: nextId++ }, network, transaction.txHash)
  })
  return (transaction) => depositsOf(transaction).length > 0
}
