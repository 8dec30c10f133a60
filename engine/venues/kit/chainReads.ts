import { ChainError, type Chains } from '../../chains/chains.ts'
import type { Address } from '../../core/address.ts'
import { rejected, VenueError } from '../venueError.ts'

/** A read of the chain that nothing can be built or read without. Throws VenueError. */
export const fromChain = async <T>(read: Promise<T>): Promise<T> => {
  try {
    return await read
  } catch (error) {
    if (!(error instanceof ChainError)) throw error
    throw new VenueError(error.failure === 'timeout' ? 'timeout' : 'unavailable', error.message, { cause: error })
  }
}

/** Reads one lookup table of Solana. Throws VenueError, also when it is none. */
export const tableReader =
  ({ chains, signal }: { readonly chains: Pick<Chains, 'lookupTable'>; readonly signal: AbortSignal }) =>
  async (address: Address): Promise<readonly Address[]> => {
    const table = await fromChain(chains.lookupTable(address, signal))
    if (table === null) throw rejected('lookupTable', `a lookup table at ${address} cannot be read`)
    return table
  }
