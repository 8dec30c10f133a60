import { secp256k1 } from '@noble/curves/secp256k1.js'
import { Keypair } from '@solana/web3.js'
import { payments } from 'bitcoinjs-lib'
import { BITCOIN, SOLANA } from '../../engine/core/chain.ts'
import { createSimRandom } from '../../engine/simnet/kit/simRandom.ts'
import { createTokens } from '../../engine/simnet/kit/tokens.ts'
import { controlNetwork } from '../client/network.ts'
import { amountOf } from './pairs.ts'

/** The addresses of one person on every kind of chain. */
export type Party = { on(chainId: number): string }

const createParty = (seed: string): Party => {
  const key = createSimRandom(seed).bytes(32)
  const evm = `0x${createSimRandom(`${seed} evm`).hex(40)}`
  const solana = Keypair.fromSeed(key).publicKey.toBase58()
  const { address: bitcoin } = payments.p2wpkh({ pubkey: secp256k1.getPublicKey(key) })
  if (!bitcoin) throw new Error('the key has no Bitcoin address')
  return { on: (chainId) => (chainId === BITCOIN ? bitcoin : chainId === SOLANA ? solana : evm) }
}

export type Parties = { readonly sender: Party; readonly recipient: Party }

/** Two wallets that nobody has used before. */
export const createParties = (seed: string): Parties => ({
  sender: createParty(`${seed} sender`),
  recipient: createParty(`${seed} recipient`),
})

/** What a swap and its fees need many times over. */
const PLENTY = 10n

/**
 * Gives the sender every token of Solana, where a payment is tried on the chain before it is handed out. Nothing is paid,
 * so it is enough for all pairs; no other chain is asked what a wallet holds.
 */
export const fundSender = async (controlUrl: string, { sender }: Parties): Promise<void> => {
  const { faucet } = controlNetwork(controlUrl)
  const address = sender.on(SOLANA)
  for (const token of createTokens().all.filter(({ chainId }) => chainId === SOLANA))
    await faucet({ chainId: SOLANA, token: token.address, address, amount: String(amountOf(token) * PLENTY) })
}
