import type { SolanaInstructionPlan } from '../../chains/solana/solanaCodec.ts'
import type { SimToken } from '../kit/tokens.ts'
import type { SimSolana } from '../kit/world.ts'
import { associatedTokenAddress, mintDecimals, SYSTEM_PROGRAM, TREASURY_LAMPORTS, tokenHolding } from './solanaAccounts.ts'
import type { SolanaBlocks } from './solanaBlocks.ts'
import type { SolanaExecution } from './solanaExecution.ts'
import { writeMemo } from './solanaInstructions.ts'
import type { LandedTransaction } from './solanaLedger.ts'
import { prepareSolana } from './solanaPrepare.ts'
import type { SolanaTreasury } from './solanaTreasury.ts'
import type { SolanaVm } from './solanaVm.ts'

/** As SimSolana.transfer has it. */
type HowPaid = Pick<Parameters<SimSolana['transfer']>[0], 'by' | 'memo'>

/** Money of the offline Solana that needs nobody's signature. Errors are RangeError beyond what a balance can hold. */
export interface SolanaBank {
  /** Gives a wallet more out of nothing. */
  grant(token: SimToken, wallet: string, amount: bigint): Promise<void>
  /** Pays SOL by a transaction; its signature. Throws Error with the node's words when it would fail. */
  airdrop(wallet: string, lamports: bigint): Promise<string>
  /** Pays a wallet from the treasury by a transaction; see SimSolana.transfer. Throws Error likewise. */
  transfer(token: SimToken, wallet: string, amount: bigint, how?: HowPaid): Promise<LandedTransaction>
  balance(token: SimToken, wallet: string): bigint
}

const TOKEN_AMOUNT_MAX = (1n << 64n) - 1n
/** Most clients read lamports as JSON numbers; more than these hold exactly is never given. */
const LAMPORTS_MAX = BigInt(Number.MAX_SAFE_INTEGER)

const demandRoom = (total: bigint, max: bigint): void => {
  if (total > max) throw new RangeError('is more than the balance can hold')
}

export const createSolanaBank = ({
  vm,
  blocks,
  execution,
  treasury,
}: {
  readonly vm: SolanaVm
  readonly blocks: SolanaBlocks
  readonly execution: SolanaExecution
  readonly treasury: SolanaTreasury
}): SolanaBank => {
  let last: Promise<unknown> = Promise.resolve()

  /** One after the other: two equal payments at once would be one transaction. */
  const inTurn = <T>(task: () => Promise<T>): Promise<T> => {
    const run = last.then(task)
    // Whoever asked for it hears of its failure.
    last = run.catch(() => undefined)
    return run
  }

  const holdingAt = (token: SimToken, wallet: string): bigint =>
    tokenHolding(vm.account(associatedTokenAddress(token, wallet)))?.amount ?? 0n
  const balance = (token: SimToken, wallet: string): bigint =>
    token.isNative ? (vm.account(wallet)?.lamports ?? 0n) : holdingAt(token, wallet)

  const addLamports = (wallet: string, lamports: bigint): void => {
    const before = vm.account(wallet) ?? { owner: SYSTEM_PROGRAM, lamports: 0n, data: Buffer.alloc(0) }
    demandRoom(before.lamports + lamports, LAMPORTS_MAX)
    vm.put(wallet, { ...before, lamports: before.lamports + lamports })
  }

  const fillTreasury = (lamports: bigint): void => {
    const missing = lamports + TREASURY_LAMPORTS - (vm.account(treasury.address)?.lamports ?? 0n)
    if (missing > 0n) addLamports(treasury.address, missing)
  }

  const send = (build: () => readonly SolanaInstructionPlan[], lamports = 0n): Promise<LandedTransaction> =>
    inTurn(async () => {
      const bytes = await treasury.signed(build(), blocks.latest().blockhash)
      fillTreasury(lamports)
      const transaction = prepareSolana(bytes, vm.account)
      const { failure } = execution.simulate(transaction)
      const landed = failure ? null : execution.land(transaction)
      if (!landed) throw new Error(failure?.text ?? 'the treasury could not pay')
      return landed
    })

  const demandSupply = ({ address }: SimToken, amount: bigint): void => {
    const mint = vm.account(address)
    if (!mint || mintDecimals(mint) === null) throw new Error(`${address} is no mint`)
    demandRoom(mint.data.readBigUInt64LE(36) + amount, TOKEN_AMOUNT_MAX)
  }

  const memoOf = (memo?: string) => (memo === undefined ? [] : [writeMemo(memo)])

  const payNative = (wallet: string, lamports: bigint, memo?: string): Promise<LandedTransaction> => {
    demandRoom((vm.account(wallet)?.lamports ?? 0n) + lamports, LAMPORTS_MAX - TREASURY_LAMPORTS)
    return send(() => [...treasury.payNative(wallet, lamports), ...memoOf(memo)], lamports)
  }

  const payToken = (token: SimToken, wallet: string, amount: bigint, { by, memo }: HowPaid): Promise<LandedTransaction> =>
    send(() => {
      const payment = [...treasury.payToken(token, wallet, amount, by), ...memoOf(memo)]
      const missing = amount - holdingAt(token, treasury.address)
      if (missing <= 0n) return payment
      demandSupply(token, missing)
      return [...treasury.mint(token, treasury.address, missing), ...payment]
    })

  return {
    balance,
    grant: async (token, wallet, amount) => {
      if (token.isNative) return addLamports(wallet, amount)
      await send(() => {
        demandSupply(token, amount)
        return treasury.mint(token, wallet, amount)
      })
    },
    airdrop: async (wallet, lamports) => (await payNative(wallet, lamports)).signature,
    transfer: async (token, wallet, amount, how = {}) =>
      token.isNative ? payNative(wallet, amount, how.memo) : payToken(token, wallet, amount, how),
  }
}
