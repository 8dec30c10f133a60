import { NATIVE } from '../../core/asset.ts'
import { BITCOIN } from '../../core/chain.ts'
import type { SimDeposit } from '../kit/simVenue.ts'
import type { SimBitcoinTransaction } from '../kit/world.ts'

/** Who is paid what: one payment for each address, however many outputs it gets. What a spender gives itself is change. */
export const bitcoinPayments = ({ txid, inputs, outputs }: SimBitcoinTransaction): readonly SimDeposit[] => {
  const spenders = new Set(inputs.map(({ address }) => address))
  const amounts = new Map<string, bigint>()
  for (const { address, amount } of outputs)
    if (address !== null && !spenders.has(address)) amounts.set(address, (amounts.get(address) ?? 0n) + amount)
  return [...amounts].map(([address, amount]) => ({ chainId: BITCOIN, token: NATIVE, address, amount, txHash: txid }))
}
