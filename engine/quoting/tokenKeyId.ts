import { createHash } from 'node:crypto'
import type { Secret } from '../core/secret.ts'

/** The id of a quote token key. It reveals nothing of the key: it is the start of the hash of a hash. */
export const tokenKeyId = (key: Secret): string => {
  const once = createHash('sha256').update(Buffer.from(key.reveal(), 'hex')).digest()
  return createHash('sha256').update(once).digest('base64url').slice(0, 6)
}

/** The key id that a token's header names; null without one. It is true of a token that opened. */
export const tokenKeyIdIn = (token: string): string | null => {
  const [header = ''] = token.split('.', 1)
  const { kid } = JSON.parse(Buffer.from(header, 'base64url').toString('utf8')) as { readonly kid?: unknown }
  return typeof kid === 'string' ? kid : null
}
