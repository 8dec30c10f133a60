import { describe, expect, it } from 'vitest'
import type { ChainId } from '../../../engine/core/chain.ts'
import { parseRef } from '../../../engine/core/ref.ts'

const HASH = `0x${'ab'.repeat(32)}`
const UID = `mainnet:0x${'ab'.repeat(56)}`
const TXID = 'ab'.repeat(32)
const SIGNATURE = '5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW'

describe('what a swap goes by', () => {
  it.each<[string, ChainId, string, string]>([
    ['a hash', 1, HASH.toUpperCase(), HASH],
    ['an order of a network', 1, UID.toUpperCase(), UID],
    ['an order of a network whose name has a line in it', 42161, `ARBITRUM_ONE:${HASH}`, `arbitrum_one:${HASH}`],
    ['an address', 1, '0xd8da6bf26964af9d7eed9e03e53415d37aa96045', '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045'],
    ['an id of a venue on Bitcoin', -1, HASH.toUpperCase(), HASH],
    ['a transaction of Bitcoin', -1, TXID.toUpperCase(), TXID],
    ['an address of Bitcoin', -1, 'BC1QAR0SRRR7XFKVY5L643LYDNW9RE59GTZZWF5MDQ', 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq'],
  ])('is read in any spelling: %s [status-ref-spellings]', (_what, chainId, text, ref) => {
    expect(parseRef(chainId, text)).toBe(ref)
    expect(parseRef(chainId, ref)).toBe(ref)
  })

  it.each<[string, ChainId, string]>([
    ['a signature', -2, SIGNATURE],
    ['a ref of our own', 1, 'swp_AbCdEf'],
    ['what is no ref', 1, 'Not 0xABC'],
  ])('is left as it is where letters tell: %s', (_what, chainId, text) => {
    expect(parseRef(chainId, text)).toBe(text)
  })
})
