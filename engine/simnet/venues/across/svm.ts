import { keccak_256 } from '@noble/hashes/sha3.js'
import { utf8ToBytes } from '@noble/hashes/utils.js'
import { eventAuthority, readAnchorCall } from '../../../chains/solana/anchor.ts'
import type { Fields } from '../../../chains/solana/borsh.ts'
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
import { NATIVE_SOL } from '../../../core/asset.ts'
import { SOLANA } from '../../../core/chain.ts'
import {
  SVM_DEPOSIT,
  SVM_EXECUTED_REFUND_ROOT,
  SVM_FILLED_RELAY,
  SVM_FUNDS_DEPOSITED,
  SVM_SPOKE,
  WIRE_SOLANA,
} from '../../../venues/across/protocol.ts'
import { littleEndian } from '../../kit/anchor.ts'
import { anchorCall, anchorEvent } from '../../kit/borsh.ts'
import { Refusal } from '../../kit/refusal.ts'
import type { SimSolanaInstruction } from '../../kit/simVenue.ts'
import type { SimCharge, SimProgram, World } from '../../kit/world.ts'
import { type Network, wordAddress, wordOn } from './networks.ts'
import type { Price, Query } from './pricing.ts'

const derived = (...seeds: readonly Uint8Array[]) => solanaProgramAddress(SVM_SPOKE, seeds)
const delegateOf = (args: Uint8Array) => derived(utf8ToBytes('delegate'), keccak_256(args))
const solana = { chainId: SOLANA } as const

const readonly = (address: string) => ({ address })
const writable = (address: string) => ({ address, isWritable: true })
const signer = (address: string) => ({ address, isSigner: true, isWritable: true })

/** What a deposit says. Addresses of the destination are words of 32 bytes. */
export type SvmPlan = {
  readonly to: string
  readonly depositor: string
  readonly inputToken: string
  readonly inputAmount: bigint
}

/** Base64 of the unsigned deposit of a Solana origin: vault, approval, deposit, memo, as the vendor's SDK orders them. */
export const buildSolana = async (
  { solana: chain }: World,
  { input, integratorId }: Query,
  price: Price,
  plan: SvmPlan,
): Promise<string> => {
  if (price.originSwap) throw new Refusal('SWAP_QUOTE_UNAVAILABLE', 'No swap quotes currently available')
  const { depositor: payer } = plan
  const mint = input.address
  const words = { depositor: wordOn(solana, payer), inputToken: wordOn(solana, mint) }
  const data = anchorCall('deposit', SVM_DEPOSIT, { ...plan, ...words })
  const [state, delegate] = [derived(utf8ToBytes('state'), new Uint8Array(8)), delegateOf(data.slice(8))]
  const [source, vault] = [associatedTokenAddress(payer as never, mint as never), associatedTokenAddress(state, mint as never)]
  const programs = [TOKEN_PROGRAM, ASSOCIATED_TOKEN_PROGRAM, SYSTEM_PROGRAM, eventAuthority(SVM_SPOKE), SVM_SPOKE]
  const instructions = [
    {
      programId: ASSOCIATED_TOKEN_PROGRAM,
      accounts: [signer(payer), writable(vault), ...[state, mint, SYSTEM_PROGRAM, TOKEN_PROGRAM].map(readonly)],
      data: Uint8Array.of(1),
    },
    {
      programId: TOKEN_PROGRAM,
      accounts: [writable(source), readonly(mint), readonly(delegate), { address: payer, isSigner: true }],
      data: Uint8Array.of(13, ...littleEndian(8, plan.inputAmount), input.decimals),
    },
    {
      programId: plan.to,
      accounts: [
        ...[signer(payer), writable(state), readonly(delegate), writable(source), writable(vault)],
        ...[mint, ...programs].map(readonly),
      ],
      data,
    },
    { programId: MEMO_PROGRAM, accounts: [], data: utf8ToBytes(`${integratorId ?? '0x'}73c0de`) },
  ]
  return encodeSolanaTransaction({ feePayer: payer, recentBlockhash: await chain.blockhash(), instructions })
}

/** A deposit that is on its chain, named as in V3RelayData, which a fill repeats; and what was exchanged for the input first. */
export type SeenDeposit = Fields<typeof SVM_FUNDS_DEPOSITED.layout> & {
  readonly swap: { readonly token: string; readonly amount: bigint } | null
}

type Arguments = Fields<typeof SVM_DEPOSIT>

export const readSolana = ({ programId, data }: SimSolanaInstruction): Arguments | null =>
  programId === SVM_SPOKE ? readAnchorCall(data, 'deposit', SVM_DEPOSIT) : null

/** A deposit as the program reports it. `call` is that of the deposit alone; `now` is in unix seconds. */
export const seenOnSolana = (stated: Arguments, call: string, now: number): SeenDeposit => {
  const { exclusivityParameter: parameter } = stated
  // The program counts deposits, which nothing here can do before one lands.
  const depositId = BigInt(`0x${Buffer.from(keccak_256(utf8ToBytes(call))).toString('hex', 0, 4)}`)
  // Up to a year the parameter counts from the deposit on.
  return {
    ...stated,
    depositId,
    exclusivityDeadline: parameter > 0 && parameter <= 31_536_000 ? now + parameter : parameter,
    swap: null,
  }
}

/** programs/svm-spoke/src/error.rs and Anchor's own: what the program fails with, and its number. */
const failureOf = ({ accounts, data }: SimSolanaInstruction, stated: Arguments, signers: readonly string[], now: number) => {
  const [payer = '', , delegate, , , mint] = accounts
  const failures: readonly (readonly [name: string, code: number, isFailed: boolean])[] = [
    ['AccountNotEnoughKeys', 3005, accounts.length < 11],
    ['AccountNotSigner', 3010, !signers.includes(payer)],
    ['ConstraintSeeds', 2006, accounts[9] !== eventAuthority(SVM_SPOKE)],
    ['InvalidMint', 7006, mint !== wordAddress(solana, stated.inputToken)],
    // The offline network has no wrapped SOL of its own.
    ['AccountNotInitialized', 3012, mint === NATIVE_SOL],
    ['InvalidOutputToken', 6015, BigInt(stated.outputToken) === 0n],
    ['InvalidQuoteTimestamp', 6000, stated.quoteTimestamp > now || now - stated.quoteTimestamp > 3_600],
    ['InvalidFillDeadline', 6001, stated.fillDeadline > now + 21_600],
    ['InvalidExclusiveRelayer', 6014, stated.exclusivityParameter > 0 && BigInt(stated.exclusiveRelayer) === 0n],
    ['InvalidDelegatePda', 7016, delegate !== delegateOf(data.slice(8))],
  ]
  return failures.find(([, , isFailed]) => isFailed)
}

const fails = (name: string, code: number): SimCharge => ({ fails: code, because: `AnchorError occurred. Error Code: ${name}.` })

/**
 * Across's program: of a deposit it takes the input, which the depositor must have approved to the delegate derived from the
 * arguments; a fill has the relayer pay the recipient, and a leaf of refunds gives back. It reports each. The calls for the last
 * two carry the fields of their events here. `now` gives unix seconds.
 */
export const svmSpoke =
  (now: () => number): SimProgram =>
  (instruction, { signers, id }) => {
    const { data, accounts } = instruction
    const filled = readAnchorCall(data, 'fill_relay', SVM_FILLED_RELAY.layout)
    const leaf = readAnchorCall(data, 'execute_relayer_refund_leaf', SVM_EXECUTED_REFUND_ROOT.layout)
    const [from = ''] = accounts
    if (filled) {
      const [token, to] = [filled.outputToken, filled.recipient].map((word) => wordAddress(solana, word)) as [string, string]
      return { token, from, to, amount: filled.outputAmount, tells: anchorEvent(SVM_SPOKE, SVM_FILLED_RELAY, filled) }
    }
    if (leaf) {
      const { l2TokenAddress: token } = leaf
      const [[to = ''], [amount = 0n]] = [leaf.refundAddresses, leaf.refundAmounts]
      return { token, from, to, amount, tells: anchorEvent(SVM_SPOKE, SVM_EXECUTED_REFUND_ROOT, leaf) }
    }
    const stated = readSolana(instruction)
    if (!stated) return fails('InstructionFallbackNotFound', 101)
    const failure = failureOf(instruction, stated, signers, now())
    if (failure) return fails(failure[0], failure[1])
    const tells = anchorEvent(SVM_SPOKE, SVM_FUNDS_DEPOSITED, seenOnSolana(stated, id, now()))
    const [token, payer] = [stated.inputToken, stated.depositor].map((word) => wordAddress(solana, word)) as [string, string]
    return { token, from: payer, amount: stated.inputAmount, delegate: delegateOf(data.slice(8)), tells }
  }

/** A call of the program by which `payer` pays a wallet. */
const payingCall = (data: Uint8Array, payer: string, token: string, to: string): SolanaInstructionPlan => ({
  programId: SVM_SPOKE,
  accounts: [
    signer(payer),
    ...[SVM_SPOKE, token, TOKEN_PROGRAM, eventAuthority(SVM_SPOKE)].map(readonly),
    ...[payer, to].map((owner) => writable(associatedTokenAddress(owner as never, token as never))),
  ],
  data,
})

const ZERO_WORD = `0x${'0'.repeat(64)}`

/** Pays the recipient of a deposit by a fill, and gives the signature. */
export const fillOnSolana = (
  { solana: chain }: Pick<World, 'solana'>,
  deposit: SeenDeposit & { readonly origin: Network },
  amount: bigint,
): Promise<string> => {
  const { origin, recipient } = deposit
  const [token, to, payer] = [wordAddress(solana, deposit.outputToken), wordAddress(solana, recipient), chain.treasury()]
  const data = anchorCall('fill_relay', SVM_FILLED_RELAY.layout, {
    ...{ ...deposit, outputAmount: amount, originChainId: origin.wireId },
    ...{ repaymentChainId: WIRE_SOLANA, relayer: wordOn(solana, payer), messageHash: ZERO_WORD },
    relayExecutionInfo: { updatedRecipient: recipient, updatedMessageHash: ZERO_WORD, updatedOutputAmount: amount, fillType: 0 },
  })
  return chain.transfer({ token, to, amount, by: payingCall(data, payer, token, to) })
}

type Refund = { readonly token: string; readonly to: string; readonly amount: bigint }

export const refundOnSolana = ({ solana: chain }: Pick<World, 'solana'>, { token, to, amount }: Refund): Promise<string> => {
  const payer = chain.treasury()
  const data = anchorCall('execute_relayer_refund_leaf', SVM_EXECUTED_REFUND_ROOT.layout, {
    ...{ amountToReturn: 0n, chainId: WIRE_SOLANA, refundAmounts: [amount], rootBundleId: 0, leafId: 0 },
    ...{ l2TokenAddress: token, refundAddresses: [to], deferredRefunds: false, caller: payer },
  })
  return chain.transfer({ token, to, amount, by: payingCall(data, payer, token, to) })
}
