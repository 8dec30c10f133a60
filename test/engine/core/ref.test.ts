import { expect, it } from 'vitest'
import type { ChainId } from '../../../engine/core/chain.ts'
import { parseRef } from '../../../engine/core/ref.ts'

const HASH = `0x${'ab'.repeat(32)}`
const UID = `mainnet:0x${'ab'.repeat(56)}`
const WALLET = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045'
const TXID = 'ab'.repeat(32)
const SEGWIT_UPPER = 'BC1QAR0SRRR7XFKVY5L643LYDNW9RE59GTZZWF5MDQ'
const SIGNATURE = '5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW'

it.each<[string, ChainId, string, string]>([
  ['a hash becomes lower case', 1, HASH.toUpperCase(), HASH],
  ['the order id of a network becomes lower case', 1, UID.toUpperCase(), UID],
  ['an underscore in the network of an order is accepted', 42161, `ARBITRUM_ONE:${HASH}`, `arbitrum_one:${HASH}`],
  ['an EVM address gets its checksum', 1, WALLET.toLowerCase(), WALLET],
  ['a Bitcoin transaction becomes lower case', -1, TXID.toUpperCase(), TXID],
  ['a Bitcoin address becomes lower case', -1, SEGWIT_UPPER, SEGWIT_UPPER.toLowerCase()],
  ['a Solana signature stays as it is', -2, SIGNATURE, SIGNATURE],
  ['a swap id of this service stays as it is', 1, 'swp_AbCdEf', 'swp_AbCdEf'],
  ['other text stays as it is', 1, 'Not 0xABC', 'Not 0xABC'],
])('ref: %s [status-ref-spellings]', (_what, chainId, text, ref) => {
  expect(parseRef(chainId, text)).toBe(ref)
  expect(parseRef(chainId, ref)).toBe(ref)
})
