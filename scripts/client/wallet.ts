import type { Deposit, Transaction, TypedData } from './wire.ts'

/** A sent transaction, and its fees and rent in the chain's own coin. */
export type Sent = { readonly id: string; readonly cost: bigint }

/** A client's own wallet, by the usual library of its chain. */
export interface Wallet {
  readonly address: string
  /** Signs, broadcasts and waits until it is done. */
  send(transaction: Transaction): Promise<Sent>
  /** Signs EIP-712 typed data. */
  sign(typedData: TypedData): Promise<string>
  /** Pays `deposit.token` by an ordinary transfer. */
  pay(deposit: Deposit): Promise<Sent>
}

/** An action that the wallets of a chain lack. */
export const cannot = (what: string) => async (): Promise<never> => {
  throw new Error(what)
}
