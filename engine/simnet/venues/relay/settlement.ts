import { SOLANA } from '../../../core/chain.ts'
import type { SimDeposit, SimTransaction, SimVenue } from '../../simVenue.ts'
import type { World } from '../../world.ts'
import { type Book, endWith, FILL_MS, type RelayRequest } from './book.ts'
import { createConclude } from './conclude.ts'
import { decideFate } from './fate.ts'
import { currencyOf, NETWORKS, SVM_DEPOSITORY } from './networks.ts'
import { readEvmDeposits, readSvmDeposit, type SeenDeposit } from './readDeposit.ts'

/** To the next look at a payment in bitcoin that is not in a block yet. */
const UNCONFIRMED_MS = 60_000

/** Watches the chains for payments of the requests in the book, and sees each through to its end. */
export const createSettlement = (world: World, venue: string, book: Book): Pick<SimVenue, 'onDeposit' | 'onTransaction'> => {
  const { clock, tokens, evm, solana, bitcoin, schedule } = world
  const conclude = createConclude(world)

  /** A reorganisation may have undone the payment. */
  const isStillThere = async ({ request: { origin }, paid }: RelayRequest): Promise<boolean> =>
    origin.vm !== 'evm' || (await evm.receipt(origin.chainId, paid?.txHash ?? ''))?.status === 'success'

  const finish = async (entry: RelayRequest): Promise<void> => {
    if (await isStillThere(entry)) return conclude(entry)
    entry.end = endWith('failure', { failReason: 'DEPOSIT_REORGED' })
  }

  const awaitBlock = (entry: RelayRequest): void =>
    schedule.at(clock.now() + UNCONFIRMED_MS, () => {
      const confirmations = bitcoin.confirmations(entry.paid?.txHash ?? '')
      if (confirmations === 0) return awaitBlock(entry)
      if (confirmations === null) {
        entry.end = endWith('failure', { failReason: 'DOUBLE_SPEND' })
        return
      }
      entry.confirmedAt = clock.now()
      schedule.at(clock.now() + FILL_MS, () => finish(entry))
    })

  const pay = (entry: RelayRequest, amount: bigint, txHash: string): void => {
    if (entry.paid) return
    entry.paid = { txHash, amount, at: clock.now() }
    entry.fate = decideFate(venue, entry, amount, world)
    if (entry.request.origin.vm === 'bvm') awaitBlock(entry)
    else schedule.at(clock.now() + FILL_MS, () => finish(entry))
  }

  const settle = ({ orderId, token, amount }: SeenDeposit, chainId: number, txHash: string): void => {
    const entry = book.byOrderId(orderId)
    if (!entry || entry.request.origin.chainId !== chainId) return
    const { origin, input } = entry.request
    if (token === (input.isNative ? null : currencyOf(origin, input))) pay(entry, amount, txHash)
  }

  solana.install(SVM_DEPOSITORY.program)
  // The program here does nothing: what it would have taken is taken when it is heard of.
  solana.onTransaction(async (transaction) => {
    const seen = readSvmDeposit(transaction)
    if (!seen) return
    const token = seen.token ?? tokens.native(SOLANA).address
    await solana.take({ token, from: transaction.from, amount: seen.amount })
    settle(seen, SOLANA, transaction.txHash)
  })

  const onTransaction = (transaction: SimTransaction): boolean => {
    const { chainId, txHash } = transaction
    const network = NETWORKS.find((candidate) => candidate.chainId === chainId)
    if (network?.vm === 'svm') return readSvmDeposit(transaction) !== null
    if (network?.vm !== 'evm') return false
    const deposits = readEvmDeposits(transaction, network)
    for (const deposit of deposits) settle(deposit, chainId, txHash)
    return deposits.length > 0
  }

  const onDeposit = ({ chainId, token, address, amount, txHash }: SimDeposit): boolean => {
    const entry = book.byDepositAddress(address)
    if (!entry || entry.request.origin.chainId !== chainId) return false
    if (entry.request.input === tokens.find(chainId, token)) pay(entry, amount, txHash)
    return true
  }

  return { onDeposit, onTransaction }
}
