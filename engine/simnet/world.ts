import type { Faults } from './faults.ts'
import type { Market } from './market.ts'
import type { SimTokens } from './tokens.ts'

/** The offline network's time: real time plus every jump made through the control server. Epoch ms. */
export interface SimClock {
  now(): number
  advance(ms: number): void
}

/** Replayable randomness: the same seed gives the same numbers in the same order. */
export interface SimRandom {
  /** A whole number in [0, below). */
  integer(below: number): number
  bytes(length: number): Uint8Array
  hex(length: number): string
}

/** What a simulated venue can ask an EVM chain. */
export interface SimEvm {
  /** Sends one JSON-RPC call to the chain's own node, starting it when needed. */
  rpc(chainId: number, method: string, params: readonly unknown[]): Promise<unknown>
}

/** Everything the simulated venues share. */
export type World = {
  readonly clock: SimClock
  readonly random: SimRandom
  readonly tokens: SimTokens
  readonly market: Market
  readonly faults: Faults
  readonly evm: SimEvm
}
