import { type BitcoinWallet, type Coin, payment } from './bitcoinWallet.ts'
import type { NetworkControl } from './network.ts'
import { BITCOIN } from './tokens.ts'
import { cannot, type Wallet } from './wallet.ts'

type Network = { readonly control: Pick<NetworkControl, 'rpcUrl'> }
type Utxo = { readonly txid: string; readonly vout: number; readonly value: number }

/** A transaction as it was sent: its bytes in hex, and the fee in satoshi. */
export type BitcoinSent = { readonly txid: string; readonly hex: string; readonly fee: bigint }

/** Satoshi: less is not relayed. */
const DUST = 546n

const esplora = async ({ control }: Network, path: string, init?: RequestInit): Promise<string> => {
  const response = await fetch(`${control.rpcUrl(BITCOIN)}${path}`, init)
  const text = await response.text()
  if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`)
  return text
}

/** All that a wallet can spend. */
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

/** The bytes of a transaction, as anybody may send them again. */
export const bitcoinHex = (network: Network, txid: string): Promise<string> => esplora(network, `/tx/${txid}/hex`)

/** What a transaction pays an address, in satoshi, and whether it is in a block. */
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

/** Spends coins of one wallet at the rate for the next block, the rest back to it: built and signed by bitcoinjs-lib, sent by the Esplora API. */
const spend = async (
  network: Network,
  coins: readonly Coin[],
  { to, amount }: { readonly to: string; readonly amount: bigint },
): Promise<BitcoinSent> => {
  const [first] = coins
  const held = coins.reduce((sum, { value }) => sum + value, 0n)
  if (!first || held < amount) throw new Error(`${first?.wallet.address ?? 'the wallet'} holds too little bitcoin`)
  const rates = JSON.parse(await esplora(network, '/fee-estimates')) as { readonly [target: string]: number }
  const build = (rest: bigint) =>
    payment(coins, [{ address: to, value: amount }, ...(rest < DUST ? [] : [{ address: first.wallet.address, value: rest }])])
  const asked = BigInt(Math.ceil((rates['1'] ?? 1) * build(DUST).virtualSize()))
  const rest = held - amount - asked
  if (rest < 0n) throw new Error(`${first.wallet.address} holds too little bitcoin`)
  const transaction = build(rest)
  const txid = await broadcastBitcoin(network, transaction.toHex())
  if (txid !== transaction.getId()) throw new Error(`sent ${transaction.getId()}, taken as ${txid}`)
  return { txid, hex: transaction.toHex(), fee: rest < DUST ? held - amount : asked }
}

/** A key with one address, which pays from all its coins. */
export const bitcoinPayer = (control: Pick<NetworkControl, 'rpcUrl'>, wallet: BitcoinWallet): Wallet => ({
  address: wallet.address,
  send: cannot('a Bitcoin wallet is given addresses to pay, not transactions'),
  sign: cannot('a Bitcoin wallet signs no typed data'),
  pay: async ({ address: to, amount }) => {
    const coins = await coinsOf({ control }, wallet)
    const { txid, fee } = await spend({ control }, coins, { to, amount: BigInt(amount) })
    return { id: txid, cost: fee }
  },
})
