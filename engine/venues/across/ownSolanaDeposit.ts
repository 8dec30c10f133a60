import { bytesToHex } from '@noble/hashes/utils.js'
import { decodeSolanaTransaction } from '../../chains/solana/solanaCodec.ts'
import type { Address } from '../../core/address.ts'
import type { Hex } from '../../core/execution.ts'
import type { OwnDeposit } from './ownDeposit.ts'
import { SVM_SPOKE } from './published.ts'

/** `deposit` of programs/svm-spoke. */
const DEPOSIT = 'f223c68952e1f2b6'
const FIXED_BYTES = 232

/** A deposit on Solana: what it says, and the very instruction. */
export type OwnSolanaDeposit = {
  readonly terms: OwnDeposit
  readonly data: Uint8Array
  readonly accounts: readonly (Address | null)[]
}

export const hexOf = (bytes: Uint8Array): Hex => `0x${bytesToHex(bytes)}`

/** The deposit that a transaction on Solana makes, when it is one that was handed out; null for any other. */
export const readOwnSolanaDeposit = async (base64: string): Promise<OwnSolanaDeposit | null> => {
  const transaction = await decodeSolanaTransaction(base64)
  const deposit = transaction?.instructions.find(
    ({ programId, data }) => programId === SVM_SPOKE && hexOf(data.slice(0, 8)) === `0x${DEPOSIT}` && data.length === FIXED_BYTES,
  )
  if (deposit === undefined) return null
  const { data, accounts } = deposit
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength)
  const word = (at: number): Hex => hexOf(data.slice(at, at + 32))
  const terms = {
    depositor: word(8),
    recipient: word(40),
    inputToken: word(72),
    outputToken: word(104),
    inputAmount: view.getBigUint64(136, true),
    outputAmount: BigInt(word(144)),
    destinationChainId: view.getBigUint64(176, true),
    exclusiveRelayer: word(184),
    quoteTimestamp: view.getUint32(216, true),
    fillDeadline: view.getUint32(220, true),
    exclusivityParameter: view.getUint32(224, true),
    message: '0x',
    swap: null,
    isPaidInCoins: false,
  } as const
  return { terms, data, accounts }
}
