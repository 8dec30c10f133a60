import { sha256 } from '@noble/hashes/sha2.js'
import { createBase58check } from '@scure/base'
import { expect, it } from 'vitest'
import { scriptOfAddress } from '../../../engine/chains/bitcoin/bitcoinScripts.ts'
import { hash160 } from '../../../engine/chains/bitcoin/hash160.ts'
import { paysAny } from '../../../engine/chains/payees.ts'
import { associatedTokenAddress, TOKEN_2022_PROGRAM } from '../../../engine/chains/solana/solanaCodec.ts'
import { type Address, parseAddress, ZERO_EVM_ADDRESS } from '../../../engine/core/address.ts'
import { NATIVE, NATIVE_SOL } from '../../../engine/core/asset.ts'
import { ecosystemOf } from '../../../engine/core/chain.ts'
import { WALLETS } from '../../support/anOrder.ts'
import { TOKENS } from '../../support/fakeChains.ts'
import { addressFor } from '../../support/fakeVenue.ts'

const PARTIES = [WALLETS.evm, WALLETS.solana, WALLETS.bitcoin]
const ASSETS = [TOKENS.usdcEthereum, TOKENS.usdcSolana, { chainId: -2, address: NATIVE_SOL } as const]
const script = scriptOfAddress(WALLETS.bitcoin) as Uint8Array
const spelled = (version: number, hash: Uint8Array) => createBase58check(sha256).encode(Uint8Array.of(version, ...hash))
const [mint, ours, stranger] = [TOKENS.usdcSolana.address, WALLETS.solana, addressFor('solana', 'stranger')]

it.each<[chainId: 1 | -1 | -2, what: string, address: Address | string, isPaid: boolean]>([
  [1, 'a party in lower case', WALLETS.evm.toLowerCase(), true],
  [1, 'the token itself', TOKENS.usdcEthereum.address, true],
  [1, 'the zero address', ZERO_EVM_ADDRESS, true],
  [1, 'the address that stands for coins', NATIVE, true],
  [1, 'a stranger', addressFor('evm', 'stranger'), false],
  [-2, "a party's account of the token", associatedTokenAddress(ours, mint), true],
  [-2, "a party's account of the token, of Token-2022", associatedTokenAddress(ours, mint, TOKEN_2022_PROGRAM), true],
  [-2, 'the mint', mint, true],
  [-2, 'the system program', '11111111111111111111111111111111', true],
  [-2, 'a stranger', stranger, false],
  [-2, "a stranger's account of the token", associatedTokenAddress(stranger, mint), false],
  [-1, 'a party in capital letters', WALLETS.bitcoin.toUpperCase(), true],
  [-1, "a party's key as P2PKH", spelled(0x00, script.slice(2)), true],
  [-1, "a party's key as nested SegWit", spelled(0x05, hash160(script)), true],
  [-1, 'a stranger', addressFor('bitcoin', 'stranger'), false],
])('on chain %i a payment to %s (%s) reaches a party or is lost: %s', (chainId, _what, raw, isPaid) => {
  const address = parseAddress(ecosystemOf(chainId), raw)
  if (!address) throw new TypeError(raw)
  expect(paysAny({ chainId, address }, PARTIES, ASSETS)).toBe(isPaid)
})
