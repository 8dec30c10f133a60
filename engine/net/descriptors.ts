import { closeSync, openSync } from 'node:fs'
import { devNull } from 'node:os'

/** What the system says when this process, or this machine, has no file, port or memory left for one more connection. */
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

/** Whether a connection failed for want of something of our own. A resolver that cannot open its files only says that it found no such name. */
export const isStarved = (code: string): boolean => STARVED.includes(code) || (/^E(AI_|NOTFOUND)/.test(code) && !canOpen())
