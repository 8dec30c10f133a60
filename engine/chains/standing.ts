import type { ConfirmationRule } from './confirmations.ts'
import type { Standing } from './seen.ts'

/** A block by its place and its own time, epoch ms. */
export type BlockMark = { readonly height: number; readonly at: number }

/** How far a chain has come. */
export type Progress = {
  readonly head: BlockMark
  /** The newest block that the chain calls final; null where its node cannot name it. */
  readonly finalized: number | null
}

/**
 * Final without a tag: deep and old. Ethereum, and chains that settle there, are final after two epochs of 32 slots, some 13
 * minutes. No chain here has ever been reorganised beyond an hour.
 */
const WITHOUT_TAG = { blocks: 64, ms: 3_600_000 } as const

/** The number of blocks from a block to the head, itself included. At least one, even when the head is stale. */
export const depthOf = (height: number, { head }: Progress): number => Math.max(1, head.height - height + 1)

const isFinal = (block: BlockMark, progress: Progress): boolean => {
  const { head, finalized } = progress
  if (finalized !== null) return finalized >= block.height
  return depthOf(block.height, progress) >= WITHOUT_TAG.blocks && head.at - block.at >= WITHOUT_TAG.ms
}

const isConfirmed = (rule: ConfirmationRule, { height }: BlockMark, progress: Progress, isSeenTwice: boolean): boolean => {
  if (rule.kind === 'commitment') return true
  if (rule.kind === 'pastFinality' && progress.finalized !== null) return progress.finalized > height
  return (rule.kind === 'sequenced' && isSeenTwice) || depthOf(height, progress) >= rule.blocks
}

/** The standing of a block that is in the chain. `isSeenTwice`: two endpoints show the transaction in it. */
export const standingOf = (rule: ConfirmationRule, block: BlockMark, progress: Progress, isSeenTwice = false): Standing => {
  if (!isConfirmed(rule, block, progress, isSeenTwice)) return 'fresh'
  return isFinal(block, progress) ? 'final' : 'confirmed'
}

/** The newest block that counts as confirmed without a second endpoint. */
export const confirmedHeight = (rule: ConfirmationRule, { head, finalized }: Progress): number => {
  if (rule.kind === 'commitment') return head.height
  const height = rule.kind === 'pastFinality' && finalized !== null ? finalized - 1 : head.height - rule.blocks + 1
  return Math.max(0, height)
}
