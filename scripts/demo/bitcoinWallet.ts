import { secp256k1 } from '@noble/curves/secp256k1.js'
import { address as addresses, opcodes, Psbt, payments, script as scripts } from 'bitcoinjs-lib'
import type { Client } from './connect.ts'
import type { Wallet } from './wallet.ts'

type Coin = { readonly txid: string; readonly vout: number; readonly value: number }
type Sums = { readonly funded_txo_sum: number; readonly spent_txo_sum: number }
type AddressInfo = { readonly chain_stats: Sums; readonly mempool_stats: Sums }

/** Satoshi: less is not relayed. */
const DUST = 546n
/** Virtual bytes of a payment from P2WPKH inputs to any kind of address, with change: at the most. */
const sizeOf = (inputs: number): number => 11 + 69 * inputs + 43 + 31

/** Of a Taproot address bitcoinjs-lib makes the script only when given a curve library, which paying it does not need. */
const scriptOf = (address: string): Uint8Array =>
  address.startsWith('bc1p')
    ? scripts.compile([opcodes.OP_1 as number, addresses.fromBech32(address).data])
    : addresses.toOutputScript(address)

const esplora = async (url: string, hex?: string): Promise<string> => {
  const response = await fetch(url, hex === undefined ? {} : { method: 'POST', body: hex })
  const text = await response.text()
  if (!response.ok) throw new Error(`${new URL(url).pathname} answered ${response.status}: ${text}`)
  return text
}

/** A key with a native SegWit address, by bitcoinjs-lib over an Esplora API. */
export const bitcoinWallet = ({ rpcUrl }: Pick<Client, 'rpcUrl'>, secretKey: Uint8Array): Wallet => {
  const publicKey = secp256k1.getPublicKey(secretKey)
  const { address, output: script } = payments.p2wpkh({ pubkey: publicKey })
  if (!address || !script) throw new Error('the key has no address')
  const base = rpcUrl(-1)
  const read = async <T>(path: string): Promise<T> => JSON.parse(await esplora(`${base}${path}`)) as T
  const signer = { publicKey, sign: (hash: Uint8Array) => secp256k1.sign(hash, secretKey, { prehash: false }) }

  return {
    address,
    balance: async () => {
      const { chain_stats, mempool_stats } = await read<AddressInfo>(`/address/${address}`)
      const held = ({ funded_txo_sum, spent_txo_sum }: Sums) => BigInt(funded_txo_sum) - BigInt(spent_txo_sum)
      return held(chain_stats) + held(mempool_stats)
    },
    send: async () => {
      throw new Error('a Bitcoin wallet is given addresses to pay, not transactions')
    },
    sign: async () => {
      throw new Error('a Bitcoin wallet signs no typed data')
    },
    pay: async ({ address: payee, amount }) => {
      const coins = await read<readonly Coin[]>(`/address/${address}/utxo`)
      const { '1': feeRate = 1 } = await read<{ readonly [blocks: string]: number }>('/fee-estimates')
      const fee = BigInt(Math.ceil(feeRate * sizeOf(coins.length)))
      const change = coins.reduce((sum, { value }) => sum + BigInt(value), 0n) - BigInt(amount) - fee
      if (change < 0n) throw new Error(`${address} holds too little bitcoin`)

      const psbt = new Psbt()
      for (const { txid, vout, value } of coins)
        psbt.addInput({ hash: txid, index: vout, witnessUtxo: { script, value: BigInt(value) } })
      psbt.addOutput({ script: scriptOf(payee), value: BigInt(amount) })
      if (change >= DUST) psbt.addOutput({ script, value: change })
      psbt.signAllInputs(signer)
      return esplora(`${base}/tx`, psbt.finalizeAllInputs().extractTransaction().toHex())
    },
  }
}
