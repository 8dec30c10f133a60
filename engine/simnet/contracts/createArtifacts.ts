import { createHash, randomUUID } from 'node:crypto'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { isAbsolute, join } from 'node:path'
import { wordOf } from '../kit/abiWords.ts'
import { COW_SOLVER } from '../venues/cow/book.ts'
import type { Artifact, Artifacts } from './artifacts.ts'
import { makePublished, PUBLISHED, type PublishedContracts } from './published/makePublished.ts'
import { type CreationCode, readPackages } from './published/packages.ts'

export type ArtifactsOptions = {
  /** The folder that keeps the venues' contracts once they are made. Left out: none. */
  readonly cacheDir?: string | null
  readonly make?: typeof makePublished
}

/** This user's folder for files that can be made again; null for a user without a home. */
export const userCacheDir = (): string | null => {
  const home = homedir()
  return isAbsolute(home) ? join(home, '.cache', 'swap-service') : null
}

/** The code with the chain's words at their places; every place needs a word. */
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

const hashOf = (...parts: readonly string[]): string => createHash('sha256').update(parts.join('\n')).digest('hex')

/** Of everything that decides the contracts: the code in the packages, what makes them, and their solver. */
const keyOf = async (code: CreationCode): Promise<string> => {
  const maker = await readFile(new URL('./published/makePublished.ts', import.meta.url), 'utf8')
  return hashOf(JSON.stringify(Object.entries(code).toSorted(([a], [b]) => (a < b ? -1 : 1))), COW_SOLVER, maker)
}

/** The contracts of a cache file; null for a missing or damaged one, or for one of another key. Its first line is a checksum of both. */
const readCached = async (path: string, key: string): Promise<PublishedContracts | null> => {
  try {
    const [check, body = ''] = (await readFile(path, 'utf8')).split('\n', 2)
    const contracts = check === hashOf(key, body) ? (JSON.parse(body) as PublishedContracts) : null
    return contracts && PUBLISHED.every((name) => contracts[name]?.runtimeCode) ? contracts : null
  } catch {
    return null
  }
}

/** Writes the whole file or nothing: several processes may start at once. A folder that takes no file only costs time. */
const writeCached = async (directory: string, path: string, key: string, contracts: PublishedContracts): Promise<void> => {
  const body = JSON.stringify(contracts)
  const unfinished = `${path}.${randomUUID()}.part`
  try {
    await mkdir(directory, { recursive: true, mode: 0o700 })
    await writeFile(unfinished, `${hashOf(key, body)}\n${body}`, { mode: 0o600 })
    await rename(unfinished, path)
  } catch {
    await rm(unfinished, { force: true }).catch(() => undefined)
  }
}

/** The venues' contracts of their installed packages, from the cache or made anew. */
const readPublished = async (cacheDir: string | null, make: typeof makePublished): Promise<PublishedContracts> => {
  const code = await readPackages()
  if (cacheDir === null) return make(code, COW_SOLVER)
  const key = await keyOf(code)
  const path = join(cacheDir, `contracts-${key.slice(0, 32)}.json`)
  const cached = await readCached(path, key)
  if (cached) return cached
  const made = await make(code, COW_SOLVER)
  await writeCached(cacheDir, path, key, made)
  return made
}

const isPublished = (contract: string): contract is keyof PublishedContracts =>
  (PUBLISHED as readonly string[]).includes(contract)

/** Contracts of this project, compiled by scripts/contracts/compile.ts. */
const readOwn = async (contract: string): Promise<Artifact> =>
  JSON.parse(await readFile(new URL(`./${contract}.json`, import.meta.url), 'utf8')) as Artifact

export const createArtifacts = ({ cacheDir = null, make = makePublished }: ArtifactsOptions = {}): Artifacts => {
  let published: Promise<PublishedContracts> | null = null

  const readVenues = (): Promise<PublishedContracts> => {
    if (published) return published
    const reading = readPublished(cacheDir, make)
    published = reading
    // The next caller tries again after a failure.
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
