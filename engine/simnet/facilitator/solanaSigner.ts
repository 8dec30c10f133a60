import { ed25519 } from '@noble/curves/ed25519.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { utf8ToBytes } from '@noble/hashes/utils.js'
import { base58 } from '@scure/base'
import type { FacilitatorSvmSigner } from '@x402/svm'
import { SOLANA } from '../../core/chain.ts'
import type { SimTokens } from '../kit/tokens.ts'
import type { SolanaChain } from '../solana/solanaChain.ts'

/** The same on every offline network, as its address on the EVM chains is. */
const KEY = sha256(utf8ToBytes('offline facilitator'))

/** Lamports: a million SOL, of which a settlement takes some ten thousand. */
const FUNDS = 10n ** 15n

const SIGNATURE_BYTES = 64

type SvmAddress = ReturnType<FacilitatorSvmSigner['getAddresses']>[number]

/** The first signature of a transaction is the fee payer's. https://solana.com/docs/core/transactions */
const signFirst = (base64: string): string => {
  const wire = Buffer.from(base64, 'base64')
  const [signatures = 0] = wire
  const message = wire.subarray(1 + signatures * SIGNATURE_BYTES)
  wire.set(ed25519.sign(message, KEY), 1)
  return wire.toString('base64')
}

/** What a facilitator needs of Solana. It pays the fee of every transaction out of what it is given before the first. */
export const createSolanaSigner = (solana: SolanaChain, tokens: SimTokens): FacilitatorSvmSigner => {
  const address = base58.encode(ed25519.getPublicKey(KEY)) as SvmAddress
  let funding: Promise<void> | null = null
  // The chain starts with what is first asked of it: not for those who pay elsewhere.
  const call: SolanaChain['call'] = async (method, params) => {
    funding ??= solana.faucet(tokens.native(SOLANA), address, FUNDS)
    await funding
    return solana.call(method, params)
  }
  return {
    getAddresses: () => [address],
    signTransaction: async (transaction) => signFirst(transaction),
    simulateTransaction: async (transaction, _network, options) => {
      const asked = { sigVerify: false, replaceRecentBlockhash: false, commitment: 'confirmed', encoding: 'base64', ...options }
      const { value } = (await call('simulateTransaction', [transaction, asked])) as { value: { err: unknown } }
      if (value.err !== null) throw new Error(`Simulation failed: ${JSON.stringify(value.err)}`)
    },
    sendTransaction: async (transaction) => (await call('sendTransaction', [transaction, { encoding: 'base64' }])) as string,
    confirmTransaction: async (signature) => {
      const found = await call('getSignatureStatuses', [[signature]])
      const [status] = (found as { value: readonly ({ err: unknown } | null)[] }).value
      if (status?.err !== null) throw new Error(`${signature} is in no block, or failed`)
    },
  }
}
