import { createHmac } from 'node:crypto'

/** The header that a receiver verifies, over the exact received bytes. */
export const SIGNATURE_HEADER = 'x-service-signature'

export const signatureOf = (body: Buffer, secret: string): string =>
  `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`
