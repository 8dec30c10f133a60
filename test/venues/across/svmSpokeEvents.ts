import idl from '@across-protocol/contracts/dist/src/svm/assets/idl/svm_spoke.json' with { type: 'json' }
import { base58 } from '@scure/base'
import { PublicKey } from '@solana/web3.js'
import type { SeenInstruction } from '../../../engine/chains/seen.ts'
import { addressOf } from '../../../engine/core/address.ts'
import { SVM_SPOKE } from './support.ts'

/** Encodes events of the Across program on Solana by its published interface. */

type IdlType =
  | string
  | { readonly array: readonly unknown[] }
  | { readonly vec: IdlType }
  | { readonly defined: { readonly name: string } }
type Named = { readonly [name: string]: unknown }

const little = (value: bigint, bytes: number): Buffer =>
  Buffer.from(Array.from({ length: bytes }, (_, i) => Number((value >> BigInt(8 * i)) & 255n)))

const bytesOf = (value: unknown): Buffer =>
  typeof value === 'bigint'
    ? Buffer.from(value.toString(16).padStart(64, '0'), 'hex')
    : Buffer.from(String(value).replace(/^0x/, ''), 'hex')

/** Borsh. Keys and lists of 32 bytes are hex, or numbers written as such lists are. https://borsh.io */
const encoded = (type: IdlType, value: unknown): Buffer => {
  if (typeof type === 'object' && 'vec' in type) {
    const items = value as readonly unknown[]
    return Buffer.concat([little(BigInt(items.length), 4), ...items.map((item) => encoded(type.vec, item))])
  }
  if (typeof type === 'object') return 'defined' in type ? encodedStruct(type.defined.name, value as Named) : bytesOf(value)
  if (type === 'bool') return Buffer.of(value === true ? 1 : 0)
  if (type === 'pubkey') return bytesOf(value)
  if (type === 'u64') return little(value as bigint, 8)
  if (type === 'u32') return little(BigInt(value as number), 4)
  if (type !== 'bytes') throw new TypeError(`nothing is known of ${type}`)
  const bytes = bytesOf(value)
  return Buffer.concat([little(BigInt(bytes.length), 4), bytes])
}

const encodedStruct = (name: string, values: Named): Buffer => {
  const found = idl.types.find((type) => type.name === name)?.type
  if (found && 'variants' in found) return Buffer.from([Number(values)])
  const fields = (found && 'fields' in found ? found.fields : []) as readonly { name: string; type: IdlType }[]
  return Buffer.concat(fields.map((field) => encoded(field.type, values[field.name])))
}

/** https://www.anchor-lang.com/docs/features/events */
const EVENT = Buffer.from('e445a52e51cb9a1d', 'hex')
const [AUTHORITY] = PublicKey.findProgramAddressSync([Buffer.from('__event_authority')], new PublicKey(SVM_SPOKE))

export const eventOf = (name: (typeof idl.events)[number]['name'], values: Named): Omit<SeenInstruction, 'index'> => {
  const discriminator = Buffer.from(idl.events.find((event) => event.name === name)?.discriminator ?? [])
  return {
    program: addressOf('solana', SVM_SPOKE),
    accounts: [addressOf('solana', AUTHORITY.toBase58())],
    data: new Uint8Array(Buffer.concat([EVENT, discriminator, encodedStruct(name, values)])),
  }
}

export const keyWord = (address: string): string => `0x${Buffer.from(base58.decode(address)).toString('hex')}`
