import { COMPUTE_BUDGET_PROGRAM, SYSTEM_PROGRAM } from '../../chains/solana/solanaCodec.ts'
import { NATIVE_SOL } from '../../core/asset.ts'
import { SOLANA } from '../../core/chain.ts'
import { BoundedMap } from '../kit/boundedMap.ts'
import type { SimDeposit, SimTransaction } from '../kit/simVenue.ts'
import type { SimTokens } from '../kit/tokens.ts'
import type { SimClock } from '../kit/world.ts'
import { mintDecimals, type SolanaAccount, tokenHolding } from './solanaAccounts.ts'
import type { SolanaBlocks } from './solanaBlocks.ts'
import { memosOf, type SolanaPrepared, solanaFee } from './solanaPrepare.ts'
import type { SolanaPrograms } from './solanaPrograms.ts'
import type { SolanaFailure, SolanaOutcome, SolanaVm } from './solanaVm.ts'

export type TokenBalance = {
  /** In the keys of the transaction. */
  readonly index: number
  readonly mint: string
  readonly owner: string
  readonly program: string
  readonly amount: bigint
  readonly decimals: number
}

/** Balances of the accounts of a transaction at one moment: lamports by key, and the token accounts among them. */
type SolanaBalances = { readonly lamports: readonly bigint[]; readonly tokens: readonly TokenBalance[] }

/** A transaction in a block, whether it succeeded or only paid its fee. */
export type LandedTransaction = SolanaPrepared & {
  readonly slot: number
  /** Unix seconds. */
  readonly blockTime: number
  readonly fee: bigint
  readonly outcome: SolanaOutcome
  readonly before: SolanaBalances
  readonly after: SolanaBalances
  /** Those of its addresses that are wallets afterwards: accounts of the system program without data. */
  readonly wallets: ReadonlySet<string>
}

export type Simulated = SolanaOutcome & {
  /** The accounts of the transaction as they would be. */
  readonly accounts: ReadonlyMap<string, SolanaAccount | null>
}

/** The transactions of the offline Solana, the latest ones: each runs in the next slot, on a valid blockhash, once. */
export interface SolanaLedger {
  /** Why no block can include the transaction now: its blockhash is too old, or a block includes it already. */
  refusal(transaction: SolanaPrepared): SolanaFailure | null
  simulate(transaction: SolanaPrepared): Simulated
  /** Null when no block includes it. A transaction that failed after its fee was taken is in a block. */
  land(transaction: SolanaPrepared): LandedTransaction | null
  find(signature: string): LandedTransaction | null
  /** Those that name an address, newest first. */
  naming(address: string): readonly LandedTransaction[]
}

const REMEMBERED = 10_000

export const createSolanaLedger = ({
  vm,
  programs,
  blocks,
  clock,
}: {
  readonly vm: SolanaVm
  readonly programs: Pick<SolanaPrograms, 'run' | 'stock'>
  readonly blocks: SolanaBlocks
  readonly clock: SimClock
}): SolanaLedger => {
  const landed = new BoundedMap<string, LandedTransaction>(REMEMBERED)
  const unixSeconds = () => Math.floor(clock.now() / 1_000)
  const enterSlot = () => vm.moveTo({ slot: blocks.next(), unixSeconds: unixSeconds() })

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

  return {
    refusal: ({ signature, wire }) => {
      if (!blocks.isValid(wire.message.recentBlockhash)) return 'BlockhashNotFound'
      const earlier = landed.get(signature)?.wire.message.serialize()
      return earlier && Buffer.from(earlier).equals(wire.message.serialize()) ? 'AlreadyProcessed' : null
    },
    simulate: (transaction) => {
      enterSlot()
      const addresses = transaction.keys.map(({ address }) => address)
      const run = () => {
        const outcome = programs.run(transaction)
        return { ...outcome, accounts: new Map(addresses.map((address) => [address, vm.account(address)])) }
      }
      return vm.attempt([...addresses, ...programs.stock], run, () => false)
    },
    land: (transaction) => {
      enterSlot()
      const before = balances(transaction)
      const outcome = programs.run(transaction)
      const after = balances(transaction)
      if (outcome.failure !== null && before.lamports[0] === after.lamports[0]) return null
      const wallets = new Set(transaction.keys.map(({ address }) => address).filter(isWallet))
      const place = { slot: blocks.next(), blockTime: unixSeconds(), fee: solanaFee(transaction) }
      const added = { ...transaction, ...place, outcome, before, after, wallets }
      blocks.finish()
      landed.set(added.signature, added)
      return added
    },
    find: (signature) => landed.get(signature) ?? null,
    naming: (address) => [...landed.values()].filter(({ keys }) => keys.some((key) => key.address === address)).reverse(),
  }
}

/** Wallets that received SOL, without the one that paid the fee. */
const nativePayments = ({ keys, before, after, wallets, signature }: LandedTransaction): readonly SimDeposit[] =>
  keys.flatMap(({ address }, index) => {
    const amount = (after.lamports[index] ?? 0n) - (before.lamports[index] ?? 0n)
    return index > 0 && amount > 0n && wallets.has(address)
      ? [{ chainId: SOLANA, token: NATIVE_SOL, address, amount, txHash: signature }]
      : []
  })

/** Owners of accounts that received a token. Wrapped SOL is not reported. */
const tokenPayments = ({ before, after, signature }: LandedTransaction, tokens: SimTokens): readonly SimDeposit[] =>
  after.tokens.flatMap(({ index, mint, owner, amount }) => {
    const held = before.tokens.find((balance) => balance.index === index && balance.mint === mint)?.amount ?? 0n
    const isKnown = mint !== NATIVE_SOL && tokens.find(SOLANA, mint) !== null
    return isKnown && amount > held
      ? [{ chainId: SOLANA, token: mint, address: owner, amount: amount - held, txHash: signature }]
      : []
  })

/** The first program of a transaction beside the compute budget. */
export const firstProgram = ({ instructions }: Pick<SolanaPrepared, 'instructions'>): string =>
  instructions.find(({ programId }) => programId !== COMPUTE_BUDGET_PROGRAM)?.programId ?? COMPUTE_BUDGET_PROGRAM

/** A successful transaction, as venues see it. */
export const toSimTransaction = (landed: LandedTransaction, tokens: SimTokens): SimTransaction => {
  const { wire, keys, signature, outcome, instructions } = landed
  return {
    chainId: SOLANA,
    from: keys[0]?.address ?? '',
    to: firstProgram(landed),
    data: Buffer.from(wire.serialize()).toString('base64'),
    value: 0n,
    txHash: signature,
    solana: {
      signers: keys.filter(({ isSigner }) => isSigner).map(({ address }) => address),
      instructions,
      memos: memosOf(landed),
      logs: outcome.logs,
      payments: [...nativePayments(landed), ...tokenPayments(landed, tokens)],
    },
  }
}
