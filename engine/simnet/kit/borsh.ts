import { sha256 } from '@noble/hashes/sha2.js'
import { concatBytes, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import { base58 } from '@scure/base'
import { eventAuthority } from '../../chains/solana/anchor.ts'
import type { Layout } from '../../chains/solana/borsh.ts'
import type { Address } from '../../core/address.ts'
import { littleEndian } from './anchor.ts'
import type { SimTelling } from './world.ts'

const WIDTHS: { readonly [kind: string]: number } = { u8: 1, u16: 2, u32: 4, u64: 8, u128: 16, bool: 1 }

const writeOne = (kind: Layout[string], value: unknown): Uint8Array => {
  if (Array.isArray(kind)) {
    const items = value as readonly unknown[]
    return concatBytes(littleEndian(4, items.length), ...items.map((item) => writeOne(kind[0], item)))
  }
  if (typeof kind === 'object') return writeBorsh(kind as Layout, value as { readonly [field: string]: unknown })
  const width = WIDTHS[kind as string]
  if (width !== undefined) return littleEndian(width, BigInt(value as bigint))
  if (kind === 'bigWord') return littleEndian(32, value as bigint).reverse()
  const bytes = kind === 'key' ? base58.decode(String(value)) : hexToBytes(String(value).slice(2))
  return kind === 'bytes' ? concatBytes(littleEndian(4, bytes.length), bytes) : bytes
}

/** A struct in Borsh, for `readBorsh`. https://borsh.io */
export const writeBorsh = (layout: Layout, values: { readonly [field: string]: unknown }): Uint8Array =>
  concatBytes(...Object.entries(layout).map(([field, kind]) => writeOne(kind, values[field])))

const headed = (name: string, layout: Layout, values: { readonly [field: string]: unknown }): Uint8Array =>
  concatBytes(sha256(utf8ToBytes(name)).slice(0, 8), writeBorsh(layout, values))

/** The data of an instruction of a program built with Anchor, by its name in snake_case. */
export const anchorCall = (name: string, layout: Layout, values: { readonly [field: string]: unknown }): Uint8Array =>
  headed(`global:${name}`, layout, values)

/** What such a program reports about an event: https://www.anchor-lang.com/docs/features/events */
export const anchorEvent = (
  program: Address,
  { name, layout }: { readonly name: string; readonly layout: Layout },
  values: { readonly [field: string]: unknown },
): SimTelling => ({
  authority: eventAuthority(program),
  data: concatBytes(hexToBytes('e445a52e51cb9a1d'), headed(`event:${name}`, layout, values)),
})
