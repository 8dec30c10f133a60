import type { FacilitatorEvmSigner } from '@x402/evm'
import type { Abi, AbiFunction } from 'abitype'
import { decodeParameters, encodeCall, recoverTypedData } from '../../chains/evm/evmCodec.ts'
import type { Hex, TypedData } from '../../core/execution.ts'
import type { SimEvm } from '../kit/world.ts'

/** Who sends the payments that are settled here, and pays their gas. */
export const FACILITATOR_ADDRESS = '0x9bFb24f87aF959e3Da848d8E2A8245Abb8040089'

type Call = { readonly abi: readonly unknown[]; readonly functionName: string; readonly args?: readonly unknown[] }

const encode = ({ abi, functionName, args = [] }: Call): Promise<Hex> => encodeCall(abi as Abi, functionName, args)

/** What a call gave: the one value where the function returns one, else all of them. */
const decode = async ({ abi, functionName, args = [] }: Call, data: string): Promise<unknown> => {
  const item = (abi as Abi).find(
    (entry): entry is AbiFunction =>
      entry.type === 'function' && entry.name === functionName && entry.inputs.length === args.length,
  )
  const values = item && (await decodeParameters(item.outputs as Parameters<typeof decodeParameters>[0], data as Hex))
  if (!values) throw new Error(`${functionName} returned what it does not declare`)
  return values.length === 1 ? values[0] : values
}

/**
 * What a facilitator needs of one chain. The chain lends its account the gas of every transaction, so it never runs out;
 * a transaction is in its block when its hash is known.
 */
export const createEvmSigner = (evm: SimEvm, chainId: number): FacilitatorEvmSigner => {
  const send = async (to: string, data: string): Promise<Hex> =>
    (await evm.send({ chainId, from: FACILITATOR_ADDRESS, to, data })).txHash as Hex
  return {
    getAddresses: () => [FACILITATOR_ADDRESS],
    readContract: async ({ address, ...call }) =>
      decode(call, await evm.call({ chainId, from: FACILITATOR_ADDRESS, to: address, data: await encode(call) })),
    verifyTypedData: async ({ address, signature, ...typedData }) =>
      (await recoverTypedData(typedData as TypedData, signature))?.toLowerCase() === address.toLowerCase(),
    writeContract: async ({ address, dataSuffix = '0x', ...call }) =>
      send(address, `${await encode(call)}${dataSuffix.slice(2)}`),
    sendTransaction: ({ to, data }) => send(to, data),
    waitForTransactionReceipt: async ({ hash }) => {
      const receipt = await evm.receipt(chainId, hash)
      if (!receipt) throw new Error(`no receipt of ${hash}`)
      return { status: receipt.status, logs: receipt.logs as never }
    },
    getCode: async ({ address }) => (await evm.rpc(chainId, 'eth_getCode', [address, 'latest'])) as Hex,
  }
}
