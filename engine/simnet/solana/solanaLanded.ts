import { NATIVE_SOL } from '../../core/asset.ts'
import { SOLANA } from '../../core/chain.ts'
import type { SimDeposit, SimTransaction } from '../kit/simVenue.ts'
import type { SimTokens } from '../kit/tokens.ts'
import type { LandedTransaction } from './solanaLedger.ts'
import { memosOf } from './solanaMemos.ts'

export const COMPUTE_BUDGET_PROGRAM = 'ComputeBudget111111111111111111111111111111'

/** Whatever got more SOL by it: wallets only, and not the one that paid the fee. */
const nativePayments = ({ keys, before, after, wallets, signature }: LandedTransaction): readonly SimDeposit[] =>
  keys.flatMap(({ address }, index) => {
    const amount = (after.lamports[index] ?? 0n) - (before.lamports[index] ?? 0n)
    return index > 0 && amount > 0n && wallets.has(address)
      ? [{ chainId: SOLANA, token: NATIVE_SOL, address, amount, txHash: signature }]
      : []
  })

/** Whoever got more of a token by it, by the wallet that owns the account. Wrapped SOL is no SOL, and told of by nobody. */
const tokenPayments = ({ before, after, signature }: LandedTransaction, tokens: SimTokens): readonly SimDeposit[] =>
  after.tokens.flatMap(({ index, mint, owner, amount }) => {
    const held = before.tokens.find((balance) => balance.index === index && balance.mint === mint)?.amount ?? 0n
    const isKnown = mint !== NATIVE_SOL && tokens.find(SOLANA, mint) !== null
    return isKnown && amount > held
      ? [{ chainId: SOLANA, token: mint, address: owner, amount: amount - held, txHash: signature }]
      : []
  })

/** A transaction that did what it should, as venues see it. */
export const toSimTransaction = (landed: LandedTransaction, tokens: SimTokens): SimTransaction => {
  const { wire, keys, signature, outcome } = landed
  const address = (index: number): string => keys[index]?.address ?? ''
  const instructions = wire.message.instructions.map(({ program, accounts, data }) => ({
    programId: address(program),
    accounts: accounts.map(address),
    data: new Uint8Array(data),
  }))
  return {
    chainId: SOLANA,
    from: address(0),
    to: instructions.find(({ programId }) => programId !== COMPUTE_BUDGET_PROGRAM)?.programId ?? COMPUTE_BUDGET_PROGRAM,
    data: wire.bytes.toString('base64'),
    value: 0n,
    txHash: signature,
    solana: {
      signers: keys.filter(({ isSigner }) => isSigner).map((key) => key.address),
      instructions,
      memos: memosOf(wire.message),
      logs: outcome.logs,
      payments: [...nativePayments(landed), ...tokenPayments(landed, tokens)],
    },
  }
}
