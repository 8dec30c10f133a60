import { base58 } from '@scure/base'

/** Null for text that is not base58. */
export const fromBase58 = (text: string): Uint8Array | null => {
  try {
    return base58.decode(text)
  } catch {
    return null
  }
}
