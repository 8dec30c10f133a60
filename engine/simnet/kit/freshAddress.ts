import { ed25519 } from '@noble/curves/ed25519.js'
import { base58, bech32 } from '@scure/base'
import { addressOf } from '../../core/address.ts'
import { type ChainId, ecosystemOf } from '../../core/chain.ts'
import type { SimRandom } from './world.ts'

/** A new address of the chain: an EVM account, a Solana key on the curve, a Bitcoin P2WPKH. */
export const freshAddress = (chainId: number, random: SimRandom): string => {
  switch (ecosystemOf(chainId as ChainId)) {
    case 'evm':
      return addressOf('evm', `0x${random.hex(40)}`)
    case 'solana':
      return base58.encode(ed25519.getPublicKey(random.bytes(32)))
    case 'bitcoin':
      return bech32.encode('bc', [0, ...bech32.toWords(random.bytes(20))])
  }
}

/** The id of no transaction, in the chain's own form. */
export const inventedTxHash = (chainId: number, random: SimRandom): string => {
  switch (ecosystemOf(chainId as ChainId)) {
    case 'evm':
      return `0x${random.hex(64)}`
    case 'solana':
      return base58.encode(random.bytes(64))
    case 'bitcoin':
      return random.hex(64)
  }
}
