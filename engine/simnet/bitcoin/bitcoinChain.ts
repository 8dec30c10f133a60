import { utf8ToBytes } from '@noble/hashes/utils.js'
import {
  addressOfScript,
  dataOf,
  dataScript,
  scriptOfAddress,
  witnessKeyHashScript,
} from '../../chains/bitcoin/bitcoinScripts.ts'
import { hash160 } from '../../chains/bitcoin/hash160.ts'
import type { SimBitcoin, SimBitcoinTransaction, SimClock } from '../kit/world.ts'
import { type BitcoinCodec, type BitcoinOutput, createBitcoinCodec } from './bitcoinCodec.ts'
import { type EsploraAnswer, readEsplora } from './bitcoinEsplora.ts'
import { type BitcoinLedger, createBitcoinLedger } from './bitcoinLedger.ts'
import { BitcoinRefusal } from './bitcoinRefusal.ts'
import type { LedgerTransaction } from './bitcoinState.ts'
import { type BitcoinTreasury, createBitcoinTreasury } from './bitcoinTreasury.ts'

/** The offline Bitcoin: a real ledger, read and written as an Esplora API. */
export interface BitcoinChain extends SimBitcoin {
  /** One call of the API, its path below the base. Never throws for what the caller sent. */
  answer(call: { readonly method: string; readonly path: string; readonly body: string }): Promise<EsploraAnswer>
  /** Pays an address from the treasury, in a block of its own mined at once. Satoshi. RangeError beyond what there is. */
  faucet(address: string, amount: bigint): Promise<void>
  /** Mines this many blocks now and gives the new tip. */
  mine(blocks: number): Promise<{ readonly height: number; readonly hash: string }>
  /** The latest block, its time in epoch ms; null as long as nobody needed the ledger. */
  head(): { readonly height: number; readonly at: number } | null
  /** See BitcoinLedger.reorg. */
  reorg(drop: 'unconfirmed' | { readonly txid: string }): Promise<readonly string[] | null>
}

type Opened = { readonly ledger: BitcoinLedger; readonly codec: BitcoinCodec }

/** Satoshi per virtual byte by confirmation target in blocks, as Esplora gives them: with fractions. */
const FEE_ESTIMATES = {
  '1': 14.203,
  '2': 12.087,
  '3': 9.514,
  '6': 6.005,
  '12': 4.21,
  '144': 1.7,
  '504': 1.002,
  '1008': 1.002,
} as const

const describe = ({ txid, inputs, spent, outputs }: LedgerTransaction): SimBitcoinTransaction => ({
  txid,
  inputs: inputs.map((_, index) => {
    const { script = new Uint8Array(), value = 0n } = spent[index] ?? {}
    return { address: addressOfScript(script), amount: value }
  }),
  outputs: outputs.map(({ script, value }) => ({ address: addressOfScript(script), amount: value, data: dataOf(script) })),
})

const scriptFor = (address: string): Uint8Array => {
  const script = scriptOfAddress(address)
  if (!script) throw new TypeError(`not a Bitcoin address: ${address}`)
  return script
}

/** The words of electrs around those of bitcoind. */
const relayed = ({ code, message }: BitcoinRefusal): EsploraAnswer => ({
  status: 400,
  body: `sendrawtransaction RPC error: ${JSON.stringify({ code, message })}`,
})

const sum = (coins: readonly { readonly value: bigint }[]): bigint => coins.reduce((total, { value }) => total + value, 0n)

/** Confirms what is waiting when all the treasury has is change of payments just made. */
const payFrom = (treasury: BitcoinTreasury, { ledger, codec }: Opened, outputs: readonly BitcoinOutput[]): string => {
  try {
    return treasury.payment(ledger, codec, outputs)
  } catch (error) {
    const coins = ledger.unspent(treasury.script())
    const hasChange = coins.some(({ txid }) => !ledger.blockOf(txid))
    if (!(error instanceof RangeError) || !hasChange || sum(outputs) > sum(coins)) throw error
    ledger.mine(1)
    return treasury.payment(ledger, codec, outputs)
  }
}

const createOpener = (clock: SimClock, seed: string, treasury: BitcoinTreasury) => {
  const startAt = clock.now()
  let opening: Promise<Opened> | null = null
  let opened: Opened | null = null
  const open = async (): Promise<Opened> => {
    const codec = await createBitcoinCodec()
    // Nobody has a key for it: what miners earn is out of the game.
    const miner = witnessKeyHashScript(hash160(utf8ToBytes(`${seed}:bitcoin:miner`)))
    opened = { codec, ledger: createBitcoinLedger({ clock, codec, startAt, treasury: treasury.script(), miner }) }
    return opened
  }
  return {
    /** With all blocks that are due. */
    current: async (): Promise<Opened> => {
      opening ??= open()
      const found = await opening
      found.ledger.catchUp()
      return found
    },
    /** Likewise; null as long as nobody needed it: then nothing has happened on it either. */
    ledgerNow: (): BitcoinLedger | null => {
      opened?.ledger.catchUp()
      return opened?.ledger ?? null
    },
  }
}

type Told = { tell(transaction: LedgerTransaction): Promise<void>; onTransaction: SimBitcoin['onTransaction'] }

const createTold = (): Told => {
  const listeners: Parameters<SimBitcoin['onTransaction']>[0][] = []
  const told = new Set<string>()
  return {
    tell: async (transaction) => {
      if (told.has(transaction.txid)) return
      told.add(transaction.txid)
      for (const listener of listeners) await listener(describe(transaction))
    },
    onTransaction: (listener) => {
      listeners.push(listener)
    },
  }
}

/** The ledger opens, and bitcoinjs-lib is loaded, when something other than fee estimates is asked for. */
export const createBitcoinChain = ({ clock, seed }: { readonly clock: SimClock; readonly seed: string }): BitcoinChain => {
  const treasury = createBitcoinTreasury(seed)
  const { current, ledgerNow } = createOpener(clock, seed, treasury)
  const { tell, onTransaction } = createTold()

  const post = async (hex: string): Promise<EsploraAnswer> => {
    const { ledger } = await current()
    try {
      const transaction = ledger.accept(hex)
      await tell(transaction)
      return { status: 200, body: transaction.txid }
    } catch (error) {
      if (error instanceof BitcoinRefusal) return relayed(error)
      throw error
    }
  }

  return {
    answer: async ({ method, path, body }) => {
      if (method === 'GET' && path === '/fee-estimates') return { status: 200, body: FEE_ESTIMATES }
      if (method === 'POST' && path === '/tx') return post(body)
      const found = method === 'GET' ? readEsplora((await current()).ledger, path) : null
      return found ?? { status: 404, body: `endpoint does not exist ${JSON.stringify(path)}` }
    },
    faucet: async (address, amount) => {
      const opened = await current()
      opened.ledger.mineAlone(payFrom(treasury, opened, [{ script: scriptFor(address), value: amount }]))
    },
    mine: async (blocks) => {
      const { ledger } = await current()
      ledger.mine(blocks)
      const { height, hash } = ledger.tip()
      return { height, hash }
    },
    head: () => {
      const tip = ledgerNow()?.tip()
      return tip ? { height: tip.height, at: tip.time * 1_000 } : null
    },
    reorg: async (drop) => (await current()).ledger.reorg(drop),
    treasury: () => addressOfScript(treasury.script()) ?? '',
    transfer: async ({ to, amount, data }) => {
      const opened = await current()
      const outputs = [{ script: scriptFor(to), value: amount }, ...(data ? [{ script: dataScript(data), value: 0n }] : [])]
      const transaction = opened.ledger.accept(payFrom(treasury, opened, outputs))
      await tell(transaction)
      return transaction.txid
    },
    balance: async (address) => {
      const { ledger } = await current()
      return ledger.unspent(scriptFor(address)).reduce((total, { value }) => total + value, 0n)
    },
    confirmations: (txid) => {
      const ledger = ledgerNow()
      if (!ledger?.find(txid)) return null
      const block = ledger.blockOf(txid)
      return block ? ledger.tip().height - block.height + 1 : 0
    },
    transaction: (txid) => {
      const found = ledgerNow()?.find(txid) ?? null
      return found && describe(found)
    },
    onTransaction,
  }
}
