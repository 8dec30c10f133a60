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
}

/** Someone paid an address on some chain. */
export type SimDeposit = {
  readonly chainId: number
  readonly token: string
  readonly address: string
  readonly amount: bigint
  readonly txHash: string
}

/** Someone broadcast a transaction on an EVM chain (or on Solana: base64 in `data`). */
export type SimTransaction = {
  readonly chainId: number
  readonly from: string
  readonly to: string
  readonly data: string
  readonly value: bigint
  readonly txHash: string
}

/** One simulated venue: an HTTP API written from the venue's public documents, and what it watches the chains for. */
export interface SimVenue {
  readonly id: string
  handle(request: SimRequest): SimResponse | Promise<SimResponse>
  /** True when the deposit was to an address of this venue. */
  onDeposit(deposit: SimDeposit): boolean
  /** True when the transaction called a contract of this venue; throws Error(reason) when the contract would revert. */
  onTransaction(transaction: SimTransaction): boolean
  /** Venue settings the adapter must be given to talk to this one, such as the public key it signs with. */
  readonly settings: { readonly [name: string]: string }
}
