/** A request as a simulated venue sees it: nothing parsed for it but the URL and, where the body was JSON, the body. */
export type SimRequest = {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: { readonly [name: string]: string | undefined }
  /** The JSON body; undefined when there was none. */
  readonly body: unknown
  /** The body exactly as received. */
  readonly rawBody: string
}

export type SimResponse = {
  readonly status: number
  /** Serialised as JSON, unless it is a string and `contentType` says otherwise. */
  readonly body: unknown
  readonly contentType?: string
  /** Beside those of every answer. */
  readonly headers?: { readonly [name: string]: string }
}

/** Someone paid an address on some chain. */
export type SimDeposit = {
  readonly chainId: number
  readonly token: string
  readonly address: string
  readonly amount: bigint
  readonly txHash: string
}

/** An event of a contract. The address is checksummed; topics and data are lower-case hex with 0x. */
export type SimLog = { readonly address: string; readonly topics: readonly string[]; readonly data: string }

/** A top-level instruction, its accounts named whether or not they came from a lookup table. */
export type SimSolanaInstruction = {
  readonly programId: string
  readonly accounts: readonly string[]
  readonly data: Uint8Array
}

/** What a transaction that landed on Solana is made of, and did. */
export type SimSolanaTransaction = {
  /** The fee payer first. */
  readonly signers: readonly string[]
  readonly instructions: readonly SimSolanaInstruction[]
  /** Of the memo programs, in order. */
  readonly memos: readonly string[]
  readonly logs: readonly string[]
  /** Who got more of what by it: SOL by wallet, tokens by the wallet that owns the account. */
  readonly payments: readonly SimDeposit[]
}

/**
 * Someone broadcast a transaction on an EVM chain, or on Solana: there `data` is the transaction in base64, `from` pays
 * its fee, `to` is the first program called beside the compute budget, and `value` is zero.
 */
export type SimTransaction = {
  readonly chainId: number
  readonly from: string
  readonly to: string
  readonly data: string
  readonly value: bigint
  readonly txHash: string
  /**
   * The events of its receipt, those of inner calls included: what happened, whatever wallet or router was called. Absent
   * when the transaction was only described and is on no chain.
   */
  readonly logs?: readonly SimLog[]
  /** Transactions that reverted are not told: see world.evm.receipt. Absent as `logs` is. */
  readonly status?: 'success'
  /** Of a transaction that is on the offline Solana; not of one merely described. */
  readonly solana?: SimSolanaTransaction
}

/** A POST to this path asks for a price alone, unless a field of its body has the value given here. */
export type PricePath = { readonly path: string; readonly unless?: { readonly [field: string]: unknown } }

/** One simulated venue: an HTTP API written from the venue's public documents, and what it watches the chains for. */
export interface SimVenue {
  readonly id: string
  handle(request: SimRequest): SimResponse | Promise<SimResponse>
  /**
   * True when the deposit was to an address of this venue. Told to every venue once for each ERC-20 transfer and each
   * native payment, inner ones included.
   */
  onDeposit(deposit: SimDeposit): boolean
  /**
   * True when the transaction concerned a contract of this venue; throws Error(reason) when the contract would revert.
   * Every venue is told once of everything that landed, before its payments.
   */
  onTransaction(transaction: SimTransaction): boolean
  /** Venue settings the adapter must be given to talk to this one, such as the public key it signs with, or an API_KEY. */
  readonly settings: { readonly [name: string]: string }
  /** Which of its POST calls ask for a price alone. Whatever else is posted orders something. */
  readonly pricePaths: readonly PricePath[]
}
