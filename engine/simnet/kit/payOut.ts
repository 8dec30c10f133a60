import { BITCOIN, type ChainId, ecosystemOf } from '../../core/chain.ts'
import { wordOf } from './abiWords.ts'
import { callData, ERC20 } from './callData.ts'
import type { SimToken } from './tokens.ts'
import type { SimCall, SimEvm, SimReceipt, World } from './world.ts'

export type Payout = { readonly token: SimToken; readonly to: string; readonly amount: bigint }

/** Pays an address by a transaction on the token's own chain, and gives its hash. Rejects where the chain refuses. */
export const payOut = (
  { evm, solana, bitcoin }: Pick<World, 'evm' | 'solana' | 'bitcoin'>,
  { token, to, amount }: Payout,
): Promise<string> => {
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

/** Less is not sent on Bitcoin: nodes would not relay it, whatever the kind of address. */
const LEAST_SATOSHI = 546n

export const isWorthSending = ({ chainId }: { readonly chainId: number }, amount: bigint): boolean =>
  amount >= (chainId === BITCOIN ? LEAST_SATOSHI : 1n)

type Taking = { readonly chainId: number; readonly token: string; readonly owner: string; readonly spender: string }

/** Lets a contract take what it will of a token, unless it may already. */
export const letTake = async (evm: Pick<SimEvm, 'call' | 'send'>, { chainId, token, owner, spender }: Taking): Promise<void> => {
  const asked = `0xdd62ed3e${wordOf(owner)}${wordOf(spender)}`
  if (BigInt(`${await evm.call({ chainId, to: token, data: asked })}0`) > 0n) return
  await land(evm, { chainId, from: owner, to: token, data: await callData(ERC20.approve, [spender, (1n << 256n) - 1n]) })
}

/** Sends a transaction as somebody who asks for the reason first. Throws EvmRevert, or Error where it reverted all the same. */
export const land = async (evm: Pick<SimEvm, 'call' | 'send'>, call: SimCall): Promise<SimReceipt> => {
  await evm.call(call)
  const receipt = await evm.send(call)
  if (receipt.status === 'reverted') throw new Error(`the transaction ${receipt.txHash} reverted`)
  return receipt
}
