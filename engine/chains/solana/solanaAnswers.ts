import { base58 } from '@scure/base'
import { type Address, parseSolanaAddress } from '../../core/address.ts'
import { SOLANA } from '../../core/chain.ts'
import { ChainError } from '../chains.ts'
import { CallReverted, type JsonRpc, type RpcAnswer, type RpcOptions } from '../endpoints/jsonRpc.ts'

export type Fields = { readonly [field: string]: unknown }

/** The parsed answer of a Solana node to one method. Every reading throws ChainError for an unexpected value. */
export interface SolanaAnswer {
  readonly malformed: () => ChainError
  fields(value: unknown): Fields
  list(value: unknown): readonly unknown[]
  /** A whole number that is not negative. */
  whole(value: unknown): number
  address(value: unknown): Address
  bytes(value: unknown): Uint8Array
}

export const solanaAnswer = (method: string): SolanaAnswer => {
  const malformed = () => new ChainError('unreachable', SOLANA, `Solana: ${method} was answered with something else`)
  return {
    malformed,
    fields: (value) => {
      if (typeof value !== 'object' || value === null || Array.isArray(value)) throw malformed()
      return value as Fields
    },
    list: (value) => {
      if (!Array.isArray(value)) throw malformed()
      return value as readonly unknown[]
    },
    whole: (value) => {
      if (!Number.isSafeInteger(value) || (value as number) < 0) throw malformed()
      return value as number
    },
    address: (value) => {
      const address = typeof value === 'string' ? parseSolanaAddress(value) : null
      if (address === null) throw malformed()
      return address
    },
    bytes: (value) => {
      if (typeof value !== 'string') throw malformed()
      try {
        return base58.decode(value)
      } catch {
        throw malformed()
      }
    },
  }
}

type Rest = readonly [params: readonly unknown[], signal: AbortSignal, options?: RpcOptions]

/** A read, and which endpoint answered it. No Solana method reverts: that word is a node's confusion. */
export const askSolanaNode = (rpc: JsonRpc, method: string, ...rest: Rest): Promise<RpcAnswer> =>
  rpc.ask(method, ...rest).catch((error: unknown) => {
    throw error instanceof CallReverted ? solanaAnswer(method).malformed() : error
  })

export const askSolana = async (rpc: JsonRpc, method: string, ...rest: Rest): Promise<unknown> =>
  (await askSolanaNode(rpc, method, ...rest)).result
