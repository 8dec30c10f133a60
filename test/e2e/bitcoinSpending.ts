import { type BitcoinWallet, type Coin, payment } from '../support/bitcoinWallet.ts'
import type { TestService } from '../support/service.ts'
import { NATIVE } from '../support/swaps.ts'

type Network = Pick<TestService, 'control'>
type Utxo = { readonly txid: string; readonly vout: number; readonly value: number }

/** A transaction as it was sent: its bytes in hex, and the fee in satoshi. */
export type BitcoinSent = { readonly txid: string; readonly hex: string; readonly fee: bigint }

const esplora = async ({ control }: Network, path: string, init?: RequestInit): Promise<string> => {
  const response = await fetch(`${control.rpcUrl(-1)}${path}`, init)
  const text = await response.text()
  if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`)
  return text
}

/** A confirmed coin of exactly this value, from the faucet. */
export const fundedCoin = async (network: Network, wallet: BitcoinWallet, value: bigint): Promise<Coin> => {
  const unspent = async () => JSON.parse(await esplora(network, `/address/${wallet.address}/utxo`)) as readonly Utxo[]
  const known = new Set((await unspent()).map(({ txid }) => txid))
  await network.control.faucet({ chainId: -1, token: NATIVE, address: wallet.address, amount: value.toString() })
  const coin = (await unspent()).find(({ txid }) => !known.has(txid))
  if (!coin) throw new Error('the faucet gave nothing')
  return { txid: coin.txid, vout: coin.vout, value, hex: await esplora(network, `/tx/${coin.txid}/hex`), wallet }
}

export const broadcastBitcoin = (network: Network, hex: string): Promise<string> =>
  esplora(network, '/tx', { method: 'POST', body: hex })

/** Pays from one coin at the rate for the next block, the rest back to its wallet: built and signed by bitcoinjs-lib, sent by the Esplora API. */
export const payBitcoin = async (
  network: Network,
  coin: Coin,
  { to, amount }: { readonly to: string; readonly amount: bigint },
): Promise<BitcoinSent> => {
  const rates = JSON.parse(await esplora(network, '/fee-estimates')) as { readonly [target: string]: number }
  const build = (fee: bigint) =>
    payment(
      [coin],
      [
        { address: to, value: amount },
        { address: coin.wallet.address, value: coin.value - amount - fee },
      ],
    )
  const fee = BigInt(Math.ceil((rates['1'] ?? 1) * build(1_000n).virtualSize()))
  const transaction = build(fee)
  const txid = await broadcastBitcoin(network, transaction.toHex())
  if (txid !== transaction.getId()) throw new Error(`sent ${transaction.getId()}, taken as ${txid}`)
  return { txid, hex: transaction.toHex(), fee }
}
