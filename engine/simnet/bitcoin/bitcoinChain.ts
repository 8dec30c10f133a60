import { addressOfScript, dataOf, dataScript, scriptOfAddress } from '../../chains/bitcoin/bitcoinScripts.ts'
import { NATIVE } from '../../core/asset.ts'
import { BITCOIN } from '../../core/chain.ts'
import type { SimDeposit } from '../kit/simVenue.ts'
import type { SimBitcoin, SimBitcoinTransaction, SimClock } from '../kit/world.ts'
import { type BitcoinCodec, createBitcoinCodec } from './bitcoinCodec.ts'
import { type EsploraAnswer, readEsplora } from './bitcoinEsplora.ts'
import { type BitcoinLedger, BitcoinRefusal, createBitcoinLedger, type LedgerTransaction } from './bitcoinLedger.ts'
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

const refused = (message: string): EsploraAnswer => ({
  status: 400,
  body: `sendrawtransaction RPC error: ${JSON.stringify({ code: -26, message })}`,
})

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

const createOpener = (clock: SimClock, treasury: BitcoinTreasury) => {
  const startAt = clock.now()
  let opening: Promise<Opened> | null = null
  let opened: Opened | null = null
  const open = async (): Promise<Opened> => {
    const codec = await createBitcoinCodec()
    opened = { codec, ledger: createBitcoinLedger({ clock, codec, startAt, treasury: treasury.script() }) }
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

/** Reports each transaction once, even if it vanishes and is sent again. */
const createReports = () => {
  const listeners: Parameters<SimBitcoin['onTransaction']>[0][] = []
  const reported = new Set<string>()
  return {
    report: async (transaction: LedgerTransaction): Promise<void> => {
      if (reported.has(transaction.txid)) return
      reported.add(transaction.txid)
      for (const listener of listeners) await listener(describe(transaction))
    },
    onTransaction: (listener: (typeof listeners)[number]): void => {
      listeners.push(listener)
    },
  }
}

/** The ledger opens, and bitcoinjs-lib is loaded, when something other than fee estimates is asked for. */
export const createBitcoinChain = ({ clock, seed }: { readonly clock: SimClock; readonly seed: string }): BitcoinChain => {
  const treasury = createBitcoinTreasury(seed)
  const { current, ledgerNow } = createOpener(clock, treasury)
  const { report, onTransaction } = createReports()

  const post = async (hex: string): Promise<EsploraAnswer> => {
    const { ledger, codec } = await current()
    const decoded = codec.decode(hex)
    if (!decoded) return refused('TX decode failed')
    try {
      const transaction = ledger.accept(decoded)
      await report(transaction)
      return { status: 200, body: transaction.txid }
    } catch (error) {
      if (error instanceof BitcoinRefusal) return refused(error.message)
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
      const { ledger, codec } = await current()
      ledger.mineAlone(treasury.payment(ledger, codec, [{ script: scriptFor(address), value: amount }]))
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
      const { ledger, codec } = await current()
      const outputs = [{ script: scriptFor(to), value: amount }, ...(data ? [{ script: dataScript(data), value: 0n }] : [])]
      const transaction = ledger.accept(treasury.payment(ledger, codec, outputs))
      await report(transaction)
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

/** The payments of a transaction: one for each address, however many outputs it receives. Outputs to a spender are change. */
export const bitcoinPayments = ({ txid, inputs, outputs }: SimBitcoinTransaction): readonly SimDeposit[] => {
  const spenders = new Set(inputs.map(({ address }) => address))
  const amounts = new Map<string, bigint>()
  for (const { address, amount } of outputs)
    if (address !== null && !spenders.has(address)) amounts.set(address, (amounts.get(address) ?? 0n) + amount)
  return [...amounts].map(([address, amount]) => ({ chainId: BITCOIN, token: NATIVE, address, amount, txHash: txid }))
}
