import { createHash } from 'node:crypto'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { witnessKeyHashScript } from '../../chains/bitcoin/bitcoinScripts.ts'
import { hash160 } from '../../chains/bitcoin/hash160.ts'
import type { BitcoinCodec, BitcoinOutput, BitcoinTransaction, SpentCoin } from './bitcoinCodec.ts'
import type { BitcoinLedger } from './bitcoinLedger.ts'

/** The wallet the venues and the faucet pay from. Its key comes from the seed. */
export interface BitcoinTreasury {
  script(): Uint8Array
  /** A signed payment of confirmed coins, to be sent at once: the coins are not set aside. RangeError beyond the balance. */
  payment(ledger: BitcoinLedger, codec: BitcoinCodec, outputs: readonly BitcoinOutput[]): BitcoinTransaction
}

/** Satoshi per virtual byte. */
const FEE_RATE = 10n
/** Virtual bytes at most: of a transaction without inputs and outputs, of a P2WPKH input, and of its output. */
const [EMPTY_VSIZE, INPUT_VSIZE, CHANGE_VSIZE] = [11, 69, 31]

const sumOf = (outputs: readonly { readonly value: bigint }[]): bigint => outputs.reduce((total, { value }) => total + value, 0n)

const feeOf = (inputs: number, outputs: readonly BitcoinOutput[]): bigint => {
  const paid = outputs.reduce((total, { script }) => total + 9 + script.length, 0)
  return FEE_RATE * BigInt(EMPTY_VSIZE + inputs * INPUT_VSIZE + paid + CHANGE_VSIZE)
}

/** The largest coins that are enough. */
const pick = (coins: readonly SpentCoin[], outputs: readonly BitcoinOutput[]): readonly SpentCoin[] => {
  const sorted = coins.toSorted((a, b) => (a.value < b.value ? 1 : a.value > b.value ? -1 : 0))
  const picked: SpentCoin[] = []
  for (const coin of sorted) {
    picked.push(coin)
    if (sumOf(picked) >= sumOf(outputs) + feeOf(picked.length, outputs)) return picked
  }
  throw new RangeError('is more than the treasury of the offline network holds')
}

const keyFor = (seed: string): Uint8Array => {
  for (let tries = 0; ; tries++) {
    const key = Uint8Array.from(createHash('sha256').update(`${seed}:bitcoin:treasury:${tries}`).digest())
    if (secp256k1.utils.isValidSecretKey(key)) return key
  }
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
    const isConfirmed = ({ txid }: SpentCoin) => ledger.blockOf(txid) !== null
    const own = ledger.unspent(script)
    const confirmed = own.filter(isConfirmed)
    // The rest may be change of payments just made: a block confirms it.
    if (sumOf(confirmed) < sumOf(outputs) + feeOf(confirmed.length, outputs)) ledger.mine(1)
    const coins = pick(own.filter(isConfirmed), outputs)
    const change = sumOf(coins) - sumOf(outputs) - feeOf(coins.length, outputs)
    return codec.signed(coins, change > 0n ? [...outputs, { script, value: change }] : outputs, secretKey)
  }
  return { script: () => wallet().script, payment }
}
