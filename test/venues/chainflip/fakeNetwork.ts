import { decodeFunctionData, type Hex } from 'viem'
import type { SimLog, SimTransaction } from '../../../engine/simnet/kit/simVenue.ts'
import { SWAP_NATIVE, SWAP_TOKEN, X_SWAP_NATIVE, X_SWAP_TOKEN } from '../../../engine/venues/chainflip/protocol.ts'
import { eventLog } from '../../support/seenEvm.ts'
import { createFakeNetwork, type FakeNetwork } from '../../support/venueKit/network.ts'

export const VAULT_ABI = [...X_SWAP_NATIVE, ...X_SWAP_TOKEN, ...SWAP_NATIVE, ...SWAP_TOKEN] as const

/** The arguments of a vault call by their names. */
export const wordsOf = (data: Hex) => {
  const { functionName, args } = decodeFunctionData({ abi: VAULT_ABI, data })
  const inputs: readonly { readonly name: string }[] = VAULT_ABI.find(({ name }) => name === functionName)?.inputs ?? []
  return { functionName, words: Object.fromEntries(inputs.map(({ name }, at) => [name, args[at]])) }
}

/** The event the vault leaves of a call. The contract itself is on the offline chains: e2e/journeys and e2e/own. */
export const logOfCall = ({ to, data, value, from }: Omit<SimTransaction, 'txHash'>): SimLog => {
  const { functionName, words } = wordsOf(data as Hex)
  const event = functionName === 'xSwapNative' ? 'SwapNative' : 'SwapToken'
  return eventLog(VAULT_ABI, event, to, { amount: value, sender: from, ...words })
}

export const createChainflipNetwork = (): FakeNetwork =>
  createFakeNetwork({
    evm: { fund: async () => undefined },
    landOnEvm: (call) => ({ ...call, logs: [logOfCall(call)], status: 'success' }),
  })
