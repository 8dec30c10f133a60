import { createHash } from 'node:crypto'
import { ed25519 } from '@noble/curves/ed25519.js'
import { base58 } from '@scure/base'
import { encodeSolanaTransaction, type SolanaInstructionPlan } from '../../chains/solanaCodec.ts'
import type { SimToken } from '../tokens.ts'
import { ASSOCIATED_TOKEN_PROGRAM, associatedTokenAddress, SYSTEM_PROGRAM, TOKEN_PROGRAMS } from './solanaAccounts.ts'
import { decodeSolanaWire } from './solanaWire.ts'

/** The wallet of the offline network that mints its tokens and pays for the venues. Its key comes from the seed. */
export interface SolanaTreasury {
  readonly address: string
  /** A transaction of the treasury alone, signed. */
  signed(instructions: readonly SolanaInstructionPlan[], blockhash: string): Promise<Buffer>
  /** Pays SOL to an address. */
  payNative(to: string, lamports: bigint): readonly SolanaInstructionPlan[]
  /** Pays a token to a wallet, in its associated account. */
  payToken(token: SimToken, to: string, amount: bigint): readonly SolanaInstructionPlan[]
  /** Mints a token for a wallet, likewise. */
  mint(token: SimToken, to: string, amount: bigint): readonly SolanaInstructionPlan[]
}

const readonly = (address: string) => ({ address })
const writable = (address: string) => ({ address, isWritable: true })
const payer = (address: string) => ({ address, isSigner: true, isWritable: true })

const u64 = (value: bigint): Buffer => {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64LE(value)
  return bytes
}

/** https://www.solana-program.com/docs/token and https://solana.com/docs/core/programs: instruction numbers. */
const SYSTEM_TRANSFER = Buffer.from('02000000', 'hex')
const TOKEN_MINT_TO = 7
const TOKEN_TRANSFER_CHECKED = 12
const CREATE_IDEMPOTENT = 1

export const createSolanaTreasury = (seed: string): SolanaTreasury => {
  const secret = new Uint8Array(createHash('sha256').update(`${seed}:solana:treasury`).digest())
  const address = base58.encode(ed25519.getPublicKey(secret))

  const openAccount = (token: SimToken, owner: string): SolanaInstructionPlan => ({
    programId: ASSOCIATED_TOKEN_PROGRAM,
    accounts: [
      payer(address),
      writable(associatedTokenAddress(token, owner)),
      ...[owner, token.address, SYSTEM_PROGRAM, TOKEN_PROGRAMS[token.program]].map(readonly),
    ],
    data: Uint8Array.of(CREATE_IDEMPOTENT),
  })

  return {
    address,
    signed: async (instructions, recentBlockhash) => {
      const wire = Buffer.from(await encodeSolanaTransaction({ feePayer: address, recentBlockhash, instructions }), 'base64')
      wire.set(ed25519.sign(decodeSolanaWire(wire).messageBytes, secret), 1)
      return wire
    },
    payNative: (to, lamports) => [
      {
        programId: SYSTEM_PROGRAM,
        accounts: [payer(address), writable(to)],
        data: Buffer.concat([SYSTEM_TRANSFER, u64(lamports)]),
      },
    ],
    payToken: (token, to, amount) => [
      openAccount(token, to),
      {
        programId: TOKEN_PROGRAMS[token.program],
        accounts: [
          writable(associatedTokenAddress(token, address)),
          readonly(token.address),
          writable(associatedTokenAddress(token, to)),
          payer(address),
        ],
        data: Buffer.concat([Buffer.of(TOKEN_TRANSFER_CHECKED), u64(amount), Buffer.of(token.decimals)]),
      },
    ],
    mint: (token, to, amount) => [
      openAccount(token, to),
      {
        programId: TOKEN_PROGRAMS[token.program],
        accounts: [writable(token.address), writable(associatedTokenAddress(token, to)), payer(address)],
        data: Buffer.concat([Buffer.of(TOKEN_MINT_TO), u64(amount)]),
      },
    ],
  }
}
