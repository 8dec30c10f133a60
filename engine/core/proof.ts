/**
 * How certain one part of a swap is. `taken-on-trust`: the payload cannot show it, so the service trusts the venue's report.
 * `not-applicable`: no input leaves the wallet before the swap, so that no refund is needed.
 */
export type Assurance = 'proved' | 'taken-on-trust' | 'not-applicable'

/** The engine's proof of a payload before it was handed out. */
export type Proof = { readonly recipient: Assurance; readonly minimum: Assurance; readonly refund: Assurance }
