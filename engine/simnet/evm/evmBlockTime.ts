import type { SimClock } from '../kit/world.ts'
import { type AnvilNode, AnvilRpcError } from './anvilNode.ts'

/** Wei. Without it the fee of an idle chain would sink to nothing. */
const BASE_FEE = '0x3b9aca00'

/** Keeps the blocks of one node on the network's time. */
export interface EvmBlockTime {
  /** Resolves when the latest block has the timestamp of the present second. */
  follow(): Promise<void>
  /** As `follow`, after blocks were taken off the chain. */
  restart(): Promise<void>
}

const mineAt = async (node: AnvilNode, second: number): Promise<void> => {
  try {
    await node.rpc('anvil_setNextBlockBaseFeePerGas', [BASE_FEE])
    await node.rpc('evm_mine', [{ timestamp: second, blocks: 1 }])
  } catch (error) {
    // A node whose own time someone moved ahead stays ahead until the network has caught up.
    if (!(error instanceof AnvilRpcError)) throw error
  }
}

/** For a node whose first block is at `startedAtMs`. */
export const createEvmBlockTime = async (node: AnvilNode, clock: SimClock, startedAtMs: number): Promise<EvmBlockTime> => {
  let second = Math.floor(startedAtMs / 1_000)
  let mined: Promise<void> = Promise.resolve()
  // Blocks within one second share its timestamp, instead of counting on by the node's own clock.
  await node.rpc('anvil_setBlockTimestampInterval', [0])
  const follow = (): Promise<void> => {
    const now = Math.floor(clock.now() / 1_000)
    if (now <= second) return mined
    second = now
    mined = mined.catch(() => undefined).then(() => mineAt(node, now))
    return mined
  }
  return {
    follow,
    restart: () => {
      second = 0
      return follow()
    },
  }
}
