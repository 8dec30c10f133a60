import { createHash } from 'node:crypto'
import { base58 } from '@scure/base'
import type { SimClock } from '../world.ts'

/** How long a slot takes. */
const SLOT_MS = 400
/** https://solana.com/docs/core/transactions/confirmation: a blockhash serves for this many more blocks. */
const BLOCKHASH_BLOCKS = 150
/** What the SlotHashes sysvar holds. */
const SLOT_HASHES = 512

export type SlotHash = { readonly slot: number; readonly hash: string }

/** The slots of the offline Solana and their blockhashes. Every slot has a block, so a slot is a block height too. */
export interface SolanaBlocks {
  /** The latest finished slot: what every read shows. */
  tip(): number
  /** The slot the next transaction lands in. */
  next(): number
  /** A transaction landed: its slot is finished. */
  finish(slot: number): void
  latest(): { readonly blockhash: string; readonly lastValidBlockHeight: number }
  /** The last block height at which this blockhash serves; null when it is too old or none of ours. */
  lastValidHeight(blockhash: string): number | null
  /** The latest finished slots, newest first. */
  recent(): readonly SlotHash[]
}

/**
 * Slots follow the network's time, and every transaction that lands ends the slot it is in: the next one has a new
 * blockhash even while time stands still. The same seed gives the same blockhashes.
 */
export const createSolanaBlocks = ({ clock, seed }: { readonly clock: SimClock; readonly seed: string }): SolanaBlocks => {
  let finished = 0
  const tip = () => Math.max(Math.floor(clock.now() / SLOT_MS), finished)
  const digest = (slot: number): Buffer => createHash('sha256').update(`${seed}:solana:${slot}`).digest()
  const hash = (slot: number): string => base58.encode(digest(slot))
  const lastValidHeight = (blockhash: string): number | null => {
    const wanted = base58.decode(blockhash)
    const newest = tip()
    for (let slot = newest; slot >= newest - BLOCKHASH_BLOCKS; slot--)
      if (digest(slot).equals(wanted)) return slot + BLOCKHASH_BLOCKS
    return null
  }
  return {
    tip,
    next: () => tip() + 1,
    finish: (slot) => {
      finished = Math.max(finished, slot)
    },
    latest: () => ({ blockhash: hash(tip()), lastValidBlockHeight: tip() + BLOCKHASH_BLOCKS }),
    lastValidHeight,
    recent: () => Array.from({ length: SLOT_HASHES }, (_, age) => ({ slot: tip() - age, hash: hash(tip() - age) })),
  }
}
