import { SOLANA } from '../../core/chain.ts'
import type { SimTokens } from '../kit/tokens.ts'
import type { SimCharge } from '../kit/world.ts'
import { associatedTokenAddress, type SolanaAccount, withDelegation, withoutDelegation } from './solanaAccounts.ts'
import type { SolanaVm, VmOutcome } from './solanaVm.ts'

/** By the treasury's account: what programs pay out of it in one transaction. */
export type SolanaStock = ReadonlyMap<string, bigint>

/** What the programs that are not real here pay out of, which is the treasury's, though the treasury signs nothing for it. */
export const createSolanaStock = ({
  vm,
  tokens,
  treasury,
}: {
  readonly vm: Pick<SolanaVm, 'account' | 'put'>
  readonly tokens: SimTokens
  readonly treasury: string
}) => {
  const change = (address: string, to: (account: SolanaAccount) => SolanaAccount): void => {
    const account = vm.account(address)
    if (account) vm.put(address, to(account))
  }
  return {
    /** With what a charge pays out. */
    with: (stock: SolanaStock, charge: SimCharge): SolanaStock => {
      const all = new Map(stock)
      for (const { token: address, amount } of charge && 'pays' in charge ? (charge.pays ?? []) : []) {
        const token = tokens.find(SOLANA, address)
        const account = token && associatedTokenAddress(token, treasury)
        if (account !== null) all.set(account, (all.get(account) ?? 0n) + amount)
      }
      return all
    },
    /** While it runs a signer may move so much of the stock; afterwards nobody may, whether it was moved or not. */
    during: (stock: SolanaStock, signer: string, run: () => VmOutcome): VmOutcome => {
      for (const [address, amount] of stock) change(address, (own) => withDelegation(own, signer, amount))
      const outcome = run()
      for (const address of stock.keys()) change(address, withoutDelegation)
      return outcome
    },
  }
}
