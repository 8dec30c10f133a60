import { SOLANA } from '../../../core/chain.ts'
import type { SimTransaction } from '../../simVenue.ts'
import type { World } from '../../world.ts'
import { addressOf } from './book.ts'
import { NETWORKS } from './networks.ts'
import { readSolana } from './readSolana.ts'
import type { RecordDeposit } from './recorder.ts'

const FIRST_DEPOSIT_ID = 1_510n

/**
 * Puts Across's program on Solana and does its work: takes the input of a deposit that lands, and records it. Gives what
 * tells whether a transaction is a deposit, and throws what the program would fail with.
 */
export const watchSolana = ({ clock, solana }: World, record: RecordDeposit): ((transaction: SimTransaction) => boolean) => {
  const network = NETWORKS.find(({ chainId }) => chainId === SOLANA)
  if (!network) return () => false
  let nextId = FIRST_DEPOSIT_ID
  const read = (transaction: SimTransaction) => readSolana(transaction, network, Math.floor(clock.now() / 1_000))
  solana.install(network.spokePool)
  solana.onTransaction(async (transaction) => {
    const seen = read(transaction)
    // Why not, is for whoever is told of the transaction next.
    if (!seen?.deposit) return
    const { inputToken, depositor, inputAmount: amount } = seen.deposit
    await solana.take({ token: addressOf(network, inputToken), from: addressOf(network, depositor), amount })
    record({ ...seen.deposit, depositId: nextId++ }, network, transaction.txHash)
  })
  return (transaction) => {
    const seen = read(transaction)
    if (seen?.deposit === null) throw new Error(seen.refusal)
    return seen !== null
  }
}
