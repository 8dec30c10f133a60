import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { wordOf } from '../kit/abiWords.ts'
import { COW_SOLVER } from '../venues/cow/book.ts'
import type { Artifact, Artifacts } from './artifacts.ts'
import { makePublished } from './published/makePublished.ts'
import { type CreationCode, readPackages } from './published/packages.ts'
import { keep, readKept } from './published/publishedCache.ts'
import { isPublished, type PublishedContracts } from './published/publishedContracts.ts'

export type ArtifactsOptions = {
  /** Where the venues' contracts are kept once made. Left out: nowhere. */
  readonly cacheDir?: string | null
  readonly make?: typeof makePublished
}

/** The code with a word of the chain's at each of its places; every place must be given one, and nothing else. */
const codeWith = ({ contract, runtimeCode, immutables = {} }: Artifact, words: { readonly [name: string]: string }): string => {
  const names = Object.keys(immutables).sort().join()
  if (names !== Object.keys(words).sort().join()) throw new RangeError(`${contract} takes ${names || 'no words'}`)
  const places = Object.entries(immutables).flatMap(([name, offsets]) =>
    offsets.map((offset) => [offset, words[name] ?? ''] as const),
  )
  return places.reduce((code, [offset, word]) => {
    const at = 2 + offset * 2
    return `${code.slice(0, at)}${wordOf(word)}${code.slice(at + 64)}`
  }, runtimeCode)
}

/** Of everything that decides what is made: the code in the packages, what makes it, and for whom. */
const keyOf = async (code: CreationCode): Promise<string> => {
  const maker = await readFile(new URL('./published/makePublished.ts', import.meta.url))
  return createHash('sha256')
    .update(JSON.stringify(Object.entries(code).toSorted(([a], [b]) => (a < b ? -1 : 1))))
    .update(COW_SOLVER)
    .update(maker)
    .digest('hex')
}

/** The venues' contracts out of their installed packages: as kept in `cacheDir`, or made anew, and kept there. */
const readPublished = async (cacheDir: string | null, make: typeof makePublished): Promise<PublishedContracts> => {
  const code = await readPackages()
  if (cacheDir === null) return make(code, COW_SOLVER)
  const key = await keyOf(code)
  const kept = await readKept(cacheDir, key)
  if (kept) return kept
  const made = await make(code, COW_SOLVER)
  await keep(cacheDir, key, made)
  return made
}

/** Our own, compiled by scripts/contracts/compile.ts. */
const readOwn = async (contract: string): Promise<Artifact> =>
  JSON.parse(await readFile(new URL(`./${contract}.json`, import.meta.url), 'utf8')) as Artifact

export const createArtifacts = ({ cacheDir = null, make = makePublished }: ArtifactsOptions = {}): Artifacts => {
  let published: Promise<PublishedContracts> | null = null

  const readVenues = (): Promise<PublishedContracts> => {
    if (published) return published
    const reading = readPublished(cacheDir, make)
    published = reading
    // What failed is tried again by who asks next.
    reading.catch(() => {
      if (published === reading) published = null
    })
    return reading
  }

  return {
    accountOf: async (address, contract, words = {}, storage = {}) => {
      const artifact = isPublished(contract) ? (await readVenues())[contract] : await readOwn(contract)
      return { address, code: codeWith(artifact, words), storage: { ...artifact.storage, ...storage } }
    },
    prepare: () => {
      readVenues().catch(() => undefined)
    },
    close: async () => {
      await published?.catch(() => undefined)
    },
  }
}
