/** An error answer of the Solana JSON-RPC; `data` is what some codes carry beside the message. */
export class SolanaRpcError extends Error {
  override readonly name = 'SolanaRpcError'
  readonly code: number
  readonly data: unknown
  constructor(code: number, message: string, data?: unknown) {
    super(message)
    this.code = code
    this.data = data
  }
}

/** https://github.com/anza-xyz/agave/blob/master/rpc-client-types/src/custom_error.rs, and JSON-RPC's own. */
export const RPC_CODE = {
  invalidRequest: -32_600,
  methodNotFound: -32_601,
  invalidParams: -32_602,
  preflightFailure: -32_002,
  signatureVerification: -32_003,
  contextSlotNotReached: -32_016,
} as const

export const invalidParams = (message: string): SolanaRpcError => new SolanaRpcError(RPC_CODE.invalidParams, message)
