import type { Chains } from '../../chains/chains.ts'
import { encodeCall } from '../../chains/evm/evmCodec.ts'
import { callWithTime } from '../../chains/evm/timedCall.ts'
import type { Address } from '../../core/address.ts'
import type { Hex } from '../../core/execution.ts'
import type { ExecutedSwap } from '../../core/swap.ts'
import type { UnfilledReader } from '../venue.ts'
import { type OwnOrder, ownOrder } from './ownOrder.ts'
import { FILLED_AMOUNT, ORDERS } from './protocol.ts'
import type { CowBook, CowFamilies } from './published.ts'

/** Zero in every word. */
const NOTHING = /^0x(?:0{64}){1,2}$/

/** Reads until when, epoch ms, the chain shows that an order is unsold; null without such proof. */
export type UnsoldReader = (swap: ExecutedSwap, signal: AbortSignal) => Promise<number | null>

const createNothingReader =
  (chains: Pick<Chains, 'call'>) =>
  async ({ chainId }: CowBook, address: Address, data: Hex, signal: AbortSignal): Promise<number | null> => {
    const found = await callWithTime(chains, { chainId, address }, data, signal)
    return found && NOTHING.test(found.answer) ? found.at : null
  }

/**
 * An order is unsold while the settlement counts nothing. Its owner may invalidate it on chain before or after a fill
 * (`invalidateOrder`). The count is then the greatest number, which hides earlier fills and so proves nothing. EthFlow orders
 * cannot be invalidated there. https://docs.cow.fi/cow-protocol/reference/contracts/core/settlement
 */
export const createUnsoldReader = (chains: Pick<Chains, 'call'>, families: CowFamilies): UnsoldReader => {
  const readNothing = createNothingReader(chains)
  return async (swap, signal) => {
    const own = await ownOrder(families, swap)
    if (own === null) return null
    return readNothing(own.book, own.book.settlement, await encodeCall(FILLED_AMOUNT, 'filledAmount', [own.uid]), signal)
  }
}

/** The contracts accept no order after its end: an order without a record by then was never filled. */
export const createUnfilledReader = (chains: Pick<Chains, 'call'>, families: CowFamilies): UnfilledReader => {
  const readUnsold = createUnsoldReader(chains, families)
  const readNothing = createNothingReader(chains)
  const readUnplaced = async ({ uid, book }: OwnOrder, signal: AbortSignal): Promise<number | null> =>
    readNothing(book, book.ethFlow, await encodeCall(ORDERS, 'orders', [uid.slice(0, 66)]), signal)
  return {
    isUnfilled: async (swap, signal) => {
      const own = await ownOrder(families, swap)
      if (own === null) return false
      const until = await (own.isPlaced ? readUnplaced(own, signal) : readUnsold(swap, signal))
      return until !== null && until > own.validTo * 1_000
    },
  }
}
