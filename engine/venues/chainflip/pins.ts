import { base58 } from '@scure/base'
import { hexOf } from '../../chains/solana/borsh.ts'
import { type Address, parseEvmAddress } from '../../core/address.ts'
import type { ChainId } from '../../core/chain.ts'
import type { Clock } from '../../core/clock.ts'
import { createFreshLists } from '../kit/keptList.ts'
import type { PinSource } from '../venue.ts'
import { rejected } from '../venueError.ts'
import type { ChainflipClient } from './client.ts'
import type { Pinned } from './published.ts'
import { encodedAddress } from './wire.ts'

const EVM_BYTES = 20

const addressesIn = (field: unknown): readonly string[] =>
  Object.values(encodedAddress.read(field)).map((bytes) => {
    const raw = Uint8Array.from(bytes)
    return raw.length === EVM_BYTES ? hexOf(raw) : base58.encode(raw)
  })

const FIELDS: { readonly [chainId in ChainId]?: string } = { 1: 'ethereum', 42161: 'arbitrum', 56: 'bsc' }
const KEPT = { entriesMax: 1, lifetimeMs: 60_000 }

/**
 * Reads which pinned vault of a chain is current, by the State Chain. A chain with one pinned vault needs no read. Null for a
 * chain without a vault contract. Throws VenueError.
 */
export const createVaultReader = (client: Pick<ChainflipClient, 'vaultAddresses'>, { vaults }: Pinned, clock: Clock) => {
  const listed = createFreshLists<Awaited<ReturnType<typeof client.vaultAddresses>>>(KEPT, clock)
  return async (chainId: ChainId, signal: AbortSignal): Promise<Address | null> => {
    const [published = null, ...added] = vaults(chainId)
    const field = added.length === 0 ? null : (await listed('', client.vaultAddresses, signal))[FIELDS[chainId] ?? '']
    if (field === undefined || field === null) return published
    const named = addressesIn(field)
    const current = vaults(chainId).find((vault) => named.some((one) => parseEvmAddress(one) === vault))
    if (current === undefined) throw rejected('vault', 'chainflip: the State Chain names a vault that is not pinned', named)
    return current
  }
}

/** The vaults by a node of the State Chain. A field that its runtime lacks is not compared. */
export const createPins = (
  client: Pick<ChainflipClient, 'vaultAddresses'>,
  { vaults, programs, solanaVaults }: Pinned,
): readonly PinSource[] => [
  {
    name: 'cf_get_vault_addresses of the State Chain',
    claims: async (signal) => {
      const listed = await client.vaultAddresses(signal)
      const claims = [
        ...([1, 42161, 56] as const).map((id) => ({
          what: `vault on chain ${id}`,
          pinned: vaults(id),
          field: listed[FIELDS[id] ?? ''],
        })),
        { what: 'vault program of Solana', pinned: programs, field: listed['sol_vault_program'] },
        { what: 'vault of SOL', pinned: solanaVaults, field: listed['solana_sol_vault'] },
      ]
      return claims.flatMap(({ what, pinned, field }) => {
        // During a rotation a chain's vault has no address.
        return field === undefined || field === null ? [] : [{ what, pinned, published: addressesIn(field) }]
      })
    },
  },
]
