import type { SolanaInstructionPlan } from '../../chains/solana/solanaCodec.ts'
import type { Faults } from './faults.ts'
import type { Market } from './market.ts'
import type { SimLog, SimSolanaInstruction, SimTransaction } from './simVenue.ts'
import type { SimTokens } from './tokens.ts'

/** The offline network's time: real time plus every jump made through the control server. Epoch ms. */
export interface SimClock {
  now(): number
  advance(ms: number): void
}

/** Replayable randomness: the same seed gives the same numbers in the same order. */
export interface SimRandom {
  /** A whole number in [0, below). */
  integer(below: number): number
  bytes(length: number): Uint8Array
  hex(length: number): string
}

/** A call of an EVM contract, or a plain payment when `data` is `0x`. `data` is hex with 0x; `value` in wei, 0 when left out. */
export type SimCall = {
  readonly chainId: number
  readonly from: string
  readonly to: string
  readonly data: string
  readonly value?: bigint
}

/** What became of a transaction that is in a block. */
export type SimReceipt = {
  readonly txHash: string
  readonly blockNumber: number
  /** Unix seconds. */
  readonly timestamp: number
  readonly status: 'success' | 'reverted'
  readonly logs: readonly SimLog[]
}

/**
 * What a simulated venue can do on the EVM chains. Their nodes start when first called and run on the network's time: a
 * block made now has the timestamp floor(clock.now() / 1000). Addresses may be spelled in any case; amounts are in
 * smallest units; `token` is a token of world.tokens, the native marker for coins. Transactions are ordinary ones, and are
 * reported to every venue before the promise resolves. The callbacks of a venue do not wait: their transactions are work
 * for the schedule.
 */
export interface SimEvm {
  /** Sends one JSON-RPC call to the chain's node. A transaction sent by it is not reported. */
  rpc(chainId: number, method: string, params: readonly unknown[]): Promise<unknown>
  /** Pays from the venues' treasury and returns the hash; throws EvmRevert. `by`: the call that makes the payment instead; coins are its value. */
  transfer(payment: {
    readonly chainId: number
    readonly token: string
    readonly to: string
    readonly amount: bigint
    readonly by?: Pick<SimCall, 'to' | 'data'>
  }): Promise<string>
  /**
   * Sends a transaction as any account, without a key, and waits for its block. Its gas is free; its value is the sender's.
   * One that fails lands as `reverted`: ask `call` first for the reason.
   */
  send(call: SimCall): Promise<SimReceipt>
  /** Runs a call on the latest block without a transaction and gives what it returns, in hex. Throws EvmRevert. */
  call(call: Omit<SimCall, 'from'> & { readonly from?: string }): Promise<string>
  balance(chainId: number, token: string, owner: string): Promise<bigint>
  /** Null when the chain has no such transaction, or not yet. */
  receipt(chainId: number, txHash: string): Promise<SimReceipt | null>
  /** Adds to a balance out of nothing: the stock of a solver or relayer. It is not reported. */
  fund(grant: {
    readonly chainId: number
    readonly token: string
    readonly holder: string
    readonly amount: bigint
  }): Promise<void>
}

/** The work of venues that is due later, by the network's time. */
export interface SimSchedule {
  /**
   * Runs `work` once, when the clock reads `atMs` (epoch ms). A jump of the clock stops at every due moment on the way; the
   * answers of `POST /clock` and of venues come after all that is due. Errors are noted in `GET /` of the control server.
   * `work` must not call a venue over HTTP: that would wait for itself.
   */
  at(atMs: number, work: () => void | Promise<void>): void
}

/** What a program tells of a call it took: it calls itself with `data`, signed for by an account that the call must name. */
export type SimTelling = { readonly authority: string; readonly data: Uint8Array }

/** Something a program pays out of what the treasury holds, in the treasury's associated account, to a token account: both must be named. */
export type SimPayout = { readonly token: string; readonly account: string; readonly amount: bigint }

/**
 * What a program does with a call of it. Null: nothing. `fails`: the transaction fails with this error of the program, 0
 * to 2^32 - 1, and `because` is in its logs. Else it takes an amount of `token` from the wallet `from`, SOL or out of its
 * associated account: as on mainnet the wallet must have signed, and the call must name what is taken from, writable.
 * `isWrapped`: SOL out of the associated account, too. `pays`: what it pays out then.
 * `delegate`: the account that must have been let move the amount (SPL's Approve), and may move so much less afterwards.
 * `to`: the wallet whose associated account gets it, which must exist and be named likewise; left out: the treasury.
 * `lamports`: SOL that it takes from the same wallet beside that, for the treasury.
 */
export type SimCharge =
  | null
  | { readonly fails: number; readonly because: string }
  | {
      readonly token: string
      readonly from: string
      readonly amount: bigint
      readonly isWrapped?: true
      readonly pays?: readonly SimPayout[]
      readonly delegate?: string
      readonly to?: string
      readonly lamports?: bigint
      readonly tells?: SimTelling
    }

/**
 * A program of a venue: what it does when a transaction calls it at top level. Asked for every run, simulations included,
 * so it must change nothing; what it charges depends on its arguments and the time alone.
 */
export type SimProgram = (
  instruction: SimSolanaInstruction,
  /** `signers` are all of the transaction's, the fee payer first; `id` is this call's alone: `<signature>/<instruction>`. */
  context: { readonly signers: readonly string[]; readonly id: string; readonly holding: (account: string) => SimHolding | null },
) => SimCharge

/** What a token account holds, as a call finds it. */
export type SimHolding = { readonly mint: string; readonly owner: string; readonly amount: bigint }

/** What a simulated venue can do on Solana, as on the EVM chains; `token` is the native one for SOL itself. */
export interface SimSolana {
  /** The wallet the venues pay from. It is never short. */
  treasury(): string
  /**
   * Pays a wallet, in its associated token account, which is created if missing, and returns the signature: it has landed.
   * Throws Error with the message of a node. `by`: the call of a venue's program that pays a token instead. `memo`: a text
   * beside it.
   */
  transfer(payment: {
    readonly token: string
    readonly to: string
    readonly amount: bigint
    readonly by?: SolanaInstructionPlan
    readonly memo?: string
  }): Promise<string>
  /** What a wallet holds: SOL, or tokens in its associated account. */
  balance(token: string, owner: string): Promise<bigint>
  /** What a token account holds; null when there is none at that address. */
  holding(account: string): Promise<SimHolding | null>
  /** The latest one. */
  blockhash(): Promise<string>
  /** Puts a program at this address. What it charges goes to the treasury; a transaction that cannot pay fails. Without `program` it does nothing. */
  install(programId: string, program?: SimProgram): void
  /** Puts a lookup table of these addresses there, which is never closed. */
  placeTable(table: string, addresses: readonly string[]): void
  /** Calls back with every transaction that lands and succeeds, once, before its sender hears of it. */
  onTransaction(listener: (transaction: SimTransaction) => void | Promise<void>): void
}

/** A transaction of Bitcoin. Amounts in satoshi; the address is null for scripts that have none. */
export type SimBitcoinTransaction = {
  readonly txid: string
  /** What it spends. */
  readonly inputs: readonly { readonly address: string | null; readonly amount: bigint }[]
  /** `data` is what an OP_RETURN output carries, such as a memo; null for the others. */
  readonly outputs: readonly {
    readonly address: string | null
    readonly amount: bigint
    readonly data: Uint8Array | null
  }[]
}

/** What a simulated venue can do on Bitcoin, as on the EVM chains. Blocks come every ten minutes of world.clock. */
export interface SimBitcoin {
  /** The address the venues pay from. */
  treasury(): string
  /**
   * Pays any address, with an OP_RETURN output when there is `data` (at most 80 bytes), and gives the txid. It is
   * unconfirmed. RangeError beyond what there is.
   */
  transfer(payment: { readonly to: string; readonly amount: bigint; readonly data?: Uint8Array }): Promise<string>
  /** What nothing has spent, unconfirmed payments included. Satoshi. */
  balance(address: string): Promise<bigint>
  /**
   * 0 in the mempool, 1 in the latest block. Null when there is no such transaction, or no more: a deposit whose
   * transaction vanished in a reorganisation is found by asking again.
   */
  confirmations(txid: string): number | null
  /** Null as for `confirmations`. */
  transaction(txid: string): SimBitcoinTransaction | null
  /** Calls back with every accepted transaction, before its sender learns of it, once for a txid. Not with those of the faucet. */
  onTransaction(listener: (transaction: SimBitcoinTransaction) => void | Promise<void>): void
}

/** Everything the simulated venues share. */
export type World = {
  readonly clock: SimClock
  readonly random: SimRandom
  readonly tokens: SimTokens
  readonly market: Market
  readonly faults: Faults
  readonly evm: SimEvm
  readonly schedule: SimSchedule
  readonly solana: SimSolana
  readonly bitcoin: SimBitcoin
}
