import type { Address } from '../core/address.ts'
import type { Asset, Token } from '../core/asset.ts'
import type { ChainId, EvmChainId } from '../core/chain.ts'
import type { Hex } from '../core/execution.ts'

/**
 * Why a chain could not answer. `notAToken`: it answered, and there is no token at that address. `disputed`: it answered, and
 * other sources contradict the answer.
 */
export type ChainFailure = 'unreachable' | 'timeout' | 'notAToken' | 'disputed'

export class ChainError extends Error {
  override readonly name = 'ChainError'
  readonly failure: ChainFailure
  readonly chainId: ChainId
  constructor(failure: ChainFailure, chainId: ChainId, message: string, cause?: unknown) {
    super(message, cause === undefined ? {} : { cause })
    this.failure = failure
    this.chainId = chainId
  }
}

/** The base of a Solana transaction: it can land until the chain has passed that block height, about a minute. */
export type SolanaBlockhash = { readonly blockhash: string; readonly lastValidBlockHeight: number }

/** A Solana account: its owner program, and the data that the program stores in it. */
export type SolanaAccount = { readonly owner: Address; readonly data: Uint8Array }

/** Reads of the chains themselves. Every call throws ChainError only and honours its signal. */
export interface Chains {
  /** Metadata as its sources report it, see the token book; native coins need none. Throws `notAToken` and `disputed`, too. */
  token(asset: Asset, signal: AbortSignal): Promise<Token>
  /** True while the chain's answer that there is no token is fresh. */
  isKnownMissing(asset: Asset): boolean
  /** ERC-20 allowance, smallest units. */
  allowance(query: { asset: Asset; owner: Address; spender: Address }, signal: AbortSignal): Promise<bigint>
  /** True when the token refuses to move from a non-zero allowance to another without going through zero. */
  refusesReapproval(
    query: { asset: Asset; owner: Address; spender: Address; amount: bigint },
    signal: AbortSignal,
  ): Promise<boolean>
  /**
   * The current price of one unit of work, in smallest units of the native coin. EVM: wei per gas. Solana: lamports per
   * signature. Bitcoin: satoshi per virtual byte, rounded up.
   */
  feePrice(chainId: ChainId, signal: AbortSignal): Promise<bigint>
  /** EIP-1271: whether the contract at `signer` accepts this signature for this digest. False when there is no contract. */
  isValidContractSignature(
    query: { chainId: EvmChainId; signer: Address; digest: Hex; signature: Hex },
    signal: AbortSignal,
  ): Promise<boolean>
  /** The code at an address of an EVM chain; `0x` without code. Never cached: an account may get code at any time. */
  code(query: { chainId: EvmChainId; address: Address }, signal: AbortSignal): Promise<Hex>
  /**
   * The result of a contract call on an EVM chain now; null when the call reverts, `0x` where there is no contract. Never cached.
   * `from`: the sender, where the contract checks it; the zero address when left out.
   */
  call(
    contract: { readonly chainId: EvmChainId; readonly address: Address; readonly from?: Address },
    data: Hex,
    signal: AbortSignal,
  ): Promise<Hex | null>
  /** The latest confirmed blockhash of Solana. Never cached. */
  latestBlockhash(signal: AbortSignal): Promise<SolanaBlockhash>
  /** The addresses of a Solana lookup table, in order; null when the address has no usable table. */
  lookupTable(address: Address, signal: AbortSignal): Promise<readonly Address[] | null>
  /** The current state of a Solana account; null without an account. Never cached. */
  solanaAccount(address: Address, signal: AbortSignal): Promise<SolanaAccount | null>
  /** The compute units that an unsigned Solana transaction, base64, uses when it runs now; null when it fails. Never cached. */
  computeUnits(base64: string, signal: AbortSignal): Promise<number | null>
  close(): Promise<void>
}
