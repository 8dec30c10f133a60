import { homedir } from 'node:os'
import { join } from 'node:path'

/** This user's folder for what can be made again; null for a user without a home. */
export const userCacheDir = (): string | null => {
  try {
    return join(homedir(), '.cache', 'swap-service')
  } catch {
    return null
  }
}
