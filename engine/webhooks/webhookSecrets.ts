import { createHash, randomBytes } from 'node:crypto'
import { CompactEncrypt, compactDecrypt } from 'jose'
import type { Secret } from '../core/secret.ts'

/**
 * The secrets that webhooks are signed with, as the database keeps them: sealed (JWE, dir + A256GCM) by a key that is not in
 * it, and bound to their partner.
 */
export interface WebhookSecrets {
  /** A new secret, and how it is kept. */
  create(partnerId: string): Promise<{ readonly secret: string; readonly sealed: string }>
  /** Null where no key that is listed opens it, or it is another partner's. */
  open(partnerId: string, sealed: string): Promise<{ readonly secret: string; readonly isSealedByCurrent: boolean } | null>
  seal(partnerId: string, secret: string): Promise<string>
}

type Key = { readonly id: string; readonly bytes: Uint8Array }
type Sealed = { readonly p?: unknown; readonly s?: unknown }

const keyOf = (secret: Secret): Key => {
  const bytes = new Uint8Array(Buffer.from(secret.reveal(), 'hex'))
  const once = createHash('sha256').update(bytes).digest()
  return { id: createHash('sha256').update(once).digest('base64url').slice(0, 6), bytes }
}

/** The first key seals, all open. */
export const createWebhookSecrets = (keys: readonly Secret[]): WebhookSecrets => {
  const known = keys.map(keyOf)
  const [current] = known
  if (!current) throw new TypeError('at least one webhook secret key is needed')

  const seal: WebhookSecrets['seal'] = (partnerId, secret) =>
    new CompactEncrypt(new TextEncoder().encode(JSON.stringify({ p: partnerId, s: secret } satisfies Sealed)))
      .setProtectedHeader({ alg: 'dir', enc: 'A256GCM', kid: current.id })
      .encrypt(current.bytes)

  return {
    seal,
    create: async (partnerId) => {
      const secret = `whsec_${randomBytes(32).toString('base64url')}`
      return { secret, sealed: await seal(partnerId, secret) }
    },
    open: async (partnerId, sealed) => {
      for (const { id, bytes } of known) {
        const options = { keyManagementAlgorithms: ['dir'], contentEncryptionAlgorithms: ['A256GCM'] }
        const opened = await compactDecrypt(sealed, bytes, options).catch(() => null)
        if (opened === null) continue
        const { p, s } = JSON.parse(new TextDecoder().decode(opened.plaintext)) as Sealed
        return p === partnerId && typeof s === 'string' ? { secret: s, isSealedByCurrent: id === current.id } : null
      }
      return null
    },
  }
}
