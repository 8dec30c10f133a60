import type { EvmChainId } from '../../core/chain.ts'
import type { Hex } from '../../core/execution.ts'

/** https://github.com/mds1/multicall: one address by one deployer, on chains that run plain EVM code. */
const USUAL = '0xcA11bde05977b3631167028862bE2a173976CA11'

/** Where Multicall3 is, by the same page. */
export const MULTICALL3_ADDRESSES: Readonly<Record<EvmChainId, Hex>> = {
  1: USUAL,
  10: USUAL,
  56: USUAL,
  130: USUAL,
  137: USUAL,
  143: USUAL,
  // Its code is compiled otherwise, so it could not land at the usual place.
  324: '0xF9cda624FBC7e059355ce98a31693d299FACd963',
  480: USUAL,
  999: USUAL,
  4663: USUAL,
  8453: USUAL,
  42161: USUAL,
  43114: USUAL,
  59144: USUAL,
}

/** `aggregate3((address target, bool allowFailure, bytes callData)[]) returns ((bool success, bytes returnData)[])` */
const AGGREGATE3 = '0x82ad56cb'

const WORD_BYTES = 32
const HEX = /^0x([0-9a-f]{2})*$/i

const word = (value: number): string => value.toString(16).padStart(64, '0')

const bytesOf = (data: string): number => (data.length - 2) / 2

const encodeItem = ({ target, data }: ContractCall): string => {
  const padded = Math.ceil(bytesOf(data) / WORD_BYTES) * WORD_BYTES
  const address = target.slice(2).toLowerCase().padStart(64, '0')
  return [address, word(1), word(3 * WORD_BYTES), word(bytesOf(data)), data.slice(2).padEnd(padded * 2, '0')].join('')
}

export type ContractCall = { readonly target: string; readonly data: Hex }

/**
 * Calldata of all the calls as one, each allowed to fail. Written by hand, as the reads of a quote are: an ABI library
 * would be the slowest part of a start.
 */
export const encodeAggregate3 = (calls: readonly ContractCall[]): Hex => {
  const items = calls.map(encodeItem)
  let at = calls.length * WORD_BYTES
  const offsets = items.map((item) => {
    const offset = word(at)
    at += item.length / 2
    return offset
  })
  return `${AGGREGATE3}${word(WORD_BYTES)}${word(calls.length)}${offsets.join('')}${items.join('')}` as Hex
}

class Malformed extends Error {}

/** Reads numbers out of ABI data; none can be larger than the data is long, or it would point outside. */
const wordReader =
  (data: string) =>
  (at: number): number => {
    const text = data.slice(2 + at * 2, 2 + (at + WORD_BYTES) * 2)
    const value = Number(`0x${text}`)
    if (text.length !== WORD_BYTES * 2 || value > bytesOf(data)) throw new Malformed()
    return value
  }

const readAnswers = (data: string, count: number): readonly (Hex | null)[] => {
  const wordAt = wordReader(data)
  const list = wordAt(0)
  if (wordAt(list) !== count) throw new Malformed()
  const heads = list + WORD_BYTES
  return Array.from({ length: count }, (_none, index) => {
    const item = heads + wordAt(heads + index * WORD_BYTES)
    const isSuccess = wordAt(item) === 1
    const bytes = item + wordAt(item + WORD_BYTES)
    const start = bytes + WORD_BYTES
    const end = start + wordAt(bytes)
    if (end > bytesOf(data)) throw new Malformed()
    return isSuccess && end > start ? (`0x${data.slice(2 + start * 2, 2 + end * 2)}` as Hex) : null
  })
}

/**
 * The result of each call; null for one that failed or returned nothing. Null altogether when the data does not answer that many
 * calls, as without such a contract.
 */
export const decodeAggregate3 = (data: unknown, count: number): readonly (Hex | null)[] | null => {
  if (typeof data !== 'string' || !HEX.test(data)) return null
  try {
    return readAnswers(data, count)
  } catch (error) {
    if (error instanceof Malformed) return null
    throw error
  }
}
