import { decodeFunctionData, type Hex, parseAbi } from 'viem'
import type { SimLog, SimTransaction } from '../../../engine/simnet/kit/simVenue.ts'
import { createFakeNetwork, type FakeNetwork } from '../../support/venueKit/network.ts'
import { erc20DepositLog, nativeDepositLog } from './forging.ts'

const DEPOSITS = parseAbi([
  'function depositNative(address depositor, bytes32 id)',
  'function depositErc20(address depositor, address token, uint256 amount, bytes32 id)',
])

/** The event RelayDepository.sol leaves of a call. The contract itself is on the offline chains: e2e/journeys and e2e/own. */
const depositLog = ({ to, data, value }: SimTransaction): SimLog => {
  const { args } = decodeFunctionData({ abi: DEPOSITS, data: data as Hex })
  return args.length === 2 ? nativeDepositLog(to, [args[0], value, args[1]]) : erc20DepositLog(to, args)
}

export const createRelayNetwork = (): FakeNetwork =>
  createFakeNetwork({ landOnEvm: (call) => ({ ...call, logs: [depositLog(call)], status: 'success' }) })
