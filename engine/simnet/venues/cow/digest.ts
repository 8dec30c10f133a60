import { secp256k1 } from '@noble/curves/secp256k1.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex, concatBytes, hexToBytes } from '@noble/hashes/utils.js'
import { keccakText } from '../../../chains/evm/evmCodec.ts'
import { wordOf } from '../../kit/abiWords.ts'
import { SETTLEMENT_CONTRACT } from './networks.ts'

/** A GPv2 order as it is hashed. Addresses and hashes in lower-case hex. */
export type OrderData = {
  readonly sellToken: string
  readonly buyToken: string
  readonly receiver: string
  readonly sellAmount: bigint
  readonly buyAmount: bigint
  readonly validTo: number
  readonly appData: string
  readonly feeAmount: bigint
  readonly partiallyFillable: boolean
}

const ORDER_TYPE =
  'Order(address sellToken,address buyToken,address receiver,uint256 sellAmount,uint256 buyAmount,uint32 validTo,bytes32 appData,' +
  'uint256 feeAmount,string kind,bool partiallyFillable,string sellTokenBalance,string buyTokenBalance)'
const DOMAIN_TYPE = 'EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)'

const hashOf = (hex: string): string => bytesToHex(keccak_256(hexToBytes(hex)))
const hashOfWords = (...words: readonly (string | bigint)[]): string => hashOf(words.map(wordOf).join(''))

/** EIP-712, written out: sell orders that use ERC-20 balances, the only ones this book takes. */
export const orderDigest = (chainId: number, order: OrderData): Uint8Array => {
  const [name, version] = [keccakText('Gnosis Protocol'), keccakText('v2')]
  const domain = hashOfWords(keccakText(DOMAIN_TYPE), name, version, BigInt(chainId), SETTLEMENT_CONTRACT)
  const { sellToken, buyToken, receiver, sellAmount, buyAmount, validTo, appData, feeAmount, partiallyFillable } = order
  const terms = [sellToken, buyToken, receiver, sellAmount, buyAmount, BigInt(validTo), appData, feeAmount]
  const manner = [keccakText('sell'), partiallyFillable ? 1n : 0n, keccakText('erc20'), keccakText('erc20')]
  return hexToBytes(hashOf(`1901${domain}${hashOfWords(keccakText(ORDER_TYPE), ...terms, ...manner)}`))
}

/** The 56 bytes an order is known by. */
export const uidOf = (digest: Uint8Array, owner: string, validTo: number): string =>
  `0x${bytesToHex(digest)}${owner.slice(2)}${validTo.toString(16).padStart(8, '0')}`

/** The signer of `r || s || v`, v being 0, 1, 27 or 28; null when the signature is none. */
export const recoverSigner = (digest: Uint8Array, signature: string): string | null => {
  const bytes = hexToBytes(signature.slice(2))
  const v = bytes[64] ?? 0
  const recovery = v >= 27 ? v - 27 : v
  if (bytes.length !== 65 || recovery > 1) return null
  try {
    const recovered = concatBytes(Uint8Array.of(recovery), bytes.subarray(0, 64))
    const compressed = secp256k1.recoverPublicKey(recovered, digest, { prehash: false })
    const publicKey = secp256k1.Point.fromBytes(compressed).toBytes(false)
    return `0x${bytesToHex(keccak_256(publicKey.subarray(1)).subarray(12))}`
  } catch {
    return null
  }
}
