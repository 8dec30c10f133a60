import { hexToBytes } from '@noble/hashes/utils.js'
import type { Asset, Token } from '../core/asset.ts'
import type { Hex } from '../core/execution.ts'
import { ChainError } from './chains.ts'
import { decodeParameters } from './evmCodec.ts'
import type { EvmCall } from './evmReads.ts'
import { cleanName, cleanSymbol, decodeText, DECIMALS_MAX } from './tokenText.ts'

const SELECTORS = { name: '0x06fdde03', symbol: '0x95d89b41', decimals: '0x313ce567' } as const
const WORD_DIGITS = 2 + 64
/** A name is a handful of words; what is longer than this is no name. */
const TEXT_DIGITS_MAX = 2 + 2 * 2_048

const readDecimals = (data: Hex | null): number | null => {
  if (data?.length !== WORD_DIGITS) return null
  const value = BigInt(data)
  return value <= BigInt(DECIMALS_MAX) ? Number(value) : null
}

/** An ABI `string`, or the `bytes32` of the oldest tokens. Read as bytes, so that what is no UTF-8 shows. */
const readText = async (data: Hex | null): Promise<string | null> => {
  if (data === null || data.length > TEXT_DIGITS_MAX) return null
  if (data.length === WORD_DIGITS) return decodeText(hexToBytes(data.slice(2)))
  const [bytes] = (await decodeParameters([{ type: 'bytes' }], data)) ?? []
  return typeof bytes === 'string' ? decodeText(hexToBytes(bytes.slice(2))) : null
}

/**
 * What an ERC-20 says about itself. Without decimals and a symbol it is no token: price feeds and the like have the
 * one without the other. A missing name is common and replaced by the symbol.
 */
export const readEvmToken = async (call: EvmCall, asset: Asset, signal: AbortSignal): Promise<Token> => {
  const [decimalsData, symbolData, nameData] = await Promise.all([
    call(asset, SELECTORS.decimals, signal),
    call(asset, SELECTORS.symbol, signal),
    call(asset, SELECTORS.name, signal),
  ])
  const decimals = readDecimals(decimalsData)
  const symbol = cleanSymbol((await readText(symbolData)) ?? '')
  if (decimals === null || symbol === '') throw new ChainError('notAToken', asset.chainId, `no token at ${asset.address}`)
  const name = cleanName((await readText(nameData)) ?? '')
  return { ...asset, symbol, name: name === '' ? symbol : name, decimals, isNative: false }
}
