import { createSimClock } from '../../engine/simnet/kit/simRandom.ts'
import type { SimDeposit, SimVenue } from '../../engine/simnet/kit/simVenue.ts'
import type { SimBitcoin, SimBitcoinTransaction, SimClock, World } from '../../engine/simnet/kit/world.ts'
import { type Simnet, startSimnet } from '../../engine/simnet/simnet.ts'
import type { BitcoinWallet, Coin } from '../../scripts/client/bitcoinWallet.ts'

export type TxStatus = { confirmed: boolean; block_height?: number; block_hash?: string; block_time?: number }
export type TxOutput = { scriptpubkey: string; scriptpubkey_type: string; scriptpubkey_address?: string; value: number }
export type TxInput = {
  txid: string
  vout: number
  prevout: TxOutput | null
  witness?: string[]
  is_coinbase: boolean
  sequence: number
}
export type Tx = {
  txid: string
  version: number
  locktime: number
  vin: TxInput[]
  vout: TxOutput[]
  size: number
  weight: number
  fee: number
  status: TxStatus
}
export type Stats = {
  funded_txo_count: number
  funded_txo_sum: number
  spent_txo_count: number
  spent_txo_sum: number
  tx_count: number
}
export type Utxo = { txid: string; vout: number; status: TxStatus; value: number }
export type BlockHeader = {
  id: string
  height: number
  version: number
  timestamp: number
  merkle_root: string
  previousblockhash: string
  nonce: number
  bits: number
  mediantime: number
  tx_count: number
}

/** An offline network with one venue that owns the address given, seen through its public interfaces. */
export type BitcoinBench = {
  readonly simnet: Simnet
  readonly clock: SimClock
  /** What a venue is given to use Bitcoin. */
  readonly bitcoin: SimBitcoin
  /** What the venue was told, in order. */
  readonly deposits: SimDeposit[]
  readonly transactions: SimBitcoinTransaction[]
  /** GET of the Esplora API: JSON where it is, else the text. */
  read<T>(path: string): Promise<T>
  status(path: string): Promise<{ readonly status: number; readonly text: string }>
  /** POST /tx; the txid or the words of refusal. */
  send(hex: string): Promise<{ readonly status: number; readonly text: string }>
  control(path: string, body: unknown): Promise<{ readonly status: number; readonly body: unknown }>
  /** A confirmed coin from the faucet. */
  fund(wallet: BitcoinWallet, value: bigint): Promise<Coin>
  mine(blocks?: number): Promise<void>
  close(): Promise<void>
}

export const START_AT = Date.UTC(2026, 10, 20)

export const createBitcoinBench = async (depositAddress: string, seed = 'test'): Promise<BitcoinBench> => {
  const clock = createSimClock(() => START_AT)
  const deposits: SimDeposit[] = []
  const transactions: SimBitcoinTransaction[] = []
  const worlds: World[] = []
  const create = (world: World): SimVenue => {
    worlds.push(world)
    world.bitcoin.onTransaction((transaction) => {
      transactions.push(transaction)
    })
    return {
      id: 'watcher',
      settings: {},
      pricePaths: [],
      handle: () => ({ status: 200, body: {} }),
      onDeposit: (deposit) => {
        deposits.push(deposit)
        return deposit.address === depositAddress
      },
      onTransaction: () => false,
    }
  }
  const simnet = await startSimnet({ controlPort: 0, seed, clock, venues: [{ id: 'watcher', create }] })
  const [world] = worlds
  if (!world) throw new Error('the venue was not created')
  const base = simnet.rpcUrls['-1'] ?? ''

  const status: BitcoinBench['status'] = async (path) => {
    const response = await fetch(`${base}${path}`)
    return { status: response.status, text: await response.text() }
  }
  const read = async <T>(path: string): Promise<T> => {
    const response = await fetch(`${base}${path}`)
    const text = await response.text()
    if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`)
    return (response.headers.get('content-type') === 'application/json' ? JSON.parse(text) : text) as T
  }
  const control: BitcoinBench['control'] = async (path, body) => {
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
    const response = await fetch(`${simnet.controlUrl}${path}`, init)
    return { status: response.status, body: await response.json() }
  }
  const must = async (path: string, body: unknown): Promise<void> => {
    const answer = await control(path, body)
    if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
  }
  return {
    simnet,
    clock,
    bitcoin: world.bitcoin,
    deposits,
    transactions,
    read,
    status,
    send: async (hex) => {
      const response = await fetch(`${base}/tx`, { method: 'POST', headers: { 'content-type': 'text/plain' }, body: hex })
      return { status: response.status, text: await response.text() }
    },
    control,
    fund: async (wallet, value) => {
      const known = new Set((await read<Utxo[]>(`/address/${wallet.address}/utxo`)).map(({ txid }) => txid))
      await must('/faucet', { chainId: -1, token: 'BTC', address: wallet.address, amount: value.toString() })
      const coin = (await read<Utxo[]>(`/address/${wallet.address}/utxo`)).find(({ txid }) => !known.has(txid))
      if (!coin) throw new Error('the faucet gave nothing')
      return { txid: coin.txid, vout: coin.vout, value, hex: await read<string>(`/tx/${coin.txid}/hex`), wallet }
    },
    mine: (blocks = 1) => must('/mine', { blocks }),
    close: simnet.close,
  }
}
