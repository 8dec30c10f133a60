import { decodeCall, encodeCall } from '../../chains/evm/evmCodec.ts'
import type { Hex } from '../../core/execution.ts'

type Abi = Parameters<typeof encodeCall>[0]

const func = (name: string, inputs: string): Abi => [
  {
    type: 'function',
    name,
    stateMutability: 'payable',
    inputs: inputs.split(', ').map((input) => {
      const [type = '', label = ''] = input.split(' ')
      return { type, name: label }
    }),
    outputs: [],
  },
]

/**
 * RelayDepository.sol. Its other `depositErc20`, without an amount, takes all that is allowed, and is refused.
 * Source: packages/ethereum-vm of relayprotocol/relay-depository.
 */
export const DEPOSIT_ERC20 = func('depositErc20', 'address depositor, address token, uint256 amount, bytes32 id')
export const DEPOSIT_NATIVE = func('depositNative', 'address depositor, bytes32 id')

export const APPROVE = func('approve', 'address spender, uint256 amount')

/** Arguments of a call with nothing after them; null when it is another call, or not in canonical form. */
export const readExactCall = async (abi: Abi, data: Hex): Promise<readonly unknown[] | null> => {
  const call = await decodeCall(abi, data)
  if (!call) return null
  // Encoded again and compared, so that no byte is left that a contract would read differently from us.
  return data === (await encodeCall(abi, call.functionName, call.args)) ? call.args : null
}
