import { type Abi, decodeFunctionData, encodeFunctionData, type Hex, parseAbi } from 'viem'
import abi from './abi.json' with { type: 'json' }

/** The ABI of LI.FI's contracts, decoded by viem. */
export const CALLS: Abi = parseAbi(abi.calls)
export const FEES: Abi = parseAbi(abi.fees)
export const EVENTS: Abi = parseAbi(abi.events)

export type Step = {
  readonly callTo: Hex
  readonly approveTo: Hex
  readonly sendingAssetId: Hex
  readonly receivingAssetId: Hex
  readonly fromAmount: bigint
  readonly callData: Hex
  readonly requiresDeposit: boolean
}
type Words = { readonly [name: string]: unknown }
export type Bridge = Words & {
  readonly transactionId: Hex
  readonly sendingAssetId: Hex
  readonly receiver: Hex
  readonly minAmount: bigint
  readonly destinationChainId: bigint
}

/** A call, by the names of its arguments. */
export type Call = { readonly name: string; readonly args: { readonly [name: string]: unknown } }

const namesOf = (name: string): readonly string[] =>
  CALLS.flatMap((item) => (item.type === 'function' && item.name === name ? item.inputs.map((input) => input.name ?? '') : []))

export const readCall = (data: string): Call => {
  const { functionName: name, args = [] } = decodeFunctionData({ abi: CALLS, data: data as Hex })
  return { name, args: Object.fromEntries(namesOf(name).map((argument, at) => [argument, args[at]])) }
}

export const writeCall = ({ name, args }: Call): Hex =>
  encodeFunctionData({ abi: CALLS, functionName: name, args: namesOf(name).map((argument) => args[argument]) })

export const stepsIn = ({ args }: Call): readonly Step[] => args['swapData'] as readonly Step[]
export const bridgeIn = ({ args }: Call): Bridge => args['bridgeData'] as Bridge
export const dataIn = ({ args }: Call): Words => args['data'] as Words
