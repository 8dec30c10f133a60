import { createHmac, hash } from 'node:crypto'
import type { Secret } from '../core/secret.ts'

/** Pseudonym of a client in shared stores: equal at every instance, and not traceable to the client. */
export type Alias = (name: string) => string

/** 132 bits: no two names share an alias. */
const LENGTH = 22

/** `key`: the same at all instances. Without a key, addresses could be guessed from their hashes. */
export const createAlias = (key: Secret): Alias => {
  const salt = createHmac('sha256', key.reveal()).update('aliases of callers').digest('hex')
  return (name) => hash('sha256', `${salt}${name}`, 'base64url').slice(0, LENGTH)
}
