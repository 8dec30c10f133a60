import { createHmac, hash } from 'node:crypto'
import type { Secret } from '../core/secret.ts'

/** What somebody is called where others may look: the same at every instance, and nothing that can be traced back to him. */
export type Alias = (name: string) => string

/** 132 bits: none is found twice. */
const LENGTH = 22

/** Of a key that all instances have: without one, addresses could be guessed from their hashes. */
export const createAlias = (key: Secret): Alias => {
  const salt = createHmac('sha256', key.reveal()).update('aliases of callers').digest('hex')
  return (name) => hash('sha256', `${salt}${name}`, 'base64url').slice(0, LENGTH)
}
