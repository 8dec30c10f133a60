import type { Hex } from '../../../core/execution.ts'
import { callData } from '../../kit/callData.ts'
import type { World } from '../../kit/world.ts'
import { contractOf, EXCHANGE, type Network } from './networks.ts'
import type { Leg } from './pricing.ts'

/** Stands for whoever calls the exchange. */
const CALLER = '0x0000000000000000000000000000000000000001'
const FEE_PPM = 500

/** contracts/interfaces/IV3SwapRouter.sol of Uniswap/swap-router-contracts. */
const EXACT_INPUT_SINGLE = [
  'struct ExactInputSingleParams { address tokenIn; address tokenOut; uint24 fee; address recipient; uint256 amountIn; uint256 amountOutMinimum; uint160 sqrtPriceLimitX96; }',
  'function exactInputSingle(ExactInputSingleParams params) payable returns (uint256 amountOut)',
]

/** What the exchange is told to do for one leg: it pays back whoever calls it. */
export const exchangeCall = (network: Network, { from, to, amountIn, minimum }: Leg): Promise<Hex> => {
  const [tokenIn, tokenOut] = [contractOf(network, from), contractOf(network, to)]
  const sums = { amountIn, amountOutMinimum: minimum, sqrtPriceLimitX96: 0n }
  const params = { tokenIn, tokenOut, fee: FEE_PPM, recipient: CALLER, ...sums }
  return callData(EXACT_INPUT_SINGLE, [params])
}

/** Sees to it that the exchange holds what it will have to pay for one leg. */
export const stockExchange = ({ evm }: Pick<World, 'evm'>, network: Network, { to, minimum }: Leg): Promise<void> =>
  evm.fund({ chainId: network.chainId, token: contractOf(network, to), holder: EXCHANGE, amount: minimum })
