import { ChainError, type Chains } from '../../../engine/chains/chains.ts'
import type { SolanaTransactions } from '../../../engine/chains/solana/solanaTransactions.ts'
import { isSameAsset } from '../../../engine/core/asset.ts'
import { sampleTokens } from './sample.ts'

const unasked = () => Promise.reject(new Error('a quote does not ask for this'))

/** Nothing is sent by a quote. */
export const memorySolana: SolanaTransactions = {
  simulate: unasked,
  send: unasked,
  landing: unasked,
  isBlockhashValid: unasked,
  finality: unasked,
  firstSlot: unasked,
}

/** Chains that answer at once from memory: what is measured is ours, not theirs. Nobody has allowed anybody anything. */
export const createMemoryChains = (): Chains => {
  const tokens = sampleTokens()
  return {
    token: async (asset) => {
      const token = tokens.find((known) => isSameAsset(known, asset))
      if (!token) throw new ChainError('notAToken', asset.chainId, 'not a token of the benchmark')
      return token
    },
    isKnownMissing: () => false,
    allowance: async () => 0n,
    refusesReapproval: unasked,
    feePrice: async () => 1_000_000n,
    isValidContractSignature: unasked,
    code: async () => '0x',
    call: async () => '0x',
    latestBlockhash: unasked,
    lookupTable: unasked,
    solanaAccount: unasked,
    computeUnits: unasked,
    close: async () => {},
  }
}
