import { homedir } from 'node:os'
import { isAbsolute, join } from 'node:path'

/** This user's folder for what can be made again; null for a user without a home. */
export const userCacheDir = (): string | null => {
  try {
    const home = homedir()
    return isAbsolute(home) ? join(home, '.cache', 'swap-service') : null
  } catch {
    return null
  }
}
