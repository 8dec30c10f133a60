import type { Hex } from '../../../core/execution.ts'
import { callData, ERC20, encodedArguments } from '../../kit/callData.ts'
import { exchangeCall } from './exchange.ts'
import { contractOf, EVENT_EMITTER, EVENT_EMITTERS, EXCHANGE, type Network, ZERO_ADDRESS } from './networks.ts'
import type { Price } from './pricing.ts'
import type { SwapQuery } from './swapQuery.ts'

type Action = { readonly target: string; readonly callData: Hex; readonly value: bigint }

/** contracts/handlers/MulticallHandler.sol of across-protocol/contracts. */
const CALL = 'struct Call { address target; bytes callData; uint256 value; }'
const INSTRUCTIONS = [
  CALL,
  'struct Instructions { Call[] calls; address fallbackRecipient; }',
  'function handle(Instructions instructions)',
]
const DRAIN = 'function drainLeftoverTokens(address token, address destination)'
const WITH_BALANCE = [
  'struct Replacement { address token; uint256 offset; }',
  'function makeCallWithBalance(address target, bytes callData, uint256 value, Replacement[] replacement)',
]
const WITHDRAW = 'function withdraw(uint256 wad)'
const EMIT = 'function emitData(bytes data)'

const act = async (target: string, signature: string | readonly string[], args: readonly unknown[]): Promise<Action> => ({
  target,
  callData: await callData(signature, args),
  value: 0n,
})

/** Whether the tokens can go straight to the recipient: shouldBypassMultiCallHandler of api/_dexes/utils.ts. */
export const needsMessage = ({ destination, output, appFee }: SwapQuery, price: Price, isContract: boolean): boolean => {
  if (price.originSwap || price.destinationSwap || (appFee && price.appFee > 0n)) return true
  const isWrapped = output.address === destination.wrapped
  if (!output.isNative && !isWrapped) return false
  if (destination.chainId === 324) return true
  // An account without code gets the native coin, a contract the wrapped one; anything else takes a message.
  return output.isNative ? isContract : !isContract
}

const unwrapAll = async (handler: string, wrapped: string): Promise<Action> => {
  const withdraw = await callData(WITHDRAW, [0n])
  return act(handler, WITH_BALANCE, [wrapped, withdraw, 0n, [{ token: wrapped, offset: 4n }]])
}

const feeAction = async ({ output, appFee }: SwapQuery, contract: string, amount: bigint): Promise<readonly Action[]> => {
  if (!appFee || amount === 0n) return []
  return output.isNative
    ? [{ target: appFee.recipient, callData: '0x', value: amount }]
    : [await act(contract, ERC20.transfer, [appFee.recipient, amount])]
}

const exchangeActions = async (destination: Network, { destinationSwap }: Price): Promise<readonly Action[]> => {
  if (!destinationSwap) return []
  const { from, amountIn } = destinationSwap
  return [
    await act(contractOf(destination, from), ERC20.approve, [EXCHANGE, amountIn]),
    { target: EXCHANGE, callData: await exchangeCall(destination, destinationSwap), value: 0n },
  ]
}

/** The message of an exactInput deposit: buildExactInputBridgeTokenMessage of api/_dexes/utils.ts. */
export const buildMessage = async (query: SwapQuery, price: Price): Promise<Hex> => {
  const { destination, output, recipient, refundOnOrigin, refundAddress, depositor } = query
  const handler = destination.multicallHandler
  const contract = contractOf(destination, output)
  const drain = (token: string) => act(handler, DRAIN, [token, recipient])
  const emitter = EVENT_EMITTERS[destination.chainId] ?? EVENT_EMITTER
  const calls: readonly Action[] = [
    ...(await exchangeActions(destination, price)),
    ...(output.isNative ? [await unwrapAll(handler, contract)] : []),
    ...(await feeAction(query, contract, price.appFee)),
    await drain(output.isNative ? ZERO_ADDRESS : contract),
    await drain(contract),
    ...(price.originSwap ? [await act(emitter, EMIT, [`0x01${'00'.repeat(31)}`])] : []),
  ]
  const fallbackRecipient = refundOnOrigin ? ZERO_ADDRESS : (refundAddress ?? depositor)
  return encodedArguments(INSTRUCTIONS, [{ calls, fallbackRecipient }])
}
