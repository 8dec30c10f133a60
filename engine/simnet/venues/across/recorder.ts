import type { World } from '../../kit/world.ts'
import { type Book, type Deposit, type Fate, refundsAt, takeFate } from './book.ts'
import { wordOf } from './buildDeposit.ts'
import { contractOf, isSvm, type Network, networkByWireId } from './networks.ts'
import { isSlow } from './pricing.ts'
import type { SeenDeposit } from './readDeposit.ts'
import { createRelayer } from './relayer.ts'

const FILL_MS = 12_000
const SLOW_FILL_MS = 90 * 60_000

/** Notes a deposit that a chain took, and sees to what becomes of it. */
export type RecordDeposit = (seen: SeenDeposit, origin: Network, txHash: string) => void

export const createRecorder = (world: World, venue: string, book: Book): RecordDeposit => {
  const { clock, tokens, market, faults, evm, schedule } = world
  const relayer = createRelayer(world)
  let nextId = 1

  const tokenOfWord = (network: Network, word: string) =>
    tokens.all.find(
      (token) => token.chainId === network.chainId && wordOf(network, contractOf(network, token)) === `0x${word}`,
    ) ?? null

  /** No relayer fills at a loss, and none can deliver a token it does not know. */
  const fateOf = (seen: SeenDeposit, origin: Network, destination: Network): Fate => {
    const fault = takeFate(faults, venue)
    if (fault) return fault
    const input = tokenOfWord(origin, seen.inputToken)
    const output = tokenOfWord(destination, seen.outputToken)
    if (!input || !output || market.convert(input, seen.inputAmount, output) < seen.outputAmount) return 'neverFills'
    return isSlow(market, input, seen.inputAmount) ? 'fillsSlowly' : 'fills'
  }

  /** A reorganisation may have undone it. */
  const isOnChain = async ({ origin, txHash }: Deposit): Promise<boolean> =>
    isSvm(origin) || (await evm.receipt(origin.chainId, txHash))?.status === 'success'

  const refund = async (deposit: Deposit): Promise<void> => {
    if (await isOnChain(deposit)) book.settle(deposit, { refundTx: await relayer.refund(deposit) })
    else book.strike(deposit)
  }

  const refundLater = (deposit: Deposit): void => schedule.at(refundsAt(deposit), () => refund(deposit))

  const fill = async (deposit: Deposit): Promise<void> => {
    const { fate, outputAmount } = deposit
    try {
      if (!(await isOnChain(deposit))) return book.strike(deposit)
      const amount = fate === 'fillsShort' ? (outputAmount * 9n) / 10n : outputAmount
      book.settle(deposit, { fill: await relayer.fill(deposit, amount) })
    } catch (error) {
      refundLater(deposit)
      throw error
    }
  }

  return (seen, origin, txHash) => {
    const destination = networkByWireId(seen.destinationWireId)
    // The contract takes any destination; a deposit to nowhere just expires.
    const fate = destination ? fateOf(seen, origin, destination) : 'neverFills'
    const madeAt = clock.now()
    const fillsAt = madeAt + (fate === 'fillsSlowly' ? SLOW_FILL_MS : FILL_MS)
    const deposit: Deposit = {
      ...seen,
      id: nextId++,
      txHash,
      origin,
      madeAt,
      fate,
      fillsAt,
      destination: destination ?? origin,
      fill: null,
      refundTx: null,
    }
    book.add(deposit)
    if (fate === 'fills' || fate === 'fillsSlowly' || fate === 'fillsShort') schedule.at(fillsAt, () => fill(deposit))
    else if (fate !== 'liesAboutFill') refundLater(deposit)
  }
}
