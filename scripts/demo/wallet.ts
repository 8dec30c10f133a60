import type { Deposit, Token, Transaction, TypedData } from './connect.ts'

/** What a client's own wallet does for a swap. Each chain's is written with that chain's usual library. */
export interface Wallet {
  readonly address: string
  /** What it holds, read from the chain itself. */
  balance(token: Pick<Token, 'chainId' | 'address' | 'isNative'>): Promise<bigint>
  /** Signs, broadcasts and waits until it is done. Gives the transaction's hash. */
  send(transaction: Transaction): Promise<string>
  /** Signs EIP-712 typed data. */
  sign(typedData: TypedData): Promise<string>
  /** Makes an ordinary payment. Gives the transaction's hash. */
  pay(deposit: Deposit, token: Token): Promise<string>
}
