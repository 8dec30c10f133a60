import type { SimSolanaInstruction } from '../kit/simVenue.ts'
import type { SimTokens } from '../kit/tokens.ts'
import type { SimProgram, SimTelling } from '../kit/world.ts'
import { type SolanaAccount, tokenHolding } from './solanaAccounts.ts'
import { ANSWERING_PROGRAM, chargeSteps, type SolanaStep } from './solanaCharges.ts'
import { failureNamed } from './solanaFailure.ts'
import { computeBudget } from './solanaFee.ts'
import { limitComputeUnits } from './solanaInstructions.ts'
import type { SolanaPrepared } from './solanaPrepare.ts'
import { solanaProgramLogs } from './solanaProgramLogs.ts'
import { type RewrittenSolana, rewriteSolana } from './solanaRewrite.ts'
import { createSolanaStock, type SolanaStock } from './solanaStock.ts'
import { NOTHING_RAN, type SolanaVm, type VmNumbering, type VmOutcome } from './solanaVm.ts'

/**
 * The programs that are not real here, and the machine with them. A transaction that one of them charges is run with the
 * payment in the place of the call, by the system's or the token's own program: order, balances, fees, rent and atomicity
 * are the machine's. Its inner instructions show a payment where the transaction names all accounts of it, and leave it out
 * where it goes to the treasury, which the transaction does not know.
 */
export interface SolanaPrograms {
  /** See SimSolana.install. */
  install(programId: string, program?: SimProgram): void
  /** See SolanaVm: as its `run` and `simulate`. */
  run(transaction: SolanaPrepared): VmOutcome
  simulate(transaction: SolanaPrepared): VmOutcome
}

const instructionsOf = ({ wire: { message }, keys }: SolanaPrepared): readonly SimSolanaInstruction[] => {
  const address = (index: number): string => keys[index]?.address ?? ''
  return message.instructions.map(({ program, accounts, data }) => ({
    programId: address(program),
    accounts: accounts.map(address),
    data: new Uint8Array(data),
  }))
}

/** Of a call that its program took: what it told, as it shows among the inner instructions. */
type Told = { readonly origin: number; readonly program: string; readonly telling: SimTelling }

/** A program that a transaction calls runs at height 1. */
const INNER_HEIGHT = 2

const withTold = (outcome: VmOutcome, { keys, wire: { message } }: SolanaPrepared, told: readonly Told[]): VmOutcome => {
  if (outcome.failure || told.length === 0) return outcome
  const place = (address: string): number => keys.findIndex((key) => key.address === address)
  const inner = message.instructions.map((_, at) => [
    ...(outcome.inner[at] ?? []),
    ...told
      .filter(({ origin }) => origin === at)
      .map(({ program, telling: { authority, data } }) => ({
        program: place(program),
        accounts: [place(authority)],
        data: Buffer.from(data),
        stackHeight: INNER_HEIGHT,
      })),
  ])
  return { ...outcome, inner }
}

/** What a transaction may use, and pays for its priority, is what its own instructions ask. */
const rewrite = (transaction: SolanaPrepared, steps: readonly SolanaStep[]): RewrittenSolana | null => {
  const { units, isStated } = computeBudget(transaction.wire.message)
  const instructions = steps.map(({ instruction }) => instruction)
  return rewriteSolana(transaction, isStated ? instructions : [...instructions, limitComputeUnits(units)])
}

const numberingOf = ({ keys }: SolanaPrepared, steps: readonly SolanaStep[], rewritten: RewrittenSolana): VmNumbering => ({
  instruction: (index) => steps[index]?.origin ?? index,
  account: (index) => keys.findIndex(({ address }) => address === rewritten.keys[index]),
})

/** A payment as the program that makes it calls the token's for it. Nothing where the transaction does not name all of it. */
const asInner = (
  { keys }: SolanaPrepared,
  { instruction: { programId, accounts, data } }: SolanaStep,
): VmOutcome['inner'][number] => {
  const place = (address: string): number => keys.findIndex((key) => key.address === address)
  const [program, places] = [place(programId), accounts.map(({ address }) => place(address))]
  if ([program, ...places].some((at) => at < 0)) return []
  return [{ program, accounts: places, data: Buffer.from(data), stackHeight: INNER_HEIGHT }]
}

const ownInner = ({ inner }: VmOutcome, transaction: SolanaPrepared, steps: readonly SolanaStep[]): VmOutcome['inner'] =>
  transaction.wire.message.instructions.map((_, origin) =>
    steps.flatMap((step, index) => {
      if (step.origin !== origin) return []
      if (step.shown.as === 'itself') return inner[index] ?? []
      return step.shown.as === 'call' ? asInner(transaction, step) : []
    }),
  )

const payerOf = ({ keys }: SolanaPrepared): string => keys[0]?.address ?? ''

export const createSolanaPrograms = ({
  vm,
  tokens,
  treasury,
}: {
  readonly vm: SolanaVm
  readonly tokens: SimTokens
  readonly treasury: string
}): SolanaPrograms => {
  const programs = new Map<string, SimProgram>()
  const stocks = createSolanaStock({ vm, tokens, treasury })
  vm.install(ANSWERING_PROGRAM, 'answers')

  /** An account as it is when these steps are done. Should they fail, the transaction does, whatever comes after. */
  const accountAfter = (
    transaction: SolanaPrepared,
    { steps, stock }: { readonly steps: readonly SolanaStep[]; readonly stock: SolanaStock },
    address: string,
  ): SolanaAccount | null => {
    const rewritten = steps.length === 0 ? null : rewrite(transaction, steps)
    const simulated = rewritten && stocks.during(stock, payerOf(transaction), () => vm.simulate(rewritten.bytes))
    return simulated?.accounts.get(address) ?? vm.account(address)
  }

  type Plan = { readonly steps: readonly SolanaStep[] | null; readonly told: readonly Told[]; readonly stock: SolanaStock }

  /** No steps when no program charges anything: then it runs as it came. */
  const planOf = (transaction: SolanaPrepared): Plan => {
    const told: Told[] = []
    let stock: SolanaStock = new Map()
    // An account that is in it twice: the machine refuses it.
    const isTwice = new Set(transaction.keys.map(({ address }) => address)).size < transaction.keys.length
    if (isTwice) return { steps: null, told, stock }
    const signers = transaction.keys.filter(({ isSigner }) => isSigner).map(({ address }) => address)
    const steps: SolanaStep[] = []
    let isCharged = false
    for (const [origin, instruction] of instructionsOf(transaction).entries()) {
      const { programId, accounts, data } = instruction
      const accountNow = (address: string) => accountAfter(transaction, { steps, stock }, address)
      const context = { signers, id: `${transaction.signature}/${origin}`, holding: (at: string) => tokenHolding(accountNow(at)) }
      const charge = programs.get(programId)?.(instruction, context) ?? null
      const parts = { tokens, treasury, accountNow, delegate: payerOf(transaction) }
      if (charge) steps.push(...chargeSteps(charge, { instruction, origin }, parts))
      else {
        const own = { programId, accounts: accounts.map((address) => ({ address })), data }
        steps.push({ instruction: own, origin, shown: { as: 'itself' } })
      }
      if (charge && 'tells' in charge && charge.tells) told.push({ origin, program: programId, telling: charge.tells })
      stock = stocks.with(stock, charge)
      isCharged ||= charge !== null
    }
    return { steps: isCharged ? steps : null, told, stock }
  }

  const execute = (transaction: SolanaPrepared, how: 'run' | 'simulate'): VmOutcome => {
    const { steps, told, stock } = planOf(transaction)
    if (!steps) return vm[how](transaction.wire.bytes)
    const rewritten = rewrite(transaction, steps)
    if (!rewritten) return { ...NOTHING_RAN, failure: failureNamed('TooManyAccountLocks') }
    const numbering = numberingOf(transaction, steps, rewritten)
    const outcome = stocks.during(stock, payerOf(transaction), () => vm[how](rewritten.bytes, numbering))
    const own = { ...outcome, logs: solanaProgramLogs(outcome.logs, steps), inner: ownInner(outcome, transaction, steps) }
    return withTold(own, transaction, told)
  }

  return {
    install: (programId, program) => {
      vm.install(programId, 'succeeds')
      if (program) programs.set(programId, program)
      else programs.delete(programId)
    },
    run: (transaction) => execute(transaction, 'run'),
    simulate: (transaction) => execute(transaction, 'simulate'),
  }
}
