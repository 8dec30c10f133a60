import type { GenesisAccount } from '../evm/anvilNode.ts'
import { wordOf } from '../kit/abiWords.ts'

/** A compiled contract: ours, from a file of this folder, or a venue's, as published/ makes it from the venue's package. */
export type Artifact = {
  readonly contract: string
  readonly runtimeCode: string
  /** Where in the code the words lie that a chain puts in: byte offsets by name. */
  readonly immutables?: { readonly [name: string]: readonly number[] }
  /** Its storage after initialisation. */
  readonly storage?: { readonly [slot: string]: string }
}

/** A word of a contract's storage. */
export const slot = (index: bigint, value: string | bigint): { readonly [slot: string]: string } => ({
  [`0x${wordOf(index)}`]: `0x${wordOf(value)}`,
})

/** The contracts there are, by name. */
export interface Artifacts {
  /** The contract at an address of one chain, with the words and the further storage that are the chain's own. */
  accountOf(
    address: string,
    contract: string,
    words?: { readonly [name: string]: string },
    storage?: { readonly [slot: string]: string },
  ): Promise<GenesisAccount>
  /** Gets the venues' contracts ready without being asked for one. What goes wrong is said when one is asked for. */
  prepare(): void
  /** Resolves when nothing started here runs any more. */
  close(): Promise<void>
}
