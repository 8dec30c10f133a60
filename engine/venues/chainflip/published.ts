import type { Address } from '../../core/address.ts'
import type { ChainId } from '../../core/chain.ts'
import { addressesByChainSetting, addressesOn, solanaAddressesIn, solanaAddressesSetting } from '../kit/settings.ts'
import type { VenueConfig } from '../venue.ts'
import { SOLANA_VAULT, SOLANA_VAULT_PROGRAM, wireChainOf } from './protocol.ts'

export const PUBLIC_BASE_URL = 'https://chainflip-swap.chainflip.io'

/** A node of the State Chain without API keys. Source: constants of @chainflip/rpc 2.2.2. */
export const PUBLIC_RPC_URL = 'https://rpc.mainnet.chainflip.io'

/** Symbols that a token's contract spells differently from Chainflip. */
export const CONTRACT_SYMBOLS: { readonly [symbol: string]: string } = { CBBTC: 'cbBTC' }

export const SETTINGS = {
  vaults: addressesByChainSetting('VAULTS', 'vaults beside those published', (id) => wireChainOf(id)?.vault != null),
  programs: solanaAddressesSetting('SOLANA_VAULT_PROGRAMS', 'vault programs beside the published one'),
  solanaVaults: solanaAddressesSetting('SOLANA_VAULTS', 'accounts that pay SOL out beside the published one'),
}

/** The pinned values, with the operator's last. */
export type Pinned = {
  /** Empty on chains without a vault contract. */
  readonly vaults: (chainId: ChainId) => readonly Address[]
  readonly programs: readonly Address[]
  readonly solanaVaults: readonly Address[]
}

export const pinnedBy = (config: Pick<VenueConfig, 'settings'>): Pinned => {
  const allowed = addressesOn(config, SETTINGS.vaults)
  return {
    vaults: (chainId) => {
      const vault = wireChainOf(chainId)?.vault ?? null
      return vault === null ? [] : [vault, ...allowed(chainId)]
    },
    programs: [SOLANA_VAULT_PROGRAM, ...solanaAddressesIn(config, SETTINGS.programs)],
    solanaVaults: [SOLANA_VAULT, ...solanaAddressesIn(config, SETTINGS.solanaVaults)],
  }
}
