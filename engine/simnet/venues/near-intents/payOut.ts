import { type ChainId, ecosystemOf } from '../../../core/chain.ts'
import type { SimToken } from '../../kit/tokens.ts'
import type { World } from '../../kit/world.ts'

type PayingWorld = Pick<World, 'evm' | 'solana' | 'bitcoin'>
type PayOut = { readonly token: SimToken; readonly to: string; readonly amount: bigint }

/** Pays an address by a transaction on the token's own chain, and gives its hash. Rejects where the chain refuses. */
export const payOut = ({ evm, solana, bitcoin }: PayingWorld, { token, to, amount }: PayOut): Promise<string> => {
  const { chainId, address } = token
  switch (ecosystemOf(chainId as ChainId)) {
    case 'evm':
      return evm.transfer({ chainId, token: address, to, amount })
    case 'solana':
      return solana.transfer({ token: address, to, amount })
    case 'bitcoin':
      return bitcoin.transfer({ to, amount })
  }
}
