import { ComputeBudgetProgram, Keypair, PublicKey, SystemProgram, TransactionInstruction } from '@solana/web3.js'
import { NATIVE_SOL } from '../../engine/core/asset.ts'
import type { SimCharge } from '../../engine/simnet/kit/world.ts'

/** Calls of a program of the offline Solana that does what they say, and of the programs beside it. */

export const USDC = new PublicKey('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v')
export const PYUSD = new PublicKey('2b1kV6DkPAnxd5ixfnxCpjxmKwqjjaYmCZfHsFu24GXo')
export const TOKEN = new PublicKey('TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA')
export const TOKEN_2022 = new PublicKey('TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb')
const ASSOCIATED = new PublicKey('ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL')
export const LIGHTHOUSE = new PublicKey('L2TExMFKdjpN9kozasaurPirfHy9P8sbXoAN1qA3S95')
const keyOf = (byte: number): PublicKey => Keypair.fromSeed(new Uint8Array(32).fill(byte)).publicKey
export const PROGRAM = keyOf(8)
export const DELEGATE = keyOf(6)
export const NOBODY = keyOf(7)
export const FEE = 5_000
export const RENT_FLOOR = 890_880

type Wish =
  | { readonly fails: number; readonly because: string }
  | {
      readonly token: string
      readonly from: string
      readonly amount: string
      readonly delegate?: string
      readonly isWrapped?: true
      readonly pays?: readonly { readonly token: string; readonly account: string; readonly amount: string }[]
    }
  | null

/** A program that does what the data of a call says. */
export const program = ({ data }: { readonly data: Uint8Array }): SimCharge => {
  const wish = JSON.parse(Buffer.from(data).toString()) as Wish
  if (wish === null || 'fails' in wish) return wish
  const pays = (wish.pays ?? []).map((paid) => ({ ...paid, amount: BigInt(paid.amount) }))
  return { ...wish, amount: BigInt(wish.amount), pays }
}

export const accountOf = (owner: PublicKey, mint = USDC, tokenProgram = TOKEN): PublicKey =>
  PublicKey.findProgramAddressSync([owner.toBuffer(), tokenProgram.toBuffer(), mint.toBuffer()], ASSOCIATED)[0]

export const key = (pubkey: PublicKey, isWritable = false, isSigner = false) => ({ pubkey, isWritable, isSigner })

export const call = (wish: Wish, keys: TransactionInstruction['keys']) =>
  new TransactionInstruction({ programId: PROGRAM, keys, data: Buffer.from(JSON.stringify(wish)) })

export const takeSol = ({ publicKey }: Keypair, amount: number) =>
  call({ token: NATIVE_SOL, from: publicKey.toBase58(), amount: String(amount) }, [key(publicKey, true, true)])

export const takeTokens = (
  { publicKey }: Keypair,
  amount: number,
  { mint = USDC, tokenProgram = TOKEN, delegate }: { mint?: PublicKey; tokenProgram?: PublicKey; delegate?: PublicKey } = {},
) =>
  call(
    {
      ...{ token: mint.toBase58(), from: publicKey.toBase58(), amount: String(amount) },
      ...(delegate ? { delegate: delegate.toBase58() } : {}),
    },
    [key(publicKey, true, true), key(accountOf(publicKey, mint, tokenProgram), true)],
  )

/** Takes so much of a token, and pays so much USDC for it out of what the venues have, into an account of anybody. */
export const swapFor = (
  { publicKey }: Keypair,
  {
    amount,
    paid,
    into,
    stock,
    mint = USDC,
    isWrapped,
  }: {
    readonly amount: number
    readonly paid: number
    readonly into: PublicKey
    readonly stock: PublicKey
    readonly mint?: PublicKey
    readonly isWrapped?: true
  },
) =>
  call(
    {
      ...{ token: mint.toBase58(), from: publicKey.toBase58(), amount: String(amount) },
      ...(isWrapped ? { isWrapped } : {}),
      pays: [{ token: USDC.toBase58(), account: into.toBase58(), amount: String(paid) }],
    },
    [
      key(publicKey, true, true),
      ...[accountOf(publicKey, mint), accountOf(stock, mint), accountOf(stock), into].map((account) => key(account, true)),
      ...[mint, USDC, TOKEN].map((account) => key(account)),
    ],
  )

export const refuse = (fails: number) => call({ fails, because: 'the venue says no' }, [])

const u64 = (value: number): Buffer => {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64LE(BigInt(value))
  return bytes
}

export const openAccount = (payer: PublicKey, owner: PublicKey) =>
  new TransactionInstruction({
    programId: ASSOCIATED,
    keys: [
      ...[key(payer, true, true), key(accountOf(owner), true)],
      ...[owner, USDC, SystemProgram.programId, TOKEN].map((entry) => key(entry)),
    ],
    data: Buffer.of(1),
  })

export const sendTokens = (from: PublicKey, to: PublicKey, amount: number) =>
  new TransactionInstruction({
    programId: TOKEN,
    keys: [key(accountOf(from), true), key(USDC), key(accountOf(to), true), key(from, false, true)],
    data: Buffer.concat([Buffer.of(12), u64(amount), Buffer.of(6)]),
  })

export const approve = (owner: PublicKey, delegate: PublicKey, amount: number) =>
  new TransactionInstruction({
    programId: TOKEN,
    keys: [key(accountOf(owner), true), key(USDC), key(delegate), key(owner, false, true)],
    data: Buffer.concat([Buffer.of(13), u64(amount), Buffer.of(6)]),
  })

export const pay = (from: PublicKey, to: PublicKey, lamports: number) =>
  SystemProgram.transfer({ fromPubkey: from, toPubkey: to, lamports })

export const limit = ComputeBudgetProgram.setComputeUnitLimit({ units: 200_000 })
