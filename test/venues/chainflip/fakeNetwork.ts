import { decodeFunctionData, encodeAbiParameters, type Hex, pad, parseAbi, toEventSelector } from 'viem'
import type { SimLog, SimTransaction } from '../../../engine/simnet/kit/simVenue.ts'
import { createFakeNetwork, type FakeNetwork } from '../../support/venueKit/network.ts'

/** IVault.sol of chainflip-eth-contracts 1.4.1. */
export const VAULT_ABI = parseAbi([
  'function xSwapNative(uint32 dstChain, bytes dstAddress, uint32 dstToken, bytes cfParameters)',
  'function xSwapToken(uint32 dstChain, bytes dstAddress, uint32 dstToken, address srcToken, uint256 amount, bytes cfParameters)',
])

const WORDS = ['uint32', 'bytes', 'uint32', 'address', 'uint256', 'bytes'] as const
const parametersOf = (types: readonly string[]) => types.map((type) => ({ type }))

/** The event the vault leaves of a call. The contract itself is on the offline chains: e2e/journeys and e2e/own. */
export const logOfCall = ({ to, data, value, from }: Omit<SimTransaction, 'txHash'>): SimLog => {
  const { functionName, args } = decodeFunctionData({ abi: VAULT_ABI, data: data as Hex })
  const isCoins = functionName === 'xSwapNative'
  const types = isCoins ? WORDS.filter((type) => type !== 'address') : WORDS
  const values = isCoins ? [args[0], args[1], args[2], value, args[3]] : args
  const event = isCoins
    ? 'SwapNative(uint32,bytes,uint32,uint256,address,bytes)'
    : 'SwapToken(uint32,bytes,uint32,address,uint256,address,bytes)'
  return {
    address: to,
    topics: [toEventSelector(event), pad(from.toLowerCase() as Hex)],
    data: encodeAbiParameters(parametersOf(types), values as never),
  }
}

export const createChainflipNetwork = (): FakeNetwork =>
  createFakeNetwork({
    evm: { fund: async () => undefined },
    landOnEvm: (call) => ({ ...call, logs: [logOfCall(call)], status: 'success' }),
  })
