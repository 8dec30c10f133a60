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

/** The required payment on Solana: a message, and the transfer that it must contain. */
export type SolanaPayment = {
  readonly message: SolanaMessage
  /** The owner of the money, who must sign; others may sign, too. */
  readonly payer: Address
  readonly token: Address
  readonly payTo: Address
  readonly amount: bigint
}

const DIGITS = /^[1-9][0-9]{0,19}$/

/** https://github.com/solana-program/token/blob/main/interface/src/instruction.rs: 12, the amount, the decimals. */
const TRANSFER_CHECKED = { kind: 12, length: 10 } as const

/** The source account and owner of an instruction that makes the required transfer; else null. */
const transferIn = (
  { programId, accounts, data }: SolanaInstruction,
  { token, payTo, amount }: Pick<SolanaPayment, 'token' | 'payTo' | 'amount'>,
): { readonly account: Address; readonly payer: Address } | null => {
  const isToken = programId === TOKEN_PROGRAM || programId === TOKEN_2022_PROGRAM
  if (!isToken || data[0] !== TRANSFER_CHECKED.kind || data.length !== TRANSFER_CHECKED.length) return null
  const [account, mint, destination, payer] = accounts
  const moved = Buffer.from(data).readBigUInt64LE(1)
  const isAsked = mint === token && destination === associatedTokenAddress(payTo, token, programId) && moved === amount
  return isAsked && account && payer ? { account, payer } : null
}

/** Null where a payload is no transaction with a separate instruction for the required transfer. */
export const readSolanaPayment = async (
  payload: PaymentPayload['payload'],
  { asset, payTo: recipient, amount: digits }: PaymentRequirements,
): Promise<SolanaPayment | null> => {
  const { transaction } = payload
  const [token, payTo] = [asset, recipient].map(parseSolanaAddress)
  if (typeof transaction !== 'string' || !token || !payTo || !DIGITS.test(digits)) return null
  const [bytes, decoded] = await Promise.all([solanaMessageOf(transaction), decodeSolanaTransaction(transaction)])
  const asked = { token, payTo, amount: BigInt(digits) }
  const transfer = decoded?.instructions.map((each) => transferIn(each, asked)).find((found) => found !== null)
  if (!bytes || !decoded || !transfer) return null
  const { account, payer } = transfer
  return { message: { bytes, blockhash: decoded.recentBlockhash, account }, payer, ...asked }
}
