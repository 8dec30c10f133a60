import { parseAddress } from './address.ts'
import { type ChainId, ecosystemOf } from './chain.ts'
import { parseTransactionId } from './transactionId.ts'

/** Hexadecimal digits, with a network's name in front where a venue uses one. */
const HEX = /^(?:\w+:)?0x[0-9a-f]+$/

/**
 * A client's ref of a swap, in the spelling of the store and the venues. `chainId`: of the input. A text with significant letter
 * case stays unchanged.
 */
export const parseRef = (chainId: ChainId, text: string): string => {
  const known = parseAddress(ecosystemOf(chainId), text) ?? parseTransactionId(chainId, text)
  if (known !== null) return known
  const lower = text.toLowerCase()
  return HEX.test(lower) ? lower : text
}
