import { each, integer, lowerCase, matching, nullable, oneOf, text, type } from '../../kit/fields.ts'

/** What the bodies of the API are made of. Hex is read in lower case. */
export const ADDRESS = lowerCase(matching('a 20-byte hex address', /^0x[0-9a-fA-F]{40}$/))
export const HASH = lowerCase(matching('a 32-byte hex string', /^0x[0-9a-fA-F]{64}$/))
export const HEX = lowerCase(matching('hex bytes', /^0x([0-9a-fA-F]{2})*$/))
export const TEXT = text(0, 16 * 1024)
/** The server knows `ethsign` and `presign` too, by which nobody here signs. */
export const SCHEME = oneOf('eip712', 'eip1271')

export const U256 = type('a decimal U256 string', (value) =>
  typeof value === 'string' && /^[0-9]{1,78}$/.test(value) && BigInt(value) < 1n << 256n ? BigInt(value) : undefined,
)

/** What the bodies of quotes and orders have in common. */
export const PAIR = each(ADDRESS, 'sellToken', 'buyToken')
export const COMMON = { receiver: nullable(ADDRESS), ...each(TEXT, 'sellTokenBalance', 'buyTokenBalance') }
/** Unix seconds, as the contract's uint32 holds them. */
export const SECONDS = integer(0, 0xffffffff)
