import type { PaymentPayload, PaymentRequirements } from '@x402/core/types'
import {
  associatedTokenAddress,
  decodeSolanaTransaction,
  type SolanaInstruction,
  solanaMessageOf,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
} from '../chains/solana/solanaCodec.ts'
import type { SolanaMessage } from '../chains/solana/solanaMessages.ts'
import { type Address, parseSolanaAddress } from '../core/address.ts'

/** What is to be paid by a payment on Solana: a message that moves it, and what it must move. */
export type SolanaPayment = {
  readonly message: SolanaMessage
  readonly token: Address
  readonly payTo: Address
  readonly amount: bigint
}

const DIGITS = /^[1-9][0-9]{0,19}$/

/** https://github.com/solana-program/token/blob/main/interface/src/instruction.rs: 12, the amount, the decimals. */
const TRANSFER_CHECKED = { kind: 12, length: 10 } as const

/** The account that an instruction pays out of, where it pays what is asked to whom it must; else null. */
const sourceOf = (
  { programId, accounts, data }: SolanaInstruction,
  { token, payTo, amount }: Omit<SolanaPayment, 'message'>,
): Address | null => {
  const isToken = programId === TOKEN_PROGRAM || programId === TOKEN_2022_PROGRAM
  if (!isToken || data[0] !== TRANSFER_CHECKED.kind || data.length !== TRANSFER_CHECKED.length) return null
  const [source, mint, destination] = accounts
  const moved = Buffer.from(data).readBigUInt64LE(1)
  const isAsked = mint === token && destination === associatedTokenAddress(payTo, token, programId) && moved === amount
  return isAsked ? (source ?? null) : null
}

/** Null where a payload is no transaction that pays what is required, by an instruction of its own. */
export const readSolanaPayment = async (
  { payload }: PaymentPayload,
  { asset, payTo: recipient, amount: digits }: PaymentRequirements,
): Promise<SolanaPayment | null> => {
  const { transaction } = payload
  const [token, payTo] = [asset, recipient].map(parseSolanaAddress)
  if (typeof transaction !== 'string' || !token || !payTo || !DIGITS.test(digits)) return null
  const [bytes, decoded] = await Promise.all([solanaMessageOf(transaction), decodeSolanaTransaction(transaction)])
  const asked = { token, payTo, amount: BigInt(digits) }
  const account = decoded?.instructions.map((each) => sourceOf(each, asked)).find((source) => source !== null)
  if (!bytes || !decoded || !account) return null
  return { message: { bytes, blockhash: decoded.recentBlockhash, account }, ...asked }
}
