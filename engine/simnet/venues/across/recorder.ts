import { type Fate, fateByFault, fills, refunds, takeSettlementFault } from '../../kit/fate.ts'
import { createFulfilment, untouched } from '../../kit/fulfilment.ts'
import type { SimToken } from '../../kit/tokens.ts'
import type { World } from '../../kit/world.ts'
import type { Book, Deposit } from './book.ts'
import { wordOf } from './buildDeposit.ts'
import { contractOf, type Network, networkByWireId } from './networks.ts'
import { isSlow } from './pricing.ts'
import type { SeenDeposit } from './readDeposit.ts'
import { createRelayer } from './relayer.ts'

const FILL_MS = 12_000
const SLOW_FILL_MS = 90 * 60_000
/** Refunds go out in batches, after a challenge window. */
const REFUND_AFTER_MS = 90 * 60_000

/** Notes a deposit that a chain took, and sees to what becomes of it. */
export type RecordDeposit = (seen: SeenDeposit, origin: Network, txHash: string) => void

/** A deposit that nobody fills goes back, for no reason that the venue tells. */
const refundOf = ({ fillDeadline }: SeenDeposit, reason: string | null): Fate => ({
  ...refunds(fillDeadline * 1_000 + REFUND_AFTER_MS, ''),
  reason,
})

export const createRecorder = (world: World, venue: string, book: Book): RecordDeposit => {
  const { clock, tokens, market, faults } = world
  const relayer = createRelayer(world)
  let nextId = 1

  const tokenOfWord = (network: Network, word: string): SimToken | null =>
    tokens.all.find((token) => token.chainId === network.chainId && wordOf(network, contractOf(network, token)) === word) ?? null

  /** No relayer fills at a loss, and none can deliver a token it does not know. */
  const isWorthFilling = (seen: SeenDeposit, input: SimToken | null): boolean => {
    // The contract takes any destination; a deposit to nowhere just expires.
    const destination = networkByWireId(seen.destinationWireId)
    const output = destination && tokenOfWord(destination, seen.outputToken)
    return input !== null && output !== null && market.convert(input, seen.inputAmount, output) >= seen.outputAmount
  }

  const decide = (deposit: Deposit): Fate => {
    const { fillsAt, outputAmount, inputAmount, origin } = deposit
    const refund = refundOf(deposit, null)
    const fault = takeSettlementFault(faults, venue)
    if (fault === 'fails') return refundOf(deposit, 'deposit-failed')
    const fill = fills(fillsAt, outputAmount, inputAmount)
    if (fault) return { ...fateByFault(fault, { fill, minimum: outputAmount, refundAt: refund.at, reason: '' }), reason: null }
    if (faults.take(venue, 'unknown-status')) return refundOf(deposit, 'reorged')
    return isWorthFilling(deposit, tokenOfWord(origin, deposit.inputToken)) ? fill : refund
  }

  const fulfilment = createFulfilment<Deposit>(world, {
    decide,
    instead: (deposit) => refundOf(deposit, null),
    deliver: async (deposit, amount) => {
      const { txHash, actionsSucceeded } = await relayer.fill(deposit, amount)
      deposit.actionsSucceeded = actionsSucceeded
      return txHash
    },
    giveBack: relayer.refund,
    vanished: (deposit) => {
      book.strike(deposit)
      deposit.end = { ...refundOf(deposit, null), keeps: null, txHash: null }
    },
  })

  return (seen, origin, txHash) => {
    const madeAt = clock.now()
    const input = tokenOfWord(origin, seen.inputToken)
    const slow = input !== null && isWorthFilling(seen, input) && isSlow(market, input, seen.inputAmount)
    const deposit: Deposit = {
      ...seen,
      ...untouched(),
      id: nextId++,
      txHash,
      origin,
      destination: networkByWireId(seen.destinationWireId) ?? origin,
      madeAt,
      fillsAt: madeAt + (slow ? SLOW_FILL_MS : FILL_MS),
      isSlow: slow,
      actionsSucceeded: null,
      input: origin,
      amountNeeded: seen.inputAmount,
      refundCost: 0n,
      openUntil: madeAt,
      settleMs: 0,
    }
    book.add(deposit)
    fulfilment.pay(deposit, { txHash, amount: seen.inputAmount })
  }
}
