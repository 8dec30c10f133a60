import { bytesToHex } from '@noble/hashes/utils.js'
import { base58 } from '@scure/base'
import type { Address } from '../../core/address.ts'
import type { Hex } from '../../core/execution.ts'

/** Kinds of fields. `word`: 32 bytes as they are; `bigWord`: the same as a number, the highest byte first, as EVM has them. */
type Kinds = {
  readonly u8: number
  readonly u16: number
  readonly u32: number
  readonly u64: bigint
  readonly u128: bigint
  readonly bool: boolean
  readonly key: Address
  readonly word: Hex
  readonly bigWord: bigint
  /** With their length before them. */
  readonly bytes: Hex
}

type Single = keyof Kinds | Layout

/**
 * The fields of a struct in their order, each by its kind, a struct itself, or a list of either in brackets. Optional fields:
 * `['maybe', kind]`.
 */
export type Layout = { readonly [field: string]: Single | readonly [Single] | readonly ['maybe', Single] }

type Value<K> = K extends keyof Kinds ? Kinds[K] : K extends Layout ? Fields<K> : never
export type Fields<L extends Layout> = {
  readonly [field in keyof L]: L[field] extends readonly ['maybe', infer K]
    ? Value<K> | null
    : L[field] extends readonly [infer K]
      ? readonly Value<K>[]
      : Value<L[field]>
}

export const hexOf = (bytes: Uint8Array): Hex => `0x${bytesToHex(bytes)}`

type Cursor = { readonly bytes: Uint8Array; at: number }

const take = (cursor: Cursor, count: number): Uint8Array => {
  const end = cursor.at + count
  if (end > cursor.bytes.length) throw new RangeError('bytes are missing')
  const taken = cursor.bytes.slice(cursor.at, end)
  cursor.at = end
  return taken
}

const little = (bytes: Uint8Array): bigint => BigInt(hexOf(bytes.toReversed()))
const bit = (byte: number | undefined): boolean => {
  if (byte !== 0 && byte !== 1) throw new RangeError('neither yes nor no')
  return byte === 1
}

const READERS: { readonly [kind in keyof Kinds]: (cursor: Cursor) => Kinds[kind] } = {
  u8: (cursor) => Number(little(take(cursor, 1))),
  u16: (cursor) => Number(little(take(cursor, 2))),
  u32: (cursor) => Number(little(take(cursor, 4))),
  u64: (cursor) => little(take(cursor, 8)),
  u128: (cursor) => little(take(cursor, 16)),
  bool: (cursor) => bit(take(cursor, 1)[0]),
  key: (cursor) => base58.encode(take(cursor, 32)) as Address,
  word: (cursor) => hexOf(take(cursor, 32)),
  bigWord: (cursor) => BigInt(hexOf(take(cursor, 32))),
  bytes: (cursor) => hexOf(take(cursor, Number(little(take(cursor, 4))))),
}

const readSingle = (kind: Single, cursor: Cursor): unknown =>
  typeof kind === 'string' ? READERS[kind](cursor) : readFields(kind, cursor)

const readList = (kind: Single, cursor: Cursor): readonly unknown[] => {
  const count = READERS.u32(cursor)
  const values: unknown[] = []
  while (values.length < count) values.push(readSingle(kind, cursor))
  return values
}

const isList = (kind: Layout[string]): kind is readonly [Single] | readonly ['maybe', Single] => Array.isArray(kind)

const readField = (kind: Layout[string], cursor: Cursor): unknown => {
  if (!isList(kind)) return readSingle(kind, cursor)
  if (kind.length === 1) return readList(kind[0], cursor)
  return READERS.bool(cursor) ? readSingle(kind[1], cursor) : null
}

const readFields = (layout: Layout, cursor: Cursor): { readonly [field: string]: unknown } =>
  Object.fromEntries(Object.entries(layout).map(([name, kind]) => [name, readField(kind, cursor)]))

/** A struct in Borsh; null when bytes are missing or left over. https://borsh.io */
export const readBorsh = <const L extends Layout>(layout: L, bytes: Uint8Array): Fields<L> | null => {
  const cursor: Cursor = { bytes, at: 0 }
  try {
    const fields = readFields(layout, cursor)
    return cursor.at === bytes.length ? (fields as Fields<L>) : null
  } catch {
    return null
  }
}
