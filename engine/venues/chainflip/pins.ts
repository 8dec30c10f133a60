import { base58 } from '@scure/base'
import { hexOf } from '../../chains/solana/borsh.ts'
import type { PinSource } from '../venue.ts'
import type { ChainflipClient } from './client.ts'
import type { Pinned } from './published.ts'
import { encodedAddress } from './wire.ts'

const EVM_BYTES = 20

const addressesIn = (field: unknown): readonly string[] =>
  Object.values(encodedAddress.read(field)).map((bytes) => {
    const raw = Uint8Array.from(bytes)
    return raw.length === EVM_BYTES ? hexOf(raw) : base58.encode(raw)
  })

/** The vaults that a node of the State Chain names. A field that its runtime does not have is not compared. */
export const createPins = (
  client: Pick<ChainflipClient, 'vaultAddresses'>,
  { vaults, programs, solanaVaults }: Pinned,
): readonly PinSource[] => [
  {
    name: 'cf_get_vault_addresses of the State Chain',
    claims: async (signal) => {
      const listed = await client.vaultAddresses(signal)
      const claims = [
        { what: 'vault on chain 1', pinned: vaults(1), field: listed['ethereum'] },
        { what: 'vault on chain 42161', pinned: vaults(42161), field: listed['arbitrum'] },
        { what: 'vault on chain 56', pinned: vaults(56), field: listed['bsc'] },
        { what: 'vault program of Solana', pinned: programs, field: listed['sol_vault_program'] },
        { what: 'vault of SOL', pinned: solanaVaults, field: listed['solana_sol_vault'] },
      ]
      return claims.flatMap(({ what, pinned, field }) => {
        // A vault of a chain that is rotating has no address for a while.
        return field === undefined || field === null ? [] : [{ what, pinned, published: addressesIn(field) }]
      })
    },
  },
]
