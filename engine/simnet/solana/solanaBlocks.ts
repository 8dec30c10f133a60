import { createHash } from 'node:crypto'
import { base58 } from '@scure/base'
import type { SimClock } from '../kit/world.ts'

/** How long a block takes. */
const BLOCK_MS = 400
/** https://solana.com/docs/core/transactions/confirmation: a blockhash serves for this many more blocks, a minute. */
const BLOCKHASH_BLOCKS = 150
/** https://solana.com/docs/rpc#configuring-state-commitment: a block is final when 31 more are confirmed on it. */
const SLOTS_TO_FINALITY = 32

export type Commitment = 'processed' | 'confirmed' | 'finalized'

/** The slots and blocks of the offline Solana, and their blockhashes. What lands is confirmed at once, and final later. */
export interface SolanaBlocks {
  /** The latest finished slot: what reads of accounts show, at every commitment. */
  tip(): number
  /** The latest slot at a commitment. */
  slotAt(commitment: Commitment): number
  /** Of the latest finished slot. */
  height(): number
  heightAt(commitment: Commitment): number
  /** The slot the next transaction lands in. */
  next(): number
  /** The time of a slot that is past, Unix seconds. Rough: a slot that a transaction ended took no time. */
  timeOf(slot: number): number
  /** A transaction landed in the next slot, which is finished by it. */
  finish(): void
  latest(commitment?: Commitment): { readonly blockhash: string; readonly lastValidBlockHeight: number }
  /** Does it still serve? False for one that was never given out. */
  isValid(blockhash: string): boolean
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
  /** The heights at which the transactions landed that are not final yet, oldest first. */
  const open: number[] = []
  const height = () => Math.floor(clock.now() / BLOCK_MS)
  const tip = () => height() + landed
  const heightAt = (commitment: Commitment) => height() - (commitment === 'finalized' ? SLOTS_TO_FINALITY : 0)

  const slotAt = (commitment: Commitment): number => {
    while (open.length > 0 && (open[0] ?? 0) <= heightAt('finalized')) open.shift()
    return commitment === 'finalized' ? heightAt(commitment) + landed - open.length : tip()
  }
  const hash = (slot: number): string => base58.encode(createHash('sha256').update(`${seed}:solana:${slot}`).digest())

  const dropLapsed = (): void => {
    for (const [blockhash, last] of issued) {
      if (last >= height()) return
      issued.delete(blockhash)
    }
  }

  return {
    tip,
    slotAt,
    height,
    heightAt,
    next: () => tip() + 1,
    timeOf: (slot) => Math.floor((Math.min(slot, height()) * BLOCK_MS) / 1_000),
    finish: () => {
      landed += 1
      open.push(height())
    },
    latest: (commitment = 'confirmed') => {
      dropLapsed()
      const blockhash = hash(slotAt(commitment))
      const latest = { blockhash, lastValidBlockHeight: heightAt(commitment) + BLOCKHASH_BLOCKS }
      issued.set(blockhash, latest.lastValidBlockHeight)
      return latest
    },
    isValid: (blockhash) => (issued.get(blockhash) ?? -1) >= height(),
  }
}
