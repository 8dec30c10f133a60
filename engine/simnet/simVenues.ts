import { acrossContracts } from './contracts/acrossContracts.ts'
import { bebopContracts } from './contracts/bebopContracts.ts'
import { chainflipContracts } from './contracts/chainflipContracts.ts'
import { cowContracts } from './contracts/cowContracts.ts'
import { debridgeContracts } from './contracts/debridgeContracts.ts'
import { kyberContracts } from './contracts/kyberContracts.ts'
import { lifiContracts } from './contracts/lifiContracts.ts'
import { mayanContracts } from './contracts/mayanContracts.ts'
import { relayContracts } from './contracts/relayContracts.ts'
import { thorchainContracts } from './contracts/thorchainContracts.ts'
import { uniswapxContracts } from './contracts/uniswapxContracts.ts'
import { zeroxContracts } from './contracts/zeroxContracts.ts'
import type { ContractsOf } from './evm/evmNodes.ts'
import type { SimVenue } from './kit/simVenue.ts'
import type { World } from './kit/world.ts'
import { createAcross } from './venues/across/across.ts'
import { createBebop } from './venues/bebop/bebop.ts'
import { createChainflip } from './venues/chainflip/chainflip.ts'
import { createCow } from './venues/cow/cow.ts'
import { createDebridge } from './venues/debridge/debridge.ts'
import { createJupiter } from './venues/jupiter/jupiter.ts'
import { createKyberswap } from './venues/kyberswap/kyberswap.ts'
import { createLifi } from './venues/lifi/lifi.ts'
import { createMayan } from './venues/mayan/mayan.ts'
import { createNearIntents } from './venues/near-intents/nearIntents.ts'
import { createRelay } from './venues/relay/relay.ts'
import { createThorchain } from './venues/thorchain/thorchain.ts'
import { createUniswapX } from './venues/uniswapx/uniswapx.ts'
import { createZerox } from './venues/zerox/zerox.ts'

export type SimVenueDefinition = {
  readonly id: string
  create(world: World): SimVenue
  /** What the venue has on an EVM chain from its first block on, each at its published address. */
  readonly contracts?: ContractsOf
  /** The simulators of others whose contracts its routes go by: they run wherever it does. */
  readonly alongside?: readonly string[]
}

/** Every simulated venue there is. */
export const SIM_VENUES: readonly SimVenueDefinition[] = [
  { id: 'across', create: createAcross, contracts: acrossContracts },
  { id: 'bebop', create: createBebop, contracts: bebopContracts },
  { id: 'chainflip', create: createChainflip, contracts: chainflipContracts },
  { id: 'cow', create: createCow, contracts: cowContracts },
  { id: 'debridge', create: createDebridge, contracts: debridgeContracts },
  { id: 'kyberswap', create: createKyberswap, contracts: kyberContracts },
  { id: 'jupiter', create: createJupiter },
  { id: 'lifi', create: createLifi, contracts: lifiContracts, alongside: ['across'] },
  { id: 'mayan', create: createMayan, contracts: mayanContracts },
  { id: 'near-intents', create: createNearIntents },
  { id: 'relay', create: createRelay, contracts: relayContracts },
  { id: 'thorchain', create: createThorchain, contracts: thorchainContracts },
  { id: 'zerox', create: createZerox, contracts: zeroxContracts },
  { id: 'uniswapx', create: createUniswapX, contracts: uniswapxContracts },
]
