import { createHash } from 'node:crypto'
import { equalBytes } from '@noble/curves/utils.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import type { SimClock } from '../kit/world.ts'
import type { BitcoinCodec, BitcoinOutput, BitcoinTransaction, SpentCoin } from './bitcoinCodec.ts'

export type Block = {
  readonly hash: string
  readonly height: number
  /** Unix seconds. */
  readonly time: number
  readonly previousHash: string
  /** Median of its own time and those of the ten blocks before it, unix seconds. */
  readonly medianTime: number
  readonly txids: readonly string[]
}

/** A transaction of the chain or the mempool. */
export type LedgerTransaction = BitcoinTransaction & {
  /** The outputs its inputs spend, in order; none for the first transaction. */
  readonly spent: readonly BitcoinOutput[]
  /** Satoshi. */
  readonly fee: bigint
}

/** A transaction that breaks a rule. */
export class BitcoinRefusal extends Error {
  override readonly name = 'BitcoinRefusal'
}

/** The offline Bitcoin: the chain, the mempool, and the rules of both. */
export interface BitcoinLedger {
  find(txid: string): LedgerTransaction | null
  /** Null while it is unconfirmed, or unknown. */
  blockOf(txid: string): Block | null
  /** Every transaction that pays a script or spends from it, in the order of their arrival. */
  history(script: Uint8Array): readonly LedgerTransaction[]
  unspent(script: Uint8Array): readonly SpentCoin[]
  tip(): Block
  blockAt(height: number): Block | null
  blockByHash(hash: string): Block | null
  /** Adds a transaction to the mempool; a known one is returned. Throws BitcoinRefusal. */
  accept(transaction: BitcoinTransaction): LedgerTransaction
  /** Mines the blocks that are due by the network's time. */
  catchUp(): void
  /** Mines so many blocks now, the first with the mempool. */
  mine(blocks: number): void
  /** Mines one block with this transaction alone. It must spend confirmed coins. */
  mineAlone(transaction: BitcoinTransaction): void
  /**
   * Removes a transaction, or the whole mempool, and all that spends from it. A confirmed one takes its block and all later
   * ones along: other blocks, one more, replace them, with the remaining transactions. Returns the ids of the removed
   * ones, which may be sent again; null when there is no such transaction. RangeError when it is too deep.
   */
  reorg(drop: 'unconfirmed' | { readonly txid: string }): readonly string[] | null
}

export type LedgerOptions = {
  readonly clock: SimClock
  readonly codec: BitcoinCodec
  /** Epoch ms: blocks are due at this time plus whole multiples of ten minutes. */
  readonly startAt: number
  /** Receives all bitcoin before the network begins. */
  readonly treasury: Uint8Array
}

const BLOCK_MS = 600_000
const FIRST_HEIGHT = 900_000
/** As many as the median time needs. */
const BLOCKS_BEFORE_START = 11
/** Two weeks. A longer jump of the clock leaves a gap before them. */
const BLOCKS_PER_JUMP_MAX = 2_016
const REORG_DEPTH_MAX = 100
const SATOSHI = 100_000_000n
/** Equal coins: of about as much as there is on the real chain. */
const [TREASURY_COINS, TREASURY_COIN] = [500, 39_000n * SATOSHI]

const sumOf = (outputs: readonly { readonly value: bigint }[]): bigint => outputs.reduce((total, { value }) => total + value, 0n)

const outpointOf = ({ txid, vout }: { readonly txid: string; readonly vout: number }): string => `${txid}:${vout}`

/** All transactions, and which of their outputs are spent. It checks no rule. */
const createTransactions = () => {
  const all = new Map<string, LedgerTransaction>()
  const spenders = new Map<string, string>()
  const histories = new Map<string, Set<string>>()

  const history = (script: Uint8Array): readonly LedgerTransaction[] =>
    [...(histories.get(bytesToHex(script)) ?? [])].flatMap((txid) => all.get(txid) ?? [])

  return {
    find: (txid: string) => all.get(txid) ?? null,
    spender: (outpoint: string) => spenders.get(outpoint) ?? null,
    history,
    unspent: (script: Uint8Array): readonly SpentCoin[] =>
      history(script).flatMap(({ txid, outputs }) =>
        outputs.flatMap((output, vout) =>
          equalBytes(output.script, script) && !spenders.has(outpointOf({ txid, vout })) ? [{ ...output, txid, vout }] : [],
        ),
      ),
    add: (transaction: LedgerTransaction): void => {
      const { txid, inputs, outputs, spent } = transaction
      all.set(txid, transaction)
      for (const input of inputs) spenders.set(outpointOf(input), txid)
      for (const { script } of [...outputs, ...spent]) {
        const key = bytesToHex(script)
        histories.set(key, (histories.get(key) ?? new Set()).add(txid))
      }
    },
    remove: ({ txid, inputs, outputs, spent }: LedgerTransaction): void => {
      all.delete(txid)
      for (const input of inputs) spenders.delete(outpointOf(input))
      for (const { script } of [...outputs, ...spent]) histories.get(bytesToHex(script))?.delete(txid)
    },
  }
}

/** The blocks, and the transactions that wait for one. */
const createBlocks = () => {
  const blocks: Block[] = []
  const confirmed = new Map<string, Block>()
  let waiting: readonly string[] = []

  const tip = (): Block => {
    const block = blocks.at(-1)
    if (!block) throw new RangeError('the chain has no block')
    return block
  }
  const blockAt = (height: number): Block | null => blocks[height - FIRST_HEIGHT] ?? null

  return {
    tip,
    blockAt,
    blockByHash: (hash: string) => blocks.find((block) => block.hash === hash) ?? null,
    blockOf: (txid: string) => confirmed.get(txid) ?? null,
    waiting: () => waiting,
    setWaiting: (txids: readonly string[]): void => {
      waiting = txids
    },
    push: (atMs: number, txids: readonly string[]): void => {
      const previous = blocks.at(-1)
      const height = FIRST_HEIGHT + blocks.length
      const previousHash = previous?.hash ?? '0'.repeat(64)
      const time = Math.max(Math.floor(atMs / 1_000), (previous?.medianTime ?? 0) + 1)
      const times = [time, ...blocks.slice(-10).map((block) => block.time)].sort((a, b) => a - b)
      const hash = createHash('sha256')
        .update([previousHash, time, ...txids].join())
        .digest('hex')
      const block = { hash, height, time, previousHash, medianTime: times[times.length >> 1] ?? time, txids }
      blocks.push(block)
      for (const txid of txids) confirmed.set(txid, block)
      waiting = waiting.filter((txid) => !txids.includes(txid))
    },
    /** Removes the newest block: its transactions wait again, before all others. */
    pop: (): void => {
      const { txids } = tip()
      blocks.pop()
      for (const txid of txids) confirmed.delete(txid)
      waiting = [...txids, ...waiting]
    },
  }
}

/** Inputs exist and are unspent, signatures are valid, and no value comes from nothing. */
const checked = (
  transaction: BitcoinTransaction,
  {
    transactions,
    blocks,
    codec,
  }: {
    readonly transactions: ReturnType<typeof createTransactions>
    readonly blocks: ReturnType<typeof createBlocks>
    readonly codec: BitcoinCodec
  },
): LedgerTransaction => {
  const { inputs, outputs } = transaction
  const spent = inputs.map((input) => {
    const output = transactions.find(input.txid)?.outputs[input.vout]
    if (!output) throw new BitcoinRefusal('bad-txns-inputs-missingorspent')
    const spender = transactions.spender(outpointOf(input))
    if (spender !== null)
      throw new BitcoinRefusal(blocks.blockOf(spender) ? 'bad-txns-inputs-missingorspent' : 'txn-mempool-conflict')
    return output
  })
  if (inputs.length === 0 || new Set(inputs.map(outpointOf)).size < inputs.length)
    throw new BitcoinRefusal('bad-txns-inputs-duplicate')
  const fee = sumOf(spent) - sumOf(outputs)
  if (fee < 0n || outputs.some(({ value }) => value < 0n)) throw new BitcoinRefusal('bad-txns-in-belowout')
  const locked = inputs.findIndex((_, index) => !codec.isUnlocked(transaction, index, spent))
  if (locked !== -1) throw new BitcoinRefusal(`mempool-script-verify-flag-failed, input ${locked}`)
  return { ...transaction, spent, fee }
}

export const createBitcoinLedger = ({ clock, codec, startAt, treasury }: LedgerOptions): BitcoinLedger => {
  const transactions = createTransactions()
  const blocks = createBlocks()
  let nextDueAt = startAt + BLOCK_MS

  const first = codec.coinbase(Array.from({ length: TREASURY_COINS }, () => ({ script: treasury, value: TREASURY_COIN })))
  transactions.add({ ...first, spent: [], fee: 0n })
  for (let back = BLOCKS_BEFORE_START; back >= 0; back--)
    blocks.push(startAt - back * BLOCK_MS, back === BLOCKS_BEFORE_START ? [first.txid] : [])

  const accept: BitcoinLedger['accept'] = (transaction) => {
    const known = transactions.find(transaction.txid)
    if (known) return known
    const added = checked(transaction, { transactions, blocks, codec })
    transactions.add(added)
    blocks.setWaiting([...blocks.waiting(), added.txid])
    return added
  }

  const mine = (count: number): void => {
    for (let left = count; left > 0; left--) blocks.push(clock.now(), blocks.waiting())
  }

  /** Empties the mempool, and accepts again what is not dropped and still keeps the rules. */
  const refill = (isDropped: (txid: string) => boolean): readonly string[] => {
    const before = blocks.waiting().flatMap((txid) => transactions.find(txid) ?? [])
    for (const transaction of before.toReversed()) transactions.remove(transaction)
    blocks.setWaiting([])
    return before.flatMap((transaction) => {
      if (isDropped(transaction.txid)) return [transaction.txid]
      try {
        accept(transaction)
        return []
      } catch (error) {
        if (error instanceof BitcoinRefusal) return [transaction.txid]
        throw error
      }
    })
  }

  return {
    ...blocks,
    ...transactions,
    accept,
    mine,
    catchUp: () => {
      const now = clock.now()
      const skipped = Math.floor((now - nextDueAt) / BLOCK_MS) + 1 - BLOCKS_PER_JUMP_MAX
      if (skipped > 0) nextDueAt += skipped * BLOCK_MS
      for (; nextDueAt <= now; nextDueAt += BLOCK_MS) blocks.push(nextDueAt, blocks.waiting())
    },
    mineAlone: (transaction) => blocks.push(clock.now(), [accept(transaction).txid]),
    reorg: (drop) => {
      if (drop === 'unconfirmed') return refill(() => true)
      if (!transactions.find(drop.txid)) return null
      const block = blocks.blockOf(drop.txid)
      const depth = block ? blocks.tip().height - block.height + 1 : 0
      if (depth > REORG_DEPTH_MAX || drop.txid === first.txid) throw new RangeError(`is deeper than ${REORG_DEPTH_MAX} blocks`)
      for (let left = depth; left > 0; left--) blocks.pop()
      const gone = refill((txid) => txid === drop.txid)
      if (depth > 0) mine(depth + 1)
      return gone
    },
  }
}
