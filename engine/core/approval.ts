import type { Address } from './address.ts'
import { type Amount, toAmount } from './amount.ts'
import type { Asset } from './asset.ts'
import type { WalletTransaction } from './execution.ts'
import type { Approval } from './swap.ts'

/** ERC-20 `approve(address,uint256)`. */
const APPROVE_SELECTOR = '0x095ea7b3'

const word = (hexDigits: string): string => hexDigits.toLowerCase().padStart(64, '0')

const approve = ({ chainId, address }: Asset, spender: Address, amount: bigint): WalletTransaction => ({
  chainId,
  to: address,
  data: `${APPROVE_SELECTOR}${word(spender.slice(2))}${word(amount.toString(16))}`,
  value: toAmount(0n),
})

/**
 * The approval for exactly the amount of one swap: an unlimited one would remain after the swap. `needsReset` adds the step to
 * zero that some tokens require.
 */
export const buildApproval = (asset: Asset, spender: Address, amount: Amount, needsReset: boolean): Approval => ({
  token: asset.address,
  spender,
  amount,
  transaction: approve(asset, spender, amount),
  reset: needsReset ? approve(asset, spender, 0n) : null,
})

/** A spender's current allowance; `needsReset`: the token rejects a change without a step to zero. */
export type Allowance = { readonly allowance: bigint; readonly needsReset: boolean }

/**
 * The approval that a swap still needs; null without one. An unknown allowance counts as missing: an extra approval costs a
 * little gas, while a missing one makes the swap revert.
 */
export const missingApproval = (asset: Asset, spender: Address, amount: Amount, known: Allowance | null): Approval | null =>
  known !== null && known.allowance >= amount ? null : buildApproval(asset, spender, amount, known?.needsReset ?? false)
