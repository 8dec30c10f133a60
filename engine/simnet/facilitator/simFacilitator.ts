import type { FacilitatorClient } from '@x402/core/server'
import { SOLANA } from '../../core/chain.ts'
import type { SimTokens } from '../kit/tokens.ts'
import type { SimEvm } from '../kit/world.ts'
import { createEvmSigner } from './evmSigner.ts'

export type SimFacilitatorParts = { readonly evm: SimEvm; readonly tokens: SimTokens }

/** The chains whose USDC takes authorizations (EIP-3009). */
const chainsOf = (tokens: SimTokens): readonly number[] =>
  tokens.all.flatMap(({ chainId, symbol }) => (symbol === 'USDC' && chainId !== SOLANA ? [chainId] : []))

/** The official packages are some megabytes: read when the first payment is. */
const build = async ({ evm, tokens }: SimFacilitatorParts): Promise<FacilitatorClient> => {
  const [{ x402Facilitator }, { ExactEvmScheme }] = await Promise.all([
    import('@x402/core/facilitator'),
    import('@x402/evm/exact/facilitator'),
  ])
  const facilitator = new x402Facilitator()
  // A scheme of the package knows one chain by its signer.
  for (const chainId of chainsOf(tokens))
    facilitator.register(`eip155:${chainId}`, new ExactEvmScheme(createEvmSigner(evm, chainId)))
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
    building ??= build(parts)
    return building
  }
  return {
    verify: async (payload, requirements) => (await ready()).verify(payload, requirements),
    settle: async (payload, requirements) => (await ready()).settle(payload, requirements),
    getSupported: async () => (await ready()).getSupported(),
  }
}
