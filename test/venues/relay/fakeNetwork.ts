import { concat, decodeFunctionData, getAddress, type Hex, pad, parseAbi, toEventHash, toHex } from 'viem'
import type { SimLog, SimTransaction } from '../../../engine/simnet/kit/simVenue.ts'
import { createFakeNetwork, type FakeNetwork } from '../../support/venueKit/network.ts'

const DEPOSITS = parseAbi([
  'function depositNative(address depositor, bytes32 id)',
  'function depositErc20(address depositor, address token, uint256 amount, bytes32 id)',
])

/** The events RelayDepository.sol leaves of deposits. */
export const TOKENS_DEPOSITED = 'event RelayErc20Deposit(address from, address token, uint256 amount, bytes32 id)'
export const COINS_DEPOSITED = 'event RelayNativeDeposit(address from, uint256 amount, bytes32 id)'

export const depositLog = (contract: string, event: string, words: readonly Hex[]): SimLog => ({
  address: getAddress(contract),
  topics: [toEventHash(event)],
  data: concat(words.map((word) => pad(word))).toLowerCase(),
})

/** The event of a call. The contract itself is on the offline chains: e2e/journeys and e2e/own. */
const logOfCall = ({ to, data, value }: SimTransaction): SimLog => {
  const { functionName, args } = decodeFunctionData({ abi: DEPOSITS, data: data as Hex })
  if (functionName === 'depositNative') return depositLog(to, COINS_DEPOSITED, [args[0], toHex(value), args[1]])
  const [depositor, token, amount, id] = args
  return depositLog(to, TOKENS_DEPOSITED, [depositor, token, toHex(amount), id])
}

export const createRelayNetwork = (): FakeNetwork =>
  createFakeNetwork({ landOnEvm: (call) => ({ ...call, logs: [logOfCall(call)], status: 'success' }) })
