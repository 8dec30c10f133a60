import { createHash } from 'node:crypto'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { witnessKeyHashScript } from '../../chains/bitcoin/bitcoinScripts.ts'
import { hash160 } from '../../chains/bitcoin/hash160.ts'
import type { BitcoinCodec, BitcoinOutput } from './bitcoinCodec.ts'
import type { UnspentCoin } from './bitcoinCoins.ts'
import type { BitcoinLedger } from './bitcoinLedger.ts'
import { dustLimit } from './bitcoinRules.ts'

/** The wallet the venues and the faucet pay from. Its key comes from the seed. */
export interface BitcoinTreasury {
  script(): Uint8Array
  /**
   * A signed payment, in hex, that spends confirmed coins only. RangeError when these are not enough. Whoever sends it
   * must do so at once: the coins are not set aside.
   */
  payment(ledger: BitcoinLedger, codec: BitcoinCodec, outputs: readonly BitcoinOutput[]): string
}

/** Satoshi per virtual byte. */
const FEE_RATE = 10n
/** Virtual bytes at most: of a transaction without inputs and outputs, and of a P2WPKH input. */
const EMPTY_VSIZE = 11
const INPUT_VSIZE = 69
const INPUTS_MAX = 1_000
/** Locktimes may be used, replacement may not be asked for. */
const SEQUENCE = 0xffff_fffe

const keyFor = (seed: string): Uint8Array => {
  for (let tries = 0; ; tries++) {
    const key = Uint8Array.from(createHash('sha256').update(`${seed}:bitcoin:treasury:${tries}`).digest())
    if (secp256k1.utils.isValidSecretKey(key)) return key
  }
}

const feeFor = (inputs: number, outputs: readonly BitcoinOutput[]): bigint =>
  FEE_RATE * BigInt(EMPTY_VSIZE + inputs * INPUT_VSIZE + outputs.reduce((total, { script }) => total + 9 + script.length, 0))

const descending = (a: UnspentCoin, b: UnspentCoin): number => (a.value < b.value ? 1 : a.value > b.value ? -1 : 0)

const sum = (coins: readonly { readonly value: bigint }[]): bigint => coins.reduce((total, { value }) => total + value, 0n)

/** The smallest coin that is enough, so that large ones stay; else the largest ones together. Null when all are too little. */
const pick = (coins: readonly UnspentCoin[], needed: (inputs: number) => bigint): readonly UnspentCoin[] | null => {
  const sorted = coins.toSorted(descending)
  const single = sorted.findLast(({ value }) => value >= needed(1))
  if (single) return [single]
  for (let count = 2; count <= Math.min(sorted.length, INPUTS_MAX); count++) {
    const several = sorted.slice(0, count)
    if (sum(several) >= needed(count)) return several
  }
  return null
}

const openWallet = (seed: string) => {
  const secretKey = keyFor(seed)
  return { secretKey, script: witnessKeyHashScript(hash160(secp256k1.getPublicKey(secretKey, true))) }
}

export const createBitcoinTreasury = (seed: string): BitcoinTreasury => {
  // Curve arithmetic takes a moment when first used.
  let opened: ReturnType<typeof openWallet> | null = null
  const wallet = () => {
    opened ??= openWallet(seed)
    return opened
  }

  const payment: BitcoinTreasury['payment'] = (ledger, codec, outputs) => {
    const { script, secretKey } = wallet()
    const confirmed = ledger.unspent(script).filter(({ txid }) => ledger.blockOf(txid))
    const withChange = [...outputs, { script, value: 0n }]
    const coins = pick(confirmed, (inputs) => sum(outputs) + feeFor(inputs, withChange))
    if (!coins) throw new RangeError('is more than the treasury of the offline network holds')
    const change = sum(coins) - sum(outputs) - feeFor(coins.length, withChange)
    const draft = {
      version: 2,
      lockTime: 0,
      inputs: coins.map(({ txid, vout }) => ({
        txid,
        vout,
        scriptSig: new Uint8Array(),
        sequence: SEQUENCE,
        witness: [],
      })),
      outputs: change >= dustLimit(script) ? [...outputs, { script, value: change }] : outputs,
    }
    const spent = coins.map(({ value }) => ({ value, script }))
    return codec.signed(draft, spent, secretKey).hex
  }

  return { script: () => wallet().script, payment }
}
