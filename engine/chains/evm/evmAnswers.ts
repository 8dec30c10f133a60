import { type Address, parseEvmAddress } from '../../core/address.ts'
import type { EvmChainId } from '../../core/chain.ts'
import type { Hex } from '../../core/execution.ts'
import { ChainError } from '../chains.ts'
import { CallReverted, type JsonRpc, type RpcAnswer, type RpcOptions } from '../endpoints/jsonRpc.ts'

const QUANTITY = /^0x[0-9a-f]{1,64}$/i
const WORD = /^0x[0-9a-f]{64}$/i
const DATA = /^0x([0-9a-f]{2})*$/i

/** The parsed answer of a node to one method. Every reading throws ChainError for an unexpected value. */
export interface EvmAnswer {
  readonly malformed: () => ChainError
  quantity(value: unknown): bigint
  /** A quantity that counts blocks, seconds or logs. */
  count(value: unknown): number
  /** 32 bytes, in lower case. */
  word(value: unknown): Hex
  data(value: unknown): Hex
  address(value: unknown): Address
  list(value: unknown): readonly { readonly [field: string]: unknown }[]
  fields(value: unknown): { readonly [field: string]: unknown }
}

const isFields = (value: unknown): value is { readonly [field: string]: unknown } =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const evmAnswer = (chainId: EvmChainId, method: string): EvmAnswer => {
  const malformed = () => new ChainError('unreachable', chainId, `chain ${chainId}: ${method} was answered with something else`)
  const text = (value: unknown, pattern: RegExp): Hex => {
    if (typeof value !== 'string' || !pattern.test(value)) throw malformed()
    return value.toLowerCase() as Hex
  }
  const quantity = (value: unknown): bigint => BigInt(text(value, QUANTITY))
  const fields = (value: unknown) => {
    if (!isFields(value)) throw malformed()
    return value
  }
  return {
    malformed,
    quantity,
    fields,
    count: (value) => {
      const number = Number(quantity(value))
      if (!Number.isSafeInteger(number)) throw malformed()
      return number
    },
    word: (value) => text(value, WORD),
    data: (value) => text(value, DATA),
    address: (value) => {
      // In lower case first: nodes spell checksums as they like, and a node's spelling proves nothing.
      const address = typeof value === 'string' ? parseEvmAddress(value.toLowerCase()) : null
      if (address === null) throw malformed()
      return address
    },
    list: (value) => {
      if (!Array.isArray(value)) throw malformed()
      return value.map(fields)
    },
  }
}

export const toQuantity = (value: number): Hex => `0x${value.toString(16)}`

/** Reads of one EVM chain that run no contract. */
export interface EvmNode {
  readonly chainId: EvmChainId
  call(method: string, params: readonly unknown[], signal: AbortSignal, options?: RpcOptions): Promise<unknown>
  ask(method: string, params: readonly unknown[], signal: AbortSignal, options?: RpcOptions): Promise<RpcAnswer>
}

export const createEvmNode = (chainId: EvmChainId, rpc: JsonRpc): EvmNode => {
  const ask: EvmNode['ask'] = (method, ...question) =>
    rpc.ask(method, ...question).catch((error: unknown) => {
      // Only calls of contracts revert: elsewhere a revert is a node's error.
      throw error instanceof CallReverted ? evmAnswer(chainId, method).malformed() : error
    })
  return { chainId, ask, call: async (...question) => (await ask(...question)).result }
}
