import type { SimClock } from '../kit/world.ts'
import { BLOCK_WEIGHT_FOR_TRANSACTIONS, issuedUpTo, makeBlock, subsidyAt } from './bitcoinBlocks.ts'
import type { BitcoinCodec, BitcoinOutput } from './bitcoinCodec.ts'
import { COINBASE_MATURITY } from './bitcoinRules.ts'
import type { BitcoinState, LedgerTransaction } from './bitcoinState.ts'

/** Makes the blocks of the offline Bitcoin. */
export interface BitcoinMiner {
  /** The blocks that are due by the network's time. */
  catchUp(): void
  /** This many blocks now, whatever the time, with what is in the mempool as far as there is room. */
  mine(blocks: number): void
  /** One block now with these transactions and no others. */
  mineOnly(transactions: readonly LedgerTransaction[]): void
}

export type MinerOptions = {
  readonly clock: SimClock
  readonly codec: BitcoinCodec
  /** Epoch ms: blocks are due at this time plus whole multiples of ten minutes. */
  readonly startAt: number
  /** Gets all bitcoin issued before the network began. */
  readonly treasury: Uint8Array
  /** Gets subsidies and fees. */
  readonly miner: Uint8Array
}

const BLOCK_MS = 600_000
const FIRST_HEIGHT = 900_000
const TREASURY_COINS = 500
/** Two weeks. A longer jump of the clock leaves a gap before them, in which nobody mined. */
const BLOCKS_PER_JUMP_MAX = 2_016
const MEDIAN_BLOCKS = 11
const NO_BLOCK = '0'.repeat(64)

const middle = (times: readonly number[]): number => times.toSorted((a, b) => a - b)[times.length >> 1] ?? 0

/** In equal coins: it divides without a rest. */
const treasuryCoins = (script: Uint8Array): readonly BitcoinOutput[] => {
  const value = issuedUpTo(FIRST_HEIGHT) / BigInt(TREASURY_COINS)
  return Array.from({ length: TREASURY_COINS }, () => ({ script, value }))
}

/** In the order they came, so parents stay before children; the first that finds no room ends the block. */
const nextBatch = (waiting: readonly LedgerTransaction[]): readonly LedgerTransaction[] => {
  let weight = 0
  const end = waiting.findIndex((transaction) => {
    weight += transaction.weight
    return weight > BLOCK_WEIGHT_FOR_TRANSACTIONS
  })
  return end === -1 ? waiting : waiting.slice(0, end)
}

/**
 * Begins the chain at height 900,000 with one block that pays all bitcoin issued so far to the treasury, and a hundred
 * empty ones after it, so that its coins may be spent. The first does not depend on the time, so ids of transactions
 * depend on the seed and the calls alone.
 */
export const createBitcoinMiner = (
  state: BitcoinState,
  { clock, codec, startAt, treasury, miner }: MinerOptions,
): BitcoinMiner => {
  let nextDueAt = startAt + BLOCK_MS

  const addBlock = (atMs: number, transactions: readonly LedgerTransaction[], first?: readonly BitcoinOutput[]): void => {
    const previous = first ? null : state.tip()
    const height = previous ? previous.height + 1 : FIRST_HEIGHT
    const fees = transactions.reduce((total, { fee }) => total + fee, 0n)
    const time = Math.max(Math.floor(atMs / 1_000), previous ? previous.medianTime + 1 : 0)
    const before = Array.from({ length: MEDIAN_BLOCKS - 1 }, (_, back) => state.blockAt(height - 1 - back)?.time ?? [])
    const { block, coinbase } = makeBlock(
      {
        height,
        time,
        medianTime: middle([time, ...before.flat()]),
        previousHash: previous?.hash ?? NO_BLOCK,
        transactions,
        payouts: first ?? [{ value: subsidyAt(height) + fees, script: miner }],
      },
      codec,
    )
    state.add({ ...coinbase, isCoinbase: true, spent: [], fee: 0n })
    state.push(block)
  }

  addBlock(startAt - COINBASE_MATURITY * BLOCK_MS, [], treasuryCoins(treasury))
  for (let left = COINBASE_MATURITY - 1; left >= 0; left--) addBlock(startAt - left * BLOCK_MS, [])

  return {
    catchUp: () => {
      const now = clock.now()
      const skipped = Math.floor((now - nextDueAt) / BLOCK_MS) + 1 - BLOCKS_PER_JUMP_MAX
      if (skipped > 0) nextDueAt += skipped * BLOCK_MS
      for (; nextDueAt <= now; nextDueAt += BLOCK_MS) addBlock(nextDueAt, nextBatch(state.mempool()))
    },
    mine: (blocks) => {
      for (let left = blocks; left > 0; left--) addBlock(clock.now(), nextBatch(state.mempool()))
    },
    mineOnly: (transactions) => addBlock(clock.now(), transactions),
  }
}
