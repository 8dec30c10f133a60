import { SOLANA } from '../../../core/chain.ts'
import type { SimDeposit, SimSolanaTransaction, SimTransaction, SimVenue } from '../../kit/simVenue.ts'
import type { World } from '../../kit/world.ts'
import type { Book } from './book.ts'
import { currencyOf, NETWORKS, SVM_DEPOSITORY } from './networks.ts'
import { createPay } from './payments.ts'
import { readEvmDeposits, type SeenDeposit } from './readDeposit.ts'
import { readSvmDeposit, svmDepository } from './svmDepository.ts'

const svmDepositsOf = (transaction: SimSolanaTransaction | undefined): readonly SeenDeposit[] =>
  transaction?.instructions.flatMap((instruction) => readSvmDeposit(instruction) ?? []) ?? []

/** Watches the chains for payments of the requests in the book. */
export const createSettlement = (world: World, venue: string, book: Book): Pick<SimVenue, 'onDeposit' | 'onTransaction'> => {
  const { tokens, solana } = world
  const pay = createPay(world, venue, book)

  const settle = ({ orderId, token, amount }: SeenDeposit, chainId: number, txHash: string): void => {
    const entry = book.byOrderId(orderId)
    if (!entry || entry.request.origin.chainId !== chainId) return
    const { origin, input } = entry.request
    if (token === (input.isNative ? null : currencyOf(origin, input))) pay(entry, { txHash, amount })
  }

  solana.install(SVM_DEPOSITORY.program, svmDepository)
  solana.onTransaction(({ solana: landed, txHash }) => {
    for (const seen of svmDepositsOf(landed)) settle(seen, SOLANA, txHash)
  })

  const onTransaction = (transaction: SimTransaction): boolean => {
    const { chainId, txHash } = transaction
    const network = NETWORKS.find((candidate) => candidate.chainId === chainId)
    if (network?.vm === 'svm') return svmDepositsOf(transaction.solana).length > 0
    if (network?.vm !== 'evm') return false
    const deposits = readEvmDeposits(transaction, network)
    for (const deposit of deposits) settle(deposit, chainId, txHash)
    return deposits.length > 0
  }

  const onDeposit = ({ chainId, token, address, amount, txHash }: SimDeposit): boolean => {
    const entry = book.byDepositAddress(address)
    if (!entry || entry.request.origin.chainId !== chainId) return false
    if (entry.request.input === tokens.find(chainId, token)) pay(entry, { txHash, amount })
    return true
  }

  return { onDeposit, onTransaction }
}
