import { createHash } from 'node:crypto'
import { base58 } from '@scure/base'
import type { SimClock } from '../kit/world.ts'

/** How long a block takes. */
const BLOCK_MS = 400
/** https://solana.com/docs/core/transactions/confirmation: a blockhash serves for this many more blocks, a minute. */
const BLOCKHASH_BLOCKS = 150
/** What the SlotHashes sysvar holds. */
const SLOT_HASHES = 512

export type SlotHash = { readonly slot: number; readonly hash: string }

/** The slots and blocks of the offline Solana, and their blockhashes. */
export interface SolanaBlocks {
  /** The latest finished slot: what every read shows. */
  tip(): number
  /** Of the latest finished slot. */
  height(): number
  /** The slot the next transaction lands in. */
  next(): number
  /** The time of a slot that is past, Unix seconds. Rough: a slot that a transaction ended took no time. */
  timeOf(slot: number): number
  /** A transaction landed in the next slot, which is finished by it. */
  finish(): void
  latest(): { readonly blockhash: string; readonly lastValidBlockHeight: number }
  /** Does it still serve? False for one that was never given out. */
  isValid(blockhash: string): boolean
  /** The latest finished slots, newest first. */
  recent(): readonly SlotHash[]
}

/**
 * Block heights follow the network's time. Slots do too, and every transaction that lands ends the slot it is in, so that
 * the next one has a new blockhash even while time stands still; a blockhash lives as long whatever lands meanwhile. The
 * same seed gives the same blockhashes.
 */
export const createSolanaBlocks = ({ clock, seed }: { readonly clock: SimClock; readonly seed: string }): SolanaBlocks => {
  /** The last height at which each blockhash serves, oldest first. Only those given out: nobody can know another. */
  const issued = new Map<string, number>()
  let landed = 0
  const height = () => Math.floor(clock.now() / BLOCK_MS)
  const tip = () => height() + landed
  const hash = (slot: number): string => base58.encode(createHash('sha256').update(`${seed}:solana:${slot}`).digest())

  const dropLapsed = (): void => {
    for (const [blockhash, last] of issued) {
      if (last >= height()) return
      issued.delete(blockhash)
    }
  }

  return {
    tip,
    height,
    next: () => tip() + 1,
    timeOf: (slot) => Math.floor((Math.min(slot, height()) * BLOCK_MS) / 1_000),
    finish: () => {
      landed += 1
    },
    latest: () => {
      dropLapsed()
      const latest = { blockhash: hash(tip()), lastValidBlockHeight: height() + BLOCKHASH_BLOCKS }
      issued.set(latest.blockhash, latest.lastValidBlockHeight)
      return latest
    },
    isValid: (blockhash) => (issued.get(blockhash) ?? -1) >= height(),
    recent: () => Array.from({ length: SLOT_HASHES }, (_, age) => ({ slot: tip() - age, hash: hash(tip() - age) })),
  }
}
