import { sha256 } from '@noble/hashes/sha2.js'
import { createBase58check } from '@scure/base'
import { describe, expect, it } from 'vitest'
import { scriptOfAddress } from '../../../engine/chains/bitcoin/bitcoinScripts.ts'
import { hash160 } from '../../../engine/chains/bitcoin/hash160.ts'
import { paysAny } from '../../../engine/chains/payees.ts'
import { associatedTokenAddress, TOKEN_2022_PROGRAM } from '../../../engine/chains/solana/solanaCodec.ts'
import { type Address, parseAddress, ZERO_EVM_ADDRESS } from '../../../engine/core/address.ts'
import { NATIVE_SOL } from '../../../engine/core/asset.ts'
import { ecosystemOf } from '../../../engine/core/chain.ts'
import { WALLETS } from '../../support/anOrder.ts'
import { TOKENS } from '../../support/fakeChains.ts'
import { addressFor } from '../../support/fakeVenue.ts'

const PARTIES = [WALLETS.evm, WALLETS.solana, WALLETS.bitcoin]
const script = scriptOfAddress(WALLETS.bitcoin) as Uint8Array
const spelled = (version: number, hash: Uint8Array) => createBase58check(sha256).encode(Uint8Array.of(version, ...hash))

const isPaid = (chainId: 1 | -1 | -2, raw: string): boolean => {
  const address = parseAddress(ecosystemOf(chainId), raw)
  if (!address) throw new TypeError(raw)
  return paysAny({ chainId, address }, PARTIES, [TOKENS.usdcEthereum, TOKENS.usdcSolana, { chainId: -2, address: NATIVE_SOL }])
}

describe('a payment to an address', () => {
  it.each([
    ['of a party on an EVM chain, in small letters', 1, WALLETS.evm.toLowerCase()],
    ['of the token itself', 1, TOKENS.usdcEthereum.address],
    ['that nobody has', 1, ZERO_EVM_ADDRESS],
    ['of a party on Solana', -2, WALLETS.solana],
    ['of a party’s account of the token', -2, associatedTokenAddress(WALLETS.solana, TOKENS.usdcSolana.address)],
    [
      'of a party’s account of the token, of the newer program',
      -2,
      associatedTokenAddress(WALLETS.solana, TOKENS.usdcSolana.address, TOKEN_2022_PROGRAM),
    ],
    ['of a party’s account of wrapped SOL', -2, associatedTokenAddress(WALLETS.solana, NATIVE_SOL)],
    ['of the mint', -2, TOKENS.usdcSolana.address],
    ['of the system program', -2, '11111111111111111111111111111111'],
    ['of a party on Bitcoin, in capital letters', -1, WALLETS.bitcoin.toUpperCase()],
    ['of a party’s key in the old form', -1, spelled(0x00, script.slice(2))],
    ['of a party’s key in the nested form', -1, spelled(0x05, hash160(script))],
  ] as const)('%s reaches a party or is lost', (_what, chainId, raw) => {
    expect(isPaid(chainId, raw)).toBe(true)
  })

  it.each([
    ['on an EVM chain', 1, addressFor('evm', 'stranger')],
    ['on Solana', -2, addressFor('solana', 'stranger')],
    [
      'on Solana, his account of the token',
      -2,
      associatedTokenAddress(addressFor('solana', 'stranger'), TOKENS.usdcSolana.address),
    ],
    ['on Bitcoin', -1, addressFor('bitcoin', 'stranger')],
    ['on Bitcoin, of a script', -1, 'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0'],
  ] as const)('of a stranger %s reaches no party', (_what, chainId, raw: Address | string) => {
    expect(isPaid(chainId, raw)).toBe(false)
  })
})
