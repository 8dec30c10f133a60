/**
 * How sure a caller can be of one part of a swap. `taken-on-trust`: the payload cannot show it, and the venue's word is
 * taken. `not-applicable`: nothing leaves the wallet before the swap, so that there is nothing to refund.
 */
export type Assurance = 'proved' | 'taken-on-trust' | 'not-applicable'

/** What the engine proved of a payload before it was handed out. */
export type Proof = { readonly recipient: Assurance; readonly minimum: Assurance; readonly refund: Assurance }
