import { ed25519 } from '@noble/curves/ed25519.js'
import { encodeSolanaTransaction, type SolanaInstructionPlan, SYSTEM_PROGRAM } from '../../chains/solana/solanaCodec.ts'
import { SOLANA } from '../../core/chain.ts'
import type { SimToken, SimTokens } from '../kit/tokens.ts'
import type { SimSolana } from '../kit/world.ts'
import { TREASURY_LAMPORTS, tokenAccountOf, tokenHolding } from './solanaAccounts.ts'
import type { SolanaBlocks } from './solanaBlocks.ts'
import { mintTokens, openTokenAccount, payLamports, payTokens, writeMemo } from './solanaInstructions.ts'
import type { LandedTransaction, SolanaLedger } from './solanaLedger.ts'
import { prepareSolana } from './solanaPrepare.ts'
import { failureText, type SolanaVm } from './solanaVm.ts'

type Payment = { readonly token: SimToken } & Omit<Parameters<SimSolana['transfer']>[0], 'token'>

/** The wallet that mints the tokens and pays for the venues, and all balances. Errors are RangeError beyond what a balance can hold. */
export interface SolanaTreasury {
  balance(token: SimToken, wallet: string): bigint
  /** Adds to a balance out of nothing. */
  grant(token: SimToken, wallet: string, amount: bigint): void
  /** Pays by a transaction; see SimSolana.transfer. Throws Error with the message of a node when it would fail. */
  pay(payment: Payment): Promise<LandedTransaction>
}

export type TreasuryKey = { readonly address: string; readonly secret: Uint8Array }

const TOKEN_AMOUNT_MAX = (1n << 64n) - 1n
/** Most clients read lamports as JSON numbers: no balance exceeds what those hold exactly. */
const LAMPORTS_MAX = BigInt(Number.MAX_SAFE_INTEGER)

const requireRoom = (total: bigint, max: bigint): void => {
  if (total > max) throw new RangeError('is more than the balance can hold')
}

/** Base64 of a transaction that the treasury alone signs: one signature of 64 bytes behind their count. */
const signedBy = async (
  { address: feePayer, secret }: TreasuryKey,
  instructions: readonly SolanaInstructionPlan[],
  recentBlockhash: string,
): Promise<string> => {
  const wire = Buffer.from(await encodeSolanaTransaction({ feePayer, recentBlockhash, instructions }), 'base64')
  wire.set(ed25519.sign(wire.subarray(65), secret), 1)
  return wire.toString('base64')
}

export const createSolanaTreasury = ({
  vm,
  tokens,
  blocks,
  ledger,
  key,
}: {
  readonly vm: SolanaVm
  readonly tokens: SimTokens
  readonly blocks: SolanaBlocks
  readonly ledger: SolanaLedger
  readonly key: TreasuryKey
}): SolanaTreasury => {
  const { address: from } = key
  let last: Promise<unknown> = Promise.resolve()

  const lamportsOf = (wallet: string): bigint => vm.account(wallet)?.lamports ?? 0n
  const balance: SolanaTreasury['balance'] = (token, wallet) =>
    token.isNative ? lamportsOf(wallet) : (tokenHolding(vm.account(tokenAccountOf(token, wallet)))?.amount ?? 0n)

  const call = (instruction: SolanaInstructionPlan): void => {
    const { failure } = vm.call(instruction)
    if (failure !== null) throw new Error(failureText(failure))
  }

  const grant: SolanaTreasury['grant'] = (token, wallet, amount) => {
    if (token.isNative) {
      const before = vm.account(wallet) ?? { owner: SYSTEM_PROGRAM, lamports: 0n, data: Buffer.alloc(0) }
      requireRoom(before.lamports + amount, LAMPORTS_MAX)
      vm.put(wallet, { ...before, lamports: before.lamports + amount })
      return
    }
    requireRoom((vm.account(token.address)?.data.readBigUInt64LE(36) ?? 0n) + amount, TOKEN_AMOUNT_MAX)
    call(openTokenAccount(token, wallet, from))
    call(mintTokens(token, { from, to: wallet, amount }))
  }

  const fill = (token: SimToken, amount: bigint): void => {
    const missing = amount - balance(token, from)
    if (missing > 0n) grant(token, from, missing)
  }

  const payNow = async ({ token, to, amount, by, memo }: Payment): Promise<LandedTransaction> => {
    if (token.isNative) requireRoom(lamportsOf(to) + amount, LAMPORTS_MAX - TREASURY_LAMPORTS)
    else fill(token, amount)
    fill(tokens.native(SOLANA), TREASURY_LAMPORTS + (token.isNative ? amount : 0n))
    const payment = token.isNative
      ? [payLamports({ from, to, amount })]
      : [openTokenAccount(token, to, from), by ?? payTokens(token, { from, to: tokenAccountOf(token, to), amount })]
    const instructions = [...payment, ...(memo === undefined ? [] : [writeMemo(memo)])]
    const transaction = await prepareSolana(await signedBy(key, instructions, blocks.latest().blockhash), vm.account)
    const { failure } = ledger.simulate(transaction)
    const landed = failure === null ? ledger.land(transaction) : null
    if (!landed) throw new Error(failure === null ? 'the treasury could not pay' : failureText(failure))
    return landed
  }

  return {
    balance,
    grant,
    // One after the other: two equal payments on one blockhash would be one transaction.
    pay: (payment) => {
      const paid = last.then(() => payNow(payment))
      last = paid.catch(() => undefined)
      return paid
    },
  }
}
