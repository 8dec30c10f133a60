import { decodeFunctionData, type Hex, parseAbi } from 'viem'
import type { SimLog, SimTransaction } from '../../../engine/simnet/kit/simVenue.ts'
import { eventLog } from '../../support/seenEvm.ts'
import { createFakeNetwork, type FakeNetwork } from '../../support/venueKit/network.ts'

/** RelayDepository.sol, RelayRouterV3.sol and ERC-20. The contracts themselves are on the offline chains: e2e/journeys. */
export const ABI = parseAbi([
  'function depositErc20(address depositor, address token, uint256 amount, bytes32 id)',
  'function depositErc20(address depositor, address token, bytes32 id)',
  'function depositNative(address depositor, bytes32 id)',
  'function transfer(address to, uint256 amount)',
  'event RelayNativeDeposit(address from, uint256 amount, bytes32 id)',
  'event RelayErc20Deposit(address from, address token, uint256 amount, bytes32 id)',
  'event SolverNativeTransfer(address to, uint256 amount)',
  'event Transfer(address indexed from, address indexed to, uint256 value)',
])

const logOfCall = ({ to, data, value }: SimTransaction): SimLog => {
  const { args } = decodeFunctionData({ abi: ABI, data: data as Hex })
  const [from, token, amount] = args
  const isOfCoins = args.length === 2
  const fields = { from, token, amount: isOfCoins ? value : amount, id: args.at(-1) }
  return eventLog(ABI, isOfCoins ? 'RelayNativeDeposit' : 'RelayErc20Deposit', to, fields)
}

export const createRelayNetwork = (): FakeNetwork =>
  createFakeNetwork({ landOnEvm: (call) => ({ ...call, logs: [logOfCall(call)], status: 'success' }) })
