import { SOLANA } from '../../../core/chain.ts'
import type { SimTransaction } from '../../kit/simVenue.ts'
import { watchProgram } from '../../kit/watchProgram.ts'
import type { World } from '../../kit/world.ts'
import { NETWORKS } from './networks.ts'
import { readSolana } from './readSolana.ts'
import type { RecordDeposit } from './recorder.ts'
import { deadlineOf, depositIdOf } from './svmEvents.ts'
import { svmSpoke } from './svmSpoke.ts'

/** Puts Across's program on Solana and records the deposits that land. Gives what tells whether a transaction makes one. */
export const watchSolana = (world: World, record: RecordDeposit): ((transaction: SimTransaction) => boolean) => {
  const network = NETWORKS.find(({ chainId }) => chainId === SOLANA)
  if (!network) return () => false
  const programId = network.spokePool
  const now = () => Math.floor(world.clock.now() / 1_000)
  return watchProgram(
    world,
    { programId, program: svmSpoke(network, now), read: (instruction) => readSolana(instruction, programId) },
    ({ deposit }, txHash, at) => {
      const exclusivityDeadline = deadlineOf(deposit.exclusivityDeadline, now())
      record({ ...deposit, exclusivityDeadline, depositId: depositIdOf(`${txHash}/${at}`) }, network, txHash)
    },
  )
}
