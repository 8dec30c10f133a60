import { keccak_256 } from '@noble/hashes/sha3.js'
import { base58 } from '@scure/base'
import {
  ASSOCIATED_TOKEN_PROGRAM,
  associatedTokenAddress,
  encodeSolanaTransaction,
  MEMO_PROGRAM,
  SYSTEM_PROGRAM,
  TOKEN_PROGRAM,
} from '../../../chains/solana/solanaCodec.ts'
import { solanaProgramAddress } from '../../../chains/solana/solanaProgramAddress.ts'
import { addressOf } from '../../../core/address.ts'
import { littleEndian as little } from '../../kit/anchor.ts'
import { type DepositPlan, wordOf } from './buildDeposit.ts'
import { contractOf } from './networks.ts'
import { DEPOSIT_DISCRIMINATOR } from './readSolana.ts'
import type { SwapQuery } from './swapQuery.ts'

const word = (hex: string): Buffer => Buffer.from(hex.slice(2), 'hex')
const utf8 = (text: string): Buffer => Buffer.from(text, 'utf8')

/** Borsh of the arguments of `deposit`, which is also what the delegate's address is derived from. */
const depositArguments = ({ destination, input, output }: SwapQuery, plan: DepositPlan): Buffer =>
  Buffer.concat([
    base58.decode(plan.depositor),
    word(wordOf(destination, plan.recipient)),
    base58.decode(input.address),
    word(wordOf(destination, contractOf(destination, output))),
    little(8, plan.inputAmount),
    little(32, plan.outputAmount).reverse(),
    little(8, destination.wireId),
    Buffer.alloc(32),
    little(4, plan.quoteTimestamp),
    little(4, plan.fillDeadline),
    // Neither exclusivity nor a message.
    Buffer.alloc(8),
  ])

const readonly = (address: string) => ({ address })
const writable = (address: string) => ({ address, isWritable: true })
const signer = (address: string) => ({ address, isSigner: true, isWritable: true })

/** Base64 of the unsigned deposit of a Solana origin: vault, approval, deposit, memo, as the vendor's SDK orders them. */
export const buildSolana = async (query: SwapQuery, plan: DepositPlan, recentBlockhash: string): Promise<string> => {
  const { depositor: payer, input, integratorId } = query
  const mint = input.address
  const args = depositArguments(query, plan)
  const derived = (...seeds: readonly Uint8Array[]) => solanaProgramAddress(addressOf('solana', plan.to), seeds)
  const state = derived(utf8('state'), Buffer.alloc(8))
  const delegate = derived(utf8('delegate'), keccak_256(args))
  const [source, vault] = [associatedTokenAddress(payer, mint), associatedTokenAddress(state, mint)]
  const programs = [TOKEN_PROGRAM, ASSOCIATED_TOKEN_PROGRAM, SYSTEM_PROGRAM, derived(utf8('__event_authority')), plan.to]
  const instructions = [
    {
      programId: ASSOCIATED_TOKEN_PROGRAM,
      accounts: [signer(payer), writable(vault), ...[state, mint, SYSTEM_PROGRAM, TOKEN_PROGRAM].map(readonly)],
      data: Uint8Array.of(1),
    },
    {
      programId: TOKEN_PROGRAM,
      accounts: [writable(source), readonly(mint), readonly(delegate), { address: payer, isSigner: true }],
      data: Buffer.concat([Uint8Array.of(13), little(8, plan.inputAmount), Uint8Array.of(input.decimals)]),
    },
    {
      programId: plan.to,
      accounts: [
        ...[signer(payer), writable(state), readonly(delegate), writable(source), writable(vault)],
        ...[mint, ...programs].map(readonly),
      ],
      data: Buffer.concat([word(`0x${DEPOSIT_DISCRIMINATOR}`), args]),
    },
    { programId: MEMO_PROGRAM, accounts: [], data: utf8(`${integratorId ?? '0x'}73c0de`) },
  ]
  return encodeSolanaTransaction({ feePayer: payer, recentBlockhash, instructions })
}
