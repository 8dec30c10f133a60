import { type BitcoinWallet, type Coin, payment } from './bitcoinWallet.ts'
import type { NetworkControl } from './network.ts'
import { BITCOIN } from './tokens.ts'
import { cannot, type Wallet } from './wallet.ts'

type Network = { readonly control: Pick<NetworkControl, 'rpcUrl'> }
type Utxo = { readonly txid: string; readonly vout: number; readonly value: number }

/** Satoshi: less is not relayed. */
const DUST = 546n

const esplora = async ({ control }: Network, path: string, init?: RequestInit): Promise<string> => {
  const response = await fetch(`${control.rpcUrl(BITCOIN)}${path}`, init)
  const text = await response.text()
  if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`)
  return text
}

/** The unspent outputs of a wallet. */
const coinsOf = async (network: Network, wallet: BitcoinWallet): Promise<readonly Coin[]> => {
  const unspent = JSON.parse(await esplora(network, `/address/${wallet.address}/utxo`)) as readonly Utxo[]
  return Promise.all(
    unspent.map(async ({ txid, vout, value }) => {
      const hex = await esplora(network, `/tx/${txid}/hex`)
      return { txid, vout, value: BigInt(value), hex, wallet }
    }),
  )
}

export const broadcastBitcoin = (network: Network, hex: string): Promise<string> =>
  esplora(network, '/tx', { method: 'POST', body: hex })

/** The bytes of a transaction, for another broadcast. */
export const bitcoinHex = (network: Network, txid: string): Promise<string> => esplora(network, `/tx/${txid}/hex`)

/** The amount that a transaction pays an address, in satoshi, and whether it is in a block. */
export const paidOnBitcoin = async (
  network: Network,
  txid: string,
  address: string,
): Promise<{ readonly paid: bigint; readonly isConfirmed: boolean }> => {
  type Outputs = {
    readonly vout: readonly { readonly scriptpubkey_address?: string; readonly value: number }[]
    readonly status: { readonly confirmed: boolean }
  }
  const { vout, status } = JSON.parse(await esplora(network, `/tx/${txid}`)) as Outputs
  const outputs = vout.filter(({ scriptpubkey_address }) => scriptpubkey_address === address)
  return { paid: outputs.reduce((sum, { value }) => sum + BigInt(value), 0n), isConfirmed: status.confirmed }
}

/**
 * A key with one address. It pays from all its coins at the rate for the next block, and returns the rest to itself. bitcoinjs-lib
 * builds and signs the payment, and the Esplora API sends it.
 */
export const bitcoinPayer = (control: Pick<NetworkControl, 'rpcUrl'>, wallet: BitcoinWallet): Wallet => ({
  address: wallet.address,
  send: cannot('a Bitcoin wallet pays to addresses, and sends no transactions of others'),
  sign: cannot('a Bitcoin wallet signs no typed data'),
  pay: async ({ address, amount }) => {
    const [network, value] = [{ control }, BigInt(amount)]
    const coins = await coinsOf(network, wallet)
    const { 1: rate = 1 } = JSON.parse(await esplora(network, '/fee-estimates')) as { readonly [target: string]: number }
    const build = (rest: bigint) =>
      payment(coins, [{ address, value }, ...(rest < DUST ? [] : [{ address: wallet.address, value: rest }])])
    const left = coins.reduce((sum, coin) => sum + coin.value, 0n) - value
    if (left < DUST) throw new Error(`${wallet.address} holds too little bitcoin`)
    const rest = left - BigInt(Math.ceil(rate * build(DUST).virtualSize()))
    if (rest < 0n) throw new Error(`${wallet.address} holds too little bitcoin`)
    const transaction = build(rest)
    const id = await broadcastBitcoin(network, transaction.toHex())
    if (id !== transaction.getId()) throw new Error(`sent ${transaction.getId()}, accepted as ${id}`)
    return { id, cost: rest < DUST ? left : left - rest }
  },
})
