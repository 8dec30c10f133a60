import type { Address } from '../core/address.ts'
import { type Asset, isNative } from '../core/asset.ts'
import { type ChainId, isEvmChainId } from '../core/chain.ts'
import type { Hex } from '../core/execution.ts'
import type { TransactionId } from '../core/transactionId.ts'

/** A log of an EVM transaction, its address and topics in lower case. */
export type SeenLog = {
  /** Counted in its transaction, from 0: its number in the block changes when a reorganisation moves the transaction. */
  readonly index: number
  readonly address: Hex
  readonly topics: readonly Hex[]
  readonly data: Hex
}

/** An instruction of a Solana transaction, its own or one that a program called. */
export type SeenInstruction = {
  /** Counted over all of them, in the order they ran. */
  readonly index: number
  readonly program: Address
  readonly accounts: readonly Address[]
  readonly data: Uint8Array
}

/** Money that an address received, as the chain itself or the token's own contract shows it. */
export type Movement = {
  /**
   * Identifies the movement in its transaction, also after a reorganisation: `log:12`, `value`, `output:1`, `instruction:4`.
   * `balance:<token>:<payee>` is a sum that no single instruction explains.
   */
  readonly place: string
  /** The native marker for coins. */
  readonly token: Address
  /** Null without a single payer: a Bitcoin output, a sum of balances, coins or tokens that a mint made. */
  readonly from: Address | null
  readonly to: Address
  readonly amount: bigint
}

/**
 * `fresh`: in a block, which a reorganisation may still take away. `confirmed`: under as many blocks, or seen by as many
 * endpoints, as the chain's rule asks before money counts as arrived. `final`: nothing takes it away.
 */
export type Standing = 'fresh' | 'confirmed' | 'final'

/** The top-level call of an EVM transaction. */
export type SeenCall = { readonly from: Address; readonly to: Address | null; readonly data: Hex; readonly value: bigint }

/** A transaction that is in a block. */
export type SeenTransaction = {
  readonly chainId: ChainId
  readonly hash: TransactionId
  /** False: it failed, and moved nothing but its fee. */
  readonly isSuccess: boolean
  readonly standing: Standing
  /** The time of its block, which is rough: epoch ms. Null where the node lacks it. */
  readonly at: number | null
  readonly height: number
  /** All that the chain shows; on EVM chains coins only as the value of the transaction itself. None where it failed. */
  readonly movements: readonly Movement[]
  /** Null on other chains than EVM. */
  readonly call: SeenCall | null
  /** None on other chains than EVM, and where it failed. */
  readonly logs: readonly SeenLog[]
  /** None on other chains than Solana. Where it failed, what it tried. */
  readonly instructions: readonly SeenInstruction[]
  /** The data of outputs without a payee (OP_RETURN), which any sender may write. Empty on other chains than Bitcoin. */
  readonly notes: readonly Uint8Array[]
}

/** The place of all coins of one block that arrived by calls of contracts, which only balances or events show. */
export const blockOf = ({ height }: SeenTransaction): string => `block:${height}/`

/**
 * The place of all coins that contracts of an EVM chain sent in a transaction. They leave no log, so that their recipient is
 * often unknown.
 */
export const COINS_BY_CALLS = 'balance'

/**
 * Identifies a payment on its chain. A sum of balances before and after a block is that of all its transactions, so it belongs to
 * the block.
 */
export const placeOf = (seen: SeenTransaction, place: string): string =>
  isEvmChainId(seen.chainId) && place.startsWith('balance:') ? `${blockOf(seen)}${place}` : `${seen.hash}/${place}`

const sumOf = (movements: readonly Movement[]): bigint => movements.reduce((sum, { amount }) => sum + amount, 0n)

/**
 * The payments of an asset to an address in a transaction. Where the address paid some of it back, the rest is one payment in the
 * place of the largest. Money that only passes through does not count.
 */
export const paymentsTo = (
  { movements }: Pick<SeenTransaction, 'movements'>,
  { asset, recipient }: { readonly asset: Asset; readonly recipient: Address },
): readonly Movement[] => {
  const own = movements.filter(({ token, from, to }) => token === asset.address && from !== to)
  const got = own.filter(({ to }) => to === recipient)
  const given = sumOf(own.filter(({ from }) => from === recipient))
  // Coins that a wallet sends along with its own transaction are not a return of the payment.
  if (given === 0n || isNative(asset)) return got
  const left = sumOf(got) - given
  const [largest] = got.toSorted((a, b) => (a.amount < b.amount ? 1 : -1))
  return largest !== undefined && left > 0n ? [{ ...largest, from: null, amount: left }] : []
}
