import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import type { Asset, Token } from '../../core/asset.ts'
import type { Hex } from '../../core/execution.ts'
import { ChainError } from '../chains.ts'
import { cleanName, cleanSymbol, DECIMALS_MAX, decodeText } from '../tokenText.ts'
import type { EvmCall } from './evmReads.ts'

const SELECTORS = { name: '0x06fdde03', symbol: '0x95d89b41', decimals: '0x313ce567' } as const
const WORD_DIGITS = 2 + 64
/** A name has a few words; a longer text is rejected. */
const TEXT_DIGITS_MAX = 2 + 2 * 2_048

const readDecimals = (data: Hex | null): number | null => {
  if (data?.length !== WORD_DIGITS) return null
  const value = BigInt(data)
  return value <= BigInt(DECIMALS_MAX) ? Number(value) : null
}

/** The bytes of a lone ABI `string` or `bytes`: an offset, a length, the bytes. Null when they do not lie within the data. */
const readDynamic = (data: Uint8Array): Uint8Array | null => {
  const wordAt = (at: number): number | null => {
    if (at + 32 > data.length) return null
    const value = BigInt(`0x${bytesToHex(data.subarray(at, at + 32))}`)
    return value <= BigInt(data.length) ? Number(value) : null
  }
  const offset = wordAt(0)
  const length = offset === null ? null : wordAt(offset)
  if (offset === null || length === null || offset + 32 + length > data.length) return null
  return data.subarray(offset + 32, offset + 32 + length)
}

/** A `string`, or the `bytes32` of the oldest tokens. Null when it is neither, or no UTF-8. */
const readText = (data: Hex | null): string | null => {
  if (data === null || data.length > TEXT_DIGITS_MAX) return null
  const bytes = hexToBytes(data.slice(2))
  const text = bytes.length === 32 ? bytes : readDynamic(bytes)
  return text && decodeText(text)
}

/**
 * The metadata of an ERC-20. Without decimals and a symbol it is no token: price feeds and the like have one of the two. A
 * missing name is common and replaced by the symbol.
 */
export const readEvmToken = async (call: EvmCall, asset: Asset, signal: AbortSignal): Promise<Token> => {
  const [decimalsData, symbolData, nameData] = await Promise.all([
    call(asset, SELECTORS.decimals, signal),
    call(asset, SELECTORS.symbol, signal),
    call(asset, SELECTORS.name, signal),
  ])
  const decimals = readDecimals(decimalsData)
  const symbol = cleanSymbol(readText(symbolData) ?? '')
  if (decimals === null || symbol === '') throw new ChainError('notAToken', asset.chainId, `no token at ${asset.address}`)
  const name = cleanName(readText(nameData) ?? '')
  return { ...asset, symbol, name: name === '' ? symbol : name, decimals, isNative: false }
}
