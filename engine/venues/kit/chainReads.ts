import type { Abi } from 'abitype'
import { ChainError, type Chains } from '../../chains/chains.ts'
import { decodeParameters, encodeCall } from '../../chains/evm/evmCodec.ts'
import { isDelegated } from '../../chains/evm/signerCode.ts'
import { type Address, parseEvmAddress, ZERO_EVM_ADDRESS } from '../../core/address.ts'
import type { Hex } from '../../core/execution.ts'
import type { PinSource } from '../venue.ts'
import { rejected, VenueError } from '../venueError.ts'

/** A read of the chain that building or decoding requires. Throws VenueError. */
export const fromChain = async <T>(read: Promise<T>): Promise<T> => {
  try {
    return await read
  } catch (error) {
    if (!(error instanceof ChainError)) throw error
    throw new VenueError(error.failure === 'timeout' ? 'timeout' : 'unavailable', error.message, { cause: error })
  }
}

/** Rejects a configured contract without code or with delegated code (EIP-7702). Found code is cached. Throws VenueError. */
export const codeDemand = (chains: Pick<Chains, 'code'>, check: string, setting: string) => {
  const found = new Set<string>()
  return async (contract: Parameters<Chains['code']>[0], signal: AbortSignal): Promise<void> => {
    const { chainId, address } = contract
    if (found.has(`${chainId} ${address}`)) return
    const code = await fromChain(chains.code(contract, signal))
    if (code === '0x' || isDelegated(code))
      throw rejected(check, `${setting} names a contract that chain ${chainId} does not have`, address)
    found.add(`${chainId} ${address}`)
  }
}

/** Reads one lookup table of Solana. Throws VenueError, also when there is no table at the address. */
export const tableReader =
  ({ chains, signal }: { readonly chains: Pick<Chains, 'lookupTable'>; readonly signal: AbortSignal }) =>
  async (address: Address): Promise<readonly Address[]> => {
    const table = await fromChain(chains.lookupTable(address, signal))
    if (table === null) throw rejected('lookupTable', `a lookup table at ${address} cannot be read`)
    return table
  }

/** The values that the one view of `abi` returns, as text, without zeros. Empty without this view. Throws ChainError. */
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

/** The address that a contract returns; null where it reverts, is missing, or returns the zero address. Throws ChainError. */
export const addressAt = async (
  chains: Pick<Chains, 'call'>,
  contract: Parameters<Chains['call']>[0],
  data: Hex,
  signal: AbortSignal,
): Promise<Address | null> => {
  const [, digits = ''] = /^0x0{24}([0-9a-f]{40})$/i.exec((await chains.call(contract, data, signal)) ?? '') ?? []
  const found = parseEvmAddress(`0x${digits.toLowerCase()}`)
  return found === ZERO_EVM_ADDRESS ? null : found
}

type Pinned = Parameters<Chains['call']>[0] & { readonly pinned: Address | null }

/** The same read of contracts on several chains, each a source of its own. Chains without pins are left out. */
export const contractPins = (
  chains: Pick<Chains, 'call'>,
  what: string,
  { data, contracts }: { readonly data: Hex; readonly contracts: readonly Pinned[] },
): readonly PinSource[] =>
  contracts.flatMap(({ pinned, ...contract }) => {
    const claims: PinSource['claims'] = async (signal) => {
      const found = await addressAt(chains, contract, data, signal)
      return [{ what: `${what} on chain ${contract.chainId}`, pinned: [pinned ?? ''], published: found === null ? [] : [found] }]
    }
    return pinned === null
      ? []
      : [{ name: `${contract.address} on chain ${contract.chainId}`, chainId: contract.chainId, claims }]
  })
