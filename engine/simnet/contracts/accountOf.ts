import type { GenesisAccount } from '../evm/anvilNode.ts'
import { wordOf } from '../kit/abiWords.ts'
import type { Artifact } from './artifacts.ts'

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

type Placed = {
  readonly address: string
  readonly words: { readonly [name: string]: string }
  readonly storage: { readonly [slot: string]: string }
}

/** A contract at its address of one chain. */
export const accountOf = (artifact: Artifact, { address, words, storage }: Placed): GenesisAccount => ({
  address,
  code: codeWith(artifact, words),
  storage: { ...artifact.storage, ...storage },
})
