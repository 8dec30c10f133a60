import type { Asset } from '../../core/asset.ts'
import { BITCOIN, isEvmChainId } from '../../core/chain.ts'
import type { Clock } from '../../core/clock.ts'
import { createKeptList, type KeptList } from '../kit/keptList.ts'
import type { BitcoinReach } from '../venue.ts'
import { rejected, VenueError } from '../venueError.ts'
import type { Pair } from './map.ts'
import { WIRE_ASSETS, type WireAsset, wireChainOf } from './protocol.ts'
import { type ListedAsset, listedAsset } from './wire.ts'

/** The enabled assets and ways, by the venue's own list. */
export type Network = {
  /** Whether an asset is swapped by a vault call, or by a deposit. Throws VenueError where both are disabled. */
  isVaultSwap(pair: Pair): boolean
  /** Throws VenueError where this way is disabled for the pair. */
  demandWay(pair: Pair, isVaultSwap: boolean): void
  /** The assets that native bitcoin can be swapped for. */
  reach(): readonly Asset[]
}

const isNamed = (row: unknown, name: string): boolean => (row as { readonly asset?: unknown } | null)?.asset === name

const takesDeposits = (row: ListedAsset | null): boolean =>
  row?.depositChannelCreationEnabled === true && row.depositChannelDepositsEnabled

/** Reads rows of our own assets only: the other rows have no effect on them. */
export const readNetwork = (rows: readonly unknown[]): Network => {
  const rowOf = ({ name }: WireAsset): ListedAsset | null => {
    const row = rows.find((each) => isNamed(each, name))
    return row === undefined ? null : listedAsset.read(row)
  }
  const hasVault = ({ asset: { chainId } }: WireAsset): boolean => isEvmChainId(chainId) && wireChainOf(chainId)?.vault != null
  const ways = ({ input, output }: Pair) => {
    const [from, to] = [rowOf(input), rowOf(output)]
    if (from === null || to === null)
      throw rejected('listedAsset', 'chainflip does not list an asset', (from === null ? input : output).name)
    return {
      vaultSwap: to.egressEnabled && hasVault(input) && from.vaultSwapDepositsEnabled,
      deposit: to.egressEnabled && takesDeposits(from),
    }
  }
  const switchedOff = () => new VenueError('noLiquidity', 'chainflip has switched the pair off for now')
  return {
    isVaultSwap: (pair) => {
      const { vaultSwap, deposit } = ways(pair)
      if (!vaultSwap && !deposit) throw switchedOff()
      return vaultSwap
    },
    demandWay: (pair, isVaultSwap) => {
      if (!ways(pair)[isVaultSwap ? 'vaultSwap' : 'deposit']) throw switchedOff()
    },
    reach: () => {
      const bitcoin = WIRE_ASSETS.find(({ asset }) => asset.chainId === BITCOIN)
      if (!bitcoin || !takesDeposits(rowOf(bitcoin))) return []
      return WIRE_ASSETS.flatMap((each) => (each !== bitcoin && rowOf(each)?.egressEnabled === true ? [each.asset] : []))
    },
  }
}

/** Switches change within minutes. Execute uses the list of its own time. */
const FRESH_MS = 60_000

export const createNetworkList = (load: (signal: AbortSignal) => Promise<readonly unknown[]>, clock: Clock): KeptList<Network> =>
  createKeptList({ clock, freshMs: FRESH_MS, load: async (signal) => readNetwork(await load(signal)) })

export const createBitcoinReach = (network: KeptList<Network>): BitcoinReach => ({
  tokens: async (chainId, signal) =>
    (await network.read(signal)).reach().flatMap(({ chainId: on, address }) => (on === chainId ? [address] : [])),
})
