import { SOLANA } from '../../../core/chain.ts'
import type { SimTransaction } from '../../kit/simVenue.ts'
import { watchProgram } from '../../kit/watchProgram.ts'
import type { World } from '../../kit/world.ts'
import { NETWORKS } from './networks.ts'
import { readSolana } from './readSolana.ts'
import type { RecordDeposit } from './recorder.ts'
import { svmSpoke } from './svmSpoke.ts'

const FIRST_DEPOSIT_ID = 1_510n

/** Puts Across's program on Solana and records the deposits that land. Gives what tells whether a transaction makes one. */
export const watchSolana = (world: World, record: RecordDeposit): ((transaction: SimTransaction) => boolean) => {
  const network = NETWORKS.find(({ chainId }) => chainId === SOLANA)
  if (!network) return () => false
  const programId = network.spokePool
  const program = svmSpoke(network, () => Math.floor(world.clock.now() / 1_000))
  let nextId = FIRST_DEPOSIT_ID
  return watchProgram(
    world,
    { programId, program, read: (instruction) => readSolana(instruction, programId) },
    ({ deposit }, txHash) => record({ ...deposit, depositId: nextId++ }, network, txHash),
  )
}
