import { schnorr, secp256k1 } from '@noble/curves/secp256k1.js'
import { bytesToNumberBE, numberToBytesBE } from '@noble/curves/utils.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { utf8ToBytes } from '@noble/hashes/utils.js'
import { crypto, initEccLib, Psbt, payments, type Transaction, toXOnly } from 'bitcoinjs-lib'

export type WalletKind = 'p2pkh' | 'p2wpkh' | 'p2sh-p2wpkh' | 'p2wsh' | 'p2tr'
export type Coin = {
  readonly txid: string
  readonly vout: number
  readonly value: bigint
  readonly hex: string
  readonly wallet: BitcoinWallet
}
export type Payee = { readonly address: string; readonly value: bigint } | { readonly script: Uint8Array; readonly value: bigint }

/** A client's wallet of one key, which signs by bitcoinjs-lib's own Psbt. */
export type BitcoinWallet = {
  readonly kind: WalletKind
  readonly address: string
  readonly secretKey: Uint8Array
  readonly publicKey: Uint8Array
  /** Signs the inputs of this wallet as its kind of script asks for. */
  readonly signer: {
    readonly publicKey: Uint8Array
    sign(hash: Uint8Array): Uint8Array
    signSchnorr(hash: Uint8Array): Uint8Array
  }
  readonly output: Uint8Array
}

const ORDER = secp256k1.Point.Fn.ORDER

const isXOnlyPoint = (x: Uint8Array): boolean => {
  try {
    schnorr.utils.lift_x(bytesToNumberBE(x))
    return x.length === 32
  } catch {
    return false
  }
}

const xOnlyPointAddTweak = (x: Uint8Array, tweak: Uint8Array) => {
  const point = schnorr.utils.lift_x(bytesToNumberBE(x)).add(secp256k1.Point.BASE.multiplyUnsafe(bytesToNumberBE(tweak)))
  if (point.is0()) return null
  const { x: tweaked, y } = point.toAffine()
  return { parity: Number(y % 2n) as 0 | 1, xOnlyPubkey: numberToBytesBE(tweaked, 32) }
}

/** BIP341: the key that the output of a key without scripts is spent by. */
const tweakedKey = (secretKey: Uint8Array): Uint8Array => {
  const publicKey = secp256k1.getPublicKey(secretKey, true)
  const even = publicKey[0] === 2 ? bytesToNumberBE(secretKey) : ORDER - bytesToNumberBE(secretKey)
  const tweak = bytesToNumberBE(crypto.taggedHash('TapTweak', toXOnly(publicKey)))
  return numberToBytesBE((even + tweak) % ORDER, 32)
}

const paymentOf = (kind: WalletKind, pubkey: Uint8Array) => {
  switch (kind) {
    case 'p2pkh':
      return payments.p2pkh({ pubkey })
    case 'p2wpkh':
      return payments.p2wpkh({ pubkey })
    case 'p2sh-p2wpkh':
      return payments.p2sh({ redeem: payments.p2wpkh({ pubkey }) })
    case 'p2wsh':
      return payments.p2wsh({ redeem: payments.p2pk({ pubkey }) })
    case 'p2tr':
      return payments.p2tr({ internalPubkey: toXOnly(pubkey) })
  }
}

/** The same name gives the same key. */
export const bitcoinWallet = (kind: WalletKind, name: string): BitcoinWallet => {
  initEccLib({ isXOnlyPoint, xOnlyPointAddTweak })
  const secretKey = sha256(utf8ToBytes(name))
  const publicKey = secp256k1.getPublicKey(secretKey, true)
  const { address, output } = paymentOf(kind, publicKey)
  if (!address || !output) throw new Error(`no address for ${kind}`)
  const schnorrKey = tweakedKey(secretKey)
  const signer = {
    publicKey: kind === 'p2tr' ? secp256k1.getPublicKey(schnorrKey, true) : publicKey,
    sign: (hash: Uint8Array) => secp256k1.sign(hash, secretKey, { prehash: false }),
    signSchnorr: (hash: Uint8Array) => schnorr.sign(hash, schnorrKey),
  }
  return { kind, address, secretKey, publicKey, signer, output }
}

const inputOf = ({ txid, vout, value, hex, wallet }: Coin) => {
  const witnessUtxo = { script: wallet.output, value }
  const redeemScript = payments.p2wpkh({ pubkey: wallet.publicKey }).output as Uint8Array
  const spending = {
    p2pkh: { nonWitnessUtxo: Buffer.from(hex, 'hex') },
    p2wpkh: { witnessUtxo },
    'p2sh-p2wpkh': { witnessUtxo, redeemScript },
    p2wsh: { witnessUtxo, witnessScript: payments.p2pk({ pubkey: wallet.publicKey }).output as Uint8Array },
    p2tr: { witnessUtxo, tapInternalKey: toXOnly(wallet.publicKey) },
  }[wallet.kind]
  return { hash: txid, index: vout, ...spending }
}

/** A signed transaction that spends these coins whole: what the payees do not get is the fee. */
export const payment = (coins: readonly Coin[], payees: readonly Payee[]): Transaction => {
  const psbt = new Psbt({ maximumFeeRate: 1e9 })
  for (const coin of coins) psbt.addInput({ ...inputOf(coin), sequence: 0xffff_fffe })
  for (const payee of payees) psbt.addOutput(payee)
  coins.forEach(({ wallet }, index) => {
    psbt.signInput(index, wallet.signer)
  })
  return psbt.finalizeAllInputs().extractTransaction(true)
}
