import { randomBytes } from 'node:crypto'
import { createCompactJwe } from '../core/compactJwe.ts'
import type { Secret } from '../core/secret.ts'
import { tokenKeyId } from '../quoting/tokenKeyId.ts'

/**
 * The signing secrets of webhooks as the database stores them: sealed (JWE, dir + A256GCM) and bound to their partner. The
 * sealing key is outside the database.
 */
export interface WebhookSecrets {
  /** A new secret, and its sealed form. */
  create(partnerId: string): Promise<{ readonly secret: string; readonly sealed: string }>
  /** Null where no listed key opens it, or it belongs to another partner. */
  open(partnerId: string, sealed: string): Promise<{ readonly secret: string; readonly isSealedByCurrent: boolean } | null>
  seal(partnerId: string, secret: string): Promise<string>
}

type Sealed = { readonly p?: unknown; readonly s?: unknown }

/** The first key seals; all keys open. */
export const createWebhookSecrets = (keys: readonly Secret[]): WebhookSecrets => {
  const known = keys.map((key) => createCompactJwe(key, tokenKeyId(key)))
  const [current] = known
  if (!current) throw new TypeError('at least one webhook secret key is needed')

  const seal: WebhookSecrets['seal'] = async (partnerId, secret) =>
    current.seal(Buffer.from(JSON.stringify({ p: partnerId, s: secret } satisfies Sealed)))

  return {
    seal,
    create: async (partnerId) => {
      const secret = `whsec_${randomBytes(32).toString('base64url')}`
      return { secret, sealed: await seal(partnerId, secret) }
    },
    open: async (partnerId, sealed) => {
      for (const key of known) {
        const text = key.open(sealed)
        if (text === null) continue
        const { p, s } = JSON.parse(text) as Sealed
        return p === partnerId && typeof s === 'string' ? { secret: s, isSealedByCurrent: key === current } : null
      }
      return null
    },
  }
}
