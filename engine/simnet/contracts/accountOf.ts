import { readFile } from 'node:fs/promises'
import type { GenesisAccount } from '../chains/anvilNode.ts'

/** A contract as it is kept here, made by scripts/contracts. */
type Artifact = {
  readonly contract: string
  /** Where its code comes from. */
  readonly origin: string
  readonly runtimeCode: string
  /** Where in the code the words lie that a chain puts in: byte offsets by name. */
  readonly immutables?: { readonly [name: string]: readonly number[] }
  /** Its storage after initialisation. */
  readonly storage?: { readonly [slot: string]: string }
}

const readArtifact = async (contract: string): Promise<Artifact> =>
  JSON.parse(await readFile(new URL(`./${contract}.json`, import.meta.url), 'utf8')) as Artifact

/** The 32 bytes an address or a hash takes, as hex without 0x. */
export const wordOf = (value: string): string => value.replace(/^0x/, '').toLowerCase().padStart(64, '0')

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

/** The contract at an address of one chain, with the words and the further storage that are the chain's own. */
export const accountOf = async (
  address: string,
  contract: string,
  words: { readonly [name: string]: string } = {},
  storage: { readonly [slot: string]: string } = {},
): Promise<GenesisAccount> => {
  const artifact = await readArtifact(contract)
  return { address, code: codeWith(artifact, words), storage: { ...artifact.storage, ...storage } }
}
