import type { FacilitatorClient } from '@x402/core/server'
import { SOLANA } from '../../core/chain.ts'
import type { SimTokens } from '../kit/tokens.ts'
import type { SimEvm } from '../kit/world.ts'
import type { SolanaChain } from '../solana/solanaChain.ts'
import { createEvmSigner } from './evmSigner.ts'
import { createSolanaSigner } from './solanaSigner.ts'

export type SimFacilitatorParts = { readonly evm: SimEvm; readonly solana: SolanaChain; readonly tokens: SimTokens }

/** https://namespaces.chainagnostic.org/solana/caip2 */
const SOLANA_NETWORK = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'

/** The chains whose USDC takes authorizations (EIP-3009). */
const evmChainsOf = (tokens: SimTokens): readonly number[] =>
  tokens.all.flatMap(({ chainId, symbol }) => (symbol === 'USDC' && chainId !== SOLANA ? [chainId] : []))

/** The official packages are some megabytes: read when the first payment is. */
const build = async ({ evm, solana, tokens }: SimFacilitatorParts): Promise<FacilitatorClient> => {
  const [{ x402Facilitator }, { ExactEvmScheme }, { ExactSvmScheme }] = await Promise.all([
    import('@x402/core/facilitator'),
    import('@x402/evm/exact/facilitator'),
    import('@x402/svm/exact/facilitator'),
  ])
  const facilitator = new x402Facilitator()
  // A scheme of the package knows one chain by its signer.
  for (const chainId of evmChainsOf(tokens))
    facilitator.register(`eip155:${chainId}`, new ExactEvmScheme(createEvmSigner(evm, chainId)))
  facilitator.register(SOLANA_NETWORK, new ExactSvmScheme(createSolanaSigner(solana, tokens)))
  return {
    verify: (payload, requirements) => facilitator.verify(payload, requirements),
    settle: (payload, requirements) => facilitator.settle(payload, requirements),
    getSupported: async () => facilitator.getSupported() as Awaited<ReturnType<FacilitatorClient['getSupported']>>,
  }
}

/**
 * A facilitator of the x402 protocol that settles on the offline network's chains: the official one, by the official
 * packages. What it says, and what it throws, is as theirs.
 */
export const createSimFacilitator = (parts: SimFacilitatorParts): FacilitatorClient => {
  let building: Promise<FacilitatorClient> | null = null
  const ready = (): Promise<FacilitatorClient> => {
    building ??= build(parts).catch((error: unknown) => {
      building = null
      throw error
    })
    return building
  }
  return {
    verify: async (payload, requirements) => (await ready()).verify(payload, requirements),
    settle: async (payload, requirements) => (await ready()).settle(payload, requirements),
    getSupported: async () => (await ready()).getSupported(),
  }
}
