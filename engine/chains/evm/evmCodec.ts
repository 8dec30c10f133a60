import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import type { Abi } from 'viem'
import { type Address, addressOf } from '../../core/address.ts'
import type { Hex, TypedData } from '../../core/execution.ts'

/**
 * EVM encoding and hashing. viem is slow to import and only needed once something is built or proved, so it is loaded
 * on first use.
 */
const viem = () => import('viem')

/** keccak256 of the UTF-8 bytes of a text. */
export const keccakText = (text: string): Hex => `0x${bytesToHex(keccak_256(utf8ToBytes(text)))}`

/** keccak256 of bytes. */
export const keccakHex = (bytes: Hex): Hex => `0x${bytesToHex(keccak_256(hexToBytes(bytes.slice(2))))}`

/** Calldata of one function call. `abi` must hold exactly that function. */
export const encodeCall = async (abi: Abi, functionName: string, args: readonly unknown[]): Promise<Hex> =>
  (await viem()).encodeFunctionData({ abi, functionName, args })

/** Name and arguments of a call; null when `abi` lacks the selector or the data does not decode. */
export const decodeCall = async (abi: Abi, data: Hex): Promise<{ functionName: string; args: readonly unknown[] } | null> => {
  const { decodeFunctionData } = await viem()
  try {
    const { functionName, args } = decodeFunctionData({ abi, data })
    return { functionName, args: (args ?? []) as readonly unknown[] }
  } catch {
    return null
  }
}

type AbiParameters = readonly { readonly type: string; readonly name?: string; readonly components?: AbiParameters }[]

export const encodeParameters = async (parameters: AbiParameters, values: readonly unknown[]): Promise<Hex> =>
  (await viem()).encodeAbiParameters(parameters, values)

/** Null when the data does not decode. */
export const decodeParameters = async (parameters: AbiParameters, data: Hex): Promise<readonly unknown[] | null> => {
  const { decodeAbiParameters } = await viem()
  try {
    return decodeAbiParameters(parameters, data) as readonly unknown[]
  } catch {
    return null
  }
}

type ViemTypedData = Parameters<typeof import('viem').hashTypedData>[0]

/** viem requires its own generic types, and no domain type: this is the only conversion. */
const forViem = ({ domain, types, primaryType, message }: TypedData): ViemTypedData => {
  const { EIP712Domain: _domainType, ...structs } = types
  return { domain, types: structs, primaryType, message } as unknown as ViemTypedData
}

/** The EIP-712 digest a wallet signs. */
export const hashTypedData = async (typedData: TypedData): Promise<Hex> => (await viem()).hashTypedData(forViem(typedData))

/** The EIP-712 hash of one struct, without any domain. */
export const hashStruct = async (
  types: TypedData['types'],
  primaryType: string,
  data: { readonly [field: string]: unknown },
): Promise<Hex> => {
  const viemHash = (await viem()).hashStruct
  return viemHash({ types, primaryType, data } as Parameters<typeof viemHash>[0])
}

/** The address whose key made an ECDSA signature over typed data; null for an invalid signature. */
export const recoverTypedData = async (typedData: TypedData, signature: Hex): Promise<Address | null> => {
  if (signature.length !== 132) return null
  const { recoverTypedDataAddress } = await viem()
  try {
    const recovered = await recoverTypedDataAddress({ ...forViem(typedData), signature } as Parameters<
      typeof recoverTypedDataAddress
    >[0])
    return addressOf('evm', recovered)
  } catch {
    return null
  }
}

/** The address whose key signed 32 bytes as a personal message (EIP-191); null for an invalid signature. */
export const recoverPersonal = async (raw: Hex, signature: Hex): Promise<Address | null> => {
  if (signature.length !== 132) return null
  const { recoverMessageAddress } = await viem()
  try {
    return addressOf('evm', await recoverMessageAddress({ message: { raw }, signature }))
  } catch {
    return null
  }
}
