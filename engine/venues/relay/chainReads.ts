import { ChainError, type Chains } from '../../chains/chains.ts'
import type { SolanaLookupTables } from '../../chains/solana/solanaCodec.ts'
import type { Address } from '../../core/address.ts'
import { VenueError } from '../venueError.ts'

/** A read of the chain that nothing can be built or read without. Throws VenueError. */
export const fromChain = async <T>(read: Promise<T>): Promise<T> => {
  try {
    return await read
  } catch (error) {
    if (!(error instanceof ChainError)) throw error
    throw new VenueError(error.failure === 'timeout' ? 'timeout' : 'unavailable', error.message, { cause: error })
  }
}

/** The tables by address. Throws VenueError, also when one of them is none. */
export const readLookupTables = async (
  { lookupTable }: Pick<Chains, 'lookupTable'>,
  addresses: readonly Address[],
  signal: AbortSignal,
): Promise<SolanaLookupTables> => {
  const read = async (address: Address) => {
    const table = await fromChain(lookupTable(address, signal))
    if (table === null) throw new VenueError('badResponse', `relay: no lookup table at ${address}`)
    return [address, table] as const
  }
  return new Map(await Promise.all(addresses.map(read)))
}
