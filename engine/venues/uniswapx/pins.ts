import type { Chains } from '../../chains/chains.ts'
import { PERMIT2 } from '../../chains/evm/permit2.ts'
import { contractPins } from '../kit/chainReads.ts'
import type { PinSource } from '../venue.ts'
import { ORDER_CHAIN_IDS, type Reactors } from './published.ts'

/** Only the SDK publishes reactors: each is compared by its `permit2()`, src/reactors/BaseReactor.sol of Uniswap/UniswapX. */
export const createPins = (chains: Pick<Chains, 'call'>, reactorsOn: Reactors): readonly PinSource[] => {
  const contracts = ORDER_CHAIN_IDS.flatMap((chainId) =>
    reactorsOn(chainId).map((address) => ({ chainId, address, pinned: PERMIT2 })),
  )
  return contractPins(chains, 'permit2() of a reactor', { data: '0x12261ee7', contracts })
}
