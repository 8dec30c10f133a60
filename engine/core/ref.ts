import { parseAddress } from './address.ts'
import { type ChainId, ecosystemOf } from './chain.ts'
import { parseTransactionId } from './transactionId.ts'

/** Hexadecimal digits, with the name of a network in front where a venue puts one. */
const HEX = /^(?:\w+:)?0x[0-9a-f]+$/

/**
 * What a client says a swap goes by, in the one spelling that the store and the venues know it by. `chainId`: of the input.
 * A text whose capitals may mean something is left as it is.
 */
export const parseRef = (chainId: ChainId, text: string): string => {
  const known = parseAddress(ecosystemOf(chainId), text) ?? parseTransactionId(chainId, text)
  if (known !== null) return known
  const lower = text.toLowerCase()
  return HEX.test(lower) ? lower : text
}
