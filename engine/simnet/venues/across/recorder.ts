import { base58 } from '@scure/base'
import type { World } from '../../world.ts'
import { type Book, type Deposit, type Fate, takeFate } from './book.ts'
import { wordOf } from './buildDeposit.ts'
import { contractOf, isSvm, type Network, networkByWireId } from './networks.ts'
import { isSlow } from './pricing.ts'
import type { SeenDeposit } from './readDeposit.ts'

const FILL_MS = 12_000
const SLOW_FILL_MS = 90 * 60_000
const FIRST_ID = 5_120_001

/** Puts deposits that a chain took into the book, with the fate they will have. */
export const createRecorder = ({ clock, random, tokens, market, faults }: World, venue: string, book: Book) => {
  let nextId = FIRST_ID

  const hashOn = (network: Network): string => (isSvm(network) ? base58.encode(random.bytes(64)) : `0x${random.hex(64)}`)

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

  return (seen: SeenDeposit, origin: Network, txHash: string): void => {
    const destination = networkByWireId(seen.destinationWireId)
    // The contract takes any destination; a deposit to nowhere just expires.
    const fate = destination ? fateOf(seen, origin, destination) : 'neverFills'
    const madeAt = clock.now()
    const deposit: Deposit = {
      ...seen,
      id: nextId++,
      ...{ txHash, origin, madeAt, fate },
      destination: destination ?? origin,
      fillsAt: madeAt + (fate === 'fillsSlowly' ? SLOW_FILL_MS : FILL_MS),
      fillTx: hashOn(destination ?? origin),
      refundTx: hashOn(origin),
    }
    book.add(deposit)
  }
}
