import type { SimClock } from '../kit/world.ts'
import { type AnvilNode, AnvilRpcError } from './anvilNode.ts'

/** Wei. Without it the fee of an idle chain would sink to nothing. */
const BASE_FEE = '0x3b9aca00'
/** A longer jump of the clock leaves a gap before these blocks, in which nobody mined. */
const BLOCKS_PER_JUMP_MAX = 300
/** After so many empty blocks nothing is left to confirm, and a chain that is watched all day must not grow by all its blocks. */
const IDLE_BLOCKS = BLOCKS_PER_JUMP_MAX
/** What an idle chain makes between two looks: enough to confirm anything. */
const IDLE_STEP = 8

/** Keeps the blocks of one node on the network's time: a block whenever one is due, made when somebody looks. */
export interface EvmBlockTime {
  /** Resolves when the blocks due by now are there. */
  follow(): Promise<void>
  /** Work that no block is made during, one after the other: a transaction it sends gets a block of the present second. */
  alone<T>(work: () => Promise<T>): Promise<T>
  /** As `alone`, for work that takes blocks off the chain: one at the present comes on top of what it leaves. */
  undoing<T>(work: () => Promise<T>): Promise<T>
}

/** Blocks with one distance of whole seconds between them. */
type Run = { readonly first: number; blocks: number }

/** Blocks at these seconds, in as few runs as their distances allow. */
const runsOf = (seconds: readonly number[], distance: number): readonly Run[] => {
  const runs: Run[] = []
  for (const second of seconds) {
    const last = runs.at(-1)
    if (last && last.first + last.blocks * distance === second) last.blocks += 1
    else runs.push({ first: second, blocks: 1 })
  }
  return runs
}

/** Mines empty blocks. The base fee sinks with each of them, and is whole again in the last. */
const mineAt = async (node: AnvilNode, seconds: readonly number[], distance: number): Promise<void> => {
  const hasDistance = distance > 0 && seconds.length > 1
  try {
    if (hasDistance) await node.rpc('anvil_setBlockTimestampInterval', [distance])
    for (const { first, blocks } of runsOf(seconds.slice(0, -1), distance))
      await node.rpc('evm_mine', [{ timestamp: first, blocks }])
    await node.rpc('anvil_setNextBlockBaseFeePerGas', [BASE_FEE])
    await node.rpc('evm_mine', [{ timestamp: seconds.at(-1), blocks: 1 }])
  } catch (error) {
    // A node whose own time someone moved ahead stays ahead until the network has caught up.
    if (!(error instanceof AnvilRpcError)) throw error
  } finally {
    // Blocks of transactions share the timestamp of the one before, instead of counting on by the node's own clock.
    if (hasDistance) await node.rpc('anvil_setBlockTimestampInterval', [0])
  }
}

const setNextBlock = async (node: AnvilNode, second: number): Promise<void> => {
  try {
    await node.rpc('anvil_setNextBlockBaseFeePerGas', [BASE_FEE])
    await node.rpc('evm_setNextBlockTimestamp', [second])
  } catch (error) {
    if (!(error instanceof AnvilRpcError)) throw error
  }
}

/** For a node whose first block is at `startedAtMs`: the others are due at whole multiples of `blockMs` from there on. */
export const createEvmBlockTime = async (
  node: AnvilNode,
  clock: SimClock,
  { startedAtMs, blockMs }: { readonly startedAtMs: number; readonly blockMs: number },
): Promise<EvmBlockTime> => {
  /** Whole seconds between two blocks; 0 where there is less, and they share timestamps or not. */
  const distance = blockMs % 1_000 === 0 ? blockMs / 1_000 : 0
  let made = 0
  let empty = 0
  let turn: Promise<unknown> = Promise.resolve()
  let mined: Promise<void> = Promise.resolve()
  await node.rpc('anvil_setBlockTimestampInterval', [0])

  const presentSecond = () => Math.floor(clock.now() / 1_000)
  const secondOf = (block: number) => Math.floor((startedAtMs + block * blockMs) / 1_000)

  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const done = turn.then(work)
    turn = done.catch(() => undefined)
    return done
  }

  /** The blocks that are made of those due, the latest. */
  const takeDue = (): readonly number[] => {
    const latest = Math.floor((clock.now() - startedAtMs) / blockMs)
    const due = latest - made
    if (due <= 0) return []
    const blocks = Math.min(due, Math.max(IDLE_STEP, IDLE_BLOCKS - empty))
    made = latest
    empty += blocks
    return Array.from({ length: blocks }, (_, index) => secondOf(latest - blocks + 1 + index))
  }

  const follow = (): Promise<void> => {
    const seconds = takeDue()
    if (seconds.length > 0) mined = inTurn(() => mineAt(node, seconds, distance))
    return mined
  }

  return {
    follow,
    alone: async (work) => {
      await follow()
      return inTurn(async () => {
        empty = 0
        await setNextBlock(node, presentSecond())
        return work()
      })
    },
    undoing: async (work) => {
      await follow()
      return inTurn(async () => {
        try {
          return await work()
        } finally {
          empty = 0
          await mineAt(node, [presentSecond()], 0)
        }
      })
    },
  }
}
