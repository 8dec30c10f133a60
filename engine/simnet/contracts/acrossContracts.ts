import type { GenesisAccount } from '../evm/anvilNode.ts'
import { EXCHANGE, isSvm, NETWORKS } from '../venues/across/networks.ts'
import { type Artifacts, slot } from './artifacts.ts'

/** Where the periphery's own swap executor lies here; the real one's address is not published. */
const SWAP_PROXY = '0x7d374318596Dc03aFA4583FaBE6ec1732d701869'

const HUB_POOL = '0xc186fA914353c44b2E33eBE05f21846F1048bEda'

/**
 * Across's own contracts at the published addresses of one chain: a SpokePool that takes deposits and fills, the periphery
 * and the handler of messages; and an exchange for what it does not bridge as it is.
 */
export const acrossContracts = async (chainId: number, { accountOf }: Artifacts): Promise<readonly GenesisAccount[]> => {
  const network = NETWORKS.find((candidate) => candidate.chainId === chainId && !isSvm(candidate))
  if (!network?.wrapped) return []
  const pools = Object.assign({}, ...NETWORKS.map((each) => (isSvm(each) ? {} : slot(BigInt(each.wireId), each.spokePool))))
  const hubPool = accountOf(HUB_POOL, 'SimHubPool', {}, pools)
  return Promise.all([
    ...(chainId === 1 ? [hubPool] : []),
    accountOf(network.spokePool, 'SpokePool', { wrappedNative: network.wrapped }),
    accountOf(network.periphery, 'SpokePoolPeriphery', { swapProxy: SWAP_PROXY }),
    accountOf(SWAP_PROXY, 'SwapProxy'),
    accountOf(network.multicallHandler, 'MulticallHandler'),
    accountOf(network.eventEmitter, 'AcrossEventEmitter'),
    accountOf(EXCHANGE, 'SimSwapRouter'),
  ])
}
