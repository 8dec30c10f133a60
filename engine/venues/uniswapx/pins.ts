import type { Chains } from '../../chains/chains.ts'
import { PERMIT2 } from '../../chains/evm/permit2.ts'
import { claimAt, claimsOfChains } from '../kit/chainReads.ts'
import type { PinSource } from '../venue.ts'
import { ORDER_CHAIN_IDS, type Reactors } from './published.ts'

/** `permit2()`: src/reactors/BaseReactor.sol of Uniswap/UniswapX */
const PERMIT2_OF = '0x12261ee7'

/** No contract or list of the API publishes reactors: a reactor is compared by the Permit2 that it takes input through. */
export const createPins = (chains: Pick<Chains, 'call'>, reactorsOn: Reactors): readonly PinSource[] => [
  {
    name: 'permit2() of the reactors',
    claims: (signal) =>
      claimsOfChains(
        ORDER_CHAIN_IDS.flatMap((chainId) =>
          reactorsOn(chainId).map((address) => {
            const pin = { what: `Permit2 of the reactor ${address} on chain ${chainId}`, pinned: [PERMIT2] }
            return claimAt(chains, { ...pin, chainId, address, data: PERMIT2_OF }, signal)
          }),
        ),
      ),
  },
]
