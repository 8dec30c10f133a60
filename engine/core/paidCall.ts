/** Why a payment is asked for, or asked for again. */
export type PaymentReason =
  /** There is none. */
  | 'noPayment'
  /** It cannot be read. */
  | 'malformed'
  /** It is not what was asked for: another network, asset, amount or recipient. */
  | 'notAccepted'
  /** Its time is over, or has not come. */
  | 'notValidNow'
  | 'badSignature'
  /** Its payer has too little. */
  | 'noFunds'
  /** It is bound to another request, or used up. */
  | 'spent'
  /** The facilitator or the chain would not have it. */
  | 'refused'

/** What a paid call takes and answers, for who looks for calls to pay. */
export type CallDescription = {
  readonly operation: string
  readonly method: 'GET' | 'POST'
  /** JSON schema of the query, or of the body. */
  readonly schema: { readonly [name: string]: unknown }
  readonly example: { readonly [name: string]: unknown }
  /** Of the data of an answer, as an example. */
  readonly answer: { readonly [name: string]: unknown }
}

/** What is paid for. */
export type PaidResource = { readonly url: string; readonly description: string; readonly call: CallDescription }

/** The value of the header PAYMENT-REQUIRED, and why it is asked for in words. */
export type PaymentDemand = { readonly header: string; readonly words: string }

/** A valid request of a paid operation. */
export type PaidRequest = {
  readonly operation: string
  readonly requestId: string
  /** Whose key came with it. */
  readonly partnerId: string | null
  /** The body or the query. */
  readonly asked: unknown
  /** The payment as it was sent. */
  readonly payment: string
  readonly resource: PaidResource
}

export type PaidAnswer = {
  /** JSON. */
  readonly answer: string
  /** The value of the header PAYMENT-RESPONSE. */
  readonly receipt: string
  /** It was settled by this very call, and not by one before it. */
  readonly isCharged: boolean
}

/** What only the edge knows of a paid call. Each throws SwapError to refuse it. */
export type PaidCallHooks = {
  /** Before its payment is verified. Who that is, is not proven. */
  readonly room: (payer: string) => Promise<void>
  /** Once it is. The payer's own from here on, until what it answers with is called. */
  readonly enter: (payer: string) => Promise<(isCharged: boolean) => Promise<void>>
  /** Answers the request, as JSON. */
  readonly work: () => Promise<string>
}

/** Calls that are paid one by one, by the x402 protocol. Throws SwapError only. */
export interface PaidCalls {
  /** What is to be paid. NOT_CONFIGURED where nothing is taken, PAYMENT_PENDING while nothing can be. */
  demand(resource: PaidResource, reason: PaymentReason): Promise<PaymentDemand>
  /**
   * Answers a request against a payment: once, whatever happens, and charged once. The same payment with the same request has
   * the same answer again. PAYMENT_REQUIRED for a payment that is not taken, PAYMENT_PENDING where nobody can tell yet.
   */
  serve(request: PaidRequest, hooks: PaidCallHooks): Promise<PaidAnswer>
}
