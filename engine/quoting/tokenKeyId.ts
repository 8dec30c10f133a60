import { createHash } from 'node:crypto'
import type { Secret } from '../core/secret.ts'

/** What a quote token key goes by. It tells nothing of the key: it is the start of the hash of a hash. */
export const tokenKeyId = (key: Secret): string => {
  const once = createHash('sha256').update(Buffer.from(key.reveal(), 'hex')).digest()
  return createHash('sha256').update(once).digest('base64url').slice(0, 6)
}

/** The key that a token says it is sealed under, which is true of one that opened. */
export const tokenKeyIdIn = (token: string): string | null => {
  const [header = ''] = token.split('.', 1)
  const { kid } = JSON.parse(Buffer.from(header, 'base64url').toString('utf8')) as { readonly kid?: unknown }
  return typeof kid === 'string' ? kid : null
}
