import { closeSync, openSync } from 'node:fs'
import { isIP } from 'node:net'
import { devNull } from 'node:os'

/** System errors when this process or machine has no file, port or memory left for one more connection. */
const STARVED = ['EMFILE', 'ENFILE', 'EADDRNOTAVAIL', 'ENOBUFS', 'ENOMEM']

/** Whether this process can open anything more. */
export const canOpen = (): boolean => {
  try {
    closeSync(openSync(devNull, 'r'))
    return true
  } catch {
    return false
  }
}

const isWant = ({ code = '', address = '' }: { readonly code?: string; readonly address?: string }): boolean =>
  (STARVED.includes(code) && !(code === 'EADDRNOTAVAIL' && isIP(address) === 6)) || (/^E(AI_|NOTFOUND)/.test(code) && !canOpen())

/**
 * Whether a connection failed because this process lacks a file, a port or memory. A resolver that cannot open its files reports an
 * unknown name. `EADDRNOTAVAIL` of an IPv6 address is excluded: a machine without IPv6 reports it for every such target.
 */
export const isStarved = (error: unknown): boolean => {
  const parts: Parameters<typeof isWant>[0][] = error instanceof AggregateError ? error.errors : [error]
  return parts.some(isWant)
}
