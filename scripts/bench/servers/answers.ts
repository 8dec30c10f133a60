/** Bodies the product answered with, which the baselines answer with too. */
export type Answers = { readonly chains: string; readonly quote: string }

export type Envelope = { readonly data: unknown; readonly meta: { readonly requestId: string; readonly version: string } }

export const parseEnvelope = (text: string): Envelope => JSON.parse(text) as Envelope
