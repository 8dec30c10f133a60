import { encodeCall, encodeParameters } from '../../../chains/evm/evmCodec.ts'
import type { Hex } from '../../../core/execution.ts'
import { exchangeCall } from './exchange.ts'
import { contractOf, EVENT_EMITTER, EVENT_EMITTERS, EXCHANGE, type Network, ZERO_ADDRESS } from './networks.ts'
import type { Price } from './pricing.ts'
import type { SwapQuery } from './swapQuery.ts'

type Abi = Parameters<typeof encodeCall>[0]
type Action = { readonly target: string; readonly callData: Hex; readonly value: bigint }

const call = (
  name: string,
  inputs: readonly { type: string; name: string; components?: readonly { type: string; name: string }[] }[],
): Abi => [{ type: 'function', name, stateMutability: 'nonpayable', inputs, outputs: [] }]
const address = (name: string) => ({ type: 'address', name })
const uint = (name: string) => ({ type: 'uint256', name })
const bytes = (name: string) => ({ type: 'bytes', name })

const DRAIN = call('drainLeftoverTokens', [address('token'), address('destination')])
const WITH_BALANCE = call('makeCallWithBalance', [
  ...[address('target'), bytes('callData'), uint('value')],
  { type: 'tuple[]', name: 'replacement', components: [address('token'), uint('offset')] },
])
const WITHDRAW = call('withdraw', [uint('wad')])
const TRANSFER = call('transfer', [address('to'), uint('value')])
const APPROVE = call('approve', [address('spender'), uint('value')])
const EMIT = call('emitData', [bytes('data')])
const INSTRUCTIONS = [
  {
    type: 'tuple',
    name: 'instructions',
    components: [
      { type: 'tuple[]', name: 'calls', components: [address('target'), bytes('callData'), uint('value')] },
      address('fallbackRecipient'),
    ],
  },
]

const act = async (target: string, abi: Abi, name: string, args: readonly unknown[]): Promise<Action> => ({
  target,
  callData: await encodeCall(abi, name, args),
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
  const withdraw = await encodeCall(WITHDRAW, 'withdraw', [0n])
  return act(handler, WITH_BALANCE, 'makeCallWithBalance', [wrapped, withdraw, 0n, [{ token: wrapped, offset: 4n }]])
}

const feeAction = async ({ output, appFee }: SwapQuery, contract: string, amount: bigint): Promise<readonly Action[]> => {
  if (!appFee || amount === 0n) return []
  return output.isNative
    ? [{ target: appFee.recipient, callData: '0x', value: amount }]
    : [await act(contract, TRANSFER, 'transfer', [appFee.recipient, amount])]
}

const exchangeActions = async (destination: Network, { destinationSwap }: Price): Promise<readonly Action[]> => {
  if (!destinationSwap) return []
  const { from, amountIn } = destinationSwap
  return [
    await act(contractOf(destination, from), APPROVE, 'approve', [EXCHANGE, amountIn]),
    { target: EXCHANGE, callData: await exchangeCall(destination, destinationSwap), value: 0n },
  ]
}

/** The message of an exactInput deposit: buildExactInputBridgeTokenMessage of api/_dexes/utils.ts. */
export const buildMessage = async (query: SwapQuery, price: Price): Promise<Hex> => {
  const { destination, output, recipient, refundOnOrigin, refundAddress, depositor } = query
  const handler = destination.multicallHandler
  const contract = contractOf(destination, output)
  const drain = (token: string) => act(handler, DRAIN, 'drainLeftoverTokens', [token, recipient])
  const emitter = EVENT_EMITTERS[destination.chainId] ?? EVENT_EMITTER
  const calls: readonly Action[] = [
    ...(await exchangeActions(destination, price)),
    ...(output.isNative ? [await unwrapAll(handler, contract)] : []),
    ...(await feeAction(query, contract, price.appFee)),
    await drain(output.isNative ? ZERO_ADDRESS : contract),
    await drain(contract),
    ...(price.originSwap ? [await act(emitter, EMIT, 'emitData', [`0x01${'00'.repeat(31)}`])] : []),
  ]
  const fallbackRecipient = refundOnOrigin ? ZERO_ADDRESS : (refundAddress ?? depositor)
  return encodeParameters(INSTRUCTIONS, [{ calls, fallbackRecipient }])
}
