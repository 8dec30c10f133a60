import type { Abi } from 'abitype'
import { ChainError, type Chains } from '../../chains/chains.ts'
import { decodeParameters, encodeCall } from '../../chains/evm/evmCodec.ts'
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

/** The values that the one view of `abi` returns, as text, without zeros. None where the contract has no such view. Throws ChainError. */
export const readView = async (
  chains: Pick<Chains, 'call'>,
  contract: Parameters<Chains['call']>[0],
  { abi, args = [] }: { readonly abi: Abi; readonly args?: readonly unknown[] },
  signal: AbortSignal,
): Promise<readonly string[]> => {
  const [view] = abi.filter((item) => item.type === 'function')
  if (!view) return []
  const answer = await chains.call(contract, await encodeCall(abi, view.name, args), signal)
  const values = answer === null ? [] : ((await decodeParameters(view.outputs as never, answer)) ?? [])
  return values.map(String).filter((value) => !/^0x0*$/.test(value))
}
