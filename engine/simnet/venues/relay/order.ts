import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex, concatBytes, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import { base58, bech32, bech32m } from '@scure/base'
import { wordOf } from '../../kit/abiWords.ts'
import { NETWORKS } from './networks.ts'

/** `protocol.v2.orderData`: src/order of relayprotocol/relay-protocol-sdk. */
const STRUCTS: { readonly [name: string]: string } = {
  Fee: 'string recipientChainId,bytes recipient,string currencyChainId,bytes currency,uint256 amount',
  Input: 'InputPayment payment,InputRefund[] refunds',
  InputPayment: 'string chainId,bytes currency,uint256 amount,uint256 weight',
  InputRefund: 'string chainId,bytes recipient,bytes currency,uint256 minimumAmount,uint32 deadline,bytes extraData',
  Order: 'string version,string solverChainId,address solver,uint256 salt,Input[] inputs,Output output,Fee[] fees',
  Output: 'string chainId,OutputPayment[] payments,uint32 deadline,bytes[] calls,bytes extraData',
  OutputPayment: 'bytes recipient,bytes currency,uint256 minimumAmount,uint256 expectedAmount',
}

const fieldsOf = (name: string) =>
  (STRUCTS[name] ?? '').split(',').map((field) => field.split(' ') as [type: string, key: string])

/** The structs a struct refers to, and they in turn: only their names begin with a capital. */
const referredBy = (name: string): readonly string[] =>
  (STRUCTS[name]?.match(/\b[A-Z]\w+/g) ?? []).flatMap((struct) => [struct, ...referredBy(struct)])

/** EIP-712: the struct, then what it refers to in the order of their names. */
const typeOf = (name: string): string =>
  [name, ...new Set(referredBy(name).toSorted())].map((struct) => `${struct}(${STRUCTS[struct]})`).join('')

/** Before addresses of the old kinds, so that they are none of a segwit version: `encodeAddress` of the settlement SDK. */
const OLD_KINDS = 0xff

const bitcoinBytes = (address: string): Uint8Array => {
  if (!address.startsWith('bc1')) return Uint8Array.of(OLD_KINDS, ...base58.decode(address).slice(0, -4))
  const coder = address.startsWith('bc1q') ? bech32 : bech32m
  const { words } = coder.decode(address as `bc1${string}`, 90)
  return Uint8Array.of(words[0] ?? 0, ...coder.fromWords(words.slice(1)))
}

const addressBytes = (chainName: unknown, address: string): Uint8Array => {
  if (address.startsWith('0x')) return hexToBytes(address.slice(2))
  const vm = NETWORKS.find(({ name }) => name === chainName)?.vm
  return vm === 'svm' ? base58.decode(address) : bitcoinBytes(address)
}

type Struct = { readonly [key: string]: unknown }

const structHash = (name: string, struct: Struct, outerChainName: unknown): Uint8Array => {
  const chainName = struct['chainId'] ?? outerChainName
  const wordFor = (type: string, key: string, value: unknown): Uint8Array => {
    if (type.endsWith('[]'))
      return keccak_256(concatBytes(...(value as readonly unknown[]).map((item) => wordFor(type.slice(0, -2), key, item))))
    if (STRUCTS[type] !== undefined) return structHash(type, value as Struct, chainName)
    const text = String(value)
    if (type === 'string') return keccak_256(utf8ToBytes(text))
    if (type !== 'bytes') return hexToBytes(wordOf(BigInt(text)))
    const isAddress = key === 'recipient' || key === 'currency'
    return keccak_256(isAddress ? addressBytes(struct[`${key}ChainId`] ?? chainName, text) : hexToBytes(text.slice(2)))
  }
  const words = fieldsOf(name).map(([type, key]) => wordFor(type, key, struct[key]))
  return keccak_256(concatBytes(keccak_256(utf8ToBytes(typeOf(name))), ...words))
}

/** The EIP-712 hash of the order as a struct, without a domain: what a deposit names the order by. */
export const orderId = (order: object): string => `0x${bytesToHex(structHash('Order', order as Struct, null))}`
