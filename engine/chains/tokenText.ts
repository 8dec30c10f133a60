const SYMBOL_LENGTH_MAX = 64
const NAME_LENGTH_MAX = 128

/** Control and format characters: line breaks, direction overrides, zero-width marks. None belongs in a token's name. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu

const clean = (text: string, lengthMax: number): string =>
  [...text.replace(INVISIBLE, '').trim()].slice(0, lengthMax).join('').trim()

export const cleanSymbol = (text: string): string => clean(text, SYMBOL_LENGTH_MAX)
export const cleanName = (text: string): string => clean(text, NAME_LENGTH_MAX)

/** UTF-8 with the zero bytes it is padded with taken off; null when it is no UTF-8. */
export const decodeText = (bytes: Uint8Array): string | null => {
  const end = bytes.findLastIndex((byte) => byte !== 0) + 1
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes.subarray(0, end))
  } catch {
    return null
  }
}

/** More than any chain needs; beyond it, arithmetic with the token stops making sense. */
export const DECIMALS_MAX = 36
