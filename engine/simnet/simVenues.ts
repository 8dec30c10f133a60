import { acrossContracts } from './contracts/acrossContracts.ts'
import { bebopContracts } from './contracts/bebopContracts.ts'
import { chainflipContracts } from './contracts/chainflipContracts.ts'
import { cowContracts } from './contracts/cowContracts.ts'
import { kyberContracts } from './contracts/kyberContracts.ts'
import { relayContracts } from './contracts/relayContracts.ts'
import { uniswapxContracts } from './contracts/uniswapxContracts.ts'
import { zeroxContracts } from './contracts/zeroxContracts.ts'
import type { ContractsOf } from './evm/evmGenesis.ts'
import type { SimVenue } from './kit/simVenue.ts'
import type { World } from './kit/world.ts'
import { createAcross } from './venues/across/across.ts'
import { createBebop } from './venues/bebop/bebop.ts'
import { createChainflip } from './venues/chainflip/chainflip.ts'
import { createCow } from './venues/cow/cow.ts'
import { createJupiter } from './venues/jupiter/jupiter.ts'
import { createKyberswap } from './venues/kyberswap/kyberswap.ts'
import { createNearIntents } from './venues/near-intents/nearIntents.ts'
import { createRelay } from './venues/relay/relay.ts'
import { createUniswapX } from './venues/uniswapx/uniswapx.ts'
import { createZerox } from './venues/zerox/zerox.ts'

export type SimVenueDefinition = {
  readonly id: string
  create(world: World): SimVenue
  /** What the venue has on an EVM chain from its first block on, each at its published address. */
  readonly contracts?: ContractsOf
}

/** Every simulated venue there is. */
export const SIM_VENUES: readonly SimVenueDefinition[] = [
  { id: 'across', create: createAcross, contracts: acrossContracts },
  { id: 'bebop', create: createBebop, contracts: bebopContracts },
  { id: 'chainflip', create: createChainflip, contracts: chainflipContracts },
  { id: 'cow', create: createCow, contracts: cowContracts },
  { id: 'kyberswap', create: createKyberswap, contracts: kyberContracts },
  { id: 'jupiter', create: createJupiter },
  { id: 'near-intents', create: createNearIntents },
  { id: 'relay', create: createRelay, contracts: relayContracts },
  { id: 'zerox', create: createZerox, contracts: zeroxContracts },
  { id: 'uniswapx', create: createUniswapX, contracts: uniswapxContracts },
]
