import { secp256k1 } from '@noble/curves/secp256k1.js'
import { solanaProgramAddress } from '../../../chains/solana/solanaProgramAddress.ts'
import { addressOf } from '../../../core/address.ts'
import { type ChainId, ecosystemOf } from '../../../core/chain.ts'
import { littleEndian } from '../../kit/anchor.ts'
import { type CfAsset, vaultOn } from './networks.ts'

const VAULT_PROGRAM = addressOf('solana', 'AusZPVXPoUM8QJJ2SL4KwvRGCQ22cDg6Y4rg7EvFrxi7')

/** Both take a moment to load: when the first channel is opened. */
const bitcoinLibrary = () => import('bitcoinjs-lib')
const evmLibrary = () => import('viem')

/** `INTERNAL_PUBKEY` of state-chain/chains/src/btc/deposit_address.rs. */
const INTERNAL = secp256k1.Point.fromHex(`02${'ee'.repeat(32)}`)
const LEAF_VERSION = 0xc0

/** A script that the vault's key spends, under a key that nobody has. */
const scriptAddress = async (number: number, vaultKey: Uint8Array): Promise<string> => {
  const { address, crypto, script, opcodes } = await bitcoinLibrary()
  const { OP_DROP = 0, OP_CHECKSIG = 0 } = opcodes
  const leaf = script.compile([script.number.encode(number), OP_DROP, vaultKey, OP_CHECKSIG])
  const leafHash = crypto.taggedHash('TapLeaf', Uint8Array.from([LEAF_VERSION, leaf.length, ...leaf]))
  const tweak = crypto.taggedHash('TapTweak', Uint8Array.from([...Array<number>(32).fill(0xee), ...leafHash]))
  const output = INTERNAL.add(secp256k1.Point.BASE.multiply(BigInt(`0x${Buffer.from(tweak).toString('hex')}`)))
  return address.toBech32(output.toBytes(true).slice(1), 1, 'bc')
}

const contractAddress = async (vault: string, number: number, codeHash: string): Promise<string> => {
  const { getAddress, getContractAddress, toHex } = await evmLibrary()
  const salt = toHex(number, { size: 32 })
  return getContractAddress({ opcode: 'CREATE2', from: getAddress(vault), salt, bytecodeHash: `0x${codeHash}` })
}

/** The address of a channel, as the protocol makes it: by the vault's CREATE2, of the vault's program, or a script for its key. */
export const channelAddress = async ({ chainId, codeHash }: CfAsset, number: number, vaultKey: Uint8Array): Promise<string> => {
  switch (ecosystemOf(chainId as ChainId)) {
    case 'evm':
      return contractAddress(vaultOn(chainId) ?? '', number, codeHash)
    case 'solana':
      return solanaProgramAddress(VAULT_PROGRAM, [Buffer.from('channel'), littleEndian(8, BigInt(number))])
    case 'bitcoin':
      return scriptAddress(number, vaultKey)
  }
}

/** The vault's own address in bitcoin, which pays its key as it is. */
export const vaultAddress = async (vaultKey: Uint8Array): Promise<string> =>
  (await bitcoinLibrary()).address.toBech32(vaultKey, 1, 'bc')
