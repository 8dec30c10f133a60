import { COMPUTE_BUDGET_PROGRAM, type SolanaInstructionPlan } from '../../chains/solana/solanaCodec.ts'
import { SOLANA } from '../../core/chain.ts'
import type { SimSolanaInstruction } from '../kit/simVenue.ts'
import type { SimToken, SimTokens } from '../kit/tokens.ts'
import type { SimCharge, SimProgram } from '../kit/world.ts'
import { tokenAccountOf, tokenHolding } from './solanaAccounts.ts'
import { payLamports, payTokens } from './solanaInstructions.ts'
import { type SolanaPrepared, solanaFee } from './solanaPrepare.ts'
import type { InnerInstruction, SolanaFailure, SolanaOutcome, SolanaVm } from './solanaVm.ts'

/**
 * The programs of venues, and the machine with them. LiteSVM runs a transaction that calls none of them. Otherwise its
 * instructions run one by one, each call of a venue's program as the payments that it charges; all of them count, or none.
 */
export interface SolanaPrograms {
  /** See SimSolana.install. */
  install(programId: string, program?: SimProgram): void
  run(transaction: SolanaPrepared): SolanaOutcome
  /** The accounts that programs pay from and into, beside those that a transaction names. */
  readonly stock: readonly string[]
}

type Result = {
  readonly error: unknown
  readonly logs: readonly string[]
  readonly units: bigint
  readonly inner: readonly InnerInstruction[]
}

const DONE: Result = { error: null, logs: [], units: 0n, inner: [] }
/** https://github.com/solana-program/token/blob/main/interface/src/error.rs */
const INSUFFICIENT_FUNDS = { Custom: 1 }
const CODE_MAX = 2 ** 32 - 1
/** A program that a transaction calls runs at height 1. */
const INNER_HEIGHT = 2

type Taking = Extract<SimCharge, { readonly amount: bigint }>
type Call = { readonly instruction: SimSolanaInstruction; readonly signers: readonly string[] }

const failed = (error: unknown, line: string): Result => ({ ...DONE, error, logs: [`Program log: ${line}`] })

const instructionError = (failure: SolanaFailure | null): unknown => {
  if (failure === null || typeof failure === 'string') return failure
  const cause = failure['InstructionError']
  return Array.isArray(cause) ? cause[1] : 'InsufficientFunds'
}

const asInner = ({ programId, accounts, data }: SolanaInstructionPlan): InnerInstruction => ({
  program: programId,
  accounts: accounts.map(({ address }) => address),
  data,
  stackHeight: INNER_HEIGHT,
})

/** Runs until one fails. */
const inOrder = <T>(items: readonly T[], run: (item: T) => Result): Result => {
  let all = DONE
  for (const item of items) {
    const { error, logs, units, inner } = run(item)
    all = { error, logs: [...all.logs, ...logs], units: all.units + units, inner: [...all.inner, ...inner] }
    if (error !== null) break
  }
  return all
}

type Parts = { readonly vm: SolanaVm; readonly tokens: SimTokens; readonly treasury: string }

const createCharges = ({ vm, tokens, treasury }: Parts) => {
  const pay = (plan: SolanaInstructionPlan): Result => {
    const { failure, logs, unitsConsumed } = vm.call(plan)
    return { error: instructionError(failure), logs, units: unitsConsumed, inner: [asInner(plan)] }
  }

  /** The payments of a charge; a result where one of them cannot be tried. */
  const paymentsOf = (
    charge: Taking,
    token: SimToken,
    { accounts }: SimSolanaInstruction,
  ): readonly SolanaInstructionPlan[] | Result => {
    const { from, amount, delegate, lamports = 0n, pays = [] } = charge
    const to = charge.to ?? treasury
    const areCoins = token.isNative && charge.isWrapped !== true
    const placeOf = (wallet: string) => (areCoins ? wallet : tokenAccountOf(token, wallet))
    const named = [from, placeOf(from), ...(charge.to === undefined ? [] : [placeOf(to)])]
    const outs = pays.map((out) => ({ ...out, of: tokens.find(SOLANA, out.token) }))
    for (const { of, account } of outs) named.push(account, of ? tokenAccountOf(of, treasury) : '')
    const missing = named.find((address) => !accounts.includes(address))
    if (missing !== undefined) return failed('NotEnoughAccountKeys', `the call does not name ${missing}`)
    if (!areCoins && !tokenHolding(vm.account(placeOf(from))))
      return failed(INSUFFICIENT_FUNDS, `${from} has no account of ${token.symbol}`)
    return [
      areCoins ? payLamports({ from, to, amount }) : payTokens(token, { from, to: placeOf(to), amount }, delegate),
      ...(lamports > 0n ? [payLamports({ from, to: treasury, amount: lamports })] : []),
      ...outs.flatMap(({ of, account, amount: paid }) =>
        of ? [payTokens(of, { from: treasury, to: account, amount: paid })] : [],
      ),
    ]
  }

  /** Does what a program charges for a call. */
  return (charge: SimCharge, { instruction, signers }: Call): Result => {
    if (charge === null) return DONE
    if ('fails' in charge) {
      const { fails: code, because } = charge
      if (!Number.isInteger(code) || code < 0 || code > CODE_MAX) throw new RangeError(`${code} is no error of a program`)
      return failed({ Custom: code }, because)
    }
    const token = tokens.find(SOLANA, charge.token)
    if (!token) return failed('InvalidAccountData', `${charge.token} is no token of the offline Solana`)
    if (!signers.includes(charge.from)) return failed('MissingRequiredSignature', `${charge.from} has not signed`)
    const payments = paymentsOf(charge, token, instruction)
    if ('error' in payments) return payments
    const paid = inOrder(payments, pay)
    if (paid.error !== null || !charge.tells) return paid
    const { authority, data } = charge.tells
    return {
      ...paid,
      inner: [...paid.inner, { program: instruction.programId, accounts: [authority], data, stackHeight: INNER_HEIGHT }],
    }
  }
}

const NOTHING_RAN: SolanaOutcome = { failure: null, logs: [], unitsConsumed: 0n, inner: [] }

export const createSolanaPrograms = (parts: Parts): SolanaPrograms => {
  const { vm, tokens, treasury } = parts
  const programs = new Map<string, SimProgram | undefined>()
  const charge = createCharges(parts)
  const stock = [
    treasury,
    ...tokens.all.filter(({ chainId }) => chainId === SOLANA).map((token) => tokenAccountOf(token, treasury)),
  ]

  const runPlain = (instruction: SimSolanaInstruction, { keys }: SolanaPrepared): Result => {
    const { programId, accounts, data } = instruction
    const flags = new Map(keys.map((key) => [key.address, key]))
    const plan = { programId, accounts: accounts.map((address) => flags.get(address) ?? { address }), data }
    const { failure, logs, unitsConsumed, inner } = vm.call(plan)
    return { error: instructionError(failure), logs, units: unitsConsumed, inner: inner[0] ?? [] }
  }

  const runInstruction = (transaction: SolanaPrepared, index: number): Result => {
    const instruction = transaction.instructions[index]
    if (!instruction || instruction.programId === COMPUTE_BUDGET_PROGRAM) return DONE
    const { programId } = instruction
    if (!programs.has(programId)) return runPlain(instruction, transaction)
    const signers = transaction.keys.filter(({ isSigner }) => isSigner).map(({ address }) => address)
    const context = { signers, id: `${transaction.signature}/${index}`, holding: (at: string) => tokenHolding(vm.account(at)) }
    const { logs, ...result } = charge(programs.get(programId)?.(instruction, context) ?? null, { instruction, signers })
    const end = result.error === null ? 'success' : `failed: ${JSON.stringify(result.error)}`
    return { ...result, logs: [`Program ${programId} invoke [1]`, ...logs, `Program ${programId} ${end}`] }
  }

  const runAll = (transaction: SolanaPrepared): SolanaOutcome => {
    const inner: (readonly InnerInstruction[])[] = []
    const all = inOrder([...transaction.instructions.keys()], (index) => {
      const result = runInstruction(transaction, index)
      inner.push(result.inner)
      return result
    })
    const failure = all.error === null ? null : { InstructionError: [inner.length - 1, all.error] }
    return { failure, logs: all.logs, unitsConsumed: all.units, inner }
  }

  const runStaged = (transaction: SolanaPrepared): SolanaOutcome => {
    const addresses = transaction.keys.map(({ address }) => address)
    const [payer = ''] = addresses
    const account = vm.account(payer)
    const fee = solanaFee(transaction)
    if (new Set(addresses).size < addresses.length) return { ...NOTHING_RAN, failure: 'AccountLoadedTwice' }
    if (!account) return { ...NOTHING_RAN, failure: 'AccountNotFound' }
    if (account.lamports < fee) return { ...NOTHING_RAN, failure: 'InsufficientFundsForFee' }
    vm.put(payer, { ...account, lamports: account.lamports - fee })
    return vm.attempt(
      [...addresses, ...stock],
      () => runAll(transaction),
      ({ failure }) => failure === null,
    )
  }

  return {
    stock,
    install: (programId, program) => {
      programs.set(programId, program)
    },
    run: (transaction) =>
      transaction.instructions.some(({ programId }) => programs.has(programId))
        ? runStaged(transaction)
        : vm.run(
            transaction.wire.serialize(),
            transaction.keys.map(({ address }) => address),
          ),
  }
}
