import { schnorr, secp256k1 } from '@noble/curves/secp256k1.js'
import { bytesToNumberBE, numberToBytesBE } from '@noble/curves/utils.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { utf8ToBytes } from '@noble/hashes/utils.js'
import { crypto, initEccLib, type Payment, Psbt, payments, type Transaction, toXOnly } from 'bitcoinjs-lib'

export type WalletKind = 'p2pkh' | 'p2wpkh' | 'p2sh-p2wpkh' | 'p2wsh' | 'p2tr'
/** An unspent output of a wallet, with the transaction that made it in hex. */
export type Coin = {
  readonly txid: string
  readonly vout: number
  readonly value: bigint
  readonly hex: string
  readonly wallet: BitcoinWallet
}
export type Payee = { readonly address: string; readonly value: bigint }

/** A client's wallet of one key, which signs by bitcoinjs-lib's own Psbt. */
export type BitcoinWallet = {
  readonly address: string
  /** Signs the inputs of this wallet as its kind of script requires. */
  readonly signer: {
    readonly publicKey: Uint8Array
    sign(hash: Uint8Array): Uint8Array
    signSchnorr(hash: Uint8Array): Uint8Array
  }
  /** The fields of an input that spends a coin of this wallet. */
  inputOf(coin: Pick<Coin, 'value' | 'hex'>): object
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

/** The script of a kind of wallet, and what an input shows besides the output that it spends. */
const scriptOf = (kind: WalletKind, pubkey: Uint8Array): { readonly script: Payment; readonly shown: object } => {
  const [byHash, byKey, internalPubkey] = [payments.p2wpkh({ pubkey }), payments.p2pk({ pubkey }), toXOnly(pubkey)]
  switch (kind) {
    case 'p2pkh':
      return { script: payments.p2pkh({ pubkey }), shown: {} }
    case 'p2wpkh':
      return { script: byHash, shown: {} }
    case 'p2sh-p2wpkh':
      return { script: payments.p2sh({ redeem: byHash }), shown: { redeemScript: byHash.output } }
    case 'p2wsh':
      return { script: payments.p2wsh({ redeem: byKey }), shown: { witnessScript: byKey.output } }
    case 'p2tr':
      return { script: payments.p2tr({ internalPubkey }), shown: { tapInternalKey: internalPubkey } }
  }
}

/** The same name gives the same key. */
export const bitcoinWallet = (kind: WalletKind, name: string): BitcoinWallet => {
  initEccLib({ isXOnlyPoint, xOnlyPointAddTweak })
  const secretKey = sha256(utf8ToBytes(name))
  const publicKey = secp256k1.getPublicKey(secretKey, true)
  const { script, shown } = scriptOf(kind, publicKey)
  const { address, output } = script
  if (!address || !output) throw new Error(`no address for ${kind}`)
  const schnorrKey = tweakedKey(secretKey)
  return {
    address,
    signer: {
      publicKey: kind === 'p2tr' ? secp256k1.getPublicKey(schnorrKey, true) : publicKey,
      sign: (hash) => secp256k1.sign(hash, secretKey, { prehash: false }),
      signSchnorr: (hash) => schnorr.sign(hash, schnorrKey),
    },
    inputOf: ({ value, hex }) =>
      kind === 'p2pkh' ? { nonWitnessUtxo: Buffer.from(hex, 'hex') } : { witnessUtxo: { script: output, value }, ...shown },
  }
}

/** A signed transaction that spends these coins entirely: the fee is what the payees do not get. */
export const payment = (coins: readonly Coin[], payees: readonly Payee[]): Transaction => {
  const psbt = new Psbt({ maximumFeeRate: 1e9 })
  for (const coin of coins)
    psbt.addInput({ hash: coin.txid, index: coin.vout, sequence: 0xffff_fffe, ...coin.wallet.inputOf(coin) })
  for (const payee of payees) psbt.addOutput(payee)
  for (const [index, { wallet }] of coins.entries()) psbt.signInput(index, wallet.signer)
  return psbt.finalizeAllInputs().extractTransaction(true)
}
