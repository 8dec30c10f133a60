import { AnvilRpcError } from './anvilNode.ts'

/** A contract, or the chain, did not take a call. */
export class EvmRevert extends Error {
  override readonly name = 'EvmRevert'
  /** What the contract returned, in hex; null when it was the chain that refused. */
  readonly data: string | null
  constructor(reason: string, data: string | null, cause?: unknown) {
    super(reason, { cause })
    this.data = data
  }
}

/** The node's refusal as what it means; anything else as it is. */
export const asRevert = (error: unknown): unknown =>
  error instanceof AnvilRpcError ? new EvmRevert(error.reason, error.data, error) : error
