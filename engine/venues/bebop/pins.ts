import type { Chains } from '../../chains/chains.ts'
import { isEvmChainId } from '../../core/chain.ts'
import { contractPins } from '../kit/chainReads.ts'
import type { PinSource } from '../venue.ts'
import { BEBOP_CHAIN_IDS, pinnedSigner } from './published.ts'
import type { BebopSettings } from './settings.ts'
import { ROUTER_SIGNER } from './signers.ts'

/** `balanceManager()`: src/base/JamValidation.sol of bebop-dex/bebop-jam-contracts */
const MANAGER = '0x416e6d5e'

export const createPins = (chains: Pick<Chains, 'call'>, { routerSigner, pinned }: BebopSettings): readonly PinSource[] => {
  const chainIds = BEBOP_CHAIN_IDS.filter(isEvmChainId)
  const signers = chainIds.flatMap((chainId) =>
    pinned(chainId).routers.map((address) => ({ chainId, address, pinned: pinnedSigner(chainId, routerSigner) })),
  )
  const managers = chainIds.flatMap((chainId) =>
    pinned(chainId).jam.map(([address, manager]) => ({ chainId, address, pinned: manager })),
  )
  return [
    ...contractPins(chains, 'routerSigner() of the router', { data: ROUTER_SIGNER, contracts: signers }),
    ...contractPins(chains, 'balanceManager() of the JAM settlement', { data: MANAGER, contracts: managers }),
  ]
}
