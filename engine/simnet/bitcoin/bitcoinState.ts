import { bytesToHex } from '@noble/hashes/utils.js'
import type { Block } from './bitcoinBlocks.ts'
import type { BitcoinOutput, BitcoinTransaction } from './bitcoinCodec.ts'
import { type BitcoinCoins, createBitcoinCoins } from './bitcoinCoins.ts'

/** A transaction of the chain or the mempool. */
export type LedgerTransaction = BitcoinTransaction & {
  readonly isCoinbase: boolean
  /** The outputs its inputs spend, in order; none for a coinbase. */
  readonly spent: readonly BitcoinOutput[]
  /** Satoshi; zero for a coinbase. */
  readonly fee: bigint
}

/** What can be read of chain and mempool. */
export interface BitcoinRecords extends Pick<BitcoinCoins, 'spender' | 'unspent'> {
  find(txid: string): LedgerTransaction | null
  /** Null while it is unconfirmed, or unknown. */
  blockOf(txid: string): Block | null
  /** Unconfirmed transactions, parents before children. */
  mempool(): readonly LedgerTransaction[]
  /** Every transaction that pays a script or spends from it. */
  history(script: Uint8Array): readonly LedgerTransaction[]
  tip(): Block
  blockAt(height: number): Block | null
  blockByHash(hash: string): Block | null
}

/** All transactions and blocks there are. It knows no rule: what is put in is taken as valid. */
export interface BitcoinState extends BitcoinRecords {
  add(transaction: LedgerTransaction): void
  /** Forgets a transaction; only one that nothing spends from. */
  remove(txid: string): void
  /** Puts a block with transactions that were added before on top. */
  push(block: Block): void
  /** Takes the top block off: its transactions are unconfirmed again, before all others. */
  pop(): void
}

const scriptsOf = ({ outputs, spent }: LedgerTransaction): readonly string[] =>
  [...outputs, ...spent].map(({ script }) => bytesToHex(script))

type Transactions = Pick<BitcoinState, 'find' | 'history' | 'spender' | 'unspent' | 'add' | 'remove'>

const createTransactions = (): Transactions => {
  const transactions = new Map<string, LedgerTransaction>()
  const histories = new Map<string, Map<string, LedgerTransaction>>()
  const coins = createBitcoinCoins()

  const add: Transactions['add'] = (transaction) => {
    const { txid, inputs, outputs, spent } = transaction
    transactions.set(txid, transaction)
    inputs.forEach((input, vin) => {
      const output = spent[vin]
      if (output) coins.spend(output, input, { txid, vin })
    })
    outputs.forEach((output, vout) => {
      coins.add(output, { txid, vout })
    })
    for (const script of scriptsOf(transaction)) {
      const history = histories.get(script) ?? new Map<string, LedgerTransaction>()
      histories.set(script, history.set(txid, transaction))
    }
  }

  const remove: Transactions['remove'] = (txid) => {
    const transaction = transactions.get(txid)
    if (!transaction) return
    transaction.outputs.forEach((output, vout) => {
      coins.remove(output, { txid, vout })
    })
    transaction.inputs.forEach((input, vin) => {
      const output = transaction.spent[vin]
      if (output) coins.restore(output, input)
    })
    for (const script of scriptsOf(transaction)) histories.get(script)?.delete(txid)
    transactions.delete(txid)
  }

  return {
    find: (txid) => transactions.get(txid) ?? null,
    history: (script) => [...(histories.get(bytesToHex(script))?.values() ?? [])],
    spender: coins.spender,
    unspent: coins.unspent,
    add,
    remove,
  }
}

export const createBitcoinState = (): BitcoinState => {
  const transactions = createTransactions()
  const pending = new Map<string, LedgerTransaction>()
  const confirmed = new Map<string, Block>()
  const blocks: Block[] = []
  const byHash = new Map<string, Block>()

  const tip = (): Block => {
    const block = blocks.at(-1)
    if (!block) throw new RangeError('the chain has no block')
    return block
  }

  return {
    ...transactions,
    blockOf: (txid) => confirmed.get(txid) ?? null,
    mempool: () => [...pending.values()],
    tip,
    blockAt: (height) => blocks[height - (blocks[0]?.height ?? 0)] ?? null,
    blockByHash: (hash) => byHash.get(hash) ?? null,
    add: (transaction) => {
      transactions.add(transaction)
      pending.set(transaction.txid, transaction)
    },
    remove: (txid) => {
      transactions.remove(txid)
      pending.delete(txid)
    },
    push: (block) => {
      blocks.push(block)
      byHash.set(block.hash, block)
      for (const txid of block.txids) {
        confirmed.set(txid, block)
        pending.delete(txid)
      }
    },
    pop: () => {
      const { hash, txids } = tip()
      blocks.pop()
      byHash.delete(hash)
      const waiting = [...txids.flatMap((txid) => transactions.find(txid) ?? []), ...pending.values()]
      for (const txid of txids) confirmed.delete(txid)
      pending.clear()
      for (const transaction of waiting) pending.set(transaction.txid, transaction)
    },
  }
}
