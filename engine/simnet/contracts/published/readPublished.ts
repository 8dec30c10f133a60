import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { COW_SOLVER } from '../../venues/cow/networks.ts'
import type { makePublished } from './makePublished.ts'
import { type CreationCode, readPackages } from './packages.ts'
import { keep, readKept } from './publishedCache.ts'
import type { PublishedContracts } from './publishedContracts.ts'

/** Of everything that decides what is made: the code in the packages, what makes it, and for whom. */
const keyOf = async (code: CreationCode): Promise<string> => {
  const maker = await readFile(new URL('./makePublished.ts', import.meta.url))
  return createHash('sha256')
    .update(JSON.stringify(Object.entries(code).toSorted(([a], [b]) => (a < b ? -1 : 1))))
    .update(COW_SOLVER)
    .update(maker)
    .digest('hex')
}

/** The venues' contracts out of their installed packages: as kept in `cacheDir`, or made anew, and kept there. */
export const readPublished = async (cacheDir: string | null, make: typeof makePublished): Promise<PublishedContracts> => {
  const code = await readPackages()
  if (cacheDir === null) return make(code, COW_SOLVER)
  const key = await keyOf(code)
  const kept = await readKept(cacheDir, key)
  if (kept) return kept
  const made = await make(code, COW_SOLVER)
  await keep(cacheDir, key, made)
  return made
}
