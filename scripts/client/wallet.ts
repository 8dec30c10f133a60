import type { Deposit, Transaction, TypedData } from './wire.ts'

/** A transaction that was sent, and what it cost besides the money it moved: fees and rent, in the chain's own coin. */
export type Sent = { readonly id: string; readonly cost: bigint }

/** What a client's own wallet does for a swap. Each chain's is written with that chain's usual library. */
export interface Wallet {
  readonly address: string
  /** Signs, broadcasts and waits until it is done. */
  send(transaction: Transaction): Promise<Sent>
  /** Signs EIP-712 typed data. */
  sign(typedData: TypedData): Promise<string>
  /** Pays `deposit.token` by an ordinary transfer. */
  pay(deposit: Deposit): Promise<Sent>
}

/** A wallet of a chain that has no such thing. */
export const cannot = (what: string) => async (): Promise<never> => {
  throw new Error(what)
}
