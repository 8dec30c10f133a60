import { createHash } from 'node:crypto'
import { ed25519 } from '@noble/curves/ed25519.js'
import { base58 } from '@scure/base'
import { encodeSolanaTransaction, type SolanaInstructionPlan } from '../../chains/solana/solanaCodec.ts'
import type { SimToken } from '../kit/tokens.ts'
import { mintTokens, openTokenAccount, payLamports, payTokens } from './solanaInstructions.ts'
import { decodeSolanaWire } from './solanaWire.ts'

/** The wallet of the offline network that mints its tokens and pays for the venues. Its key comes from the seed. */
export interface SolanaTreasury {
  readonly address: string
  /** A transaction of the treasury alone, signed. */
  signed(instructions: readonly SolanaInstructionPlan[], blockhash: string): Promise<Buffer>
  /** Pays SOL to an address. */
  payNative(to: string, lamports: bigint): readonly SolanaInstructionPlan[]
  /** Pays a token to a wallet, in its associated account; `by`: what makes the payment in the place of a plain one. */
  payToken(token: SimToken, to: string, amount: bigint, by?: SolanaInstructionPlan): readonly SolanaInstructionPlan[]
  /** Mints a token for a wallet, likewise. */
  mint(token: SimToken, to: string, amount: bigint): readonly SolanaInstructionPlan[]
}

export const createSolanaTreasury = (seed: string): SolanaTreasury => {
  const secret = new Uint8Array(createHash('sha256').update(`${seed}:solana:treasury`).digest())
  const address = base58.encode(ed25519.getPublicKey(secret))
  return {
    address,
    signed: async (instructions, recentBlockhash) => {
      const wire = Buffer.from(await encodeSolanaTransaction({ feePayer: address, recentBlockhash, instructions }), 'base64')
      wire.set(ed25519.sign(decodeSolanaWire(wire).messageBytes, secret), 1)
      return wire
    },
    payNative: (to, amount) => [payLamports({ from: address, to, amount })],
    payToken: (token, to, amount, by = payTokens(token, { from: address, to, amount })) => [
      openTokenAccount(token, to, address),
      by,
    ],
    mint: (token, to, amount) => [openTokenAccount(token, to, address), mintTokens(token, { from: address, to, amount })],
  }
}
