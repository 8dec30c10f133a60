import { bytesToHex } from '@noble/hashes/utils.js'
import type { BitcoinOutput } from './bitcoinCodec.ts'

export type Outpoint = { readonly txid: string; readonly vout: number }
export type Spender = { readonly txid: string; readonly vin: number }
export type UnspentCoin = Outpoint & { readonly value: bigint }

/** Which outputs are spent and by whom, and what is left to each script. */
export interface BitcoinCoins {
  add(output: BitcoinOutput, outpoint: Outpoint): void
  /** Forgets an output that nothing spends. */
  remove(output: BitcoinOutput, outpoint: Outpoint): void
  spend(output: BitcoinOutput, outpoint: Outpoint, spender: Spender): void
  /** As if it had never been spent. */
  restore(output: BitcoinOutput, outpoint: Outpoint): void
  spender(outpoint: Outpoint): Spender | null
  unspent(script: Uint8Array): readonly UnspentCoin[]
}

const keyOf = ({ txid, vout }: Outpoint): string => `${txid}:${vout}`

export const createBitcoinCoins = (): BitcoinCoins => {
  const spenders = new Map<string, Spender>()
  const byScript = new Map<string, Map<string, UnspentCoin>>()

  const add: BitcoinCoins['add'] = ({ script, value }, { txid, vout }) => {
    const key = bytesToHex(script)
    const coins = byScript.get(key) ?? new Map<string, UnspentCoin>()
    byScript.set(key, coins.set(keyOf({ txid, vout }), { txid, vout, value }))
  }

  const remove: BitcoinCoins['remove'] = ({ script }, outpoint) => {
    const key = bytesToHex(script)
    const coins = byScript.get(key)
    coins?.delete(keyOf(outpoint))
    if (coins?.size === 0) byScript.delete(key)
  }

  return {
    add,
    remove,
    spend: (output, outpoint, spender) => {
      spenders.set(keyOf(outpoint), spender)
      remove(output, outpoint)
    },
    restore: (output, outpoint) => {
      spenders.delete(keyOf(outpoint))
      add(output, outpoint)
    },
    spender: (outpoint) => spenders.get(keyOf(outpoint)) ?? null,
    unspent: (script) => [...(byScript.get(bytesToHex(script))?.values() ?? [])],
  }
}
