import type { BitcoinCodec, BitcoinTransaction } from './bitcoinCodec.ts'
import { type BitcoinMiner, createBitcoinMiner, type MinerOptions } from './bitcoinMiner.ts'
import { BitcoinRefusal, RPC } from './bitcoinRefusal.ts'
import { admit, COINBASE_MATURITY, type Coin } from './bitcoinRules.ts'
import { type BitcoinRecords, type BitcoinState, createBitcoinState, type LedgerTransaction } from './bitcoinState.ts'

/** The offline Bitcoin itself: what is in the chain and the mempool, and how both change. */
export interface BitcoinLedger extends BitcoinRecords, Pick<BitcoinMiner, 'catchUp' | 'mine'> {
  /** Takes a transaction into the mempool; one that is there already is given again. Throws BitcoinRefusal. */
  accept(hex: string): LedgerTransaction
  /**
   * Mines a block with this transaction alone, which need not be one that nodes relay but must spend confirmed coins.
   * Throws BitcoinRefusal.
   */
  mineAlone(hex: string): LedgerTransaction
  /**
   * Makes a transaction vanish, or the whole mempool, and with it everything that spends from it. A confirmed one takes
   * its block and all later ones along: other blocks, one more, come in their place, with all the other transactions
   * that can still be. The ids of what is gone; null when there is no such transaction, RangeError when it is too deep
   * or a coinbase. What is gone may be sent again.
   */
  reorg(drop: 'unconfirmed' | { readonly txid: string }): readonly string[] | null
}

const REORG_DEPTH_MAX = COINBASE_MATURITY

const coinIn = (state: BitcoinState, txid: string, vout: number): Coin | null => {
  const transaction = state.find(txid)
  const output = transaction?.outputs[vout]
  if (!transaction || !output) return null
  const takenBy = state.spender({ txid, vout })?.txid ?? null
  if (takenBy !== null && state.blockOf(takenBy)) return null
  const block = state.blockOf(txid)
  const before = block ? state.blockAt(block.height - 1) : state.tip()
  return {
    ...output,
    isCoinbase: transaction.isCoinbase,
    height: block?.height ?? null,
    timeBefore: before?.medianTime ?? 0,
    takenBy,
  }
}

/** The one we have, when it may be sent again. */
const knownAs = (state: BitcoinState, { txid, wtxid }: BitcoinTransaction): LedgerTransaction | null => {
  const known = state.find(txid)
  if (!known) return null
  if (state.blockOf(txid)) {
    const isSpent = known.outputs.every((_, vout) => coinIn(state, txid, vout) === null)
    throw isSpent
      ? new BitcoinRefusal(RPC.invalid, 'bad-txns-inputs-missingorspent')
      : new BitcoinRefusal(RPC.alreadyInChain, 'Transaction outputs already in utxo set')
  }
  if (known.wtxid !== wtxid) throw new BitcoinRefusal(RPC.rejected, 'txn-same-nonwitness-data-in-mempool')
  return known
}

const decodeWith = (codec: BitcoinCodec, hex: string): BitcoinTransaction => {
  const transaction = codec.decode(hex)
  if (transaction) return transaction
  throw new BitcoinRefusal(RPC.undecodable, 'TX decode failed. Make sure the tx has at least one input.')
}

export const createBitcoinLedger = (options: MinerOptions): BitcoinLedger => {
  const { codec } = options
  const state = createBitcoinState()
  const miner = createBitcoinMiner(state, options)

  const admitted = (transaction: BitcoinTransaction, isRelayed: boolean): LedgerTransaction => {
    const { height, medianTime } = state.tip()
    const view = { coin: (txid: string, vout: number) => coinIn(state, txid, vout), nextHeight: height + 1, medianTime }
    return { ...transaction, ...admit(transaction, view, { codec, isRelayed }), isCoinbase: false }
  }

  const accept: BitcoinLedger['accept'] = (hex) => {
    const posted = decodeWith(codec, hex)
    const known = knownAs(state, posted)
    if (known) return known
    const transaction = admitted(posted, true)
    state.add(transaction)
    return transaction
  }

  const mineAlone: BitcoinLedger['mineAlone'] = (hex) => {
    const transaction = admitted(decodeWith(codec, hex), false)
    if (transaction.inputs.some(({ txid }) => !state.blockOf(txid)))
      throw new BitcoinRefusal(RPC.invalid, 'bad-txns-inputs-missingorspent')
    state.add(transaction)
    miner.mineOnly([transaction])
    return transaction
  }

  /** Empties the mempool, children first, and takes back what is not dropped and still keeps the rules. */
  const refill = (isDropped: (txid: string) => boolean): readonly string[] => {
    const waiting = state.mempool()
    for (const { txid } of waiting.toReversed()) state.remove(txid)
    const gone: string[] = []
    for (const transaction of waiting.filter(({ isCoinbase }) => !isCoinbase)) {
      try {
        if (isDropped(transaction.txid)) gone.push(transaction.txid)
        else state.add(admitted(transaction, false))
      } catch (error) {
        if (!(error instanceof BitcoinRefusal)) throw error
        gone.push(transaction.txid)
      }
    }
    return gone
  }

  const reorg: BitcoinLedger['reorg'] = (drop) => {
    if (drop === 'unconfirmed') return refill(() => true)
    const target = state.find(drop.txid)
    if (!target) return null
    if (target.isCoinbase) throw new RangeError('is the coinbase of a block')
    const nextHeight = state.tip().height + 1
    const depth = nextHeight - (state.blockOf(drop.txid)?.height ?? nextHeight)
    if (depth > REORG_DEPTH_MAX) throw new RangeError(`is deeper than ${REORG_DEPTH_MAX} blocks`)
    for (let left = depth; left > 0; left--) state.pop()
    const gone = refill((txid) => txid === drop.txid)
    if (depth > 0) miner.mine(depth + 1)
    return gone
  }

  const { add: _add, remove: _remove, push: _push, pop: _pop, ...records } = state
  return { ...records, catchUp: miner.catchUp, mine: miner.mine, accept, mineAlone, reorg }
}
