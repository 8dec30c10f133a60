import { SOLANA } from '../../../core/chain.ts'
import type { SimSolanaTransaction, SimVenue } from '../../kit/simVenue.ts'
import type { World } from '../../kit/world.ts'
import { currencyOf, NETWORKS, SVM_DEPOSITORY } from './networks.ts'
import { readEvmDeposits, type SeenDeposit } from './readDeposit.ts'
import type { Requests } from './requests.ts'
import { readSvmDeposit, svmDepository } from './svmDepository.ts'

const svmDepositsOf = (transaction: SimSolanaTransaction | undefined): readonly SeenDeposit[] =>
  transaction?.instructions.flatMap((instruction) => readSvmDeposit(instruction) ?? []) ?? []

/** Watches the chains for payments of requests. */
export const watchPayments = ({ tokens, solana }: World, requests: Requests): Pick<SimVenue, 'onDeposit' | 'onTransaction'> => {
  const settle = ({ orderId, token, amount }: SeenDeposit, chainId: number, txHash: string): void => {
    const entry = requests.byOrderId(orderId)
    if (!entry || entry.request.origin.chainId !== chainId) return
    const { origin, input } = entry.request
    if (token === (input.isNative ? null : currencyOf(origin, input))) requests.pay(entry, { txHash, amount })
  }

  solana.install(SVM_DEPOSITORY.program, svmDepository)
  solana.onTransaction(({ solana: landed, txHash }) => {
    for (const seen of svmDepositsOf(landed)) settle(seen, SOLANA, txHash)
  })

  const onTransaction: SimVenue['onTransaction'] = (transaction) => {
    const { chainId, txHash } = transaction
    const network = NETWORKS.find((candidate) => candidate.chainId === chainId)
    if (network?.vm === 'svm') return svmDepositsOf(transaction.solana).length > 0
    if (network?.vm !== 'evm') return false
    const deposits = readEvmDeposits(transaction, network)
    for (const deposit of deposits) settle(deposit, chainId, txHash)
    return deposits.length > 0
  }

  const onDeposit: SimVenue['onDeposit'] = ({ chainId, token, address, amount, txHash }) => {
    const [entry] = requests.atDepositAddress(address)
    if (!entry || entry.request.origin.chainId !== chainId) return false
    if (entry.request.input === tokens.find(chainId, token)) requests.pay(entry, { txHash, amount })
    return true
  }

  return { onDeposit, onTransaction }
}
