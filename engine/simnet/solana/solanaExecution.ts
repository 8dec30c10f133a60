import type { SimClock } from '../kit/world.ts'
import { mintDecimals, SYSTEM_PROGRAM, tokenHolding } from './solanaAccounts.ts'
import type { SolanaBlocks } from './solanaBlocks.ts'
import { failureNamed, type SolanaFailure } from './solanaFailure.ts'
import { solanaFee } from './solanaFee.ts'
import type { LandedTransaction, SolanaBalances, SolanaLedger } from './solanaLedger.ts'
import type { SolanaPrepared } from './solanaPrepare.ts'
import type { SolanaPrograms } from './solanaPrograms.ts'
import type { SolanaVm, VmOutcome } from './solanaVm.ts'

/** Runs transactions as a node would: in the next slot, on a blockhash that still serves, once. */
export interface SolanaExecution {
  /** Why the transaction cannot enter a block now: too old a blockhash, or it is in one already. */
  refusal(transaction: SolanaPrepared): SolanaFailure | null
  simulate(transaction: SolanaPrepared): VmOutcome
  /** Null when no block took it. A transaction that failed after its fee was taken did land. */
  land(transaction: SolanaPrepared): LandedTransaction | null
}

/** Programs that look for recent slots. */
const READS_SLOT_HASHES: readonly string[] = [
  'AddressLookupTab1e1111111111111111111111111',
  'SysvarS1otHashes111111111111111111111111111',
]

export const createSolanaExecution = ({
  vm,
  programs,
  blocks,
  ledger,
  clock,
}: {
  readonly vm: SolanaVm
  readonly programs: SolanaPrograms
  readonly blocks: SolanaBlocks
  readonly ledger: SolanaLedger
  readonly clock: SimClock
}): SolanaExecution => {
  const unixSeconds = () => Math.floor(clock.now() / 1_000)

  const enterSlot = ({ keys }: SolanaPrepared): void => {
    vm.moveTo({ slot: blocks.next(), unixSeconds: unixSeconds() })
    if (keys.some(({ address }) => READS_SLOT_HASHES.includes(address))) vm.setSlotHashes(blocks.recent())
  }

  /** LiteSVM tells a program that is not there from one that is no program by nothing. */
  const named = ({ wire: { message } }: SolanaPrepared, outcome: VmOutcome): VmOutcome => {
    const isMissing = message.instructions.some(({ program }) => vm.account(message.keys[program] ?? '') === null)
    return outcome.failure?.json === 'InvalidProgramForExecution' && isMissing
      ? { ...outcome, failure: failureNamed('ProgramAccountNotFound') }
      : outcome
  }

  const balances = ({ keys }: SolanaPrepared): SolanaBalances => {
    const accounts = keys.map(({ address }) => vm.account(address))
    const tokens = accounts.flatMap((account, index) => {
      const holding = tokenHolding(account)
      const decimals = holding && mintDecimals(vm.account(holding.mint))
      return holding && decimals !== null ? [{ index, ...holding, decimals }] : []
    })
    return { lamports: accounts.map((account) => account?.lamports ?? 0n), tokens }
  }

  const isWallet = (address: string): boolean => {
    const account = vm.account(address)
    return account?.owner === SYSTEM_PROGRAM && account.data.length === 0
  }

  const land = (transaction: SolanaPrepared): LandedTransaction | null => {
    enterSlot(transaction)
    const before = balances(transaction)
    const outcome = named(transaction, programs.run(transaction))
    const after = balances(transaction)
    if (outcome.failure && before.lamports[0] === after.lamports[0]) return null
    const landed = {
      ...transaction,
      slot: blocks.next(),
      blockTime: unixSeconds(),
      fee: solanaFee(transaction.wire.message),
      outcome,
      before,
      after,
      wallets: new Set(transaction.keys.map(({ address }) => address).filter(isWallet)),
    }
    blocks.finish()
    ledger.add(landed)
    return landed
  }

  return {
    refusal: ({ signature, wire }) => {
      if (!blocks.isValid(wire.message.blockhash)) return failureNamed('BlockhashNotFound')
      const isRepeated = ledger.find(signature)?.wire.messageBytes.equals(wire.messageBytes) ?? false
      return isRepeated ? failureNamed('AlreadyProcessed') : null
    },
    simulate: (transaction) => {
      enterSlot(transaction)
      return named(transaction, programs.simulate(transaction))
    },
    land,
  }
}
