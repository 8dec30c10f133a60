import { keccak_256 } from '@noble/hashes/sha3.js'
import { base58 } from '@scure/base'
import {
  ASSOCIATED_TOKEN_PROGRAM,
  associatedTokenAddress,
  encodeSolanaTransaction,
  MEMO_PROGRAM,
  type SolanaInstructionPlan,
  SYSTEM_PROGRAM,
  TOKEN_PROGRAM,
} from '../../../chains/solana/solanaCodec.ts'
import { solanaProgramAddress } from '../../../chains/solana/solanaProgramAddress.ts'
import { type Address, addressOf } from '../../../core/address.ts'
import { type DepositPlan, wordOf } from './buildDeposit.ts'
import { contractOf } from './networks.ts'
import type { SwapQuery } from './swapQuery.ts'

const DISCRIMINATOR = Buffer.from('f223c68952e1f2b6', 'hex')

const u64 = (value: bigint): Buffer => {
  const buffer = Buffer.alloc(8)
  buffer.writeBigUInt64LE(value)
  return buffer
}
const u32 = (value: number): Buffer => {
  const buffer = Buffer.alloc(4)
  buffer.writeUInt32LE(value)
  return buffer
}
const word = (hex: string): Buffer => Buffer.from(hex.slice(2), 'hex')
const utf8 = (text: string): Buffer => Buffer.from(text, 'utf8')

/** Borsh of the arguments of `deposit`, which is also what the delegate's address is derived from. */
const depositArguments = ({ destination, input, output }: SwapQuery, plan: DepositPlan): Buffer =>
  Buffer.concat([
    base58.decode(plan.depositor),
    word(wordOf(destination, plan.recipient)),
    base58.decode(input.address),
    word(wordOf(destination, contractOf(destination, output))),
    u64(plan.inputAmount),
    word(`0x${plan.outputAmount.toString(16).padStart(64, '0')}`),
    u64(BigInt(destination.wireId)),
    Buffer.alloc(32),
    u32(plan.quoteTimestamp),
    u32(plan.fillDeadline),
    u32(0),
    u32(0),
  ])

type Accounts = {
  readonly state: string
  readonly delegate: string
  readonly source: string
  readonly vault: string
  readonly eventAuthority: string
}

const deriveAccounts = (program: Address, payer: string, mint: string, args: Buffer): Accounts => {
  const state = solanaProgramAddress(program, [utf8('state'), u64(0n)])
  return {
    state,
    delegate: solanaProgramAddress(program, [utf8('delegate'), keccak_256(args)]),
    source: associatedTokenAddress(payer, mint),
    vault: associatedTokenAddress(state, mint),
    eventAuthority: solanaProgramAddress(program, [utf8('__event_authority')]),
  }
}

const readonly = (address: string) => ({ address })
const writable = (address: string) => ({ address, isWritable: true })
const signer = (address: string) => ({ address, isSigner: true, isWritable: true })

const companions = (
  payer: string,
  mint: string,
  { state, delegate, source, vault }: Accounts,
  plan: DepositPlan,
  decimals: number,
) =>
  [
    {
      programId: ASSOCIATED_TOKEN_PROGRAM,
      accounts: [signer(payer), writable(vault), ...[state, mint, SYSTEM_PROGRAM, TOKEN_PROGRAM].map(readonly)],
      data: Uint8Array.of(1),
    },
    {
      programId: TOKEN_PROGRAM,
      accounts: [writable(source), readonly(mint), readonly(delegate), { address: payer, isSigner: true }],
      data: Buffer.concat([Uint8Array.of(13), u64(plan.inputAmount), Uint8Array.of(decimals)]),
    },
  ] satisfies readonly SolanaInstructionPlan[]

/** Base64 of the unsigned deposit of a Solana origin: vault, approval, deposit, memo, as the vendor's SDK orders them. */
export const buildSolana = async (query: SwapQuery, plan: DepositPlan, recentBlockhash: string): Promise<string> => {
  const { depositor: payer, input, integratorId } = query
  const args = depositArguments(query, plan)
  const accounts = deriveAccounts(addressOf('solana', plan.to), payer, input.address, args)
  const deposit: SolanaInstructionPlan = {
    programId: plan.to,
    accounts: [
      ...[
        signer(payer),
        writable(accounts.state),
        readonly(accounts.delegate),
        writable(accounts.source),
        writable(accounts.vault),
      ],
      ...[input.address, TOKEN_PROGRAM, ASSOCIATED_TOKEN_PROGRAM, SYSTEM_PROGRAM, accounts.eventAuthority, plan.to].map(readonly),
    ],
    data: Buffer.concat([DISCRIMINATOR, args]),
  }
  const memo = { programId: MEMO_PROGRAM, accounts: [], data: utf8(integratorId === null ? '0x73c0de' : `${integratorId}73c0de`) }
  const instructions = [...companions(payer, input.address, accounts, plan, input.decimals), deposit, memo]
  return encodeSolanaTransaction({ feePayer: payer, recentBlockhash, instructions })
}
