/** Why a payment is demanded, or demanded again. */
export type PaymentReason =
  /** The call has no payment. */
  | 'noPayment'
  /** The payment cannot be read. */
  | 'malformed'
  /** The payment differs from the demand: another network, asset, amount or recipient. */
  | 'notAccepted'
  /** The payment has expired, or is not valid yet. */
  | 'notValidNow'
  | 'badSignature'
  /** Its payer's balance is too low. */
  | 'noFunds'
  /** It is bound to another request, or used up. */
  | 'spent'
  /** The facilitator or the chain rejected it. */
  | 'refused'

/** Request and answer of a paid call, for clients that discover paid calls. */
export type CallDescription = {
  readonly operation: string
  readonly method: 'GET' | 'POST'
  /** JSON schema of the query, or of the body. */
  readonly schema: { readonly [name: string]: unknown }
  readonly example: { readonly [name: string]: unknown }
  /** Example of an answer's data. */
  readonly answer: { readonly [name: string]: unknown }
}

/** The resource to pay for. */
export type PaidResource = { readonly url: string; readonly description: string; readonly call: CallDescription }

/** The value of the header PAYMENT-REQUIRED, and its reason in words. */
export type PaymentDemand = { readonly header: string; readonly words: string }

/** A valid request of a paid operation. */
export type PaidRequest = {
  readonly operation: string
  readonly requestId: string
  /** The partner of the request's key. */
  readonly partnerId: string | null
  /** The body or the query. */
  readonly asked: unknown
  /** The payment as sent. */
  readonly payment: string
  readonly resource: PaidResource
}

export type PaidAnswer = {
  /** JSON. */
  readonly answer: string
  /** The value of the header PAYMENT-RESPONSE. */
  readonly receipt: string
  /** Settled by this call, and not by an earlier one. */
  readonly isCharged: boolean
}

/** The parts of a paid call that only the edge can do. Each throws SwapError to refuse the call. */
export type PaidCallHooks = {
  /** Runs before the payment is verified. The payer is unproved. */
  readonly room: (payer: string) => Promise<void>
  /** Runs after that. The call counts for the payer until the returned function is called. */
  readonly enter: (payer: string) => Promise<(isCharged: boolean) => Promise<void>>
  /** Answers the request, as JSON. */
  readonly work: () => Promise<string>
}

/** Calls that are paid one by one, by the x402 protocol. Throws SwapError only. */
export interface PaidCalls {
  /** The payment to demand. NOT_CONFIGURED where no payment is accepted, PAYMENT_PENDING while none can be. */
  demand(resource: PaidResource, reason: PaymentReason): Promise<PaymentDemand>
  /**
   * Answers a request against a payment. Each payment is answered and charged once. The same payment with the same request gets
   * the same answer again. PAYMENT_REQUIRED for a refused payment, PAYMENT_PENDING while its state is unknown.
   */
  serve(request: PaidRequest, hooks: PaidCallHooks): Promise<PaidAnswer>
}
