import { readFile } from 'node:fs/promises'
import { accountOf } from './accountOf.ts'
import type { Artifact, Artifacts } from './artifacts.ts'
import { makePublished } from './published/makePublished.ts'
import { isPublished, type PublishedContracts } from './published/publishedContracts.ts'
import { readPublished } from './published/readPublished.ts'

export type ArtifactsOptions = {
  /** Where the venues' contracts are kept once made. Left out: nowhere. */
  readonly cacheDir?: string | null
  readonly make?: typeof makePublished
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
      return accountOf(artifact, { address, words, storage })
    },
    prepare: () => {
      readVenues().catch(() => undefined)
    },
    close: async () => {
      await published?.catch(() => undefined)
    },
  }
}
